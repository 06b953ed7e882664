import Glibc
import LiveHost
import ScriptHost

/// Writes a record as a scripted test that repeats the steps and expects their outcomes, for `record --as-test`.
struct RecordedTest {
  /// The text of the test file.
  let text: String
  /// The path of the test, for errors and for the path of its subject.
  let name: String

  /// - Parameters:
  ///   - script: the script of the host, if any
  ///   - path: the path of the test; nil for the folder of its subject
  init(_ record: Record, of script: Source?, in host: ScriptHost, at path: String?) throws(Problem) {
    let source = script?.name
    let subject = try source.map { name throws(Problem) in try TestedScript(name, of: path) }
    name = path ?? subject.map { $0.folder + "recorded_test.lua" } ?? "recorded_test.lua"
    let place = source.map { " to \($0)" } ?? ""
    var lines = ["-- Written by menuctl: what was done\(place), and what came of it.".visible]
    let standIns = GivenAgain(record, watches: host.scriptsName("watch"))
    lines += standIns.functions
    if let subject {
      let path = LuaText.quoted(subject.path)
      lines.append(standIns.option.map { "subject(\(path), \($0))" } ?? "subject \(path)")
    }
    if !host.settings.isEmpty {
      let words = host.settings.members.map { "--set \("\($0.key)=\(Self.word($0.value))".shellWord)" }
      lines.append("-- Run it with \(words.joined(separator: " "))".visible)
    }
    lines += ["", ItemText.script]
    let defined = record.defined(in: host)
    if !defined.isEmpty { lines += [""] + defined.map { "\(Self.global($0)) = nil" } }
    lines += ["", "test(\"what was recorded\", function(app)", "  local outcome, _"]
    let drawn = record.drawn.filter { !JSON.list([.text($0.id), .text($0.text)]).without(record.secrets).isUnsaid }
    if let focus = record.focus { lines.append("  focus(app:find(\(LuaText.quoted(focus))))") }
    lines += drawn.map { Self.expectation(ofItem: $0.id, $0.text) }
    for (index, step) in record.steps.enumerated() {
      lines += Self.lines(Self.sayable(step, record.secrets), index + 1)
    }
    text = (lines + ["end)"]).joined(separator: "\n") + "\n"
    if text.utf8.count > host.limits.source {
      throw Problem(
        .no, "the test would have \(text.utf8.count) bytes, and a script can have \(host.limits.source) at most",
        help: record.steps.isEmpty
          ? "the app reads that much when it starts: write a recording, without '--as-test'"
          : "record fewer steps, or write a recording, without '--as-test'")
    }
  }

  /// Returns the expression for a global, whose name may be no Lua identifier.
  private static func global(_ name: String) -> String { name.isLuaWord ? name : "_ENV[\(LuaText.quoted(name))]" }

  private static func word(_ value: Value) -> String {
    if case .text(let text) = value { text } else { JSONText.text(JSON(value)) }
  }

  /// Runs the test and returns its failures.
  func failures(with limits: HostLimits, settings: Arguments) -> [Failure] {
    do {
      let prepare: @Sendable (ScriptHost) throws -> Void = { [settings = SettingsBox(settings)] host in
        host.settings = settings.arguments
      }
      let file = try ScriptTestFile(text: text, name: name, limits: limits, prepare: prepare)
      return file.tests.flatMap { file.run($0).failures.map(\.failure) }
    } catch {
      return [error.failure]
    }
  }

  /// Passes the settings to a test's thread. They come from a command line, and any thread may read their literals.
  private struct SettingsBox: @unchecked Sendable {
    let arguments: Arguments
    init(_ arguments: Arguments) { self.arguments = arguments }
  }

  // MARK: One step

  /// Returns a step without secrets: the word "secret" replaces them, and effects with a secret aren't expected.
  private static func sayable(_ step: Record.Step, _ secrets: Secrets) -> Record.Step {
    if secrets.isEmpty { return step }
    var said = Record.Step(
      deed: step.deed.without(secrets).givingWords, effect: step.effect.without(secrets), pause: step.pause,
      isExpression: step.isExpression)
    said.answered = Answered(confirmed: step.answered.confirmed, arguments: step.answered.given?.givingWords)
    said.values = step.values
    said.isUnsaid = step.values.contains { AnswerJSON().json($0).value(without: secrets).isUnsaid }
    return said
  }

