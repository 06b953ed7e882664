import Expectations
import Testing

@testable import ScriptHost

@Suite("Modality: closing a session restores the state before it")
struct ModalPropertyTests {
  @Test(
    "F4: Closing a session restores the state before it, after any focusing, opening, closing and dismissing above it",
    arguments: 0..<8)
  func asBefore(part: Int) throws {
    for seed in 0..<200 {
      var chance = Chance(seed: UInt64(seed * 8 + part))
      let host = try Self.host(&chance)
      for _ in 0..<3 { try Self.move(host, &chance) }
      let before = try Self.all(of: host)
      guard let session = try? host.modal(chance.pick(host.responders), dismissable: chance.once(in: 3)) else {
        try expect(Self.all(of: host), is: before, "seed \(seed): nothing was opened")
        continue
      }
      for _ in 0..<Int.random(in: 0...12, using: &chance) where session.isOpen { try Self.act(host, &chance) }
      session.close()
      expect(host.modalSessions.isEmpty)
      try expect(Self.all(of: host), is: before, "seed \(seed)")
    }
  }

  private static func host(_ chance: inout Chance) throws -> ScriptHost {
    let host = ScriptHost()
    for index in 0..<3 where !chance.once(in: 4) { _ = try host.window("w\(index)") }
    for index in 0..<6 {
      let editor = try host.responder("r\(index)", next: chance.pick(host.responders))
      editor.on("a\(index % 3)") { _ in }
      if chance.once(in: 3) { editor.can("a\(index % 3)") { _ in .no("no \(index)") } }
      if chance.once(in: 6) { editor.become { false } }
      if chance.once(in: 6) { editor.acceptsFocus(false) }
      if chance.once(in: 6) { editor.worksWhenModal(true) }
    }
    return host
  }

  private static func move(_ host: ScriptHost, _ chance: inout Chance) throws {
    if chance.once(in: 3), let window = host.windows.randomElement(using: &chance) {
      try host.makeKey(window)
    } else {
      try host.focus(chance.pick(host.responders))
    }
  }

  /// Does something that a person can do while sessions are open.
  private static func act(_ host: ScriptHost, _ chance: inout Chance) throws {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0, 1: try move(host, &chance)
    case 2: _ = try? host.modal(chance.pick(host.responders), dismissable: chance.once(in: 2))
    case 3: host.modalSessions.randomElement(using: &chance)?.close()
    case 4:
      var options = PerformOptions()
      options.from = chance.pick(host.responders)
      host.perform("a\(Int.random(in: 0..<3, using: &chance))", options)
    default: try host.enter(chance.pick(Phase.allCases))
    }
  }

  /// Everything that depends on the focus: the chain, the first responder of each window,
  /// the history of key windows, and the disabled actions with their reasons.
  private static func all(of host: ScriptHost) throws -> [String] {
    var all = [host.chainNames.joined(separator: " ")]
    all += host.windows.map { "\($0.name): \($0.first?.name ?? "")" }
    all.append(host.chain.keyHistory.map(\.name).joined(separator: " "))
    for action in 0..<3 {
      let validation = host.validate("a\(action)")
      all.append("\(validation.isEnabled) \(validation.by ?? "") \(validation.reason ?? "")")
    }
    return all
  }
}
