import Expectations
import Testing

@testable import ScriptHost

@Suite("I: references, as the host reads them")
struct ReferenceRuleTests {
  let scene = Scene()

  @Test("I1: A name reaches its action, alone or behind prefixes", arguments: ["save", "button.save", "a.b.c.save"])
  func names(reference: String) throws {
    try scene.chain("cell")
    scene.answer("save", "cell")
    expect(scene.perform(reference), is: "cell via on")
  }

  @Test("I2: A handler of the whole name comes first, then of the name with one component less at a time")
  func longerNames() throws {
    try scene.chain("cell", "grid")
    scene.answer("open", "cell")
    scene.answer("file.open", "grid")
    let takers = ["open", "file.open", "menu.file.open", "menu.open"].map { scene.perform($0) }
    expect(takers, is: ["cell via on", "grid via on", "grid via on", "cell via on"])
  }

  @Test("I3: A handler gets the arguments as the reference has them, nested")
  func arguments() throws {
    try scene.chain("cell")
    scene["cell"].on("export") { [unowned scene] command -> Void in
      let arguments = command.arguments
      guard case .integer(1) = arguments["n"], case .number(2.0) = arguments["x"] else { return }
      guard case .list(let sizes) = arguments["sizes"], case .integer(640) = sizes.first else { return }
      scene.note(arguments.members.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", "))
    }
    scene.perform(#"export(n: 1, x: 2.0, sizes: [640], deep: {a: [null, true, "1"]})"#)
    expect(scene.takeLog(), is: ["n: 1, x: 2.0, sizes: [640], deep: {a:[null,true,1]}"])
  }

  @Test(
    "I7: A malformed reference fails with its column when performed, and is disabled with the reason", arguments: 1...2)
  func malformed(times: Int) throws {
    try scene.chain("cell")
    scene.catchAll("cell")
    for _ in 1...times {
      let outcome = scene.outcome("größe(k:)")
      expect(outcome.short, is: "failed: expected a value after ':' but found ')'")
      expect(outcome.error?.code, is: .reference)
      expect(outcome.error?.place?.column, is: 9)
      expect(outcome.error?.text, is: "größe(k:)")
    }
    expect(scene.validate("größe(k:)"), is: "expected a value after ':' but found ')'")
    expect(scene.takeLog(), is: [])
  }
}
