import ScriptHost

/// A *recording* is a session as a file has it: JSON lines, a header and then the steps.
struct Recording {
  struct Step {
    let deed: Deed
    let answers: [Record.Confirmation]
    /// What came of it then.
    let effect: JSON
    /// Where it stands in the file.
    let line: Int
  }

  /// The app that it was made of; nil where there was none.
  let source: String?
  let settings: Arguments
  let steps: [Step]

  /// How many bytes a recording may have.
  static let longest = 256 << 20

  init(_ file: Source) throws(Problem) {
    if file.bytes.count > Self.longest {
      throw Problem(.unloadable, "'\(file.name)' is longer than \(Self.longest >> 20) MiB, so it is no recording")
    }
    var lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    guard let first = lines.first else {
      throw Problem(.unloadable, Self.error("the file is empty: a recording begins with a header", 1, file), in: file)
    }
    let header = try Self.read(first, 1, file)
    guard let version = header["recording"]?.integer else {
      throw Problem(.unloadable, Self.error("this is no recording: a header has \"recording\": 1", 1, file), in: file)
    }
    guard version == RecordingText.version else {
      let message = "this is a recording of version \(version), and this menuctl reads \(RecordingText.version)"
      throw Problem(.unloadable, Self.error(message, 1, file), in: file)
    }
    source = header["source"]?.text
    settings = Arguments((header["settings"]?.members ?? []).map { ($0.0, Value($0.1)) })
    var steps: [Step] = []
    for (index, line) in lines.dropFirst().enumerated() {
      steps.append(try Self.step(try Self.read(line, index + 2, file), index + 2, file))
    }
    self.steps = steps
  }

  private static func read(_ line: ArraySlice<UInt8>, _ number: Int, _ file: Source) throws(Problem) -> JSON {
    do throws(JSONError) {
      let value = try JSONReader.read(line)
      if value.members == nil { throw JSONError(message: "each line is an object", line: 1, column: 1) }
      return value
    } catch {
      throw Problem(.unloadable, Self.error(error.message, number, file, column: error.column), in: file)
    }
  }

  private static func step(_ step: JSON, _ number: Int, _ file: Source) throws(Problem) -> Step {
    do throws(DeedError) {
      let effect = (step.members ?? []).filter { $0.0 != "do" && $0.0 != "confirmed" }
      return Step(
        deed: try Deed(step["do"]), answers: try answers(step["confirmed"]), effect: .object(effect), line: number)
    } catch {
      throw Problem(.unloadable, Self.error(error.message, number, file), in: file)
    }
  }

  private static func answers(_ answers: JSON?) throws(DeedError) -> [Record.Confirmation] {
    guard let answers else { return [] }
    guard let list = answers.list else { throw DeedError("'confirmed' is a list") }
    var read: [Record.Confirmation] = []
    for answer in list {
      guard let item = answer["item"]?.text, let isConfirmed = answer["answer"]?.bool else {
        throw DeedError("in 'confirmed' stand objects with 'item' and 'answer'")
      }
      read.append(Record.Confirmation(item: item, isConfirmed: isConfirmed))
    }
    return read
  }

  private static func error(_ message: String, _ line: Int, _ file: Source, column: Int? = nil) -> Diagnostic {
    Diagnostic(.error, "recording", message, place: Place(file: file.name, line: line, column: column))
  }
}

/// Why a line of a recording says nothing that can be done.
struct DeedError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

extension Deed {
  private static let names = ["perform", "press", "pick", "focus", "eval"]

  /// What a line of a recording says was done.
  init(_ json: JSON?) throws(DeedError) {
    guard let members = json?.members, let json else { throw DeedError("what was done is missing: \"do\": {…}") }
    let named = members.filter { Self.names.contains($0.0) }
    guard named.count == 1, let (name, value) = named.first else {
      throw DeedError("'do' has one of \(Self.names.joined(separator: ", "))")
    }
    guard let text = value.text else { throw DeedError("'\(name)' is a string") }
    let known = name == "perform" ? ["from", "to", "args", "skip_validation"] : []
    if let other = members.first(where: { $0.0 != name && !known.contains($0.0) }) {
      throw DeedError("'\(name)' has no '\(other.0)'\(didYouMean(other.0, among: known))")
    }
    switch name {
    case "perform": self = .perform(try Self.reference(text), try Performing(json))
    case "press": self = .press(try Self.keys(text))
    case "pick": self = .pick(text)
    case "focus": self = .focus(text)
    default: self = .evaluate(text)
    }
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

extension Deed.Performing {
  fileprivate init(_ json: JSON) throws(DeedError) {
    from = try Self.text(json["from"], "from")
    to = try Self.text(json["to"], "to")
    if let given = json["args"] {
      guard let members = given.members else { throw DeedError("'args' is an object") }
      arguments = Arguments(members.map { ($0.0, Value($0.1)) })
    }
    if let given = json["skip_validation"] {
      guard let skips = given.bool else { throw DeedError("'skip_validation' is true or false") }
      skipsValidation = skips
    }
  }

  private static func text(_ value: JSON?, _ name: String) throws(DeedError) -> String? {
    guard let value else { return nil }
    guard let text = value.text else { throw DeedError("'\(name)' is a string") }
    return text
  }
}

extension Value {
  /// A value as JSON has it.
  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map(Value.init))
    case .object(let members): self = .object(members.map { ($0.0, Value($0.1)) })
    case .element(let element): self = (try? JSONReader.read(element.json.utf8)).map(Value.init) ?? .null
    }
  }
}
