import Testing
@testable import ScriptHost
@Test func probeAnswers() { #expect(probe() == 504) }
