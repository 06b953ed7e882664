import Expectations
import Testing

@testable import ScriptHost

@Suite("Key rules")
struct KeyRuleTests {
  private let scene = Scene()
  private var host: ScriptHost { scene.host }

  private func press(_ keys: String) -> String { host.press(keys).short }

  @Test("K1: The host looks up a stroke along the chain, nearest first, in any spelling")
  func lookup() throws {
    try scene.chain("cell", "grid", "window1").chain("other")
    for name in ["grid", "app", "other"] {
      scene[name].on("say\(name)") { [unowned scene] _ in scene.note(name) }
    }
    try scene["grid"].bind("ctrl+shift+k", to: "saygrid")
    try scene.app.bind("Shift+Ctrl+K", to: "sayapp")
    try scene.app.bind("j", to: "sayapp")
    try scene["other"].bind("j", to: "sayother")
    try host.focus(scene["cell"])
    expect(press("SHIFT+CTRL+k") == "grid via on" && press("J") == "app via on")
    try host.focus(scene["other"])
    expect(press("j") == "other via on" && press("ctrl+shift+k") == "app via on")
    expect(press("ctrl+j"), is: "unhandled: nothing is bound to 'ctrl+j'")
  }

  @Test("K1: Window delegates and the main window's chain have their usual place in the lookup of keys")
  func walk() throws {
    try scene.chain("grid", "window1").chain("field", "window2")
    try host.setDelegate(scene["helper"].responder, of: scene["window2"].responder)
    scene.answer("helper", "app")
    scene.answer("grid", "app")
    try scene["helper"].bind("k", to: "helper")
    try scene["grid"].bind("k", to: "grid")
    try scene["grid"].bind("m", to: "grid")
    expect(press("k") == "app via on" && press("m") == "app via on")
    expect(host.keys().first { $0.keys == "k" }?.by, is: "helper")
  }

  @Test(
    "K8: Bindings of all layers count: derived classes, other owners, latest first, the maker, its classes"
  )
  func layers() throws {
    let grid = scene["grid"]
    try host.focus(grid)
    let plugins = ["one", "two"].map { ResponderEditor(responder: grid.responder, host: host, owner: Owner(name: $0)) }
    let base = try host.chain.define("base", ancestor: nil, owner: host.program, place: nil)
    grid.responder.setAncestor(base)
    // The first lookup goes from node to node, the second uses one table.
    func bound() throws -> String? {
      let keys = try KeySequence.parse("k")
      let first = host.dispatcher.boundKeys[keys].first?.raw
      expect(host.dispatcher.boundKeys[keys].first?.raw, is: first)
      return first
    }
    let second = try plugins[1].bind("k", to: "two")
    try expect(bound(), is: "two")
    let first = try plugins[0].bind("k", to: "one")
    try expect(bound(), is: "one", "one's layer was made last")
    _ = host.chain.set(
      try KeySequence.parse("k"),
      KeyBinding([(try Reference.parse("base"), "base")], owner: host.program, place: nil),
      in: base.behaviour)
    try expect(bound(), is: "one")
    let own = try grid.bind("k", to: "own")
    let later = try grid.bind("K", to: "later")
    first.remove()
    try expect(bound(), is: "two")
    second.remove()
    try expect(bound(), is: "later")
    own.remove()
    try expect(bound(), is: "later", "a handle takes back only its own")
    later.remove()
    try expect(bound(), is: "base")
    grid.responder.setAncestor(nil)
    try expect(bound(), is: nil)
  }

  @Test("K2: The first match consumes the stroke, even if its action is disabled, unhandled, failed or blocked")
  func consuming() throws {
    try scene.chain("grid", "window1")
    scene.answer("act", "grid")
    scene.answer("far", "app")
    scene["grid"].can("act") { _ in .no("not now") }
    try scene["grid"].bind("k", to: "act")
    try scene["grid"].bind("j", to: "nobody")
    for key in ["k", "j"] { try scene.app.bind(key, to: "far") }
    expect(press("k"), is: "disabled: not now")
    expect(press("j"), is: "unhandled: nobody handles 'nobody'")
    expect(scene.log, is: [])
  }

  @Test("K1: A handler gets the bound arguments and the held modifiers")
  func context() throws {
    scene.app.on("rate") { command in
      .text("\(command.context["rating"].shown) \(command.context["modifiers"].shown) \(command.sender)")
    }
    try scene.app.bind("ctrl+alt+5", to: "rate(rating: 5)")
    expect(host.press("alt+ctrl+5").result.shown, is: "5 {ctrl:true,alt:true} app")
  }

