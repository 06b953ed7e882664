import Expectations
import Testing

@testable import ScriptHost

@Suite("Modality rules")
struct ModalRuleTests {
  private let scene = Scene()
  private var host: ScriptHost { scene.host }

  /// Makes a grid in a window and a panel in another; both handle actions, and so does the app.
  private func setting() throws {
    try scene.chain("field", "panel", "window2").chain("grid", "window1")
    scene.answer("edit", "field", "grid")
    scene.answer("ok", "panel")
    scene.answer("save", "grid", "app")
    host.on("quit") { [unowned scene] _ in scene.note("quit") }
    _ = scene.takeLog()
  }

  private func modal(_ name: String, dismissable: Bool = false) throws -> ModalSession {
    try host.modal(scene[name].responder, dismissable: dismissable)
  }

  private static let outside = "a modal session on 'panel' is open, and 'app' is outside of it"

  @Test(
    "F3: modal focuses a responder; it and all that reach it by next are inside; handlers outside are blocked")
  func inside() throws {
    try setting()
    let session = try modal("panel")
    expect(session.isOpen && host.focused.name == "panel" && host.modalSessions.count == 1)
    expect(scene.perform("ok"), is: "panel via on")
    expect(scene.perform("edit") { $0.to = scene["field"].responder }, is: "field via on")
    expect(scene.perform("save"), is: "blocked: \(Self.outside)")
    let outcome = scene.outcome("save")
    expect(outcome.by == "app" && outcome.via == .on)
    expect(scene.perform("quit"), is: "blocked: a modal session on 'panel' is open, and 'host' is outside of it")
    expect(scene.perform("edit") { $0.from = scene["grid"].responder }.hasPrefix("blocked"))
    expect(scene.perform("edit") { $0.to = scene["grid"].responder }.hasPrefix("blocked"))
    expect(scene.log, is: ["panel", "field"], "nothing runs")
    expect(scene.perform("nothing"), is: "unhandled: nobody handles 'nothing'")
  }

  @Test("F3: A session lets the host's undo and redo through, and no handler of the same name")
  func history() throws {
    try setting()
    for action in ["undo", "redo"] { host.on(action) { [unowned scene] _ in scene.note(action) } }
    _ = try modal("panel")
    expect(scene.perform("undo") == "host via native" && scene.perform("redo") == "host via native")
    expect(host.validate("undo").isEnabled)
    scene.answer("undo", "app")
    expect(scene.perform("undo").hasPrefix("blocked"))
  }

  @Test(
    "F3: The session check (D13) comes before needs and can, even with skip_validation; no question or observer runs"
  )
  func first() throws {
    try setting()
    scene.app.needs("save", [("photo", nil)])
    scene.app.can("save") { [unowned scene] _ in
      scene.note("can")
      return .no("never")
    }
    scene["window2"].provide { [unowned scene] _ in scene.note("provide") }
    host.observe { [unowned scene] event in scene.note("\(event.stage)") }
    _ = try modal("panel")
    expect(scene.perform("save"), is: "blocked: \(Self.outside)")
    expect(scene.perform("save") { $0.skipValidation = true }, is: "blocked: \(Self.outside)")
    expect(scene.perform("save(skip_validation: true)"), is: "blocked: \(Self.outside)")
    expect(scene.log, is: [])
  }

  @Test("F3: A pass inside the session leads to handlers outside, and observers that saw the beginning see the end")
  func passing() throws {
    try setting()
    scene.pass("save", "panel")
    host.observe { [unowned scene] event in
      scene.note("\(event.stage) \(event.outcome.map { "\($0.status)" } ?? "")")
    }
    _ = try modal("panel")
    expect(scene.perform("save"), is: "blocked: \(Self.outside)")
    expect(scene.log, is: ["will ", "panel", "failed blocked"])
  }

