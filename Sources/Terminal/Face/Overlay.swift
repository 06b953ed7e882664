import ScriptHost

/// An *overlay* lies over the rest of the screen, and gets all keys while it is open.
enum Overlay {
  case palette(PaletteState)
  case page(PageState)
  case question(QuestionState)
  case prompt(PromptState)

  /// Whether the person answers or types there.
  var takesText: Bool {
    switch self {
    case .palette, .question, .prompt: true
    case .page: false
    }
  }

  var isPrompt: Bool { if case .prompt = self { true } else { false } }

  /// Whether it is the page about a failed reload, which the next reload closes.
  var isOfReload: Bool { if case .page(let page) = self { page.kind == .reload } else { false } }
}

/// The palette while it is open.
struct PaletteState {
  var palette: Palette
  /// The version of the menus from which it was made.
  var version: Int
  var typed = ""
  var found: [Int] = []
  var current = 0

  var entry: Palette.Entry? { found.indices.contains(current) ? palette.entries[found[current]] : nil }

  /// The most characters of a search. A longer one finds nothing, and a long paste would be searched for letter by letter.
  private static let mostTyped = 200

  /// Adds typed text as far as there is room; returns whether there was any.
  mutating func type(_ text: String) -> Bool {
    let room = Self.mostTyped - typed.count
    typed += text.prefix(max(0, room))
    return room > 0
  }

  /// Searches again. The current entry stays current if it is still found, else the first becomes current.
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
  /// Whether it is scrolled to its end, and stays there when lines are added.
  var followsEnd = false

  init(kind: Kind, title: String, lines: [PageView.Line]) {
    self.kind = kind
    self.title = title
    self.lines = lines
    followsEnd = kind == .log
  }

  var view: PageView { PageView(title: title, lines: lines, top: top) }
}

/// A question while it is open, and the deed that is done when it is answered with yes.
struct QuestionState {
  var view: ConfirmView
  let deed: FaceDeed
}

/// A form while it is open, and the deed that is done with its answers.
struct PromptState {
  var prompt: Prompt
  let deed: FaceDeed
  /// The question to confirm after the form, if there is one.
  let confirm: String?
}
