import ScriptHost

/// The settings of a face, as a person has chosen them.
package struct FaceSettings: Sendable {
  /// The strokes of the face's own commands, by command name, if they differ from the usual ones.
  package var strokes: [String: Stroke] = [:]
  /// Whether the mouse is used.
  package var usesMouse = true
  /// The lowest level of entries that the log keeps.
  package var level = LogLevel.warn
  /// Whether every question to confirm is answered with yes.
  package var confirms = false
  /// Whether the app runs in this process, so that a script that takes too long can be ended.
  package var isOwn = true
  /// The first entries of the log: what was printed before there was a face.
  package var earlier: [String] = []
  /// A sentence that the status line shows at first.
  package var greeting: String?
  package var theme = Theme()

  package init() {}

  /// The names of the commands that have strokes.
  package static var commandNames: [String] {
    OwnCommand.allCases.filter { $0.usualStroke != nil }.map(\.rawValue)
  }

  /// Two commands with the same stroke; nil if there are none.
  package var doubled: (stroke: Stroke, first: String, second: String)? {
    let all = OwnCommand.allCases.compactMap { command in stroke(of: command).map { (stroke: $0, command: command) } }
    for (index, one) in all.enumerated() {
      guard let other = all[..<index].first(where: { $0.stroke == one.stroke }) else { continue }
      return (one.stroke, other.command.rawValue, one.command.rawValue)
    }
    return nil
  }

  func stroke(of command: OwnCommand) -> Stroke? { strokes[command.rawValue] ?? command.usualStroke }
}
