import Glibc
import LiveHost

#if LineEditing
  import CLineEditor
#endif

/// What came of asking for a line.
enum LineRead {
  case line(String)
  /// Ctrl-C: what was written so far is dropped.
  case interrupted
  case end
}

#if LineEditing
  /// The lines that a person writes on a terminal, edited with libedit.
  final class LineEditor {
    /// Says what may follow at a place of a line, counted in bytes.
    var completer: ((_ line: String, _ cursor: Int) -> Completions)?
    private let editor: Handle

    /// A handle on the editor that other threads may hold too.
    struct Handle: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// Takes over the terminal; nil where there is none.
    init?() {
      // The closure gets the editor, which holds the C part and closes it.
      let holder = Holder()
      guard
        let pointer = cline_open(
          "menuctl", Int32(History.most),
          { context, line, length, cursor in
            guard let context, let line else { return }
            let holder = Unmanaged<Holder>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: line, count: length)
            holder.editor?.complete(String(decoding: bytes, as: UTF8.self), at: cursor)
          }, Unmanaged.passUnretained(holder).toOpaque())
      else { return nil }
      editor = Handle(pointer: pointer)
      self.holder = holder
      holder.editor = self
    }

    deinit { cline_close(editor.pointer) }

    private final class Holder {
      weak var editor: LineEditor?
    }

    private let holder: Holder

    func read(_ prompt: String) -> LineRead {
      var line: UnsafePointer<CChar>?
      var length = 0
      let result = prompt.withCString { cline_read(editor.pointer, $0, &line, &length) }
      switch result {
      case CLINE_INTERRUPTED: return .interrupted
      case CLINE_READ:
        return .line(String(decoding: UnsafeRawBufferPointer(start: line, count: length), as: UTF8.self))
      default: return .end
      }
    }

    func remember(_ entry: String) { cline_remember(editor.pointer, entry) }

    /// What ends the read that is under way, from another thread.
    var interrupter: @Sendable () -> Void { { [editor] in cline_interrupt(editor.pointer) } }

    /// What gives the terminal back, from another thread.
    var restorer: @Sendable () -> Void { { [editor] in cline_restore(editor.pointer) } }

    private func complete(_ line: String, at cursor: Int) {
      guard let completions = completer?(line, cursor) else { return }
      cline_insert(editor.pointer, completions.addition)
      if completions.addition.isEmpty, completions.candidates.count > 1 {
        cline_show(editor.pointer, completions.listing(columns: columns(of: STDOUT_FILENO)))
      }
    }
  }
#else
  /// The lines that a person writes on a terminal, edited as the terminal itself does: the package was built without LineEditing.
  final class LineEditor {
    var completer: ((_ line: String, _ cursor: Int) -> Completions)?
    private var stream = LineStream()

    init?() {}

    func read(_ prompt: String) -> LineRead {
      var prompt = prompt
      prompt.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      return stream.next().map(LineRead.line) ?? .end
    }

    func remember(_ entry: String) {}

    /// The line that was begun is the terminal's, which drops it; what is left is to ask for another.
    var interrupter: @Sendable () -> Void { { _ = write(STDOUT_FILENO, "\n> ", 3) } }
    /// The terminal was never changed.
    var restorer: @Sendable () -> Void { { () -> Void in } }
  }
#endif
