import ScriptHost

/// How a person wants the face to be.
package struct FaceSettings: Sendable {
  /// The strokes of its own commands, by their names, where they are others than usual.
  package var strokes: [String: Stroke] = [:]
  /// Whether the mouse is used.
  package var usesMouse = true
  /// From which level on the log is kept.
  package var level = LogLevel.warn
  /// Whether whatever asks to be confirmed is.
  package var confirms = false
  /// Whether the app runs in this process, so that a script that takes too long can be ended.
  package var isOwn = true
  /// What is shown in the log from the beginning: what was printed before there was a face.
  package var earlier: [String] = []
  /// A sentence to begin with.
  package var greeting: String?
  package var theme = Theme()

  package init() {}

  /// The names of the commands that have strokes.
  package static var commandNames: [String] {
    OwnCommand.allCases.filter { $0.usualStroke != nil }.map(\.rawValue)
  }

  /// Two commands that have the same stroke, and which.
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
