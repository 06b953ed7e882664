import ScriptHost

/// The planted fault: an escape with nothing behind it is left in the text.
nonisolated(unsafe) let check =
  isPlanted
  ? ANSICheck { reader, text in text.hasSuffix("\u{1B}") ? StyledText(text) : reader.read(text) } : ANSICheck()
