import LiveHost
import ScriptHost

/// The purpose of a request that a face has sent: what it does with the answer.
enum Awaited {
  case hello, keys, diagnostics
  /// The menus and the panel; for a view that differs little from the one before, only the changes, which are told before the answer.
  case shown
  /// The marks, or the filter, of a pane.
  case narrowing
  /// The row that begins with what was typed.
  case row(String)
  /// Lines of a text.
  case lines(String)
  /// The next line of a text with what was searched for.
  case line(String, String)
  /// The jobs that are running.
  case jobs
  /// An open form after the answers so far.
  case form(FormWish)
  /// The form of a reference, which a script wishes to be open.
  case wishedForm(String)
  /// The app's actions, for the palette.
  case actions
  /// The panel's current row, which the app was told.
  case choice(String)
  /// The context menu of a row with this title.
  case contextMenu(String)
  /// For the body: the order of the responders, or their actions if there are no menus.
  case chain, responders
  case deed(FaceDeed)
  /// Who handles `quit`.
  case quitting
  /// Why something can be done or can't, for a page of this title.
  case why(String)
  case inspector(InspectorPart)
  /// Nothing: the answer isn't wanted any more, or the app tells the same by a notification.
  case nothing

  /// What an answer brings, as far as inputs and other requests wait for it.
  enum Effect {
    case keys, actions, choice, contextMenu, body, form, inspector
    /// Rows or menus in sight, or another current row.
    case view
    /// It may open something or change what keys do, so that the next keys have to wait.
    case opening
    /// The status line shows it.
    case saying
    /// The person leaves, or not.
    case quitting
  }

  var effects: Set<Effect> {
    switch self {
    case .keys: [.keys]
    case .actions: [.actions]
    case .shown, .row, .line, .narrowing: [.view]
    case .choice: [.choice]
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
    /// Answers what a job asks.
    case answer(job: Int)
  }

  var kind: Kind
  /// The title, without the dots that announce a question, since it is shown after the question.
  var title: String
  /// What the action of a row is called, since the title is the row's; nil for others.
  var action: String?
  var confirmed: Bool?
  /// How many of the pressed strokes, the first ones, are the digits of a count.
  var counted = 0
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
    self.title = title.withoutEllipsis
  }

  /// The title of its form.
  var heading: String { action.map { "\($0): \(title)" } ?? title }
  /// What the button says that does it.
  var button: String { action ?? title }

  var method: String {
    switch kind {
    case .pick: "pick"
    case .perform: "perform"
    case .press: "press"
    case .answer: "answer"
    }
  }

  /// What the app is asked to do, as a parameter.
  var subject: (String, JSON) {
    switch kind {
    case .pick(let id): ("id", .text(id))
    case .perform(let reference): ("ref", .text(reference))
    case .press(let strokes): ("keys", .text(strokes.map(\.text).joined(separator: " ")))
    case .answer(let job): ("job", .integer(job))
    }
  }

  /// - Parameter called: the title under which the person does it.
  func parameters(called: String) -> [(String, JSON)] {
    let given = arguments.members.map { ($0.key, JSON($0.value)) }
    if case .answer = kind { return [subject] + (given.isEmpty ? [] : [("args", .object(given))]) }
    let titles = if case .pick = kind { false } else { true }
    return [subject, ("trace", .bool(true)), ("called", .text(called))] + (titles ? [("title", .bool(true))] : [])
      + (given.isEmpty && form == nil ? [] : [("args", .object(given))])
      + (confirmed.map { [("confirmed", .bool($0))] } ?? []) + (confirmedQuestion.map { [("asked", .text($0))] } ?? [])
  }
}

/// A part of the inspector, by the request that asks the app for it.
enum InspectorPart: String, CaseIterable {
  case chain, context, jobs, history = "undo_stack", diagnostics

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

/// What of the app a face looks at: the open menus, and of the panel the rows in sight and some around them, so that most moves need no others.
struct FaceView: Equatable {
  /// The ids of the open menus; nil for all menus.
  var menus: [String]?
  /// The rows of each pane for which the app is asked, from 0; nil for all. Where the panel is one list, it is called `panel`.
  var panes: [String: Range<Int>]?
  /// The texts on the screen, whose lines are wanted.
  var texts: [String] = []

  func shows(_ menu: String) -> Bool { menus?.contains(menu) ?? true }

  /// The view as `subscribe` takes it. Items that keys perform are always in view, since their titles are told.
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
