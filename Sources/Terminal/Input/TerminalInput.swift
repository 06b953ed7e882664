import ScriptHost

/// An input of a terminal, as the *input decoder* makes it from bytes and the face takes it.
enum TerminalInput: Equatable {
  /// A key was pressed; `text` is what it types, if anything.
  case key(Stroke, text: String?)
  case mouse(Mouse)
  /// A text was pasted, kept as it came.
  case paste(String)
  /// The terminal's window has got the focus or lost it.
  case focus(Bool)
  /// The terminal has answered a question.
  case answer(TerminalAnswer)
}

/// An answer of a terminal about itself.
enum TerminalAnswer: Equatable {
  /// The answer that every terminal gives. It is asked for last, so an answer that hasn't come before it won't come.
  case attributes
  /// The terminal has the kitty keyboard protocol, with these flags on.
  case keyboard(flags: Int)
  /// Whether the terminal knows a private mode, so that it can be on.
  case mode(Int, isKnown: Bool)
  /// The place of the cursor, counted from 0.
  case cursor(row: Int, column: Int)
}

/// A deed of the mouse, and its place; rows and columns count from 0.
struct Mouse: Equatable {
  enum Deed: Equatable {
    case press(Button), release(Button)
    /// The mouse was moved, with a button held or without.
    case move(Button?)
    /// The wheel was turned by a number of notches, down and to the right; up and to the left are negative.
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
