import Testing

@testable import ScriptHost

/// A host with a script loaded, and what the script printed.
final class ScriptStage {
  let host = ScriptHost()
  private(set) var printed: [String] = []

  init(_ script: String, name: String = "app.lua") throws {
    host.onPrint = { [unowned self] in printed.append($0) }
    try host.load(text: script, name: name)
  }

  /// Performs, and tells what came of it in one line: `handled by grid via on → 3`.
  func perform(_ reference: String, _ options: PerformOptions = PerformOptions()) -> String {
    host.perform(reference, options).line
  }

  func takePrinted() -> [String] {
    defer { printed = [] }
    return printed
  }
}

extension Outcome {
  /// The outcome in one line.
  var line: String {
    var line = status.rawValue
    if let by { line += " by \(by)" }
    if let via { line += " via \(via.rawValue)" }
    if !result.isNull { line += " → \(result)" }
    if let reason { line += ": \(reason)" }
    if let error { line += "! \(error)" }
    return line
  }
}
