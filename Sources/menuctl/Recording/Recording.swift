import LiveHost
import ScriptHost

/// A *recording* is a file with the steps of a session, for `replay`: JSON lines, a header and then the steps.
struct Recording {
  struct Step {
    let deed: Deed
    let answered: Answered
    /// The recorded effect.
    let effect: JSON
    /// The scripts' data from outside during the step, and the time of its beginning.
    let given: [JSON]
    let time: Double?
    /// The step's line in the file.
    let line: Int
  }

  /// The script of the app; nil without a script.
  let source: String?
  let settings: Arguments
  /// The responder that has the focus before the first step; nil if the app itself decides.
  let focus: String?
  /// The scripts' data from outside before the first step.
  let given: [JSON]
  let steps: Steps

  /// The most bytes of a recording.
  static let longest = 256 << 20
  /// The most bytes of a line. The values of a line need twenty times as much memory.
  static let longestLine = 16 << 20

  init(_ file: Source) throws(Problem) {
    if file.bytes.count > Self.longest {
      throw Problem(.unloadable, "'\(file.name)' is longer than \(Self.longest >> 20) MiB, so it is no recording")
    }
    var lines = RecordingLines(file)
    guard let first = lines.next() else {
      throw Problem(.unloadable, Self.error("the file is empty: a recording begins with a header", 1, file), in: file)
    }
    let header = try Self.read(first, file)
    guard let version = header["recording"]?.integer else {
      throw Problem(
        .unloadable, Self.error("this is no recording: its first line needs \"recording\": 1", 1, file), in: file)
    }
    guard version == RecordingText.version else {
      let message = "this is a recording of version \(version), and this menuctl reads \(RecordingText.version)"
      throw Problem(.unloadable, Self.error(message, 1, file), in: file)
    }
    if let source = header["source"], source.text == nil {
      throw Problem(.unloadable, Self.error("'source' is a string", 1, file), in: file)
    }
    if let settings = header["settings"], settings.members == nil {
      throw Problem(.unloadable, Self.error("'settings' is an object", 1, file), in: file)
    }
    if let focus = header["focus"], focus.text == nil {
      throw Problem(.unloadable, Self.error("'focus' is a string", 1, file), in: file)
    }
    source = header["source"]?.text
    focus = header["focus"]?.text
    settings = Arguments((header["settings"]?.members ?? []).map { ($0.0, Value($0.1)) })
    do throws(DeedError) { given = try Self.given(header) } catch {
      throw Problem(.unloadable, Self.error(error.message, 1, file), in: file)
    }
    let begin = lines
    var count = 0
    while let line = lines.next() {
      _ = try Self.step(line, file)
      count += 1
    }
    steps = Steps(count: count, lines: begin, file: file)
  }

  /// The steps. Each is parsed on demand, because all together need many times the memory of the file.
  struct Steps: Sequence, IteratorProtocol {
    let count: Int
    fileprivate var lines: RecordingLines
    fileprivate let file: Source

    /// Returns the next step; `init` has checked that all are readable.
    mutating func next() -> Step? { lines.next().flatMap { try? Recording.step($0, file) } }
  }

  private static func read(_ line: RecordingLines.Line, _ file: Source) throws(Problem) -> JSON {
    if line.bytes.count > longestLine {
      let message = "the line is longer than \(longestLine >> 20) MiB, the most that a recording can have"
      throw Problem(.unloadable, error(message, line.number, file), in: file)
    }
    do throws(JSONError) {
      let value = try JSONReader.read(line.bytes)
      if value.members == nil { throw JSONError(message: "each line is an object", line: 1, column: 1) }
      return value
    } catch {
      throw Problem(.unloadable, Self.error(error.message, line.number, file, column: error.column), in: file)
    }
  }

  fileprivate static func step(_ line: RecordingLines.Line, _ file: Source) throws(Problem) -> Step {
    let step = try read(line, file)
    do throws(DeedError) {
      let effect = (step.members ?? []).filter { !["do", "at", "given"].contains($0.0) }
      return Step(
        deed: try Deed(step["do"]), answered: try Answered(step["do"]), effect: .object(effect),
        given: try given(step), time: try time(step["at"]), line: line.number)
    } catch {
      throw Problem(.unloadable, Self.error(error.message, line.number, file), in: file)
    }
  }