  private static func lines(_ step: Record.Step, _ number: Int) -> [String] {
    var lines = ["", "  -- \(number): \(step.deed.text.visible)"]
    if step.pause > 0 { lines.append("  app:advance(\(step.pause))") }
    return lines + deed(step) + changes(step.effect["changes"]?.list ?? [])
  }

  private static func deed(_ step: Record.Step) -> [String] {
    switch step.deed {
    case .perform(let reference, let performing):
      let options = Self.options(performing, step)
      return ["  outcome = app:perform(\(LuaText.quoted(reference))\(options))"] + outcome(step)
    case .press(let keys):
      return ["  outcome = app:press(\(LuaText.quoted(keys))\(options(step.answered)))"] + outcome(step)
    case .choose(let id): return ["  outcome = app:choose(\(LuaText.quoted(id)))"] + outcome(step)
    case .mark(let ids, let pane):
      let list = ids.map { LuaText.quoted($0) }.joined(separator: ", ")
      return ["  app:mark({ \(list) }\(pane.map { ", \(LuaText.quoted($0))" } ?? ""))"]
    case .filter(let text, let pane):
      return ["  app:filter(\(LuaText.quoted(pane)), \(LuaText.quoted(text)))"]
    case .select(let text, let from, let to):
      return ["  app:text(\(LuaText.quoted(text)))", "  app:select(\(LuaText.quoted(text)), \(from), \(to))"]
    case .pick(let id, _):
      return ["  outcome = app:pick(\(LuaText.quoted(id))\(options(step.answered)))"] + outcome(step)
    case .pickNumber: return []  // A live app's, which isn't loaded here.
    case .open(let url):
      return ["  outcome = app:open_urls({ \(LuaText.quoted(url)) })[1]"] + outcome(step)
    case .focus(let name):
      let hasFocus = step.effect["focused"]?.bool ?? false
      return ["  expect(focus(app:find(\(LuaText.quoted(name))))):is(\(hasFocus))"]
    case .evaluate(let line, _): return evaluation(line, step)
    }
  }

  /// Returns the Lua options for the answers.
  private static func options(_ answered: Answered) -> String {
    let arguments = answered.given.map { "args = \(table($0) ?? "{}")" }
    let options = [arguments, answered.confirmed.map { "confirmed = \($0)" }].compactMap { $0 }
    return options.isEmpty ? "" : ", { \(options.joined(separator: ", ")) }"
  }

  private static func options(_ performing: Deed.Performing, _ step: Record.Step) -> String {
    let answered = step.answered
    // The outcome is a question or answers a question, so the test must allow questions.
    let isAsked = step.effect["status"]?.text == Outcome.Status.asks.rawValue || answered.confirmed != nil
    var options = isAsked ? ["asks = true"] : []
    if let from = performing.from { options.append("from = \(LuaText.quoted(from))") }
    if let to = performing.to { options.append("to = \(LuaText.quoted(to))") }
    if performing.skipsValidation { options.append("skip_validation = true") }
    if let isConfirmed = answered.confirmed { options.append("confirmed = \(isConfirmed)") }
    let arguments =
      table(performing.arguments.merging(answered.arguments))
      ?? (answered.given == nil ? "nil" : "{}")
    if options.isEmpty { return arguments == "nil" ? "" : ", \(arguments)" }
    return ", \(arguments), { \(options.joined(separator: ", ")) }"
  }

  /// Returns arguments as a Lua table; nil if there are none.
  private static func table(_ arguments: Arguments) -> String? {
    if arguments.isEmpty { return nil }
    let fields = arguments.members.map { "[\(LuaText.quoted($0.key))] = \(literal($0.value))" }
    return "{ \(fields.joined(separator: ", ")) }"
  }

  /// Returns a value from a command line in Lua's syntax; inside lists and objects nil is written as `null`.
  private static func literal(_ value: Value, isInside: Bool = false) -> String {
    switch value {
    case .null: isInside ? "null" : "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): LuaText.text(.integer(value)) ?? "nil"
    case .number(let value): LuaText.text(.number(value)) ?? "nil"
    case .text(let text): LuaText.quoted(text)
    case .list(let values): "{ \(values.map { literal($0, isInside: true) }.joined(separator: ", ")) }"
    case .object(let members):
      "{ \(members.map { "[\(LuaText.quoted($0.key))] = \(literal($0.value, isInside: true))" }.joined(separator: ", ")) }"
    case .opaque: "nil"
    }
  }

