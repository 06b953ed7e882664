import Glibc

/// Colours text, or leaves it plain. Colour is never the only sign.
struct Palette {
  /// The role of a piece of text, which decides its colour.
  enum Role: String {
    case error = "1;31"
    case warning = "1;33"
    case note = "1;36"
    case yes = "32"
    case no = "31"
    case faint = "2"
    case strong = "1"
  }

  let isColoured: Bool

  static let plain = Palette(isColoured: false)

  func callAsFunction(_ text: String, _ role: Role) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// Returns the columns of a terminal, 20 at least; unlimited if the descriptor is no terminal.
func columns(of descriptor: Int32) -> Int {
  var size = winsize()
  guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
  return max(20, Int(size.ws_col))
}

/// Returns the rows of a terminal; 24, the traditional size, if it is unknown.
func rows(of descriptor: Int32) -> Int {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
  return Int(size.ws_row)
}

/// When to colour: `--color`, then NO_COLOR, then CLICOLOR_FORCE, then TERM=dumb; the first that is set decides.
enum ColourChoice: String, CaseIterable {
  case auto, always, never

  func palette(for descriptor: Int32) -> Palette {
    switch self {
    case .always: return Palette(isColoured: true)
    case .never: return .plain
    case .auto: break
    }
    if isSet("NO_COLOR") { return .plain }
    if isSet("CLICOLOR_FORCE"), value("CLICOLOR_FORCE") != "0" { return Palette(isColoured: true) }
    if value("TERM") == "dumb" { return .plain }
    return Palette(isColoured: isatty(descriptor) == 1)
  }

  /// Whether a picture of a face has colours. For this no terminal matters.
  var coloursPictures: Bool { self == .always || self == .auto && !isSet("NO_COLOR") }

  private func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  private func isSet(_ name: String) -> Bool { value(name)?.isEmpty == false }
}