  @Test("F3: The taker counts, not the way to it: redirect, claims, resolve and catch-alls are blocked alike")
  func ways() throws {
    try setting()
    scene["panel"].redirect { [unowned scene] in $0 == "edit" ? scene["grid"].responder : nil }
    scene.app.redirect { [unowned scene] in $0 == "ok2" ? scene["panel"].responder : nil }
    scene.answer("ok2", "panel")
    scene["panel"].on("ok2") { [unowned scene] _ in scene.note("ok2") }
    scene.app.claims(["claimed"])
    scene.app.unknown { [unowned scene] _ in
      scene.note("claimed")
      return .null
    }
    scene["window2"].resolve { [unowned scene] action in
      if action == "late" { scene.answer("late", "window2") }
      return action == "late"
    }
    _ = try modal("panel")
    expect(scene.perform("edit").hasPrefix("blocked"))
    expect(scene.perform("claimed").hasPrefix("blocked"))
    expect(scene.perform("late").hasPrefix("blocked"))
    expect(scene.log, is: [])
    expect(scene.perform("ok2") { $0.from = host.app } == "panel via redirect" && scene.log == ["ok2"])
    scene.catchAll("window2")
    expect(scene.perform("anything").hasPrefix("blocked: a modal session on 'panel' is open, and 'window2'"))
    scene.catchAll("field")
    expect(scene.perform("anything") { $0.from = scene["field"].responder }, is: "field via unknown")
  }

  @Test(
    "F3: A blocked item shows its taker, its look and the session as reason; why shows the same"
  )
  func drawing() throws {
    try setting()
    scene.app.look("save") { _ in
      var look = Look()
      look.title = "Save All"
      return look
    }
    let before = host.validate("save")
    expect(before.isEnabled && !before.isBlocked)
    let session = try modal("panel")
    let validation = host.validate("save")
    expect(!validation.isEnabled && validation.isBlocked && validation.by == "app")
    expect(validation.reason == Self.outside && validation.look.title == "Save All")
    let why = try host.why("save")
    expect(why.reason == Self.outside && why.steps.contains { $0.asked == "modal save" && $0.node == "app" })
    expect(host.validate("ok").isEnabled)
    session.close()
    expect(host.validate("save").isEnabled)
  }

  @Test("F4: Sessions stack; closing one closes those above it, and restores the key window and the focus exactly")
  func stacking() throws {
    try setting()
    try scene.chain("sheet", "window3").chain("grid")
    let first = try modal("panel")
    let second = try modal("sheet")
    let third = try modal("field")
    expect(host.modalSessions.map(\.title), is: ["panel", "sheet", "field"])
    expect(scene.perform("ok").hasPrefix("blocked: a modal session on 'field' is open, and 'panel'"))
    third.close()
    expect(host.focused.name == "sheet" && second.isOpen)
    _ = try modal("field")
    first.close()
    expect(!first.isOpen && !second.isOpen && host.modalSessions.isEmpty)
    expect(host.focused.name == "grid" && host.keyWindow?.name == "window1")
    first.close()
    second.close()
    expect(host.focused.name, is: "grid")
  }

  @Test("F4: Closing a session restores the first responders of all windows, and the items that were disabled before")
  func restoring() throws {
    try setting()
    scene["grid"].can("save") { _ in .no("nothing to save") }
    try scene.chain("x", "window3").chain("grid")
    let session = try modal("panel")
    try host.focus(scene["field"])
    try host.focus(scene["window3"])
    try host.makeKey(scene["window1"].responder)
    try host.focus(scene["window1"])
    session.close()
    expect(host.focused.name == "grid" && scene.validate("save") == "nothing to save")
    try host.makeKey(scene["window3"].responder)
    expect(host.focused.name, is: "x")
    try host.makeKey(scene["window2"].responder)
    expect(host.focused.name, is: "field", "as it was focused before the session")
  }

  @Test("F4: Sessions stack 64 deep at most")
  func depth() throws {
    try setting()
    let first = try modal("panel")
    for _ in 1..<64 { _ = try modal("panel") }
    let error = #expect(throws: Misuse.self) { try modal("panel") }
    expect(error?.message, is: "modal sessions and open menus are stacked 64 deep already")
    expect(host.modalSessions.count, is: 64)
    first.close()
    expect(host.modalSessions.isEmpty && host.focused.name == "grid")
  }

