import LiveHost
import ScriptHost

/// The purpose of a request that a face has sent: what it does with the answer.
enum Awaited {
  case hello, keys, diagnostics
  /// The menus and the panel.
  case shown
  /// The changes to another view, which are told before the answer.
  case view
  /// The row that begins with what was typed.
  case row(String)
  /// The jobs that are running.
  case jobs
  /// An open form after the answers so far.
  case form(FormWish)
  /// The app's actions, for the palette.
  case actions
  /// The panel's current row, which the app was told.
  case choice(String)
  /// The context menu of a row with this title.
  case contextMenu(String)
  /// For the body: the order of the responders, or their actions if there are no menus.
  case chain, responders
  case deed(FaceDeed)
  /// Why something can be done or can't, for a page of this title.
  case why(String)
  case inspector(InspectorPart)
  /// Nothing: the answer isn't wanted any more, or the app tells the same by a notification.
  case nothing

  var isOfChoice: Bool { if case .choice = self { true } else { false } }
  /// Whether the answer brings rows into sight, or makes another row current.
  var isOfRows: Bool {
    switch self {
    case .view, .row, .shown: true
    default: false
    }
  }

  var isOfContextMenu: Bool { if case .contextMenu = self { true } else { false } }
  var isOfForm: Bool { if case .form = self { true } else { false } }
  var isOfKeys: Bool { if case .keys = self { true } else { false } }
  var isOfInspector: Bool { if case .inspector = self { true } else { false } }

  /// Whether the answer may open something or change what keys do, so that the next keys have to wait for it.
  var opensOrChanges: Bool {
    switch self {
    case .deed, .why, .contextMenu: true
    case .form(let wish): wish != .whileTyping
    default: false
    }
  }

  /// Whether the status line shows the result.
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

/// Why the app is asked for an open form again.
enum FormWish {
  /// The person has typed into a field.
  case whileTyping
  /// The person goes on to another field, whose choices may depend on the answers.
  case toGoOn
  /// The app was reloaded, and its action may be gone.
  case afterReload
}

/// Bound keys, with the title of what they do.
struct BoundTitle {
  let strokes: [Stroke]
  let title: String
  /// The id of the item or the action in the palette.
  let id: String
  /// Whether an item says the title, and not the action.
  let isOfItem: Bool
  /// Whether the keys type their own character.
  let isTyping: Bool
}

/// A deed of the person at a face, kept so that it can be sent again with the answers to its questions.
struct FaceDeed {
  enum Kind {
    case pick(String)
    case perform(String)
    case press([Stroke])
  }

  var kind: Kind
  /// The title, without the dots that announce a question, since it is shown after the question.
  var title: String
  var confirmed: Bool?
  /// Whether it types the pressed character. Then nothing is said, because the person sees the result.
  var isTyping = false
  /// The question that the person has confirmed.
  var asked: String?
  /// The same, as long as the yes counts.
  private var confirmedQuestion: String? { confirmed == true ? asked : nil }
  /// The arguments that the person has given.
  var arguments = Arguments()
  /// What the app said that its action is called when it was begun.
  var told: String?
  /// The form with the answers, which opens again if the app refuses them.
  var form: Prompt?
  /// The bindings that end with the pressed stroke, with their titles at the time of the press, since the deed may change a title.
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

  /// What the app is asked to do, as a parameter.
  var subject: (String, JSON) {
    switch kind {
    case .pick(let id): ("id", .text(id))
    case .perform(let reference): ("ref", .text(reference))
    case .press(let strokes): ("keys", .text(strokes.map(\.text).joined(separator: " ")))
    }
  }

  /// - Parameter called: the title under which the person does it.
  func parameters(called: String) -> [(String, JSON)] {
    let given = arguments.members.map { ($0.key, JSON($0.value)) }
    let titles = if case .pick = kind { false } else { true }
    return [subject, ("trace", .bool(true)), ("called", .text(called))] + (titles ? [("title", .bool(true))] : [])
      + (given.isEmpty ? [] : [("args", .object(given))])
      + (confirmed.map { [("confirmed", .bool($0))] } ?? []) + (confirmedQuestion.map { [("asked", .text($0))] } ?? [])
  }
}

extension String {
  /// The title without an ellipsis at its end.
  var withoutDots: String { count > 1 && last == "…" ? String(dropLast()) : self }
}

/// A part of the inspector, each with its own request to the app.
enum InspectorPart: CaseIterable {
  case chain, context, jobs, history, diagnostics

  var method: String {
    switch self {
    case .chain: "chain"
    case .context: "context"
    case .jobs: "jobs"
    case .history: "undo_stack"
    case .diagnostics: "diagnostics"
    }
  }

  var title: String {
    switch self {
    case .chain: "Chain, the first is asked first"
    case .context: "Context, and who supplies it"
    case .jobs: "What goes on"
    case .history: "What can be undone, and done again"
    case .diagnostics: "What is wrong"
    }
  }
}

/// What of the app's panel a face looks at: the rows in sight and some around them, so that most moves need no others.
struct FaceView: Equatable {
  /// The rows for which the app is asked, from 0; nil for all.
  var rows: Range<Int>?

  /// The view as `subscribe` takes it.
  var json: JSON {
    guard let rows else { return .object([]) }
    return .object([
      ("rows", .object([("panel", .list([.integer(rows.lowerBound + 1), .integer(rows.upperBound)]))]))
    ])
  }
}
