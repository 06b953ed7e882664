import Expectations
import Testing

@testable import ScriptHost

@Suite("Focus rules")
struct FocusRuleTests {
  private let scene = Scene()

  /// Makes responders note the calls of their hooks, and return the given answers.
  private func hook(_ name: String, accepts: Bool = true, becomes: Bool = true, resigns: Bool = true) {
    scene[name].acceptsFocus { [unowned scene] in
      scene.note("accepts \(name)")
      return accepts
    }
    scene[name].become { [unowned scene] in
      scene.note("become \(name)")
      return becomes
    }
    scene[name].resign { [unowned scene] in
      scene.note("resign \(name)")
      return resigns
    }
  }

  private func listen() {
    scene.host.listen(.focus) { [unowned scene] event in
      if case .focus(let new, let old) = event { scene.note("\(old.name) → \(new.name)") }
    }
  }

  @Test(
    "F0: A responder's window is itself or the first along next; focus makes it key; a new window has itself as first"
  )
  func windows() throws {
    try scene.host.setNext(scene["window1"].responder, of: scene["grid"].responder)
    try scene.host.setNext(scene["grid"].responder, of: scene["cell"].responder)
    expect(scene.host.keyWindow?.name == "window1" && scene.host.mainWindow?.name == "window1")
    expect(scene.host.focused.name, is: "window1")
    _ = scene["window2"]
    expect(scene.host.keyWindow?.name, is: "window1")
    try scene.host.focus(scene["window2"])
    expect(scene.host.keyWindow?.name == "window2" && scene.host.focused.name == "window2")
    try scene.host.focus(scene["cell"])
    expect(scene.host.keyWindow?.name == "window1" && scene.host.focused.name == "cell")
    expect(scene.host.mainWindow?.name, is: "window1")
  }

  @Test(
    "F1: The host calls accepts_focus of the new responder, resign of the old, become of the new, then sends the event")
  func order() throws {
    hook("a")
    hook("b")
    try scene.chain("a", "window1").chain("b", "window1")
    _ = scene.takeLog()
    listen()
    try expect(scene.host.focus(scene["a"].responder))
    expect(scene.takeLog(), is: ["accepts a", "resign b", "become a", "b → a"])
    try expect(scene.host.focus(scene["a"].responder))
    expect(scene.takeLog(), is: [])
  }

  @Test("F1: If accepts_focus or the old responder's resign returns false, the focus stays and focus returns false")
  func refusals() throws {
    hook("a", resigns: false)
    hook("b")
    hook("c", accepts: false)
    try scene.chain("a", "window1")
    try scene.host.setNext(scene["window1"].responder, of: scene["b"].responder)
    _ = scene.takeLog()
    listen()
    try expect(!scene.host.focus(scene["b"].responder))
    expect(scene.takeLog(), is: ["accepts b", "resign a"])
    try expect(!scene.host.focus(scene["c"].responder))
    expect(scene.takeLog(), is: ["accepts c"])
    expect(scene.host.focused.name, is: "a")
    scene["c"].acceptsFocus(true)
    scene["a"].acceptsFocus(false)
    scene["a"].resign { true }
    try expect(scene.host.focus(scene["c"].responder))
    try expect(!scene.host.focus(scene["a"].responder))
  }

  @Test("F1: If become returns false, the window or the app gets the focus, and focus returns false")
  func refusingToBecome() throws {
    hook("a", becomes: false)
    hook("b")
    try scene.host.setNext(scene["window1"].responder, of: scene["a"].responder)
    try scene.chain("b", "window1")
    _ = scene.takeLog()
    listen()
    try expect(!scene.host.focus(scene["a"].responder))
    expect(scene.takeLog(), is: ["accepts a", "resign b", "become a", "b → window1"])
    try scene.host.focus(scene["b"])
    hook("loose", becomes: false)
    try expect(!scene.host.focus(scene["loose"].responder))
    expect(scene.host.focused === scene.host.app)
    hook("window2", becomes: false)
    try expect(!scene.host.focus(scene["window2"].responder))
    expect(scene.host.focused.name, is: "window2")
  }

  @Test("F1: Every way of moving the focus raises an error inside resign; afterwards it works")
  func insideResign() throws {
    try scene.chain("a", "window1").chain("b", "window2").chain("a")
    var codes: [Misuse.Code?] = []
    scene["a"].resign { [unowned scene] in
      for move in [
        { try scene.host.focus(scene["b"]) }, { try scene.host.makeKey(scene["window2"].responder) },
        { _ = try scene.host.modal(scene["b"].responder) },
      ] {
        do {
          try move()
          codes.append(nil)
        } catch { codes.append((error as? Misuse)?.code) }
      }
      return true
    }
    try expect(scene.host.focus(scene["b"].responder))
    expect(codes, is: [.notNow, .notNow, .notNow])
    expect(scene.host.focused.name == "b" && scene.host.modalSessions.isEmpty)
    try scene.host.focus(scene["a"])
    expect(scene.host.focused.name, is: "a")
  }

