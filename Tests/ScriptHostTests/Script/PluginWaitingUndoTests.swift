import Expectations
import Testing

@testable import ScriptHost

@Suite("A plugin goes while its undo waits")
struct PluginWaitingUndoTests {
  private static let app = """
    app.undo = true
    local page = responder "page"
    focus(page)
    function app.on:mine(ctx) ctx:undo("Mine", function() print("mine undone") end) end
    function app.on:naps(ctx) ctx:undo("Naps", function() sleep(1) print("nap undone") end) end
    function app.on:both(ctx) app:perform("did") app:perform("naps") end
    function page.on:handed(ctx)
      ctx:undo("x", function() print("taken back") end)
      ctx:forward()
      print("went on")
    end
    """

  private static let plugin = """
    plugin { name = "bad", version = "1" }
    local panel = responder "panel"
    function app.on:spin() while true do end end
    function app.on:did(ctx) ctx:undo("Did", function() print("did undone") end) end
    function app.on:sleeps(ctx)
      ctx:set(panel, "n", 1)
      ctx:undo("Sleeps", function() sleep(100) print("went on") end)
      ctx:undo(function() print("first") end)
    end
    function app.on:handed(ctx) sleep(100) print("went on") end
    """

  /// The ways in which a plugin goes. Its waiting jobs end with the reason.
  private enum Way: String, CaseIterable {
    case unload, reload, setAside

    var reason: String { self == .setAside ? QuarantineTests.reason : "the script of 'bad' is gone" }

    func go(_ stage: PluginStage) throws {
      switch self {
      case .unload: try stage.host.unload(plugin: "bad")
      case .reload: try stage.host.reload(plugin: "bad")
      case .setAside:
        for _ in 0..<3 { _ = stage.host.perform("spin") }
        expect(stage.host.plugins.first?.trouble, is: QuarantineTests.reason)
      }
    }
  }

  private func stage() throws -> PluginStage {
    let stage = try PluginStage(
      ["bad.lua": Self.plugin], app: Self.app,
      limits: HostLimits(perform: .milliseconds(200, instructions: 1_000_000)))
    try stage.load("bad.lua")
    return stage
  }

  @Test("T4, U5: A plugin's reversal that waits ends when the plugin goes, and the history still works")
  func functions() throws {
    for way in Way.allCases {
      let stage = try stage()
      stage.host.perform("mine")
      stage.host.perform("sleeps")
      let job = try require(stage.host.undo().job)
      expect(stage.take() == ["first"] && stage.host.undo().status == .disabled)
      try way.go(stage)
      expect(job.outcome?.status == .cancelled && job.outcome?.reason == way.reason, "\(way)")
      expect(stage.host.jobs.isEmpty && stage.host.undoHistory.undo == ["Mine"], "\(way)")
      expect(stage.host.undo().status == .handled && stage.host.redo().status == .disabled)
      try stage.host.advance(by: .seconds(200))
      expect(stage.take(), is: ["mine undone"], "\(way)")
    }
  }

  @Test("T4, U1: If a plugin goes while an undo waits in others' code, the undo skips the plugin's part")
  func groups() throws {
    for way in Way.allCases {
      let stage = try stage()
      stage.host.perform("both")
      let job = try require(stage.host.undo().job)
      try way.go(stage)
      try stage.host.advance(by: .seconds(1))
      expect(job.outcome?.status == .handled && stage.take() == ["nap undone"], "\(way)")
      expect(stage.host.undoHistory.undo, is: [])
    }
  }

  @Test("T4: An action that forwards to a plugin's waiting function ends when the plugin goes")
  func handedOn() throws {
    for way in Way.allCases {
      let stage = try stage()
      let job = try require(stage.host.perform("handed").job)
      try way.go(stage)
      expect(job.outcome?.line, is: "cancelled by page via on: \(way.reason)", "\(way)")
      expect(stage.take(), is: ["taken back"], "\(way)")
      try stage.host.advance(by: .seconds(200))
      expect(stage.host.jobs.isEmpty && stage.take() == [], "\(way)")
    }
  }
}
