import LiveHost
import ScriptHost

/// Writes records as JSON lines: a header, then a line for each step.
enum RecordingText {
  static let version = 1

  /// The text of a recording; throws if it would be too long to be read again.
  static func text(_ record: Record, of app: String?, settings: Arguments) throws(Problem) -> String {
    var text = ""
    if record.isTooMuch {
      throw Problem(
        .no, "scripts were given more than \(Record.mostGiven) answers from outside, which is the most that is recorded"
      )
    }
    let first = given(record.givenAtFirst, record)
    let lines = [header(of: app, settings, first)] + record.steps.map { line($0, of: record) }
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

  static func header(of app: String?, _ settings: Arguments, _ given: [(String, JSON)] = []) -> JSON {
    let source: [(String, JSON)] = app.map { [("source", .text($0))] } ?? []
    return .object(
      [("menuctl", .integer(1)), ("recording", .integer(version))] + source + [
        ("settings", .object(settings.members.map { ($0.key, JSON($0.value)) }))
      ] + given)
  }

  private static func line(_ step: Record.Step, of record: Record) -> JSON {
    .object(
      [("do", step.deed.without(record.secrets).json(step.answered))] + (step.time.map { [("at", .number($0))] } ?? [])
        + given(step.given, record) + (step.effect.without(record.secrets).members ?? []))
  }

  private static func given(_ given: [Given], _ record: Record) -> [(String, JSON)] {
    given.isEmpty ? [] : [("given", .list(given.map { JSON($0, without: record.secrets) }))]
  }

  // MARK: What came of it

  /// The effect without what differs from run to run: an error's place, its traceback, and the addresses of objects in its message.
  static func effect(_ done: Answer.Done) -> JSON {
    // It is written and read back, since a replay compares it with the values of a file.
    let written = JSONText.text(AnswerJSON().json(done))
    let members = (try? JSONReader.read(written.utf8))?.members ?? []
    return .object(effect(members.filter { !["action", "trace", "eval", "focus"].contains($0.0) }))
  }

  /// The same for the members of a notification.
  static func effect(_ members: [(String, JSON)]) -> [(String, JSON)] {
    members.map { name, value in (name, name == "error" ? failure(value) : value) }
  }

  private static func failure(_ failure: JSON) -> JSON {
    let members = (failure.members ?? []).filter { ["message", "code", "limit"].contains($0.0) }
    return .object(members.map { name, value in (name, value.text.map { .text(withoutAddresses($0)) } ?? value) })
  }

  /// The text in place of an object's address in a message, which is another in each run.
  static let address = "0x…"

  private static func withoutAddresses(_ message: String) -> String {
    message.replacing(/(?<kind>: )0x[0-9a-f]{14}\b/) { "\($0.kind)\(address)" }
  }
}
