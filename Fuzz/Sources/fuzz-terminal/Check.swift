@testable import Terminal

/// The planted fault: frames forget to turn a style off.
nonisolated(unsafe) let check =
  isPlanted
  ? TerminalCheck(write: { writer, canvas in
    let bytes = writer.write(canvas)
    return bytes.suffix(3) == Array("\u{1B}[m".utf8)[...] ? bytes.dropLast(3) : bytes
  }) : TerminalCheck()
