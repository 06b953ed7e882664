import LiveHost
import ScriptHost

/// The purpose of a request of a face, which decides how it handles the answer.
enum Awaited {
  case hello, keys, diagnostics
  /// The menus and the panel. For a similar view only the changes, which come before the answer.
  case shown
  /// The marks, or the filter, of a pane.
  case narrowing
  /// The row that begins with the typed letters.
  case row(String)
  /// Lines of a text.
  case lines(String)
  /// The next line of a text that contains the searched words.
  case line(String, String)
  /// The jobs that are running.
  case jobs
  /// An open form after the answers so far.
  case form(FormWish)
  /// The form of a reference that a script wants to open.
  case wishedForm(String)
  /// The app's actions, for the palette.
  case actions
  /// The panel's current row, sent to the app.
  case choice(String)
  /// Another pane, which the app is to focus.
  case pane(String)
  /// The context menu of a row with this title.
  case contextMenu(String)
  /// For the body: the order of the responders, or their actions if there are no menus.
  case chain, responders
  case deed(FaceDeed)
  /// Whether a responder handles `quit`.
  case quitting
  /// Why an action is possible or not, for a page of this title.
  case why(String)
  case inspector(InspectorPart)
  /// No purpose: the answer is obsolete, or a notification has the same content.
  case nothing

  /// The effects of an answer for which inputs and other requests wait.
  enum Effect {
    case keys, actions, choice, contextMenu, body, form, inspector
    /// Visible rows or menus, or another current row.
    case view
    /// The answer may open an overlay or change what keys do, so the next keys wait.
    case opening
    /// The status line shows the outcome.
    case saying
    /// The person leaves or stays.
    case quitting
  }

  var effects: Set<Effect> {
    switch self {
    case .keys: [.keys]
    case .actions: [.actions]
    case .shown, .row, .line, .narrowing: [.view]
    case .choice: [.choice]
    case .pane: [.choice, .opening]
    case .contextMenu: [.contextMenu, .opening, .saying]
    case .deed, .why, .wishedForm: [.opening, .saying]
    case .quitting: [.opening, .saying, .quitting]
    case .form(let wish): wish == .whileTyping ? [.form] : [.form, .opening]
    case .chain, .responders: [.body]
    case .inspector: [.inspector]
    case .hello, .diagnostics, .jobs, .lines, .nothing: []
    }
  }
}

/// The reason for requesting an open form again.
enum FormWish {
  /// The person has typed into a field.
  case whileTyping
  /// The person moves to another field, whose choices may depend on the answers.
  case toGoOn
  /// The app was reloaded, and its action may be gone.
  case afterReload
}

/// Bound keys with the title of their action.
struct BoundTitle {
  let strokes: [Stroke]
  let title: String
  /// The id of the item or the action in the palette.
  let id: String
  /// Whether the title comes from an item, and not from the action.
  let isOfItem: Bool
  /// Whether the keys type their own character.
  let isTyping: Bool
}

/// A person's deed in a face, kept to send it again with the answers to its questions.
struct FaceDeed {
  enum Kind {
    case pick(String)
    case perform(String)
    case press([Stroke])
    /// Answers a job's question.
    case answer(job: Int)
  }

  var kind: Kind
  /// The title, without the dots that announce a question, since it is shown after the question.
  var title: String
  /// The title of a row's action, since `title` is the row's; nil for other deeds.
  var action: String?
  var confirmed: Bool?
  /// The number of leading strokes that are the digits of a count.
  var counted = 0
  /// Whether the deed types the pressed character. Then no message follows, because the person sees the result.
  var isTyping = false
  /// The question that the person confirmed.
  var asked: String?
  /// The rows that its form is about, in words.
  var rows: String?
  /// The rows and lines that the first question named.
  var about: [String]?
  /// The confirmed question, as long as the yes counts.
  private var confirmedQuestion: String? { confirmed == true ? asked : nil }
  /// The person's arguments.
  var arguments = Arguments()
  /// The title of the action when it began, from the app.
  var told: String?
  /// The form with the answers, which opens again if the app refuses them.
  var form: Prompt?
  /// The bindings that end with the pressed stroke, with their titles before the deed, which may change them.
  var bound: [BoundTitle] = []

  init(kind: Kind, title: String) {
    self.kind = kind
    self.title = title.withoutEllipsis
  }

  /// The title of its form, with the rows that it is about.
  var heading: String {
    if let action { return "\(action): \(rows ?? title)" }
    return rows.map { title.contains($0) ? title : "\(title) \($0)" } ?? title
  }
  /// The text of the button that performs the deed.
  var button: String { action ?? title }

  var method: String {
    switch kind {
    case .pick: "pick"
    case .perform: "perform"
    case .press: "press"
    case .answer: "answer"
    }
  }

  /// The item, action, keys or job of the deed, as a parameter.
  var subject: (String, JSON) {
    switch kind {
    case .pick(let id): ("id", .text(id))
    case .perform(let reference): ("ref", .text(reference))
    case .press(let strokes): ("keys", .text(strokes.map(\.text).joined(separator: " ")))
    case .answer(let job): ("job", .integer(job))
    }
  }

  /// - Parameter called: the title that the person sees.
  func parameters(called: String) -> [(String, JSON)] {
    let given = arguments.members.map { ($0.key, JSON($0.value)) }
    if case .answer = kind { return [subject] + (given.isEmpty ? [] : [("args", .object(given))]) }
    let titles = if case .pick = kind { false } else { true }
    return [subject, ("trace", .bool(true)), ("called", .text(called))] + (titles ? [("title", .bool(true))] : [])
      + (given.isEmpty && form == nil ? [] : [("args", .object(given))])
      + (confirmed.map { [("confirmed", .bool($0))] } ?? []) + (confirmedQuestion.map { [("asked", .text($0))] } ?? [])
      + (about.map { [("about", .list($0.map { .text($0) }))] } ?? [])
  }
}

/// A part of the inspector, named like the request for it.
enum InspectorPart: String, CaseIterable {
  case chain, context, jobs, history = "undo_stack", diagnostics

  var title: String {
    switch self {
    case .chain: "Chain, first responder first"
    case .context: "Context, and where it comes from"
    case .jobs: "What goes on"
    case .history: "Undo and redo"
    case .diagnostics: "What is wrong"
    }
  }
}

/// The part of the app that a face looks at: the open menus, and the rows in sight with some around them.
struct FaceView: Equatable {
  /// The ids of the open menus; nil for all menus.
  var menus: [String]?
  /// The rows of each pane that are requested, from 0; nil for all. A panel without panes is called `panel`.
  var panes: [String: Range<Int>]?
  /// The ids of the texts on the screen, whose lines are requested.
  var texts: [String] = []

  func shows(_ menu: String) -> Bool { menus?.contains(menu) ?? true }

  /// The view for `subscribe`. Items with keys are always in view, because the face shows their titles.
  var json: JSON {
    let menus = menus.map { [("menus", JSON.list($0.map { .text($0) })), ("keys", .bool(true))] } ?? []
    let panes = panes.map { panes in
      panes.sorted { $0.key < $1.key }.map { pane, rows in
        (pane, JSON.list([.integer(rows.lowerBound + 1), .integer(rows.upperBound)]))
      }
    }
    let texts: [(String, JSON)] = [("texts", .list(texts.map { .text($0) }))]
    return .object(menus + texts + (panes.map { [("rows", .object($0))] } ?? []))
  }
}
