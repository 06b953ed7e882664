import Testing

@testable import ScriptHost

@Suite("Actions that take time, as scripts see them")
struct TimeScriptTests {
  @Test("T1: A waiting action holds nobody: other performs, passes and keys go on")
  func holdsNobody() throws {
    let stage = try ScriptStage(
      """
      function app.on:slow() print("begins") sleep(2) print("ends") return "slow" end
      function app.on:quick() return "quick" end
      """)
    let outcome = stage.host.perform("slow")
    #expect(outcome.status == .running && outcome.by == "app" && outcome.via == .on)
    #expect(stage.perform("quick") == "handled by app via on → text(\"quick\")")
    #expect(stage.host.validate("quick").isEnabled)
    #expect(stage.takePrinted() == ["begins"])
    try stage.host.advance(by: .seconds(1))
    #expect(stage.takePrinted() == [] && outcome.job?.outcome == nil)
    try stage.host.advance(by: .seconds(1))
    #expect(stage.takePrinted() == ["ends"])
    #expect(outcome.job?.outcome?.line == "handled by app via on → text(\"slow\")")
  }
}