  @Test("F4: A responder removed during a session hands its focus over as it would without a session")
  func removedMeanwhile() throws {
    try setting()
    try scene.chain("cell", "grid")
    let session = try modal("panel")
    try host.remove(scene["cell"].responder)
    session.close()
    expect(host.focused.name, is: "grid")
    let again = try modal("panel")
    try host.remove(scene["window1"].responder)
    again.close()
    expect(host.keyWindow?.name == "window2" && host.focused.name == "field")
  }

  @Test("F5: Removing a session's responder ends the session and those above it")
  func endOfResponder() throws {
    try setting()
    let first = try modal("panel")
    let second = try modal("field")
    try host.remove(scene["panel"].responder)
    expect(!first.isOpen && !second.isOpen && host.focused.name == "grid")
    expect(scene.perform("save"), is: "grid via on")
  }

  @Test("F5: An error in a session ends it, unless a failed hook ends the error")
  func endOnError() throws {
    try setting()
    scene["panel"].on("break") { _ -> Void in throw Broken() }
    scene["panel"].on("refuse") { command -> Void in throw command.refuse("no") }
    scene["panel"].failed { $0.message == "it broke" ? nil : $0 }
    let session = try modal("panel")
    expect(scene.perform("break") == "failed: it broke" && session.isOpen)
    expect(scene.perform("refuse") == "disabled: no" && session.isOpen)
    scene["panel"].failed { $0 }
    let above = try modal("field")
    expect(scene.perform("break") { $0.to = scene["panel"].responder }.hasPrefix("blocked") && session.isOpen)
    above.close()
    expect(scene.perform("break"), is: "failed: it broke")
    expect(!session.isOpen && host.focused.name == "grid")
  }

  @Test("F5: If the action that opened a session fails, the session ends, observed or not", arguments: [true, false])
  func endOnErrorOfOpener(isObserved: Bool) throws {
    try setting()
    if isObserved { host.observe { _ in } }
    host.on("open") { [unowned scene] _ -> Void in
      _ = try scene.host.modal(scene["panel"].responder)
      throw Broken()
    }
    for _ in 0..<3 {
      expect(host.perform("open").short, is: "failed: it broke")
      expect(host.modalSessions.isEmpty && host.focused.name == "grid")
    }
  }

  @Test("F5: An error outside leaves a session open that was open before")
  func errorOutside() throws {
    try setting()
    scene["window1"].worksWhenModal(true)
    scene["window1"].on("break") { _ -> Void in throw Broken() }
    let session = try modal("panel")
    expect(scene.perform("break") { $0.to = scene["window1"].responder }, is: "failed: it broke")
    expect(session.isOpen)
  }

  @Test("F5: A session ends in the background, but not because nobody holds it")
  func background() throws {
    try setting()
    weak let held = try modal("panel")
    expect(held?.isOpen, is: true)
    expect(scene.perform("save").hasPrefix("blocked"))
    try host.enter(.active)
    expect(held?.isOpen, is: true)
    try host.enter(.background)
    expect(host.modalSessions.isEmpty && held == nil && host.focused.name == "grid")
  }

  @Test("F6: The first action from outside closes a dismissable session, and isn't performed")
  func dismissable() throws {
    try setting()
    let session = try modal("panel", dismissable: true)
    expect(scene.perform("ok") == "panel via on" && session.isOpen)
    expect(scene.perform("nothing").hasPrefix("unhandled") && session.isOpen)
    expect(scene.validate("save") == Self.outside && session.isOpen, "asking never does")
    _ = try host.why("save")
    expect(session.isOpen)
    let outcome = scene.outcome("save")
    expect(outcome.status == .blocked && outcome.reason == "dismissed" && outcome.by == "app")
    expect(!session.isOpen && host.focused.name == "grid")
    expect(scene.perform("save"), is: "grid via on")
    expect(scene.log, is: ["panel", "grid"])
    let other = try modal("panel")
    expect(scene.perform("save") == "blocked: \(Self.outside)" && other.isOpen)
  }

  @Test("F6: An action dismisses only the topmost session, even an action that a catch-all would take")
  func dismissingOne() throws {
    try setting()
    scene.catchAll("app")
    let first = try modal("panel", dismissable: true)
    let second = try modal("field", dismissable: true)
    expect(scene.perform("whatever") == "blocked: dismissed" && !second.isOpen && first.isOpen)
    expect(scene.perform("whatever") == "blocked: dismissed" && !first.isOpen)
    expect(scene.perform("whatever"), is: "app via unknown")
  }