  private static func given(_ line: JSON) throws(DeedError) -> [JSON] {
    guard let given = line["given"] else { return [] }
    guard let all = given.list else { throw DeedError("'given' is a list") }
    for one in all { _ = try Given(one) }
    return all
  }

  private static func time(_ value: JSON?) throws(DeedError) -> Double? {
    switch value {
    case nil: nil
    case .integer(let seconds)? where (0...longestTime).contains(Double(seconds)): Double(seconds)
    case .number(let seconds)? where (0...longestTime).contains(seconds): seconds
    default: throw DeedError("'at' is a number of seconds")
    }
  }

  /// A hundred years.
  private static let longestTime = 3.2e9

  private static func error(_ message: String, _ line: Int, _ file: Source, column: Int? = nil) -> Diagnostic {
    Diagnostic(.error, "recording", message, place: Place(file: file.name, line: line, column: column))
  }
}

/// The lines of a recording in their order.
private struct RecordingLines: IteratorProtocol {
  struct Line {
    let bytes: ArraySlice<UInt8>
    /// Counted from 1.
    let number: Int
  }

  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ file: Source) { rest = file.bytes[...] }

  /// Returns the next line. The last line may have no newline.
  mutating func next() -> Line? {
    if rest.isEmpty { return nil }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest.dropFirst(line.count + 1)
    number += 1
    return Line(bytes: line, number: number)
  }
}

/// The reason why a line of a recording is no valid step.
struct DeedError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension Deed {
  private static let names = [
    "perform", "press", "pick", "choose", "mark", "filter", "select", "focus", "open", "eval",
  ]
  /// The text that replaces a secret URL.
  static let unsaidURL = JSONText.text(.unsaid)

  /// Reads the deed in a line of a recording.
  init(_ json: JSON?) throws(DeedError) {
    guard let members = json?.members, let json else { throw DeedError("what was done is missing: \"do\": {…}") }
    let named = members.filter { Self.names.contains($0.0) }
    guard named.count == 1, let (name, value) = named.first else {
      throw DeedError("'do' has one of \(Self.names.joined(separator: ", "))")
    }
    if name == "mark" {
      self = try Self.marking(value, json["pane"])
      return
    }
    guard let text = name == "open" && value == .unsaid ? Self.unsaidURL : value.text else {
      throw DeedError("'\(name)' is a string")
    }
    let known =
      switch name {
      case "perform": ["from", "to", "args", "skip_validation", "confirmed"]
      case "press", "choose": ["args", "confirmed"]
      case "pick": ["args", "confirmed", "modifiers"]
      case "filter": ["pane"]
      case "select": ["from", "to"]
      default: [String]()
      }
    if let other = members.first(where: { $0.0 != name && !known.contains($0.0) }) {
      throw DeedError("'\(name)' has no '\(other.0)'\(didYouMean(other.0, among: known))")
    }
    switch name {
    case "perform": self = .perform(try Self.reference(text), try Performing(json))
    case "press": self = .press(try Self.keys(text))
    case "pick": self = .pick(text, modifiers: try Self.modifiers(json["modifiers"]))
    case "choose": self = .choose(text)
    case "filter":
      guard let pane = json["pane"]?.text else { throw DeedError("'filter' has the id of a pane, 'pane'") }
      self = .filter(text, pane: pane)
    case "select":
      guard let from = json["from"]?.integer, let to = json["to"]?.integer else {
        throw DeedError("'select' has the numbers of lines, 'from' and 'to'")
      }
      self = .select(text: text, from: from, to: to)
    case "focus": self = .focus(text)
    case "open": self = .open(text)
    default: self = .evaluate(text)
    }
  }

