import Expectations
import Testing

@testable import ScriptHost

@Suite("Rules of undo: U1 to U10")
struct UndoRuleTests {
  private let scene = Scene()
  private var host: ScriptHost { scene.host }

  /// Gives a responder an action that notes its name and registers its reversal, both ways.
  private func undoable(_ action: String, _ name: String, then body: @escaping () throws -> Void = {}) {
    func act(_ scene: Scene, _ context: Context, _ verb: String, _ other: String) throws {
      scene.note("\(verb) \(action)")
      try context.undo(action.uppercased()) { [unowned scene] context in try act(scene, context, other, verb) }
    }
    scene[name].on(action) { [unowned scene] command -> Void in
      try act(scene, command.context, "do", "undo")
      try body()
    }
  }

  @Test("U1: One top-level perform makes one group per owner, undone in reverse order; nested performs join it")
  func groups() throws {
    try scene.chain("grid", "window")
    undoable("a", "grid") { [unowned host] in
      host.perform("b")
      host.perform("c")
    }
    undoable("b", "grid")
    undoable("c", "window") { throw Broken() }
    expect(scene.perform("a"), is: "grid via on")
    expect(scene.takeLog(), is: ["do a", "do b", "do c", "undo c"])
    expect(host.undoHistory, is: UndoHistory(undo: ["A"], redo: [], owner: "window"))
    expect(host.undo().short, is: "host via native")
    expect(scene.takeLog(), is: ["undo b", "undo a"])
  }

  @Test(
    "U7: The title of an undo has no ellipsis, since undo asks nothing",
    arguments: [("Rename…", "Rename"), ("Rename ...", "Rename"), ("…", "…"), ("Wait... what", "Wait... what")])
  func ellipsis(title: String, undone: String) throws {
    try host.load(
      text: """
        local grid = responder "grid"
        menubar { menu "M" { item "\(title)" { "rename", id = "rename" }, item "Undo" { "undo", id = "undo" } } }
        function grid.on:rename(ctx) ctx:set(self, "label", "b") end
        focus(grid)
        """, name: "app.lua")
    expect(host.pick("rename").status, is: .handled)
    expect(host.item("undo")?.title, is: "Undo \(undone)")
    host.undo()
    expect(host.undoHistory.redo, is: [undone])
  }

  @Test(
    "U2: Reversals registered during undo go to redo, and back; a new action clears redo if it registers any"
  )
  func redo() throws {
    try scene.chain("window")
    undoable("a", "window")
    undoable("b", "window")
    scene.answer("plain", "window")
    for action in ["a", "b", "undo", "undo", "plain", "redo", "redo", "undo"] { scene.perform(action) }
    expect(scene.takeLog(), is: ["do a", "do b", "undo b", "undo a", "window", "do a", "do b", "undo b"])
    expect(host.undoHistory, is: UndoHistory(undo: ["A"], redo: ["B"], owner: "window"))
    scene.perform("a")
    expect(host.undoHistory, is: UndoHistory(undo: ["A", "A"], redo: [], owner: "window"))
  }

