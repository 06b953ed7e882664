import Expectations
import Testing

@testable import ScriptHost

@Suite("O: observers, rule by rule")
struct ObserverRuleTests {
  let scene = Scene()

  @discardableResult
  private func observe(_ pattern: ActionPattern = .all, as name: String = "") -> Registration {
    scene.host.observe(pattern) { [unowned scene] event in scene.note(event.shown(name)) }
  }

  @Test("O1: An observer gets will before the first handler, then did, once each; host-wide observers come first")
  func balanced() throws {
    try scene.chain("cell", "grid")
    observe()
    scene.pass("a", "cell")
    scene.answer("a", "grid")
    scene.perform("a") { [scene] in $0.observe = { scene.note($0.shown("caller ")) } }
    expect(
      scene.takeLog(), is: ["will a", "caller will a", "cell", "grid", "did a handled", "caller did a handled"])
  }

  @Test("O1: An observer gets failed if the handler raises, refuses or is cancelled, and if all pass")
  func failed() throws {
    try scene.chain("cell")
    observe()
    scene["cell"].on("raises") { _ -> Void in throw Broken() }
    scene["cell"].on("refuses") { command -> Void in throw command.refuse("not now") }
    scene["cell"].on("passes") { _ -> Void in throw Pass() }
    scene["cell"].on("cancelled") { _ -> Void in throw Failure(.cancelled, "stopped") }
    for action in ["raises", "refuses", "passes", "cancelled"] { scene.perform(action) }
    expect(
      scene.takeLog(),
      is: [
        "will raises", "failed raises failed", "will refuses", "failed refuses disabled", "will passes",
        "failed passes unhandled", "will cancelled", "failed cancelled cancelled",
      ])
  }

  @Test("O1: An observer gets nothing if can refuses or nobody handles the action")
  func nothing() throws {
    try scene.chain("cell")
    observe()
    scene.answer("a", "cell")
    scene["cell"].can("a") { _ in false }
    scene.perform("a")
    scene.perform("b")
    scene.perform("c(")
    expect(scene.takeLog(), is: [])
  }

  @Test("O1: Events are balanced for catch-alls, native actions and names that change on the way")
  func balancedElsewhere() throws {
    try scene.chain("cell")
    observe("x.a", as: "x.a: ")
    observe("a", as: "a: ")
    scene["cell"].on("x.a") { _ -> Void in throw Pass() }
    scene.catchAll("cell")
    scene.perform("x.a")
    expect(scene.takeLog(), is: ["x.a: will x.a", "cell?", "x.a: did x.a handled"])
    scene.host.on("a") { _ in }
    scene.perform("y.a")
    expect(scene.takeLog(), is: ["a: will a", "a: did a handled"])
  }

  @Test("O1: Nested performs have separate events")
  func nested() throws {
    try scene.chain("cell")
    observe()
    scene["cell"].on("outer") { [unowned scene] _ -> Void in scene.perform("inner") }
    scene.answer("inner", "cell")
    scene.perform("outer")
    expect(
      scene.takeLog(), is: ["will outer", "will inner", "cell", "did inner handled", "did outer handled"])
  }

  @Test("O2: A perform uses the observers that were registered at its start")
  func listIsTaken() throws {
    try scene.chain("cell")
    let first = observe(as: "first ")
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      first.remove()
      scene.host.observe { event in scene.note(event.shown("second ")) }
    }
    scene.perform("a")
    expect(scene.takeLog(), is: ["first will a", "first did a handled"])
    scene.answer("a", "cell")
    scene.perform("a")
    expect(scene.takeLog(), is: ["second will a", "cell", "second did a handled"])
  }

  @Test("O2: Observers that a provider adds or removes count from the next perform on")
  func listIsTakenFirst() throws {
    try scene.chain("cell", "window")
    scene.answer("a", "cell")
    let first = observe(as: "first ")
    scene["window"].provide { [unowned scene] _ in
      first.remove()
      scene.host.observe { event in scene.note(event.shown("second ")) }
    }
    scene.perform("a")
    expect(scene.takeLog(), is: ["first will a", "cell", "first did a handled"])
  }

  @Test("O3: An observer that raises an error affects no other")
  func raises() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    _ = scene.host.observe(BrokenObserver(.all, owner: scene.host.program))
    observe()
    expect(scene.perform("a"), is: "cell via on")
    expect(scene.takeLog(), is: ["will a", "cell", "did a handled"])
    expect(scene.host.takeDiagnostics().map(\.message), is: ["it broke", "it broke"])
  }

  @Test(
    "O4: A pattern is a name, a list, *, or ends with *",
    arguments: [
      (ActionPattern(["file.open"]), ["file.open"]), (ActionPattern(["file.open", "save"]), ["file.open", "save"]),
      (.all, ["file.open", "file.close", "save", "saveAs"]), (ActionPattern(["file.*"]), ["file.open", "file.close"]),
      (ActionPattern([]), []),
    ])
  func patterns(pattern: ActionPattern, heard: [String]) throws {
    try scene.chain("cell")
    scene.host.observe(pattern) { [unowned scene] event in if event.stage == .will { scene.note(event.action) } }
    for action in ["file.open", "file.close", "save", "saveAs"] {
      scene["cell"].on(action) { _ in }
      scene.perform(action)
    }
    expect(scene.takeLog(), is: heard)
  }

  @Test("O5: An action can walk an observer list in the context, nearest first")
  func contextList() throws {
    try scene.chain("cell", "grid", "window")
    for name in ["grid", "window"] { scene[name].provide { $0.append("observers", .text(name)) } }
    scene["cell"].on("a") { [unowned scene] command -> Void in
      for observer in command.context.each("observers") { scene.note(observer.shown) }
    }
    scene.perform("a")
    expect(scene.takeLog(), is: ["grid", "window"])
  }
}

extension ActionEvent {
  fileprivate func shown(_ who: String) -> String {
    let end = outcome.map { " \($0.status)" } ?? ""
    return "\(who)\(stage) \(action)\(end)"
  }
}

private final class BrokenObserver: Observer {
  override func notify(_ event: ActionEvent) -> Failure? { Failure(.script, "it broke") }
}
