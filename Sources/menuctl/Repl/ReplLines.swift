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

  /// Gives the completions at a place of a line.
  var completer: ((String, Int) -> Completions)? {
    get { editor?.completer }
    set { editor?.completer = newValue }
  }

  /// Gives a function that drops the line that is being typed; it may be called on another thread.
  var interrupter: (@Sendable () -> Void)? { editor?.interrupter }
  /// Gives a function that restores the terminal.
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

  /// Asks a person for an answer, which is no entry and isn't counted.
  func ask(_ question: String) -> LineRead { editor?.read(question) ?? .end }

  func remember(_ entry: String) {
    guard let editor else { return }
    editor.remember(entry)
    history.add(entry)
  }

  // MARK: What errors call a line

  private var title: String { isTerminal ? "repl" : "stdin" }

  /// The chunk name of the entry that begins at a line. Each entry has its own, so that the functions that it defines keep their text.
  func name(_ line: Int) -> String { "\(title):\(line)" }

  /// A place for showing: one in an entry is counted from the first line of the session.
  func place(_ place: Place) -> Place {
    guard place.file.hasPrefix("\(title):"), let first = Int(place.file.dropFirst(title.count + 1)) else {
      return place
    }
    return Place(file: title, line: first + place.line - 1, column: place.column)
  }
}
