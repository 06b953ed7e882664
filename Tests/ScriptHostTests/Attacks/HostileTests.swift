import HostileScripts
import Testing

@testable import ScriptHost

/// Those that have a test of a rule's own, and the rest.
private let supplied = HostileScript.all.filter { $0.name.contains("responders that others") }
private let repeated = HostileScript.all.filter { $0.name.contains("over and over") }
private let others = HostileScript.all.filter { row in !(supplied + repeated).contains { $0.name == row.name } }

@Suite("HostileScript scripts in a host")
struct HostileTests {
  /// What ends by itself gets as much time as it takes where nothing is optimized, or where sanitizers look on.
  static func patience(for row: HostileScript) -> UInt64 {
    switch row.outcome {
    case .limit, .spent: 100
    case .limitOr: isUnoptimized ? 3000 : 300
    case .quiet, .says, .prints: isUnoptimized ? 30_000 : 3000
    }
  }

  @Test(
    "S3: Responders that others supply are shown to each as it may see them, in everything that is asked, before and after others were",
    arguments: supplied)
  func views(_ row: HostileScript) throws { try hostile(row) }

  @Test(
    "S6: Whatever of a plugin's spends its limits over and over, it is set aside for it",
    arguments: repeated)
  func setAside(_ row: HostileScript) throws { try hostile(row) }

  @Test(
    "What a hostile script does comes to what it must; the host and every other plugin work afterwards, and nothing of it is left",
    arguments: others)
  func hostile(_ row: HostileScript) throws {
    try onThread(stack: 16 << 10) {
      let run = try HostileRun(row, milliseconds: Self.patience(for: row))
      run.run()
      if let trouble = run.trouble { Issue.record("\(row.name): \(trouble)") }
      #expect(
        run.overshoot < (isUnoptimized ? 6_000_000_000 : 600_000_000),
        "\(row.name): \(run.overshoot / 1_000_000) ms")
      try run.checkUnharmed()
    }
  }
}