  private static func outcome(_ step: Record.Step) -> [String] {
    var lines: [String] = []
    for name in ["status", "by", "via", "reason"] {
      if let text = step.effect[name]?.text { lines.append(expectation(of: name, text)) }
    }
    if let message = step.effect["error"]?["message"]?.text {
      if message.contains(RecordingText.address) {
        lines.append("  expect(outcome.error.message):matches(\(LuaText.quoted("^\(pattern(message))$")))")
      } else {
        lines.append(expectation(of: "error.message", message))
      }
    }
    if step.isUnsaid {
      lines.append("  -- Its result has something secret in it.")
    } else if let result = step.values.first {
      lines.append(
        LuaText.text(result).map { "  expect(outcome.result):is(\($0))" } ?? "  -- Its result can't be written.")
    }
    return lines
  }

  private static func expectation(of part: String, _ text: String) -> String {
    "  expect(outcome.\(part)):is(\(LuaText.quoted(text)))"
  }

  private static func expectation(ofItem id: String, _ text: String) -> String {
    "  expect(drawn(\(LuaText.quoted(id)))):is(\(LuaText.quoted(text)))"
  }

  // MARK: Lines of Lua

  /// Returns a line of Lua as a function body, which keeps its locals apart; an expression gets a `return`.
  private static func evaluation(_ line: String, _ step: Record.Step) -> [String] {
    if let error = step.effect["error"] {
      if error["limit"] != nil || error["code"]?.text != Failure.Code.script.rawValue {
        return ["  -- It spent a limit, or was interrupted, and is left out."]
      }
      let pattern = LuaText.quoted(error["message"]?.text.map(Self.pattern) ?? ".")
      return ["  expect(function(...)\(step.isExpression ? " return" : "")", line, "  end):raises(\(pattern))"]
    }
    // A line without values leaves '_' as it was.
    let opening = step.values.isEmpty ? "  ;(function(...)" : "  _ = (function(...)"
    let lines = ["\(opening)\(step.isExpression ? " return" : "")", line, "  end)()"]
    if step.isUnsaid { return lines + ["  -- Its value has something secret in it."] }
    guard let first = step.values.first else { return lines }
    // The host has one value for nil and 'null', which are two values in Lua.
    if first == .nil { return lines + ["  expect(_ == nil or _ == null):is(true)"] }
    return lines + [LuaText.text(first).map { "  expect(_):is(\($0))" } ?? "  -- Its value can't be written."]
  }

  /// Returns a Lua pattern for this message, with any addresses.
  private static func pattern(_ message: String) -> String {
    escapedPattern(message).replacing(RecordingText.address, with: "0x[%x…]+")
  }

  /// Returns a Lua pattern for this text.
  private static func escapedPattern(_ text: String) -> String {
    text.unicodeScalars.map { "^$()%.[]*+-?".unicodeScalars.contains($0) ? "%\($0)" : "\($0)" }.joined()
  }

  // MARK: Changes

  private static func changes(_ changes: [JSON]) -> [String] {
    changes.flatMap { change -> [String] in
      if change["change"]?.text == "remove", let id = change["id"]?.text {
        return [expectation(ofItem: id, "not there")]
      }
      return change["element"].map(items) ?? []
    }
  }

  private static func items(_ element: JSON) -> [String] {
    if element["reason"]?.isUnsaid ?? false { return [] }
    if let text = ItemText.of(element), let id = element["id"]?.text { return [expectation(ofItem: id, text)] }
    return (element["children"]?.list ?? []).flatMap(items)
  }
}

/// The subject of a recorded test, and the folder of the test.
struct TestedScript {
  /// The script's path, relative to `folder`.
  let path: String
  /// The folder of the test, with a slash at the end; empty for the working folder.
  let folder: String

  /// - Parameter test: the path of the test; nil for the folder of the script.
  init(_ script: String, of test: String?) throws(Problem) {
    let own = Self.folder(of: script)
    guard let test else {
      folder = own
      path = String(script.dropFirst(own.count))
      return
    }
    folder = Self.folder(of: test)
    guard let real = Self.resolved(script) else {
      throw Problem(.noSuchFile, "a test needs a script in a file, and '\(script)' is none")
    }
    guard let root = Self.resolved(folder.isEmpty ? "." : folder) else {
      throw Problem(.noSuchFile, "can't write '\(test)': \(systemMessage(errno))")
    }
    let prefix = root == "/" ? root : root + "/"
    guard real.hasPrefix(prefix) else {
      throw Problem(
        .usage, "a test must be beside its script or in a folder above it, and '\(test)' isn't",
        help: "the script is '\(script)'")
    }
    path = String(real.dropFirst(prefix.count))
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}
