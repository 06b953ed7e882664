import LiveHost
import ScriptHost

extension TextRenderer {
  private static let mostDifferences = 10

  /// The result of a replay: all steps as recorded, or the first difference.
  func text(_ replay: Replay) -> String {
    let steps = "\(replay.steps) step\(replay.steps == 1 ? "" : "s")"
    if replay.isImpatient {
      return "ended after \(replay.same) of \(steps), all as recorded: \(Patience.most) of them spent what each may"
    }
    guard let difference = replay.difference else {
      return replay.isInterrupted ? "interrupted after \(replay.same) of \(steps)" : "\(steps), all as recorded"
    }
    var lines = [
      "\(palette("✗", .no)) step \(difference.number) of \(replay.steps), \(difference.deed.text.visible) "
        + palette("(\(difference.place.visible))", .faint)
    ]
    let shown = difference.differences.prefix(Self.mostDifferences)
    lines += shown.map { "  \($0.path.visible): expected \(text($0.expected)), found \(text($0.found))" }
    let more = difference.differences.count - shown.count
    if more > 0 { lines.append("  … \(more) more") }
    lines += difference.unknown.map { unknown in
      let call = "\(unknown.call)(\(unknown.arguments.map(JSONText.text).joined(separator: ", ")))"
      return "  what \(call.visible.cut(to: 200)) gave is not recorded"
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ value: JSON?) -> String { value.map { JSONText.text($0).visible.cut(to: 200) } ?? "nothing" }

  /// A remark of the tool, on a line of its own.
  func remark(_ text: String) -> String { "menuctl: \(text.visible)" }
}

extension JSONRenderer {
  static func members(_ replay: Replay) -> [(String, JSON)] {
    let members: [(String, JSON)] = [("steps", .integer(replay.steps)), ("same", .integer(replay.same))]
    guard let difference = replay.difference else { return members }
    let differences = difference.differences.map { part in
      JSON.object(
        [("path", .text(part.path))] + (part.expected.map { [("expected", $0)] } ?? [])
          + (part.found.map { [("found", $0)] } ?? []))
    }
    let unknown = difference.unknown.map { unknown in
      JSON.object([("call", .text(unknown.call)), ("args", .list(unknown.arguments))])
    }
    return members + [
      (
        "difference",
        .object(
          [
            ("step", .integer(difference.number)), ("file", .text(difference.place.file)),
            ("line", .integer(difference.place.line)), ("do", difference.deed.json()),
            ("differences", .list(differences)),
          ] + (unknown.isEmpty ? [] : [("unrecorded", .list(unknown))]))
      )
    ]
  }
}