  @Test(
    "U3: The host takes back a failed or refused perform: its reversals run in reverse before observers get the event"
  )
  func takenBack() throws {
    try scene.chain("window")
    var ends: [(Command) throws -> Void] = [{ _ in throw Broken() }, { throw $0.refuse("no") }, { _ in throw Pass() }]
    scene["window"].on("act") { [unowned scene] command -> Void in
      for name in ["one", "two"] { try command.context.undo { _ in scene.note("undo \(name)") } }
      try command.context.undo { context in try context.undo { _ in scene.note("never") } }
      try ends.removeFirst()(command)
    }
    host.observe { [unowned scene] event in scene.note("\(event.stage)") }
    expect(scene.perform("act"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["will", "undo two", "undo one", "failed"])
    expect(scene.perform("act"), is: "disabled: no")
    expect(scene.takeLog(), is: ["will", "undo two", "undo one", "failed"])
    expect(scene.perform("act"), is: "unhandled: nobody handles 'act'")
    expect(scene.takeLog(), is: ["will", "undo two", "undo one", "failed"])
    expect(host.undoHistory.undo.isEmpty)
  }

  @Test(
    "U3: Actions that an observer performs on a failure belong to the failed perform, and the host takes them back too")
  func observersPart() throws {
    try scene.chain("window")
    undoable("mark", "window")
    scene["window"].on("act") { _ -> Void in throw Broken() }
    host.on("native") { _ -> Void in throw Broken() }
    host.observe { [unowned scene] event in if event.stage == .failed { scene.perform("mark") } }
    for action in ["act", "native", "native", "native"] {
      expect(scene.perform(action), is: "failed: it broke")
      expect(scene.takeLog(), is: ["do mark", "undo mark"])
      expect(host.undoHistory.undo.isEmpty)
    }
  }

  @Test("U3: If one reversal fails, the host reports it and takes back the rest")
  func notTakenBack() throws {
    try scene.chain("window")
    scene["window"].on("act") { [unowned scene] command -> Void in
      try command.context.undo { _ in scene.note("first") }
      try command.context.undo { _ in throw Broken() }
      try command.context.undo { _ in throw command.refuse("rather not") }
      throw Broken()
    }
    expect(scene.perform("act"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["first"])
    expect(
      host.takeDiagnostics().map(\.message),
      is: [
        "it broke", "'act' could not be undone: rather not", "'act' could not be undone: it broke",
      ])
  }

  @Test("U4: A failing undo leaves the entry in place")
  func failingUndo() throws {
    try scene.chain("grid", "window")
    undoable("a", "grid")
    var isBroken = true
    scene["window"].on("b") { [unowned scene] command -> Void in
      try command.context.undo("B") { context in
        scene.note("trying")
        if isBroken { throw Broken() }
      }
      scene.perform("a")
    }
    scene.perform("b")
    _ = scene.takeLog()
    expect(scene.perform("undo"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["undo a", "trying", "do a"])
    expect(host.undoHistory.undo, is: ["B"])
    expect(host.takeDiagnostics().map(\.message), is: ["it broke"], "it is reported once")
    isBroken = false
    expect(scene.perform("undo"), is: "host via native")
    expect(host.undoHistory, is: UndoHistory(undo: [], redo: ["B"], owner: "window"))
  }

  @Test(
    "U5: Undo is refused inside an undo or an executing action; a waiting action's group is placed when it ends"
  )
  func waiting() throws {
    try scene.chain("window")
    let undo = host.dispatcher.undo
    var waiting: Recording?
    undoable("waits", "window") { [unowned undo] in waiting = undo.suspend() }
    undoable("other", "window") { [unowned scene] in scene.note(scene.perform("undo")) }
    scene.perform("waits")
    scene.perform("other")
    expect(
      scene.takeLog(), is: ["do waits", "do other", "disabled: nothing can be undone while 'other' is being performed"])
    expect(host.undoHistory.undo, is: ["OTHER"])
    // The waiting action goes on inside another action, and registers more.
    scene["window"].on("goesOn") { [unowned undo, unowned scene] command -> Void in
      try command.context.undo("Outer") { _ in }
      let outer = undo.resume(try require(waiting))
      try command.context.undo { _ in scene.note("undo the rest") }
      undo.place("waits")
      undo.continue(outer)
    }
    scene.perform("goesOn")
    expect(host.undoHistory.undo, is: ["Outer", "WAITS", "OTHER"])
    host.undo()
    host.undo()
    expect(scene.takeLog(), is: ["undo the rest", "undo waits"])
    // It goes on inside another action and fails: the host takes back all of it, and nothing else.
    scene.perform("waits")
    scene["window"].on("fails") { [unowned undo, unowned scene] command -> Void in
      let outer = undo.resume(try require(waiting))
      try command.context.undo { _ in scene.note("undo what failed") }
      scene.host.dispatcher.takeBack()
      undo.continue(outer)
    }
    undoable("around", "window") { [unowned scene] in scene.perform("fails") }
    scene.perform("around")
    expect(scene.takeLog(), is: ["do waits", "do around", "undo what failed", "undo waits"])
    host.undo()
    expect(scene.takeLog(), is: ["undo around"])
    waiting = nil
  }

  @Test("U6: levels drops the oldest groups")
  func levels() throws {
    try scene.chain("window")
    scene["window"].keepsUndo(levels: 3)
    for action in ["a", "b", "c", "d", "e"] {
      undoable(action, "window")
      scene.perform(action)
    }
    expect(host.undoHistory.undo, is: ["E", "D", "C"])
    for _ in 0..<5 { host.undo() }
    expect(host.undoHistory, is: UndoHistory(undo: [], redo: ["C", "D", "E"], owner: "window"))
  }

  /// Runs a closure when nothing holds it any more.
  private final class Last {
    private let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test(
    "U6: A group that levels drops finds the history in order, and can remove others as it goes",
    arguments: [("perform", ["E"], ["E"], []), ("undo", ["C"], [], ["B"]), ("redo", ["B"], ["B"], [])])
  func goesTogether(way: String, found: [String], undo: [String], redo: [String]) throws {
    try scene.chain("cell", "window")
    for action in ["b", "e"] { undoable(action, "window") }
    undoable("c", "cell")
    let responder = scene["cell"].responder
    scene["window"].on("a") { [unowned scene, unowned host] command -> Void in
      let last = Last {
        scene.note("went, and found \(host.undoHistory.undo), \(host.undoHistory.redo)")
        #expect(throws: Never.self) { try host.remove(responder) }
      }
      func reverse(_ context: Context) throws { try context.undo("A") { _ in withExtendedLifetime(last) {} } }
      try command.context.undo("A") { context in try reverse(context) }
    }
    for action in way == "undo" ? ["c", "b", "e", "a"] : ["a", "c", "b"] { scene.perform(action) }
    if way == "undo" { host.undo() }
    if way != "perform" { host.undo() }
    scene["window"].keepsUndo(levels: 1)
    switch way {
    case "undo": host.undo()
    case "redo": host.redo()
    default: scene.perform("e")
    }
    expect(scene.log.last == "went, and found \(found), \(redo)" && responder.isRemoved)
    expect(host.undoHistory, is: UndoHistory(undo: undo, redo: redo, owner: "window"))
  }

  @Test("U7: undo and redo are ordinary actions: the program can replace them, and then its can and look count")
  func replaced() throws {
    try scene.chain("window")
    undoable("a", "window")
    expect(host.validate("undo").look.title == "Undo" && host.validate("undo").reason == "there is nothing to undo")
    expect(host.validate("redo").look.title == "Redo" && host.validate("redo").reason == "there is nothing to redo")
    expect(scene.perform("undo") { $0.skipValidation = true }, is: "disabled: there is nothing to undo")
    scene.perform("a")
    expect(host.validate("undo").look.title == "Undo A" && host.validate("edit.undo").isEnabled)
    let own = host.on("undo") { [unowned scene] _ in scene.note("mine") }
    expect(host.validate("undo").look.title, is: nil)
    expect(scene.perform("undo"), is: "host via native")
    let can = host.can("undo") { _ in .no("not mine") }
    expect(scene.perform("undo"), is: "disabled: not mine")
    can.remove()
    own.remove()
    expect(scene.perform("undo"), is: "host via native")
    expect(scene.takeLog(), is: ["do a", "mine", "undo a"])
    expect(host.nativeActions.isEmpty)
  }

  @Test("U8: coalesce merges with the previous group of that key, unless an undo came in between")
  func coalesce() throws {
    try scene.chain("window")
    var text = ""
    scene["window"].on("type") { command -> Void in
      let old = text
      text += try command.context["s", as: String.self] ?? ""
      try command.context.undo("Typing", coalesce: command.context["key", as: String.self] ?? "typing") { _ in
        text = old
      }
    }
    for reference in ["type(s: a)", "type(s: b)", "type(s: c, key: other)", "type(s: d)", "type(s: e)"] {
      scene.perform(reference)
    }
    expect(text == "abcde" && host.undoHistory.undo.count == 3)
    host.undo()
    expect(text, is: "abc")
    host.undo()
    expect(text == "ab" && host.undoHistory.undo.count == 1)
    scene.perform("type(s: x)")
    expect(host.undoHistory.undo.count, is: 2, "what was undone ends the typing before it")
    host.undo()
    expect(text, is: "ab")
    host.undo()
    expect(text, is: "")
  }

  @Test("U9: Removing a responder drops its entries")
  func removing() throws {
    try scene.chain("cell", "grid", "window")
    undoable("a", "grid") { [unowned host] in host.perform("b") }
    undoable("b", "cell")
    scene.perform("b")
    scene.perform("a")
    try host.remove(scene["cell"].responder)
    expect(host.undoHistory.undo, is: ["A"])
    _ = scene.takeLog()
    host.undo()
    expect(scene.takeLog(), is: ["undo a"])
    let window = scene["window"].responder
    try host.remove(window)
    expect(window.undoStack == nil && host.undoHistory.owner == "app" && host.undoHistory.redo.isEmpty)
  }

  @Test("U9: Removing a responder frees its history at once, even if the host remembers how it resolved undo")
  func removedHistory() throws {
    final class Thing {}
    try scene.chain("window")
    weak var held: Thing?
    scene["window"].on("act") { command -> Void in
      let thing = Thing()
      held = thing
      try command.context.undo { _ in withExtendedLifetime(thing) {} }
    }
    for action in ["act", "undo", "undo", "act"] { scene.perform(action) }
    expect(held != nil)
    try host.remove(scene["window"].responder)
    expect(held == nil)
  }

  @Test(
    "U9: A responder that removes itself in its action leaves no entry; the host still takes a failed action back")
  func removesItself() throws {
    try scene.chain("window")
    undoable("before", "window")
    scene.perform("before")
    _ = scene.takeLog()
    for (name, error) in [("one", nil), ("two", Broken())] as [(String, Broken?)] {
      let responder = scene[name].responder
      undoable("act", name) { [unowned host, unowned responder] in
        try host.remove(responder)
        if let error { throw error }
      }
      try scene.chain(name, "window")
      scene.perform("act")
      expect(scene.takeLog(), is: (error == nil ? ["do act"] : ["do act", "undo act"]))
      expect(host.undoHistory.undo, is: ["BEFORE"])
      expect(host.dispatcher.undo.hasRecorded, is: false)
    }
    let responder = scene["several"].responder
    scene["several"].on("act") { [unowned host, unowned responder] command -> Void in
      for _ in 1...2 { try command.context.undo { _ in } }
      try host.remove(responder)
    }
    try scene.chain("several", "window")
    expect(scene.perform("act"), is: "several via on")
    expect(host.undoHistory.undo, is: ["BEFORE"])
  }

  @Test(
    "U10: Entries go to the nearest owner upward from the taker; undo takes the nearest history with something to undo"
  )
  func owners() throws {
    try scene.chain("cell", "grid", "window")
    undoable("far", "app")
    undoable("near", "window")
    undoable("own", "cell")
    scene["cell"].keepsUndo()
    for action in ["near", "far", "own"] { scene.perform(action) }
    func titles() -> [String?] { ["undo", "redo"].map { host.validate($0).look.title } }
    expect(host.undoHistory, is: UndoHistory(undo: ["OWN"], redo: [], owner: "cell"))
    expect(scene.perform("undo") { $0.from = scene["grid"].responder }, is: "host via native")
    expect(host.undoHistory, is: UndoHistory(undo: ["OWN"], redo: ["NEAR"], owner: "cell", redoOwner: "window"))
    expect(titles(), is: ["Undo OWN", "Redo NEAR"])
    expect(scene.perform("undo"), is: "host via native")
    expect(host.undoHistory, is: UndoHistory(undo: ["FAR"], redo: ["OWN"], owner: "app", redoOwner: "cell"))
    expect(titles(), is: ["Undo FAR", "Redo OWN"])
    expect(scene.perform("undo"), is: "host via native")
    expect(host.undoHistory, is: UndoHistory(undo: [], redo: ["OWN"], owner: "cell"))
    expect(scene.perform("undo"), is: "disabled: there is nothing to undo")
    _ = scene.takeLog()
    for _ in 1...3 { expect(scene.perform("redo"), is: "host via native") }
    expect(scene.perform("redo"), is: "disabled: there is nothing to redo")
    expect(scene.takeLog(), is: ["do own", "do near", "do far"])
    expect(host.undoHistory, is: UndoHistory(undo: ["OWN"], redo: [], owner: "cell"), "histories are not merged")
    try host.focus(host.app)
    expect(host.undoHistory, is: UndoHistory(undo: ["FAR"], redo: [], owner: "app"))
  }

  @Test("U10: A responder that gets a history later has the entries of its next actions in it")
  func laterHistory() throws {
    try scene.chain("cell", "window")
    undoable("add", "cell")
    scene.perform("add")
    expect(host.undoHistory, is: UndoHistory(undo: ["ADD"], redo: [], owner: "window"))
    scene["cell"].keepsUndo()
    scene.perform("add")
    expect(host.undoHistory, is: UndoHistory(undo: ["ADD"], redo: [], owner: "cell"))
  }

  @Test("U10: why undo names the histories that undo looks at and the histories that it doesn't look at")
  func whyOwners() throws {
    try scene.chain("cell", "grid", "window")
    scene["cell"].keepsUndo()
    undoable("near", "window")
    undoable("far", "app")
    func histories(_ reference: String) throws -> [String] {
      try host.why(reference).steps.filter { $0.asked == "history" }.map { "\($0.node): \($0.answer)" }
    }
    try expect(histories("undo"), is: ["cell", "window", "app"].map { "\($0): nothing to undo" })
    scene.perform("far")
    scene.perform("near")
    let far = "1 to undo, first 'FAR'"
    try expect(
      histories("undo"),
      is: [
        "cell: nothing to undo", "window: 'undo' takes this one: 1 to undo, first 'NEAR'",
        "app: not used from here: \(far)",
      ])
    scene.perform("undo")
    try expect(
      histories("undo"),
      is: [
        "cell: nothing to undo", "window: nothing to undo", "app: 'undo' takes this one: \(far)",
      ])
    try expect(
      histories("redo"), is: ["cell: nothing to redo", "window: 'redo' takes this one: 1 to redo, first 'NEAR'"])
    try host.focus(host.app)
    try expect(histories("undo"), is: ["app: 'undo' takes this one: \(far)"])
    try expect(
      histories("redo"), is: ["app: nothing to redo", "window: not used from here: 1 to redo, first 'NEAR'"])
  }

  @Test("context.set writes a property of an object, and undoes and redoes it")
  func properties() throws {
    final class Photo { var rating = 0 }
    let photo = Photo()
    try scene.chain("window")
    scene["window"].on("rate") { command in
      try command.context.set(photo, \.rating, try command.context["stars", as: Int.self] ?? 0, "Rating")
    }
    scene.perform("rate(stars: 5)")
    scene.perform("rate(stars: 3)")
    host.undo()
    expect(photo.rating, is: 5)
    host.undo()
    expect(photo.rating, is: 0)
    host.redo()
    expect(photo.rating, is: 5)
    expect(host.undoHistory, is: UndoHistory(undo: ["Rating"], redo: ["Rating"], owner: "window"))
  }

  @Test("V8: You can't register a reversal while the host asks, or outside an action")
  func notNow() throws {
    try scene.chain("window")
    var kept: Context?
    func isRefused(_ context: Context) -> Bool {
      do throws(Misuse) {
        try context.undo { _ in }
        return false
      } catch {
        return error.code == .notNow
      }
    }
    scene["window"].on("act") { command -> Void in kept = command.context }
    scene["window"].can("act") { isRefused($0.context) ? .yes : .no("it could") }
    scene["window"].provide { context in context["refused"] = .bool(isRefused(context)) }
    expect(scene.perform("act"), is: "window via on")
    expect(kept.map { $0.flag("refused") && isRefused($0) }, is: true)
    kept = nil
  }

  @Test("The program's actions can have can and look, and need no context without them")
  func natives() {
    var isReady = false
    host.on("quit") { _ in .text("quitting") }
    expect(scene.perform("quit"), is: "host via native")
    let can = host.can("quit") { _ in isReady ? .yes : .no("unsaved changes") }
    host.look("quit") { _ in
      var look = Look()
      look.title = isReady ? "Quit" : "Quit…"
      return look
    }
    expect(scene.perform("quit"), is: "disabled: unsaved changes")
    expect(host.validate("quit").reason == "unsaved changes" && host.validate("quit").look.title == "Quit…")
    isReady = true
    expect(scene.perform("quit") == "host via native" && host.validate("quit").look.title == "Quit")
    isReady = false
    let later = host.can("quit") { _ in .no("later") }
    can.remove()
    expect(scene.perform("quit"), is: "disabled: later")
    later.remove()
    expect(scene.perform("quit"), is: "host via native")
  }
}

extension UndoHistory {
  /// A history that serves both `undo` and `redo`.
  fileprivate init(undo: [String], redo: [String], owner: String) {
    self.init(undo: undo, redo: redo, owner: owner, redoOwner: owner)
  }
}