  @Test("K4: A sequence waits; a stroke that doesn't fit clears it and then acts alone")
  func sequences() throws {
    for action in ["top", "tip", "x", "deep"] { scene.answer(action, "app") }
    scene.app.on("top") { [unowned scene] _ in scene.note("top") }
    try scene.app.bind("g g", to: "top")
    try scene.app.bind("g t", to: "tip")
    try scene.app.bind("x", to: "x")
    try scene.app.bind("ctrl+k ctrl+k k", to: "deep")
    expect(press("g") == "pending: 'g' waits for the rest of a sequence" && host.pendingKeys?.text == "g")
    expect(press("g") == "app via on" && host.pendingKeys == nil)
    expect(press("g t"), is: "app via on")
    expect(press("g").hasPrefix("pending") && press("x") == "app via on" && host.pendingKeys == nil)
    expect(press("g").hasPrefix("pending") && press("q") == "unhandled: nothing is bound to 'q'")
    expect(
      press("g").hasPrefix("pending") && press("ctrl+k").hasPrefix("pending") && host.pendingKeys?.text == "ctrl+k")
    expect(press("ctrl+k k"), is: "app via on")
    expect(press("t"), is: "unhandled: nothing is bound to 't'")
    expect(scene.log.count, is: 4)
  }

  @Test("K4: esc clears a pending sequence, and only then consumes the stroke")
  func escape() throws {
    for action in ["top", "leave"] { scene.answer(action, "app") }
    try scene.app.bind("g g", to: "top")
    expect(press("esc"), is: "unhandled: nothing is bound to 'esc'")
    try scene.app.bind("esc", to: "leave")
    expect(press("g").hasPrefix("pending"))
    expect(press("esc") == "cancelled: 'g' was begun and then dropped" && host.pendingKeys == nil)
    expect(scene.log, is: [])
    expect(press("esc"), is: "app via on")
    expect(press("g").hasPrefix("pending") && press("ctrl+esc").hasPrefix("unhandled"))
  }

  @Test("K7: esc begins a sequence if one is bound to begin with it and nothing is pending")
  func escapeFirst() throws {
    for action in ["top", "leave"] { scene.answer(action, "app") }
    try scene.app.bind("esc x", to: "leave")
    try scene.app.bind("g g", to: "top")
    expect(press("esc").hasPrefix("pending") && press("x") == "app via on")
    expect(press("esc").hasPrefix("pending"))
    expect(press("esc"), is: "cancelled: 'esc' was begun and then dropped")
    expect(press("g").hasPrefix("pending"))
    expect(press("esc") == "cancelled: 'g' was begun and then dropped" && host.pendingKeys == nil)
    #expect(throws: ReferenceError.self) { try scene.app.bind("g", to: "x(") }
  }

  @Test("K7: esc clears pending strokes, unless the pending strokes and esc are bound together")
  func escapeInside() throws {
    for action in ["top", "leave"] { scene.answer(action, "app") }
    try scene.app.bind("g esc", to: "leave")
    try scene.app.bind("g g", to: "top")
    expect(press("g esc") == "app via on" && host.pendingKeys == nil)
    expect(press("g g"), is: "app via on")
  }

  @Test(
    "K7: Every key that terminals and desktops send has a name",
    arguments: ["menu", "f1", "f24", "kp5", "kpenter", "medianext", "volumeup", "printscreen", "pause"])
  func names(_ name: String) throws {
    scene.answer("top", "app")
    try scene.app.bind("ctrl+\(name)", to: "top")
    expect(press("CTRL+\(name.uppercased())"), is: "app via on")
  }

  @Test(
    "K9, K10, K12: Swift removes keys, binds several actions in turn, gives conditions, titles, and time for a sequence"
  )
  func bindingsOfSwift() throws {
    let page = try scene.host.responder("page")
    try scene.host.focus(page)
    for action in ["one", "two"] { scene.app.on(action) { [unowned scene] _ in scene.note(action) } }
    try scene.app.bind("x", to: "one")
    let removal = try page.unbind("x")
    expect(scene.host.press("x").status, is: .unhandled)
    removal.remove()
    expect(scene.host.press("x").status, is: .handled)
    try page.bind("b", toAll: ["one", "two"], title: "Both")
    expect(scene.host.press("b").status, is: .handled)
    expect(scene.takeLog(), is: ["one", "one", "two"])
    expect(scene.host.keys().first { $0.keys == "b" }?.title, is: "Both")
    var isOn = false
    try page.bind("c", toFirst: ["two"], when: { _ in isOn })
    try scene.app.bind("c", to: "one")
    scene.host.press("c")
    isOn = true
    scene.host.press("c")
    expect(scene.takeLog(), is: ["one", "two"])
    try page.bind("g", toFirst: ["one"], wait: .milliseconds(500))
    try page.bind("g g", to: "two")
    expect(scene.host.press("g").status, is: .pending)
    scene.host.press("g")
    expect(scene.takeLog(), is: ["two"])
    #expect(throws: Misuse.self) { try page.bind("q", toAll: []) }
  }

