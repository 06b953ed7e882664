import Glibc
import LiveHost
import ScriptHost

/// The lines of a REPL: a person's, with a prompt, editing and a history, or those of a file or a pipe, with nothing of that.
final class ReplLines {
  private enum Content {
    case terminal(LineEditor)
    case stream
  }

  private let content: Content
  private var stream = LineStream()
  private var history = History()
  /// How many were read.
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

  /// Says what may follow at a place of a line.
  var completer: ((String, Int) -> Completions)? {
    get { editor?.completer }
    set { editor?.completer = newValue }
  }

  /// What ends the line that a person writes, from another thread.
  var interrupter: (@Sendable () -> Void)? { editor?.interrupter }
  /// What gives the terminal back.
  var restorer: (@Sendable () -> Void)? { editor?.restorer }

  func next(isContinued: Bool) -> LineRead {
    let read: LineRead
    switch content {
    case .terminal(let editor): read = editor.read(isContinued ? "… " : "> ")
    case .stream: read = stream.next().map(LineRead.line) ?? .end
    }
    if case .line = read { number += 1 }
    return read
  }

  /// Asks for something that is no line of the session.
  func ask(_ question: String) -> LineRead { editor?.read(question) ?? .end }

  func remember(_ entry: String) {
    guard let editor else { return }
    editor.remember(entry)
    history.add(entry)
  }

  // MARK: What errors call a line

  private var title: String { isTerminal ? "repl" : "stdin" }

  /// The name of the entry that begins at a line. Each has its own, so that a function that it makes keeps its text.
  func name(_ line: Int) -> String { "\(title):\(line)" }

  /// The place as it is shown: the line among all, where it is in one of them.
  func place(_ place: Place) -> Place {
    guard place.file.hasPrefix("\(title):"), let first = Int(place.file.dropFirst(title.count + 1)) else {
      return place
    }
    return Place(file: title, line: first + place.line - 1, column: place.column)
  }
}
