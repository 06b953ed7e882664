@testable import ScriptHost

/// Checks reading, binding and pressing any bytes as keys; the tests and the fuzzer both use it.
///
/// Each line is keys: those before an empty line are bound, the others pressed. A model gives the expected results.
struct KeyCheck {
  /// Writes keys; a test passes a faulty writer, to show that the check finds it.
  var format: (KeySequence) -> String = { $0.text }
  /// The most lines that are bound or pressed; each makes the search for longer keys slower.
  private static let most = 64

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.most).map(String.init)
    for line in lines + [text] {
      if let fault = fault(ofReading: line) { return fault }
    }
    let bound = lines.prefix { !$0.isEmpty }
    return fault(binding: Array(bound), pressing: lines.dropFirst(bound.count).filter { !$0.isEmpty })
  }

  /// Keys survive their canonical spelling; any other text is refused at a place in it.
  private func fault(ofReading text: String) -> String? {
    do throws(KeyError) {
      let keys = try KeySequence.parse(text)
      let spelling = format(keys)
      guard let again = try? KeySequence.parse(spelling) else { return "'\(spelling)' can't be read" }
      guard again == keys else { return "'\(spelling)' is other keys" }
      guard format(again).hasSameBytes(as: spelling) else { return "'\(spelling)' is not the one spelling" }
      return keys.strokes.isEmpty ? "keys without a stroke" : nil
    } catch {
      let scalars = text.unicodeScalars.count
      guard (1...scalars + 1).contains(error.column) else { return "the column \(error.column) is outside" }
      let lines = error.render().utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      return lines.count == 3 && lines[2].last == UInt8(ascii: "^")
        ? nil : "no sentence, line and caret: \(error.render())"
    }
  }

  // MARK: Pressing

  private func fault(binding bound: [String], pressing pressed: [String]) -> String? {
    let host = ScriptHost()
    host.on("did") { command in command.context["n"] }
    host.on("refused") { command in command.context["n"] }
    host.can("refused") { _ in .no("not now") }
    host.takes("did", .integer("n", in: 0...Self.most))
    var model = KeyModel()
    guard let grid = try? host.responder("grid"), (try? host.focus(grid)) != nil else { return "there is no responder" }
    for (number, text) in bound.enumerated() {
      // Every third is bound to a list whose last action alone is possible, and every seventh to a list without one.
      let list = number % 7 == 6 ? [] : ["did(n: \(number))"]
      let references = number % 3 == 2 || list.isEmpty ? ["refused(n: \(number))", "nobody"] + list : list
      guard (try? grid.bind(text, toFirst: references)) != nil, let keys = try? KeySequence.parse(text) else {
        continue
      }
      model.bind(keys.strokes.map(format), list.isEmpty ? nil : number)
    }
    for text in pressed {
      guard let keys = try? KeySequence.parse(text) else { continue }
      let expected = model.press(keys.strokes.map(format))
      let outcome = host.press(text)
      let found = KeyModel.Answer(outcome.status.rawValue, outcome.result)
      if found != expected { return "'\(text)' is \(found), and \(expected) by the model" }
      let pending = host.pendingKeys.map { $0.strokes.map(format) } ?? []
      if pending != model.pending { return "'\(text)' leaves \(pending) pending, and \(model.pending) by the model" }
    }
    return nil
  }

  private func format(_ stroke: Stroke) -> String { stroke.text }
}

/// The keys of one responder by K2 to K4 and K7, without caches and shortcuts.
private struct KeyModel {
  struct Answer: Equatable, CustomStringConvertible {
    let status: String
    let number: Int?

    init(_ status: String, _ number: Int? = nil) {
      self.status = status
      self.number = number
    }

    init(_ status: String, _ result: Value) {
      self.status = status
      number = if case .integer(let number) = result { number } else { nil }
    }

    var description: String { status + (number.map { " \($0)" } ?? "") }
  }

  /// The action of each key; nil for a list without a possible action.
  private var bound: [[String]: Int?] = [:]
  private(set) var pending: [String] = []

  mutating func bind(_ keys: [String], _ number: Int?) { bound[keys] = .some(number) }

  mutating func press(_ strokes: [String]) -> Answer {
    var answer = Answer("unhandled")
    for stroke in strokes { answer = strike(stroke) }
    return answer
  }

  private mutating func strike(_ stroke: String) -> Answer {
    let begun = pending
    pending = []
    if !begun.isEmpty {
      if let answer = look(begun + [stroke]) { return answer }
      if stroke == "esc" { return Answer("cancelled") }
    }
    return look([stroke]) ?? Answer("unhandled")
  }

  private mutating func look(_ keys: [String]) -> Answer? {
    if let number = bound[keys] { return number.map { Answer("handled", $0) } ?? Answer("disabled") }
    guard bound.keys.contains(where: { $0.count > keys.count && Array($0.prefix(keys.count)) == keys }) else {
      return nil
    }
    pending = keys
    return Answer("pending")
  }
}