  private static func marking(_ json: JSON, _ pane: JSON?) throws(DeedError) -> Deed {
    let ids = (json.list ?? []).compactMap(\.text)
    guard let list = json.list, ids.count == list.count else { throw DeedError("'mark' is a list of strings") }
    if let pane, pane.text == nil { throw DeedError("'pane' is a string") }
    return .mark(ids, pane: pane?.text)
  }

  private static func modifiers(_ json: JSON?) throws(DeedError) -> [String] {
    guard let json else { return [] }
    let names = (json.list ?? []).compactMap(\.text)
    guard let list = json.list, names.count == list.count else { throw DeedError("'modifiers' is a list of strings") }
    return names
  }

  private static func reference(_ text: String) throws(DeedError) -> String {
    do throws(ReferenceError) {
      _ = try Reference.parse(text)
      return text
    } catch {
      throw DeedError("'\(text)': \(error.message)")
    }
  }

  private static func keys(_ text: String) throws(DeedError) -> String {
    do throws(KeyError) {
      _ = try KeySequence.parse(text)
      return text
    } catch {
      throw DeedError("'\(text)': \(error.message)")
    }
  }
}

extension Answered {
  fileprivate init(_ json: JSON?) throws(DeedError) {
    self.init()
    if let given = json?["args"] {
      guard let members = given.members else { throw DeedError("'args' is an object") }
      arguments = Arguments(members.map { ($0.0, Value($0.1)) })
    }
    if let given = json?["confirmed"] {
      guard let isConfirmed = given.bool else { throw DeedError("'confirmed' is true or false") }
      confirmed = isConfirmed
    }
  }
}

extension Deed.Performing {
  fileprivate init(_ json: JSON) throws(DeedError) {
    let (from, to) = (try Self.text(json["from"], "from"), try Self.text(json["to"], "to"))
    var skips = false
    if let given = json["skip_validation"] {
      guard let said = given.bool else { throw DeedError("'skip_validation' is true or false") }
      skips = said
    }
    self.init(from: from, to: to, skipsValidation: skips)
  }

  private static func text(_ value: JSON?, _ name: String) throws(DeedError) -> String? {
    guard let value else { return nil }
    guard let text = value.text else { throw DeedError("'\(name)' is a string") }
    return text
  }
}

extension Deed {
  /// The deed in words.
  var text: String {
    switch self {
    case .perform(let reference, _): "perform \(reference)"
    case .press(let keys): "press \(keys)"
    case .pick(let id, _): "pick \(id)"
    case .pickNumber(let number, _): "pick number \(number)"
    case .choose(let id): "choose \(id)"
    case .mark(let ids, _): ids.isEmpty ? "mark nothing" : "mark \(ids.joined(separator: ", "))"
    case .select(let text, let from, let to): "select the lines \(from) to \(to) of \(text)"
    case .filter(let text, let pane): "filter \(pane) by '\(text)'"
    case .focus(let name): "focus \(name)"
    case .open(let url): "open \(url)"
    case .evaluate(let line, _): line
    }
  }
}

extension Answer.Done {
  /// The exit status for the deed's outcome.
  var status: ExitStatus {
    switch self {
    case .performed(let performed): ExitStatus(performed.outcome)
    case .evaluated(let evaluated): evaluated.failure.map(ExitStatus.init) ?? .done
    case .focused(let focused): focused.hasFocus ? .done : .no
    }
  }
}

// A7: no secret is written to a recording or to the effects in it.

extension Deed {
  /// Returns the deed without the secrets in a line of Lua. Other deeds mask their arguments elsewhere.
  func without(_ secrets: Secrets) -> Deed {
    guard case .evaluate(let line, let name) = self else { return self }
    return .evaluate(line.without(all: secrets), name: name)
  }
}

// MARK: In tests, which need a value in place of a secret

extension Deed {
  /// Returns the deed for a recorded test, with the word "secret" in place of each secret argument.
  var givingWords: Deed {
    guard case .perform(let text, var performing) = self else { return self }
    performing.arguments = performing.arguments.givingWords
    guard let reference = try? Reference.parse(text), let arguments = reference.arguments?.members,
      arguments.contains(where: { Value($0.value).isSecret })
    else { return .perform(text, performing) }
    let given = arguments.map {
      Value($0.value).isSecret ? LiteralObject.Member(key: $0.key, value: .text("secret")) : $0
    }
    return .perform(Reference(id: reference.id, arguments: LiteralObject(given)).format(), performing)
  }
}

