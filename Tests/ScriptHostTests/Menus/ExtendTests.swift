import Expectations
import Testing

@testable import ScriptHost

@Suite("Menus that other scripts extend")
struct ExtendTests {
  private static let script = """
    list = responder "list" {}
    menubar {
      menu "Edit" { item "Cut" { "cut" }, group "clipboard" { item "Copy" { "copy" } }, item "Find" { "find" } },
      menu "Go" { section "places" { items = function() return places end, row = function(p) return item(p) { "go" } end } },
    }
    places = { "Home" }
    panel { beside "columns" { pane "list" { title = "List", responder = list, item "One" { "open" } } } }
    """

  /// A host with the script, and with plugins that it loads one after another.
  private func host(_ plugins: String...) throws -> (host: ScriptHost, said: () -> [String]) {
    final class Said { var all: [String] = [] }
    let said = Said()
    let host = try ScriptStage(Self.script).host
    host.onDiagnostic = { said.all.append($0.message) }
    for (number, plugin) in plugins.enumerated() { try load(plugin, "p\(number)", into: host) }
    return (host, { said.all })
  }

  private func load(_ plugin: String, _ name: String, into host: ScriptHost) throws {
    _ = try host.load(text: plugin, name: "\(name).lua")
  }

  private func titles(_ id: String, of host: ScriptHost) -> [String] {
    (host.menus().find(id)?.children ?? []).filter { !$0.isHidden }.map {
      $0.kind == .separator ? "-" : $0.title
    }
  }

  @Test(
    "M15: extend puts elements in the place that its owner names: first, last, before or after another, in a group",
    arguments: [
      ("nil", "Cut - Copy - Find X Y"), ("{}", "Cut - Copy - Find X Y"), ("{ last = true }", "Cut - Copy - Find X Y"),
      ("{ first = true }", "X Y Cut - Copy - Find"), ("{ after = 'Cut' }", "Cut X Y - Copy - Find"),
      ("{ before = 'Find' }", "Cut - Copy - X Y Find"), ("{ after = 'Edit/Find' }", "Cut - Copy - Find X Y"),
      ("{ after = 'Copy' }", "Cut - Copy X Y - Find"), ("{ group = 'clipboard' }", "Cut - Copy X Y - Find"),
    ])
  func positions(_ place: String, _ expected: String) throws {
    let added = #"item "X" { "x" }, item "Y" { "y" }"#
    let (host, said) = try host(place == "nil" ? "extend('Edit', \(added))" : "extend('Edit', \(place), \(added))")
    expect(titles("Edit", of: host).joined(separator: " "), is: expected)
    expect(host.menus().find("Edit/X") != nil && host.menus().find("Edit/Copy") != nil)
    expect(said().isEmpty)
  }

