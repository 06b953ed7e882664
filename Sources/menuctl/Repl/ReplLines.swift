import Glibc
import LiveHost
import ScriptHost

/// Reads the lines of a REPL: from a terminal with a prompt, editing and a history, or plainly from a file or a pipe.
final class ReplLines {
  private enum Content {
    case terminal(LineEditor)
    case stream
  }

  private let content: Content
  private var stream = LineStream()
  private var history = History()
  /// The number of lines that were read.
  private(set) var number = 0

  init() {
    if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let editor = LineEditor() {
      content = .terminal(editor)
      for entry in history.entries { editor.remember(entry) }
    } else {
      content = .stream
    }
  }

  var isTerminal: Bool { editor != nil }

  private var editor: LineEditor? { if case .terminal(let editor) = content { editor } else { nil } }

  /// Returns the completions at a place of a line.
  var completer: ((String, Int) -> Completions)? {
    get { editor?.completer }
    set { editor?.completer = newValue }
  }

  /// Returns a function that drops the unfinished line, on any thread.
  var interrupter: (@Sendable () -> Void)? { editor?.interrupter }
  /// Returns a function that restores the terminal.
  var restorer: (@Sendable () -> Void)? { editor?.restorer }

  func next(isContinued: Bool) -> LineRead {
    let read: LineRead
    switch content {
    case .terminal(let editor): read = editor.read(isContinued ? LineEditor.continued : "> ")
    case .stream: read = stream.next().map(LineRead.line) ?? .end
    }
    if case .line = read { number += 1 }
    return read
  }

  /// Asks a person for an answer, which doesn't count as an entry.
  func ask(_ question: String) -> LineRead { editor?.read(question) ?? .end }

  func remember(_ entry: String) {
    guard let editor else { return }
    editor.remember(entry)
    history.add(entry)
  }

  // MARK: Names of lines in errors

  private var title: String { isTerminal ? "repl" : "stdin" }

  /// Returns the chunk name of the entry at a line. Each entry has its own, so that its functions keep their text.
  func name(_ line: Int) -> String { "\(title):\(line)" }

  /// Returns a place for output: a place in an entry counts from the first line of the session.
  func place(_ place: Place) -> Place {
    guard place.file.hasPrefix("\(title):"), let first = Int(place.file.dropFirst(title.count + 1)) else {
      return place
    }
    return Place(file: title, line: first + place.line - 1, column: place.column)
  }
}