extension Arguments {
  /// The arguments with the word "secret" in place of each secret.
  var givingWords: Arguments {
    Arguments(members.map { ($0.key, $0.value.isSecret ? .text("secret") : $0.value) })
  }
}

/// Writes records as JSON lines: a header, then a line for each step.
enum RecordingText {
  static let version = 1

  /// Returns the text of a recording. Throws if it would be too long to read.
  static func text(_ record: Record, of app: String?, settings: Arguments) throws(Problem) -> String {
    var text = ""
    if record.isTooMuch {
      throw Problem(
        .no, "scripts were given more than \(Record.mostGiven) answers from outside, the most that a recording can have"
      )
    }
    let first = given(record.givenAtFirst, record)
    let lines = [header(of: app, settings, first, focus: record.focus)] + record.steps.map { line($0, of: record) }
    for (index, value) in lines.enumerated() {
      let line = JSONText.text(value)
      if line.utf8.count > Recording.longestLine {
        let what = index == 0 ? "the settings" : "step \(index), with what came of it,"
        throw Problem(
          .no,
          "\(what) would have \(line.utf8.count) bytes, and a line of a recording can have \(Recording.longestLine) at most"
        )
      }
      text += line + "\n"
    }
    if text.utf8.count > Recording.longest {
      throw Problem(
        .no, "the recording would have \(text.utf8.count) bytes, and one can have \(Recording.longest) at most",
        help: "record fewer steps")
    }
    return text
  }

  static func header(
    of app: String?, _ settings: Arguments, _ given: [(String, JSON)] = [], focus: String? = nil
  ) -> JSON {
    let source: [(String, JSON)] = app.map { [("source", .text($0))] } ?? []
    let focus: [(String, JSON)] = focus.map { [("focus", .text($0))] } ?? []
    return .object(
      [("menuctl", .integer(1)), ("recording", .integer(version))] + source + [
        ("settings", .object(settings.members.map { ($0.key, JSON($0.value)) }))
      ] + focus + given)
  }

  private static func line(_ step: Record.Step, of record: Record) -> JSON {
    .object(
      [("do", step.deed.without(record.secrets).json(step.answered))] + (step.time.map { [("at", .number($0))] } ?? [])
        + given(step.given, record) + (step.effect.without(record.secrets).members ?? []))
  }

  private static func given(_ given: [Given], _ record: Record) -> [(String, JSON)] {
    given.isEmpty ? [] : [("given", .list(given.map { JSON($0, without: record.secrets) }))]
  }

  // MARK: Effects

  /// Returns the effect without the parts that differ in each run: an error's place, traceback and object addresses.
  static func effect(_ done: Answer.Done) -> JSON {
    // The effect is written and read back, since a replay compares it with the values of a file.
    let written = JSONText.text(AnswerJSON().json(done))
    let members = (try? JSONReader.read(written.utf8))?.members ?? []
    return .object(effect(members.filter { !["action", "trace", "eval", "focus"].contains($0.0) }))
  }

  /// Does the same for the members of a notification.
  static func effect(_ members: [(String, JSON)]) -> [(String, JSON)] {
    members.map { name, value in (name, name == "error" ? failure(value) : value) }
  }

  private static func failure(_ failure: JSON) -> JSON {
    let members = (failure.members ?? []).filter { ["message", "code", "limit"].contains($0.0) }
    return .object(members.map { name, value in (name, value.text.map { .text(withoutAddresses($0)) } ?? value) })
  }

  /// The text that replaces an object's address in a message, which differs in each run.
  static let address = "0x…"

  private static func withoutAddresses(_ message: String) -> String {
    message.replacing(/(?<kind>: )0x[0-9a-f]{14}\b/) { "\($0.kind)\(address)" }
  }
}