  @Test("F8: A session lets through responders that work when modal, and windows with their contents")
  func worksWhenModal() throws {
    try setting()
    try scene.chain("tool", "window3").chain("grid")
    scene.answer("pick", "tool", "window3", "app")
    _ = try modal("panel")
    let tool = scene["tool"].responder
    expect(scene.perform("pick") { $0.from = tool }.hasPrefix("blocked"))
    scene["window3"].worksWhenModal(true)
    expect(scene.perform("pick") { $0.from = tool }, is: "tool via on")
    expect(scene.perform("pick") { $0.to = scene["window3"].responder }, is: "window3 via on")
    expect(scene.perform("pick").hasPrefix("blocked"))
    scene.app.worksWhenModal(true)
    expect(scene.perform("pick"), is: "app via on")
    scene["grid"].worksWhenModal(true)
    scene["window3"].worksWhenModal(false)
    expect(scene.perform("pick") { $0.from = tool }.hasPrefix("blocked"))
    expect(scene.perform("edit") { $0.from = scene["grid"].responder }, is: "grid via on")
  }

  @Test("F3: If a responder refuses the focus, no session opens and the focus stays")
  func refused() throws {
    try setting()
    scene["panel"].acceptsFocus(false)
    let error = #expect(throws: Misuse.self) { try modal("panel") }
    expect(error?.code, is: .refused)
    expect(error?.message, is: "'panel' didn't get the focus, so it has no modal session")
    scene["panel"].acceptsFocus(true)
    scene["panel"].become { false }
    #expect(throws: Misuse.self) { try modal("panel") }
    expect(host.modalSessions.isEmpty && host.focused.name == "grid" && host.keyWindow?.name == "window1")
    scene["grid"].resign { false }
    scene["panel"].become { true }
    #expect(throws: Misuse.self) { try modal("panel") }
    scene["panel"].responder.isRemoved = true
    #expect(throws: Misuse.self) { try host.modal(scene["panel"].responder) }
  }

  @Test("F3: The old responder resigns before the session, and the new one becomes first in it")
  func hooks() throws {
    try setting()
    scene["grid"].resign { [unowned scene] in
      scene.note("resign \(scene.perform("save"))")
      return true
    }
    scene["panel"].become { [unowned scene] in
      scene.note("become \(scene.perform("save"))")
      return true
    }
    _ = try modal("panel")
    expect(scene.log, is: ["grid", "resign grid via on", "become blocked: \(Self.outside)"])
  }

  @Test("F3: While the host asks, no session opens and the phase stays")
  func whileAsking() throws {
    try setting()
    scene["grid"].can("save") { [unowned scene] _ in
      #expect(throws: Misuse.self) { try scene.host.modal(scene["panel"].responder) }
      #expect(throws: Misuse.self) { try scene.host.enter(.active) }
      expect(scene.host.press("k").error?.code, is: .misuse)
      return .yes
    }
    expect(host.validate("save").isEnabled && host.modalSessions.isEmpty && host.phase == .inactive)
  }

  @Test("F3: A session blocks an action that was performed just before; after the session it works again")
  func quick() throws {
    try setting()
    for _ in 0..<3 { expect(scene.host.perform("quit").short, is: "host via native") }
    let session = try modal("panel")
    expect(host.dispatcher.state.isModal)
    expect(scene.host.perform("quit").status, is: .blocked)
    session.close()
    expect(!host.dispatcher.state.isModal)
    expect(scene.host.perform("quit").short, is: "host via native")
  }

  @Test("F9: The phase starts inactive; listeners hear changes only")
  func phases() throws {
    host.listen(.phase) { [unowned scene] event in
      if case .phase(let new, let old) = event { scene.note("\(old) → \(new)") }
    }
    expect(host.phase, is: .inactive)
    for phase in [Phase.inactive, .active, .active, .background, .inactive] { try host.enter(phase) }
    expect(scene.log, is: ["inactive → active", "active → background", "background → inactive"])
  }
}
