import Expectations
import HostileScripts
import Testing

@testable import ScriptHost

/// The scripts that have their rule's test, and the others.
private let supplied = HostileScript.all.filter { $0.name.contains("responders that others") }
private let repeated = HostileScript.all.filter { $0.name.contains("over and over") }
private let others = HostileScript.all.filter { row in !(supplied + repeated).contains { $0.name == row.name } }

@Suite("Hostile scripts in a host")
struct HostileTests {
  /// A script that ends by itself gets the time that it needs in unoptimized builds, or with sanitizers.
  static func patience(for row: HostileScript) -> UInt64 {
    switch row.outcome {
    case .limit, .spent: 100
    case .limitOr: isUnoptimized ? 3000 : 300
    case .quiet, .says, .prints: isUnoptimized ? 30_000 : 3000
    }
  }

  @Test(
    "S3: Each script sees responders of others as it may, in all questions, before and after the others' questions",
    arguments: supplied)
  func views(_ row: HostileScript) throws { try hostile(row) }

  @Test(
    "S6: The host sets aside a plugin if any of its code spends its limits over and over",
    arguments: repeated)
  func setAside(_ row: HostileScript) throws { try hostile(row) }

  @Test(
    "A hostile script has its expected outcome; the host and other plugins work afterwards, and nothing is left",
    arguments: others)
  func hostile(_ row: HostileScript) throws {
    try onThread(stack: 16 << 10) {
      weak var host: ScriptHost?
      weak var engine: ScriptEngine?
      do {
        let run = try HostileRun(row, milliseconds: Self.patience(for: row))
        run.run()
        if let trouble = run.trouble { Issue.record("\(row.name): \(trouble)") }
        expect(
          run.overshoot < (isUnoptimized ? 6_000_000_000 : 600_000_000),
          "\(row.name): \(run.overshoot / 1_000_000) ms")
        try run.checkUnharmed()
        (host, engine) = (run.host, run.host.scripts)
      }
      expect(host == nil && engine == nil, "\(row.name): the host is never freed")
    }
  }
}
