import Testing

@testable import ScriptHost

/// What is declared in large numbers. While the host puts it where it belongs nothing looks at limits, so that must take about as long as
/// it is large. The bounds are many times what it takes, and far below what it took when each was compared with all.
@Suite("Large declarations")
struct LargeDeclarationTests {
  /// Checks how long something takes this thread, in its own time.
  private func withinSeconds(
    _ seconds: Double, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  )
    rethrows
  {
    let before = threadTime()
    try body()
    let taken = Double(threadTime() - before) / 1e9
    #expect(taken < seconds, sourceLocation: location)
  }

  /// No limit on time: what is looked for is how long the host takes.
  private static let limits = HostLimits(load: .milliseconds(0, instructions: 200_000_000))

  @Test(
    "S4: A table of thousands of keys or handlers is put in its place in the time that it takes to look at each once")
  func tables() throws {
    try withinSeconds(6) {
      let stage = try ScriptStage(
        """
        local r = responder "r"
        local keys, on = {}, {}
        for a = 97, 122 do
          for b = 97, 122 do
            for c = 97, 122, 2 do
              keys[string.char(a, 32, b, 32, c)] = "act"
              on[string.char(a, b, c)] = print
            end
          end
        end
        r.keys, r.on = keys, on
        r.keys, r.on = {}, {}
        """, limits: Self.limits)
      #expect(stage.host.keys().isEmpty)
    }
  }

  @Test("S4: Redirections to nobody are told, twenty of them, however many there are")
  func redirects() throws {
    try withinSeconds(5) {
      let stage = try ScriptStage(
        """
        for i = 1, 1000 do responder("responder" .. i).redirect = "respondre" .. i end
        """, limits: Self.limits)
      #expect(stage.host.takeDiagnostics().filter { $0.code == "stray-redirect" }.count == 20)
    }
  }
}