  @Test("M15: Elements added to the same place come in the order of 'order', then of loading")
  func order() throws {
    let (host, _) = try host(
      #"extend("Edit", { after = "Cut", order = 2 }, item "B" { "b" }, item "C" { "c" }) extend("Edit", { first = true }, item "Z" { "z" })"#,
      #"extend("Edit", { after = "Cut", order = 1 }, item "A" { "a" }) extend("Edit", { after = "Cut", order = 2 }, item "D" { "d" })"#,
      #"extend("Edit", { before = "A" }, item "0" { "n" })"#)
    expect(titles("Edit", of: host), is: ["Z", "Cut", "0", "A", "B", "C", "D", "-", "Copy", "-", "Find"])
  }

  @Test("M15: Additions beside an addition stay beside it, however it is named")
  func beside() throws {
    let (host, _) = try host(
      #"extend("Edit", { after = "Cut" }, item "A" { "a" }) extend("Edit", { after = "A" }, item "A2" { "a" })"#,
      #"extend("Edit", { after = "Edit/Cut" }, item "B" { "a" }) extend("Edit", { after = "Cut" }, item "C" { "a" })"#,
      #"extend("Edit", { first = true }, item "F" { "a" }) extend("Edit", { before = "F" }, item "E" { "a" })"#,
      #"extend("Edit", { first = true }, item "G" { "a" }) extend("Edit", { before = "Copy" }, item "H" { "a" })"#)
    expect(titles("Edit", of: host).joined(separator: " "), is: "E F G Cut A A2 B C - H Copy - Find")
  }

  @Test("M15: 256 extends of one menu keep their order and cost no perform; the host refuses a thousand")
  func thousand() throws {
    func script(_ count: Int) -> String {
      #"for i = 1, \#(count) do extend("Edit", { last = true, order = 1000 - i }, item("E" .. i) { "act(n: " .. i .. ")" }) end"#
    }
    let (host, said) = try host(script(256))
    expect(Array(titles("Edit", of: host).suffix(256)), is: (1...256).reversed().map { "E\($0)" })
    expect(said().isEmpty)
    host.on("act") { _ in }
    let taken = ContinuousClock().measure { for _ in 0..<100 { _ = host.perform("act(n: 1)") } }
    expect(taken < .seconds(1), "\(taken)")
    expect(host.pick("Edit/E200").status, is: .handled)
    let error = #expect(throws: (any Error).self) { try self.host(script(1000)) }
    expect("\(error.map { "\($0)" } ?? "")".contains("256 times at most"))
  }

  @Test("M15: extend reaches a section, a pane, a layout, the menubar and the panel by their ids")
  func targets() throws {
    let (host, said) = try host(
      """
      extend("places", item "Add a Place" { "add" })
      extend("places", { first = true }, label "Places")
      extend("list", item "Two" { "open" })
      extend("columns", pane "more" { title = "More", item "Three" { "open" } })
      extend("root", { before = "Go" }, menu "View" { item "Zoom" { "zoom" } })
      """)
    expect(titles("Go", of: host), is: ["Places", "Home", "Add a Place"])
    expect(titles("list", of: host) == ["One", "Two"] && titles("columns", of: host) == ["List", "More"])
    expect(host.menus().children.map(\.title), is: ["Edit", "View", "Go"])
    expect(host.choose("more/Three").status == .handled && host.panel()?.find("more")?.area?.isFocused == true)
    expect(said().isEmpty)
  }

  @Test("M15: The host reports an unknown id once with the nearest, and adds the elements when the id appears")
  func appears() throws {
    let (host, said) = try host(#"extend("Viwe", item "X" { "x" }) extend("Edt", item "Y" { "y" })"#)
    _ = host.menus()
    _ = host.menus()
    expect(said().count == 2 && said()[0].contains("there is no element 'Edt'; did you mean 'Edit'?"))
    try load(#"extend("root", menu "Viwe" { item "A" { "a" } })"#, "later", into: host)
    expect(titles("Viwe", of: host), is: ["A", "X"])
    expect(said().count, is: 2)
  }

  @Test("M15: The host reports a name that isn't in the menu, and adds the elements at the menu's end")
  func misplaced() throws {
    let (host, said) = try host(
      #"extend("Edit", { after = "Cutt" }, item "X" { "x" }) extend("Edit", { group = "clip" }, item "Y" { "y" })"#)
    expect(titles("Edit", of: host), is: ["Cut", "-", "Copy", "-", "Find", "X", "Y"])
    expect(said().first?.contains("there is nothing 'Cutt' in 'Edit'"), is: true)
    expect(said().first?.contains("did you mean 'Cut'?"), is: true)
  }

  @Test("M15: extend also reaches elements that a builder or a row made, as long as they exist")
  func dynamic() throws {
    let (host, said) = try host(
      """
      local isThere = true
      function app.build:main(m) if isThere then m:insert_last("root", menu "Made" { item "A" { "a" } }) end end
      extend("Made", { before = "A" }, item "X" { "x" })
      extend("Made", item "Y" { "y" })
      function app.on:move() isThere = false end
      """)
    expect(titles("Made", of: host), is: ["X", "A", "Y"])
    expect(said(), is: [])
    host.perform("move")
    expect(host.menus().find("Made") == nil && said().count == 2)
  }

  @Test("M15: The elements go with their owner")
  func goes() throws {
    let stage = try PluginStage(
      ["p.lua": #"plugin { name = "p", version = "1" } extend("Edit", item "X" { "x" })"#], app: Self.script)
    try stage.load("p.lua")
    expect(titles("Edit", of: stage.host).last, is: "X")
    stage.write(
      #"plugin { name = "p", version = "2" } extend("Edit", { first = true }, item "X" { "x" })"#, to: "p.lua")
    try stage.host.reload(plugin: "p")
    expect(titles("Edit", of: stage.host).first, is: "X")
    try stage.host.unload(plugin: "p")
    expect(titles("Edit", of: stage.host), is: ["Cut", "-", "Copy", "-", "Find"])
  }

  @Test("M15: A duplicate id is an error where it is added, and so are values that aren't elements or places")
  func misuse() throws {
    func error(_ plugin: String) throws -> String {
      do {
        _ = try host(plugin)
        return ""
      } catch { return "\(error)" }
    }
    try expect(error(#"extend("Edit", item "X" { "x", id = "places" })"#).contains("the id 'places' is used twice"))
    try expect(error(#"extend("Edit", "Cut")"#).contains("extend takes an id"))
    try expect(error(#"extend("Edit")"#).contains("extend needs elements to add to 'Edit'"))
    try expect(error(#"extend("Edit", { first = true, after = "Cut" }, separator)"#).contains("remove one"))
    try expect(error(#"extend("Edit", { order = "x" }, separator)"#).contains("must be a number"))
    for (order, said) in [("0/0", "nan"), ("1/0", "inf"), ("-1/0", "-inf")] {
      try expect(error("extend('Edit', { order = \(order) }, separator)").contains("must be a number, not \(said)"))
    }
    try expect(error("for i = 1, 300 do extend('Edit', item('X' .. i) { 'x' }) end").contains("256 times at most"))
    try expect(error(#"extend("Edit", pane "p" { item "X" { "x" } })"#).contains("must be in a panel"))
  }
}

@Suite("Parts of a face that a script opens")
struct WishTests {
  @Test(
    "E6: A script asks the face of the action to open the palette, a menu or a form; without a face it gets the reason"
  )
  func wishes() throws {
    let host = try ScriptStage(
      """
      menubar { menu "View" { item "Zoom" { "zoom" } } }
      function app.on:palette() return open_palette() end
      function app.on:menu() return open_menu("View") end
      function app.on:item() return select(2, open_menu("View/Zoom")) end
      function app.on:form() return open_form("resize(width: 3)") end
      function app.on:wrong() return open_form("resize(") end
      function app.on:nobody() return select(2, open_palette()) end
      function app.can:asking() return open_palette() end
      function app.on:asking() end
      """
    ).host
    expect(
      host.perform("nobody").result.shownText,
      is: "nothing can be opened: this action wasn't started from the terminal UI or another face")
    var wishes: [FaceWish] = []
    host.onWish = {
      wishes.append($0)
      return true
    }
    for name in ["palette", "menu", "form"] { expect(host.perform(name).status, is: .handled) }
    expect(wishes, is: [.palette, .menu("View"), .form("resize(width: 3)")])
    expect(host.perform("item").result.shownText, is: "'View/Zoom' is an item, not a menu")
    expect(host.perform("wrong").error?.message.contains("open_form takes the reference of an action"), is: true)
    expect(host.perform("asking").status != .handled && wishes.count == 3)
  }
}
