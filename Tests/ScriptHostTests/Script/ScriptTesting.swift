import Expectations
import Testing

@testable import ScriptHost

/// A host with a script loaded, and what the script printed.
final class ScriptStage {
  let host: ScriptHost
  private(set) var printed: [String] = []

  init(
    _ script: String, name: String = "app.lua", clock: HostClock = TestClock(), limits: HostLimits = HostLimits()
  ) throws {
    host = ScriptHost(limits: limits, clock: clock)
    host.onPrint = { [unowned self] in printed.append($0) }
    try load(script, name: name)
  }

  func load(_ script: String, name: String) throws {
    try host.load(text: script + "\n" + Self.helpers, name: name)
  }

  /// Helper functions of these tests. They come below a test's script, whose line numbers stay the same.
  private static let helpers = """
    function line(o)
      local s = o.status
      if o.by then s = s .. " by " .. o.by end
      if o.via then s = s .. " via " .. o.via end
      if o.result ~= nil then s = s .. " → " .. tostring(o.result) end
      if o.reason and o.status ~= "failed" then s = s .. ": " .. o.reason end  -- else the error says it
      if o.job then s = s .. " " .. tostring(o.job) end
      if o.error then s = s .. " ! " .. tostring(o.error) end
      return s
    end
    function say(...) print(line(app:perform(...))) end
    function look(reference)
      local v = app:validate(reference)
      print((v.enabled and "enabled" or "disabled") .. (v.by and " by " .. v.by or "") .. (v.reason and ": " .. v.reason or ""))
    end
    function fails(body, ...)
      local ok, message = pcall(body, ...)
      print(ok and "nothing was raised" or message)
    end
    """

  /// Performs, and returns the outcome in one line: `handled by grid via on → 3`.
  func perform(_ reference: String, _ options: PerformOptions = PerformOptions()) -> String {
    host.perform(reference, options).line
  }

  func takePrinted() -> [String] {
    defer { printed = [] }
    return printed
  }
}

extension HostLimits {
  /// Limits for work that is slow on a slow machine, in tests of something else.
  static let patient = HostLimits(
    load: .milliseconds(isUnoptimized ? 600_000 : 60_000), perform: .milliseconds(isUnoptimized ? 600_000 : 60_000))
}

/// Loads a script, performs `go` in it, and compares the output. Another outcome than handled is a line as well.
func expect(
  _ script: String, prints expected: String, after actions: [String] = ["go"], limits: HostLimits = HostLimits(),
  at location: SourceLocation = #_sourceLocation
) throws {
  let stage = try ScriptStage(script, limits: limits)
  var lines: [String] = []
  for action in actions {
    let outcome = stage.perform(action)
    lines += stage.takePrinted()
    if !outcome.hasPrefix("handled") || actions != ["go"] { lines.append(outcome) }
  }
  expect(lines.joined(separator: "\n"), is: expected, sourceLocation: location)
}

/// The error of loading a script. Also expects that nothing of the script is left.
func loadError(_ script: String, at location: SourceLocation = #_sourceLocation) throws -> String {
  let host = ScriptHost()
  let error = try #require(throws: LoadError.self, sourceLocation: location) {
    try host.load(text: script, name: "app.lua")
  }
  expect(host.chainNames == ["app"] && host.windows.isEmpty, sourceLocation: location)
  return error.description
}

extension Value {
  /// The value as a text.
  var shownText: String? { if case .text(let text) = self { text } else { nil } }
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