  @Test("F1: A responder that become focuses keeps the focus; the events form one path from responder to responder")
  func insideBecome() throws {
    try scene.chain("a", "window1").chain("b", "window1").chain("c", "window1")
    scene["a"].become { [unowned scene] in try scene.host.focus(scene["b"].responder) }
    listen()
    try expect(!scene.host.focus(scene["a"].responder))
    expect(scene.takeLog(), is: ["c → b"])
    expect(scene.host.focused.name, is: "b")
    scene["a"].become { [unowned scene] in
      try scene.host.focus(scene["c"].responder)
      return false
    }
    try expect(!scene.host.focus(scene["a"].responder))
    expect(scene.host.focused.name, is: "c", "who has it by now keeps it")
  }

  @Test("F1: The host stops two responders that hand the focus to each other")
  func endless() throws {
    try scene.chain("a", "window1").chain("b", "window1").chain("c", "window1")
    var moves = 0
    for (one, other) in [("a", "b"), ("b", "a")] {
      scene[one].become { [unowned scene] in
        moves += 1
        return try scene.host.focus(scene[other].responder)
      }
    }
    try scene.host.focus(scene["a"])
    expect(moves, is: 50)
    expect(scene.host.takeDiagnostics().first?.message, is: "moves of the focus are nested more than 50 deep")
    scene["a"].become { true }
    scene["b"].become { true }
    try expect(scene.host.focus(scene["c"].responder) && scene.host.focus(scene["a"].responder))
  }

  @Test("F1: An error in accepts_focus, resign or become is a diagnostic and doesn't refuse the focus")
  func errors() throws {
    try scene.chain("a", "window1").chain("b", "window1")
    scene["b"].resign { throw Broken(description: "resign broke") }
    scene["a"].acceptsFocus { throw Broken(description: "accepts broke") }
    scene["a"].become { throw Broken(description: "become broke") }
    try expect(scene.host.focus(scene["a"].responder))
    expect(scene.host.takeDiagnostics().map(\.message), is: ["accepts broke", "resign broke", "become broke"])
  }

  @Test("F1: An error in resign or become travels up the chain, where a failed hook can end it")
  func failed() throws {
    try scene.chain("a", "window1").chain("b", "window1")
    scene["a"].become { throw Broken() }
    scene["window1"].failed { [unowned scene] failure in
      scene.note(failure.message)
      return nil
    }
    try expect(scene.host.focus(scene["a"].responder))
    expect(scene.log == ["it broke"] && scene.host.diagnostics.isEmpty)
  }

  @Test("F1: accepts_focus is a question: inside it a script can't change anything")
  func asking() throws {
    try scene.chain("a", "window1").chain("b", "window1")
    scene["a"].acceptsFocus { [unowned scene] in
      do { try scene.host.focus(scene["window1"]) } catch { scene.note("\(error)") }
      return scene.host.perform("x").status == .handled
    }
    scene.answer("x", "b")
    try expect(!scene.host.focus(scene["a"].responder))
    expect(
      scene.log,
      is: [
        "the focus can't be moved while the host only asks: 'can', 'look' and sections must not change anything"
      ])
  }

  @Test("F1: A responder that is removed while the old one resigns doesn't get the focus")
  func removedMeanwhile() throws {
    try scene.chain("a", "window1").chain("b", "window1")
    let a = scene["a"].responder
    scene["b"].resign { [unowned scene] in
      try scene.host.remove(a)
      return true
    }
    try expect(!scene.host.focus(a))
    expect(scene.host.focused.name, is: "b")
  }

  @Test(
    "F2: A removed first responder hands the focus to its next, a removed key window to the last; hooks can't refuse")
  func removal() throws {
    hook("a", accepts: false, becomes: false, resigns: false)
    hook("b", accepts: false, becomes: false, resigns: false)
    scene["b"].acceptsFocus(true)
    try scene.chain("cell", "b", "window1")
    try scene.chain("a2", "window2").chain("x", "window3").chain("cell")
    _ = scene.takeLog()
    listen()
    try scene.host.remove(scene["cell"].responder)
    expect(scene.host.focused.name == "b" && scene.takeLog() == ["cell → b"])
    try scene.host.remove(scene["window1"].responder)
    expect(scene.host.keyWindow?.name == "window3" && scene.host.focused.name == "x")
    expect(scene.takeLog(), is: ["b → x"])
  }

  @Test("F1: The hooks of a layer count as soon as the layer is there, and until it is removed")
  func lookup() throws {
    try scene.chain("a", "window1").chain("b", "window1")
    let a = scene["a"].responder
    let plugin = ResponderEditor(responder: a, host: scene.host, owner: Owner(name: "plugin"))
    plugin.acceptsFocus(false)
    try expect(!scene.host.focus(a))
    a.removeLayer(of: plugin.owner)
    try expect(scene.host.focus(a))
  }
}
