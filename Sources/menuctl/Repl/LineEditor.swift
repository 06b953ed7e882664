import Glibc
import LiveHost

#if LineEditing
  import CLineEditor
#endif

/// The result of reading a line.
enum LineRead {
  case line(String)
  /// Ctrl-C was typed: the line so far is dropped.
  case interrupted
  case end
}

#if LineEditing
  /// Reads lines from a terminal, with editing by libedit.
  final class LineEditor {
    /// Gives the completions at a place of a line, counted in bytes.
    var completer: ((_ line: String, _ cursor: Int) -> Completions)?
    private let editor: Handle

    /// The C editor, as closures on other threads capture it.
    struct Handle: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// Opens the editor on the terminal; nil if there is none.
    init?() {
      // The C callback finds this editor through the holder, since `self` doesn't exist before `cline_open` returns.
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

    /// Gives a function that ends the current `read`; it may be called on another thread.
    var interrupter: @Sendable () -> Void { { [editor] in cline_interrupt(editor.pointer) } }

    /// Gives a function that restores the terminal; it may be called on another thread.
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
  /// Reads lines from a terminal, with the terminal's own editing, in a package built without LineEditing.
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

    /// The terminal itself drops the line that was begun, so only a new prompt is written.
    var interrupter: @Sendable () -> Void { { _ = write(STDOUT_FILENO, "\n> ", 3) } }
    /// The terminal was never changed.
    var restorer: @Sendable () -> Void { { () -> Void in } }
  }
#endif

/// Reads the lines of stdin when it is no terminal.
struct LineStream {
  /// The most bytes that are kept of a line: more than a script may have, which is enough to refuse it.
  private static let most = 256 << 10

  private var bytes: [UInt8] = []
  /// The index of the first byte that was not returned yet.
  private var start = 0
  /// The index up to which no newline was found.
  private var searched = 0
  private var isAtEnd = false

  /// The next line, without its end; nil behind the last.
  mutating func next() -> String? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(to: end, and: 1) }
      searched = bytes.count
      if isAtEnd { return start < bytes.count ? take(to: bytes.count, and: 0) : nil }
      fill()
    }
  }

  private mutating func take(to end: Int, and past: Int) -> String {
    let line = bytes[start..<end].prefix(Self.most)
    start = end + past
    searched = start
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  private mutating func fill() {
    bytes.removeFirst(start)
    start = 0
    // The rest of a line that is too long is dropped, but its end is looked for.
    bytes.removeLast(max(0, bytes.count - Self.most))
    searched = bytes.count
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    if count <= 0 { isAtEnd = true } else { bytes += chunk[..<count] }
  }
}