  @Test(
    "K6: A key bound to a list performs the first action that is possible; if none is, the first gives the reason"
  )
  func lists() throws {
    for action in ["second", "asking", "refused"] { scene.answer(action, "app") }
    scene.app.on("first") { [unowned scene] _ in scene.note("first") }
    var isFirst = false
    scene.app.can("first") { _ in isFirst ? .yes : .no("not now") }
    try scene.app.bind("k", toFirst: ["nosuch", "first", "second"])
    expect(press("k") == "app via on" && scene.takeLog() == ["app"])
    isFirst = true
    expect(press("k") == "app via on" && scene.takeLog() == ["first"])
    isFirst = false
    try scene.app.bind("l", toFirst: ["first", "nosuch"])
    expect(press("l") == "disabled by app: not now" || press("l").hasPrefix("disabled"))
    expect(host.press("l").reason == "not now" && scene.takeLog() == [])
    scene.app.takes("asking", .integer("n"))
    try scene.app.bind("m", toFirst: ["asking", "second"])
    expect(host.press("m").asks?.arguments.first?.key == "n" && scene.takeLog() == [])
    scene.app.on("refused") { command -> Void in throw command.refuse("after all") }
    try scene.app.bind("n", toFirst: ["refused", "second"])
    expect(host.press("n").reason == "after all" && scene.takeLog() == [])
  }

  @Test(
    "K6: A key bound to a list skips running, blocked and unhandled actions; if no others are left, the first says why"
  )
  func skippedOfList() throws {
    try scene.chain("panel")
    for action in ["outside", "second"] { scene.answer(action, "app") }
    scene.answer("inside", "panel")
    try scene.app.bind("k", toFirst: ["nosuch", "outside", "inside"])
    try scene.app.bind("l", toFirst: ["outside", "nosuch"])
    let session = try host.modal(scene["panel"].responder)
    expect(press("k") == "panel via on" && scene.takeLog() == ["panel"])
    expect(host.press("l").reason?.hasPrefix("a modal session on 'panel'") ?? false && scene.takeLog() == [])
    session.close()
    expect(press("k") == "app via on" && scene.takeLog() == ["app"])
    let stage = try ScriptStage(
      """
      function app.on:slow() sleep(5) return "slow" end
      function app.on:quick() return "quick" end
      app.keys = { k = { "slow", "quick" }, l = { "slow", "nosuch" } }
      """)
    expect(stage.host.press("k").status == .running && stage.host.press("k").result.shownText == "quick")
    expect(stage.host.press("l").status == .disabled && stage.host.press("l").reason == "running")
    try stage.host.advance(by: .seconds(6))
    expect(stage.host.press("k").status, is: .running)
  }

  @Test("K3: If a key is bound alone and as a prefix, the binding alone wins")
  func aloneWins() throws {
    for action in ["alone", "longer"] { scene.answer(action, "app") }
    try scene.chain("grid", "window1")
    scene["grid"].on("longer") { [unowned scene] _ in scene.note("longer") }
    scene["grid"].on("alone") { [unowned scene] _ in scene.note("alone") }
    try scene["grid"].bind("g g", to: "longer")
    let alone = try scene.app.bind("g", to: "alone")
    expect(press("g g") == "grid via on" && scene.takeLog() == ["alone", "alone"])
    alone.remove()
    expect(press("g g") == "grid via on" && scene.log == ["longer"])
  }

  @Test("K5: An unknown key is a failed outcome with its column, and nothing runs")
  func malformed() {
    let outcome = host.press("ctrl+enterr")
    expect(outcome.status == .failed && outcome.error?.code == .keys && outcome.error?.place?.column == 6)
    expect(outcome.error?.message, is: "there is no key 'enterr'; did you mean 'enter'?")
  }

  @Test("K1: You can change a binding at any time, even from its own action")
  func changing() throws {
    var registration: Registration?
    scene.app.on("once") { [unowned scene] _ -> Void in
      registration?.remove()
      scene.note("once")
    }
    registration = try scene.app.bind("k", to: "once")
    expect(press("k k") == "unhandled: nothing is bound to 'k'" && scene.log == ["once"])
  }

  @Test("K1: A modal session blocks keys too, and a stroke closes a dismissable session")
  func modal() throws {
    try scene.chain("panel")
    scene.answer("save", "app")
    try scene.app.bind("k", to: "save")
    let session = try host.modal(scene["panel"].responder, dismissable: true)
    expect(press("k") == "blocked: dismissed" && !session.isOpen)
    expect(press("k"), is: "app via on")
  }
}
