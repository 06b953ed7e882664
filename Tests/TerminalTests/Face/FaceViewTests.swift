import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import Terminal

@Suite("The face: it requests only the visible parts") struct FaceViewTests {
  /// A panel, a menu of many items, and a menu with an item that a key performs and whose title changes.
  private static let app = """
    app.title = "Rows"
    asked, n, went, many = 0, 0, "", {}
    for i = 1, 500 do many[i] = item("Item " .. i) { "go", args = { to = i } } end
    menubar {
      menu "Many" { menu "Deep" { item "Below" { "go", args = { to = 0 } } }, table.unpack(many) },
      menu "Edit" { item "Bump" { "bump", key = "x", destructive = true }, item "Other" { "other" } },
    }
    panel { section "rows" { items = function() return { "one", "two" } end, id = function(r) return r end,
      row = function(r) return item(r) { "open", args = { name = r } } end } }
    function app.can:go() asked = asked + 1 return true end
    function app.on:go(ctx) went = ctx.to end
    function app.on:open() end
    function app.on:other() end
    function app.on:bump() n = n + 1 end
    function app.look:bump() return { title = "Bump " .. n } end
    """

  /// The number of requests for an item since the last call.
  private func asked(_ stage: FaceStage) throws -> Int {
    let asked = try stage.value("asked")
    _ = try stage.host.evaluate("asked = 0")
    return Int(asked) ?? -1
  }

  @Test("P22: With a panel a key requests no items of closed menus, and the outcome has the title of the key's item")
  func closedMenus() throws {
    let stage = try FaceStage(Self.app)
    _ = try asked(stage)
    try stage.press("x")
    expect(stage.bottom, is: " ✓ Bump 0")
    try stage.press("x down x")
    expect(stage.bottom, is: " ✓ Bump 2")
    // One item of a menu shows that you can open the menu.
    try expect(asked(stage) < 40)
    try stage.press("f1")
    expect(stage.picture.contains("x           Bump 3"), "\(stage.picture)")
  }

  @Test("P22: The face requests an opened menu as long as it is open; a submenu likewise")
  func openMenus() throws {
    let stage = try FaceStage(Self.app, rows: 20)
    try stage.press("f10")
    expect(stage.picture.contains("Item 1 "))
    try expect(asked(stage) >= 500)
    try stage.press("enter")
    expect(stage.picture.contains("Below"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.told("went") == "0" && stage.face.view.menus == [])
    try stage.press("f10 right esc")
    _ = try asked(stage)
    try stage.press("x")
    try expect(asked(stage) < 20)
  }

  @Test(
    "P22: Keys read together with the key that opens a menu act in it as if they came one by one",
    arguments: [
      "f10 down enter", "f10 enter enter", "f10 right down down enter x", "ctrl+p b e l o w enter", "f10 end enter",
    ])
  func rushed(keys: String) throws {
    let (slow, fast) = (try FaceStage(Self.app), try FaceStage(Self.app))
    try slow.press(keys)
    try fast.rush(keys)
    expect(slow.picture == fast.picture && slow.told("went") == fast.told("went"))
    expect(slow.told("went") != "nil" || slow.told("n") != "0")
  }

  @Test("P22: A row that the app has ticked stays current while the palette requests everything")
  func tickedRow() throws {
    let stage = try FaceStage(
      """
      ticked = 1
      menubar { menu "M" { item "Next" { "next", key = "n" } } }
      panel { section "rows" { items = function() return { 1, 2, 3 } end, id = function(n) return "r" .. n end,
        row = function(n) return item("Row " .. n) { "open", args = { n = n }, state = n == ticked } end } }
      function app.on:open() end
      function app.on:next() ticked = ticked + 1 end
      """)
    try stage.press("down up n")
    expect(stage.face.panel.currentNode?.id, is: "r2")
    try stage.press("ctrl+p")
    expect(stage.face.panel.currentNode?.id, is: "r2")
  }

  @Test("P22: A frame waits for the items of an opened menu, but no longer than a short patience")
  func frame() throws {
    let stage = try FaceStage(Self.app)
    let face = stage.face
    try stage.press("down")
    for input in try FaceStage.inputs("f10") { face.take(input, at: .zero) }
    expect(!face.isWorthShowing && face.deadline == Face.patience)
    face.isNow(Face.patience)
    expect(face.isWorthShowing && face.draw().text.contains(" … "))
    for input in try FaceStage.inputs("esc") { face.take(input, at: Face.patience) }
    expect(face.bar.open.isEmpty)
    stage.settle()
    expect(face.view.menus, is: [])
  }

  @Test("X2: The areas of a screen follow each other, and on a low screen the status line is the last row")
  func areas() {
    final class Part: Component {
      var area = Area.nowhere
      func draw(on canvas: inout Canvas, theme: Theme) {}
    }
    let (bar, list, status) = (Part(), Part(), Part())
    let tree = AreaTree.stack([(1, .area(bar)), (1, .blank), (nil, .area(list)), (1, .blank), (1, .area(status))])
    for (rows, list, last) in [(24, 20, 23), (5, 1, 4), (4, 0, 3), (2, 0, 1), (1, 0, 0)] {
      tree.place(in: Area(row: 0, column: 0, rows: rows, columns: 10))
      expect(bar.area.row == 0 && status.area.row == last && list == Self.rows(tree, 2))
    }
    tree.place(in: Area(row: 0, column: 0, rows: 24, columns: 10))
    func part(_ row: Int) -> (any Component)? { tree.component(at: Mouse(deed: .press(.left), row: row, column: 3)) }
    expect(part(0) === bar && part(1) == nil && part(2) === list && part(21) === list && part(23) === status)
  }

  @Test("P6: Whatever the layout, where it fits each pane has its room, on the screen and beside the others")
  func layouts() throws {
    for seed: UInt64 in 0..<20_000 {
      let fault = Self.bytes(seed).withUnsafeBufferPointer(LayoutCheck().fault)
      try require(fault == nil, "seed \(seed)")
    }
  }

  @Test("The check of layouts finds panes that are off the screen, over each other, or too small")
  func layoutsCanFail() {
    let shifts = [(1, 0, 0), (0, 1, 0), (0, 0, 2)]
    for (row, column, less) in shifts {
      let check = LayoutCheck { tree, area in
        tree.place(
          in: Area(
            row: area.row + row, column: area.column + column, rows: area.rows - less, columns: area.columns - less))
      }
      expect((0..<500).contains { Self.bytes($0).withUnsafeBufferPointer(check.fault) != nil })
    }
    let over = LayoutCheck { tree, area in for component in tree.components { component.area = area } }
    expect((0..<500).contains { Self.bytes($0).withUnsafeBufferPointer(over.fault)?.contains("lies over") ?? false })
  }

  private static func bytes(_ seed: UInt64) -> [UInt8] {
    var chance = Chance(seed: seed)
    return (0..<3 + chance.below(40)).map { $0 < 2 ? UInt8(60 + chance.below(196)) : UInt8(chance.below(256)) }
  }

  private static func rows(_ tree: AreaTree, _ child: Int) -> Int {
    guard case .stack(let children) = tree, case .area(let part) = children[child].child else { return -1 }
    return part.area.rows
  }
}
