import LiveHost
import ScriptHost

/// Why the app was asked for something, and so what its answer is for.
enum Awaited {
  case hello, keys, diagnostics
  /// The menus and the panel.
  case shown
  /// Whether anything goes on.
  case jobs
  /// What the app says to the answers of a form, so far.
  case formCheck
  /// What an open form asks for, once the app was read anew.
  case form
  /// What can be done, for the palette.
  case actions
  /// A row that became the current one of the panel.
  case choice(String)
  /// The context menu of a row with this title.
  case contextMenu(String)
  /// The order of the responders in the body; or what they answer, where there are no menus.
  case chain, responders
  case deed(FaceDeed)
  /// Why something can be done or can't, for a page with this title.
  case why(String)
  case inspector(InspectorPart)
  /// The answer says nothing that is not told otherwise.
  case nothing

  var isOfChoice: Bool { if case .choice = self { true } else { false } }
  var isOfContextMenu: Bool { if case .contextMenu = self { true } else { false } }
  var isOfFormCheck: Bool { if case .formCheck = self { true } else { false } }
  var isOfKeys: Bool { if case .keys = self { true } else { false } }
  var isOfInspector: Bool { if case .inspector = self { true } else { false } }

  /// Whether the status line says what came of it.
  var saysWhatCame: Bool {
    switch self {
    case .deed, .contextMenu, .why: true
    default: false
    }
  }

  var isOfBody: Bool {
    switch self {
    case .chain, .responders: true
    default: false
    }
  }
}

/// Keys that do something, and what that is called; nothing where it is no item or action that is known.
struct BoundTitle {
  let strokes: [Stroke]
  let title: String
  /// By what the palette knows it.
  let id: String
  /// Whether the keys type themselves.
  let isTyping: Bool
}

/// Something that a person did, as it is done again once a question is answered.
struct FaceDeed {
  enum Kind {
    case pick(String)
    case perform(String)
    case press([Stroke])
  }

  var kind: Kind
  /// What it is called, without the dots that say that it asks for more: when it is named it has.
  var title: String
  var confirmed: Bool?
  /// Whether it types what was pressed, of which nothing is said: it is to be seen.
  var isTyping = false
  /// The question that it was confirmed with.
  var asked: String?
  /// What was answered to what it asked for.
  var arguments = Arguments()
  /// The form that it was answered in, which opens again where the app doesn't take the answers.
  var form: Prompt?
  /// What the key that was pressed did when it was pressed, by the strokes that it may have ended: a title changes with what is done.
  var bound: [BoundTitle] = []

  init(kind: Kind, title: String) {
    self.kind = kind
    self.title = title.withoutDots
  }

  var method: String {
    switch kind {
    case .pick: "pick"
    case .perform: "perform"
    case .press: "press"
    }
  }

  var parameters: [(String, JSON)] {
    let what: (String, JSON) =
      switch kind {
      case .pick(let id): ("id", .text(id))
      case .perform(let reference): ("ref", .text(reference))
      case .press(let strokes): ("keys", .text(strokes.map(\.text).joined(separator: " ")))
      }
    let given = arguments.members.map { ($0.key, JSON($0.value)) }
    return [what, ("trace", .bool(true))] + (given.isEmpty ? [] : [("args", .object(given))])
      + (confirmed.map { [("confirmed", .bool($0))] } ?? [])
  }
}

extension String {
  /// A title without the dots at its end.
  var withoutDots: String { count > 1 && last == "…" ? String(dropLast()) : self }
}
