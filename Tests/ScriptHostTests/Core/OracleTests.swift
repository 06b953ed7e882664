import Testing

@testable import ChainModel
@testable import ScriptHost

@Suite("The oracle: the host behaves as the model")
struct OracleTests {
  static let sequences = 2_000
  static let length = 60

  /// Handlers in Swift, handlers of scripts, and both alternately, each with and without an observer.
  static let modes = [true, false].flatMap { isObserved in
    [
      Rig.Mode(isObserved: isObserved), Rig.Mode(isObserved: isObserved, isScripted: true),
      Rig.Mode(isObserved: isObserved, isScripted: true, isMixed: true),
    ]
  }

  @Test(
    "Host and model agree on 120,000 operations: taker, way, result, reason, context, explanation", arguments: modes)
  func agree(mode: Rig.Mode) throws {
    for seed in 0..<UInt64(Self.sequences / Self.modes.count) {
      let seed = seed * 8 + (mode.isMixed ? 4 : 0) + (mode.isScripted ? 2 : 0) + (mode.isObserved ? 1 : 0)
      var generator = OperationGenerator(seed: seed)
      let steps = generator.steps(Self.length)
      guard let difference = try difference(steps, mode) else { continue }
      let (least, last) = try minimised(steps, difference, mode)
      Issue.record("seed \(seed), \(mode): \(last)\n\(least.map { "  \($0)" }.joined(separator: "\n"))")
      return
    }
  }

  // MARK: Comparing

  /// The first difference between the model and a host; nil if they agree.
  private func difference(_ steps: [Turn], _ mode: Rig.Mode) throws -> String? {
    var model = Model()
    let rig = try Rig(mode)
    for (index, step) in steps.enumerated() {
      let expected = model.apply(step.operation)
      let found = rig.apply(step.operation)
      if expected != found { return "step \(index): allowed by the model \(expected), by the host \(found)" }
      let walk = model.walk(from: model.focused).map(model.name)
      if walk != rig.host.chainNames {
        return "step \(index): the model walks \(walk), the host \(rig.host.chainNames)"
      }
      for ask in step.asks {
        if let difference = try difference(ask, &model, rig) { return "step \(index): \(difference)" }
      }
    }
    return nil
  }

  private func difference(_ ask: Ask, _ model: inout Model, _ rig: Rig) throws -> String? {
    let validation = (expected: model.validate(ask), found: rig.validate(ask))
    if !validation.expected.isLike(validation.found) {
      return "validate \(ask.text): the model \(validation.expected), the host \(validation.found)"
    }
    if let difference = traces(&model, rig) { return "validate \(ask.text): \(difference)" }

    let why = (expected: model.validate(ask), found: try rig.why(ask))
    if !why.expected.isLike(why.found.answer) {
      return "why \(ask.text): the model \(why.expected), the host \(why.found.answer)"
    }
    if let complaint = traces(&model, rig) ?? why.found.complaint { return "why \(ask.text): \(complaint)" }

    let outcome = (expected: model.perform(ask), found: rig.perform(ask))
    let ran = model.trace
    if let difference = traces(&model, rig) { return "perform \(ask.text): \(difference)" }
    if outcome.expected != outcome.found {
      return "perform \(ask.text): the model \(outcome.expected), the host \(outcome.found)"
    }
    let handlers = ran.filter { line in ["on ", "unknown ", "native "].contains { line.hasPrefix($0) } }
    return rig.complaint(about: outcome.found, ran: !handlers.isEmpty)
      ?? disagreement(validation.found, outcome.found, handlers, ask)
  }

  private func traces(_ model: inout Model, _ rig: Rig) -> String? {
    defer {
      model.trace = []
      rig.trace = []
    }
    return model.trace == rig.trace ? nil : "the model asks \(model.trace), the host \(rig.trace)"
  }

  /// Why validating and performing don't agree; nil if they do.
  private func disagreement(_ validation: Answer, _ outcome: Answer, _ ran: [String], _ ask: Ask) -> String? {
    if ask.skips { return nil }
    let taker = validation.by
    let agrees: Bool
    switch (validation.status, taker) {
    case ("enabled", let taker?): agrees = ran.first?.contains(" of \(taker), ") ?? false
    // Nobody takes it: then only a catch-all may run first, and nothing was refused.
    case (_, nil): agrees = ran.first.map { $0.hasPrefix("unknown") } ?? (outcome.status != "disabled")
    default:
      let reasons = outcome.status == "blocked" ? [validation.reason, "dismissed"] : [validation.reason]
      agrees = ran.isEmpty && ["disabled", "blocked"].contains(outcome.status) && reasons.contains(outcome.reason)
    }
    return agrees ? nil : "validate \(ask.text) says \(validation), perform \(outcome) after \(ran)"
  }

  // MARK: Making it small

  /// Drops steps and asks as long as a difference is left.
  private func minimised(_ steps: [Turn], _ difference: String, _ mode: Rig.Mode) throws -> ([Turn], String) {
    var least = steps
    var last = difference
    var size = max(1, least.count / 2)
    while size > 0 {
      var start = 0
      while start < least.count {
        var fewer = least
        fewer.removeSubrange(start..<min(start + size, least.count))
        if let difference = try self.difference(fewer, mode) {
          (least, last) = (fewer, difference)
        } else {
          start += size
        }
      }
      size /= 2
    }
    for index in least.indices {
      for ask in least[index].asks.indices.reversed() {
        var fewer = least
        fewer[index].asks.remove(at: ask)
        if let difference = try self.difference(fewer, mode) { (least, last) = (fewer, difference) }
      }
    }
    return (least, last)
  }
}

extension Answer {
  /// Whether a host's validation is the model's; a hint after the reason doesn't count.
  func isLike(_ other: Answer) -> Bool {
    guard status == other.status, by == other.by else { return false }
    guard let reason else { return other.reason == nil }
    return by == nil ? other.reason?.hasPrefix(reason) ?? false : other.reason == reason
  }
}
