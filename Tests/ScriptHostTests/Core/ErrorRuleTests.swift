import Expectations
import Testing

@testable import ScriptHost

@Suite("E: errors, rule by rule")
struct ErrorRuleTests {
  let scene = Scene()

  /// Makes responders note each passing failure and return it.
  private func watch(_ names: String...) {
    for name in names {
      scene[name].failed { [unowned scene] failure in
        scene.note("\(name): \(failure.message)")
        return failure
      }
    }
  }

  private func raise(_ action: String, _ name: String) {
    scene[name].on(action) { _ -> Void in throw Broken() }
  }

  private var reported: [String] { scene.host.takeDiagnostics().map(\.message) }

  @Test("E1: A failure travels up the chain from the responder that failed, and the host reports it at the top")
  func travels() throws {
    try scene.chain("cell", "grid", "window")
    watch("cell", "grid", "window", "app")
    raise("a", "grid")
    expect(scene.perform("a"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["grid: it broke", "window: it broke", "app: it broke"])
    expect(reported, is: ["it broke"])
  }

  @Test("E1: A failed hook can rewrite the failure")
  func rewritten() throws {
    try scene.chain("cell", "grid", "window")
    raise("a", "cell")
    scene["grid"].failed { Failure(.script, "the grid says: \($0.message)") }
    watch("window")
    expect(scene.perform("a"), is: "failed: the grid says: it broke")
    expect(scene.takeLog(), is: ["window: the grid says: it broke"])
    expect(reported, is: ["the grid says: it broke"])
  }

  @Test("E1: If a hook ends a failure, the status stays failed, ended is true, and the host reports nothing")
  func ended() throws {
    try scene.chain("cell", "grid", "window")
    raise("a", "cell")
    scene["grid"].failed { _ in nil }
    watch("window")
    let outcome = scene.outcome("a")
    expect(outcome.status, is: .failed)
    expect(outcome.error?.ended, is: true)
    expect(scene.takeLog(), is: [])
    expect(reported, is: [])
  }

  @Test("E1: The host reports a failed hook that fails itself, and the failure goes on")
  func hookFails() throws {
    try scene.chain("cell", "grid", "window")
    raise("a", "cell")
    scene["grid"].failed { _ in throw Broken(description: "the hook broke") }
    watch("window")
    expect(scene.perform("a"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["window: it broke"])
    expect(reported, is: ["the hook broke", "it broke"])
  }

  @Test("E1: A failure at an explicit target travels up the target's chain")
  func fromTarget() throws {
    try scene.chain("cell", "grid", "window")
    watch("cell", "grid", "window")
    raise("a", "grid")
    expect(scene.perform("a") { $0.to = scene["grid"].responder }, is: "failed: it broke")
    expect(scene.takeLog(), is: ["grid: it broke", "window: it broke"])
  }

  @Test("E1: A failure of a catch-all or a redirection's target passes each responder once")
  func fromElsewhere() throws {
    try scene.chain("cell", "grid", "window")
    watch("cell", "grid", "window", "target")
    scene["grid"].unknown { _ in throw Broken() }
    expect(scene.perform("a"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["grid: it broke", "window: it broke"])
    scene["cell"].redirect(to: scene["window"].responder)
    raise("a", "window")
    expect(scene.perform("a"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["window: it broke", "grid: it broke"])
  }

  @Test("E1: A redirect, claims or resolve that raises an error travels like a handler's failure", arguments: 0..<3)
  func hooksRaise(which: Int) throws {
    try scene.chain("cell", "grid", "window")
    watch("cell", "grid", "window")
    scene.catchAll("grid")
    switch which {
    case 0: scene["grid"].resolve { _ in throw Broken() }
    case 1: scene["grid"].redirect { _ in throw Broken() }
    default: scene["grid"].claims { _ -> Bool in throw Broken() }
    }
    expect(scene.perform("a"), is: "failed: it broke")
    expect(scene.takeLog(), is: ["grid: it broke", "window: it broke"])
    expect(reported, is: ["it broke"])
  }

  @Test("E1: The failure keeps the Swift error that caused it")
  func cause() throws {
    try scene.chain("cell")
    raise("a", "cell")
    expect(scene.outcome("a").error?.cause is Broken)
    expect(scene.outcome("a").error?.owner, is: "host")
  }

  @Test("E2: The host goes on after failures, even after more failures than performs can nest")
  func goesOn() throws {
    try scene.chain("cell", "grid")
    raise("a", "cell")
    scene.answer("b", "grid")
    scene.host.on("c") { _ -> Void in throw Broken() }
    for _ in 1...60 {
      expect(scene.perform("a"), is: "failed: it broke")
      expect(scene.perform("b"), is: "grid via on")
      expect(scene.host.perform("c").short, is: "failed: it broke")
    }
  }
}
