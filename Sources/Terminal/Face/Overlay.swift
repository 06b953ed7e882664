import ScriptHost

/// An *overlay* lies over the rest of the screen, and has the keys as long as it does.
enum Overlay {
  case palette(PaletteState)
  case page(PageState)
  case question(QuestionState)
  case prompt(PromptState)

  /// Whether a person answers there, or types.
  var takesText: Bool {
    switch self {
    case .palette, .question, .prompt: true
    case .page: false
    }
  }

  var isPrompt: Bool { if case .prompt = self { true } else { false } }

  /// Whether it says that the app can't be read anew, which the next reading takes away.
  var isOfReload: Bool { if case .page(let page) = self { page.kind == .reload } else { false } }
}

/// The palette while it is open.
struct PaletteState {
  var palette: Palette
  /// The version of the menus that it was made of.
  var version: Int
  var typed = ""
  var found: [Int] = []
  var current = 0

  var entry: Palette.Entry? { found.indices.contains(current) ? palette.entries[found[current]] : nil }

  /// More letters than any entry has find nothing, and what a paste brings would be looked for letter by letter.
  private static let mostTyped = 200

  /// Takes what was typed, as far as there is room; whether any of it was.
  mutating func type(_ text: String) -> Bool {
    let room = Self.mostTyped - typed.count
    typed += text.prefix(max(0, room))
    return room > 0
  }

  /// Finds anew; the current one stays where it is still found, else the first is.
  mutating func find(latest: [String], keeping id: String? = nil) {
    found = palette.found(typed, latest: latest)
    current = id.flatMap { id in found.firstIndex { palette.entries[$0].id == id } } ?? 0
  }
}

/// A page while it is open.
struct PageState {
  enum Kind: Equatable {
    case why, help, log, inspector, reload
  }

  let kind: Kind
  var title: String
  var lines: [PageView.Line]
  var top = 0
  /// Whether it shows its end, and goes on doing so when there is more.
  var followsEnd = false

  init(kind: Kind, title: String, lines: [PageView.Line]) {
    self.kind = kind
    self.title = title
    self.lines = lines
    followsEnd = kind == .log
  }

  var view: PageView { PageView(title: title, lines: lines, top: top) }
}

/// A question while it is open, and what is done when it is answered.
struct QuestionState {
  var view: ConfirmView
  let deed: FaceDeed
}

/// A form while it is open, and what is done with its answers.
struct PromptState {
  var prompt: Prompt
  let deed: FaceDeed
  /// What is to be confirmed as well.
  let confirm: String?
}
