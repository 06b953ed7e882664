import ScriptHost

/// What a terminal sends, as the face takes it: the *input decoder* makes it of bytes.
enum TerminalInput: Equatable {
  /// A key was struck; the text is what it types, where it types anything.
  case key(Stroke, text: String?)
  case mouse(Mouse)
  /// What was pasted, as it came.
  case paste(String)
  /// The terminal's window has the focus now, or has it no more.
  case focus(Bool)
  /// The terminal answers what it was asked.
  case answer(TerminalAnswer)
}

/// What a terminal says of itself when it is asked.
enum TerminalAnswer: Equatable {
  /// The answer that every terminal gives, so it is asked for last: whoever has not answered by then won't.
  case attributes
  /// It speaks the kitty keyboard protocol, with these of its flags on.
  case keyboard(flags: Int)
  /// Whether it knows a private mode, and can have it on.
  case mode(Int, isKnown: Bool)
  /// Where the cursor stands, from 0.
  case cursor(row: Int, column: Int)
}

/// What was done with the mouse, and where: rows and columns are counted from 0.
struct Mouse: Equatable {
  enum Deed: Equatable {
    case press(Button), release(Button)
    /// Moved, with a button held or without.
    case move(Button?)
    /// The wheel: so many notches down, or up where below none; sideways the same.
    case wheel(rows: Int, columns: Int)
  }

  enum Button: Equatable {
    case left, middle, right
  }

  var deed: Deed
  var row: Int
  var column: Int
  var modifiers: Modifiers = []
}
