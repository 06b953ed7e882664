import LiveHost
import ScriptHost

/// The *face* of an app on a terminal: the state of the screen, and the effect of each key.
///
/// Its loop passes it the terminal's inputs and the app's messages, each with the time, and makes it draw. It talks to
/// the app only by messages, so the app may run in this process or another. The face never waits.
final class Face {
  /// A request of the face that only its loop can perform.
  enum Wish: Equatable {
    case quit, suspend
    /// Ends the running script.
    case interrupt
    case useMouse(Bool)
    /// Opens a form's text in the person's editor.
    case edit(String)
  }

  private(set) var settings: FaceSettings
  /// The parts of the screen below the overlays.
  let parts: FaceParts
  /// Sends a request to the app, and returns the id of its answer.
  private let post: (_ method: String, _ parameters: [(String, JSON)]) -> Int
  let wish: (Wish) -> Void

  /// The time of the last input or message.
  var now = Duration.zero
  /// The size of the screen.
  var columns = 80
  var rows = 24

  // The app's data.
  let menus = ShownMenus()
  var title = ""
  var source = ""
  /// The name of the live session.
  var name: String?
  var keys: [BoundKeys] = [] {
    didSet {
      facts += 1
      bound = []
      for key in keys where key.isEffective && !key.entry.isPane { bound.formUnion(key.sequence.strokes.prefix(1)) }
      takesTyped = bound.contains(KeySequence.text.strokes[0])
    }
  }
  /// The strokes that the app has bound, alone or as the first of a sequence.
  private(set) var bound: Set<Stroke> = []
  /// Whether the app takes every character without another binding.
  private(set) var takesTyped = false
  /// Whether digits before a stroke are a count for the app.
  var counts = false
  /// Whether the face has the app's keys.
  var areKeysKnown = false
  /// The inputs that wait until their meaning is known, in order.
  var early: [TerminalInput] = []
  /// Whether `takeWhatCameEarly` is handling an input.
  var isTakingEarly = false
  /// Whether the screen was drawn since the last input.
  var isDrawn = true
  /// Whether the person wants to end a script, before the face knows whether a script takes long.
  var endsWhatTakesLong = false
  /// The names of the responders in the chain, nearest first.
  var chain: [String] = [] { didSet { facts += 1 } }
  var responders: [Answer.Node] = [] { didSet { facts += 1 } }
  var jobs: [RunningJob] = []
  /// The questions of jobs that wait behind the open question.
  var questions: [JobQuestion] = []
  /// The number of the question that each job asks now, by the number of the job.
  var knownQuestions: [Int: Int] = [:]
  /// The numbers of the jobs that timers began. Their progress and outcomes aren't shown.
  var timers: Set<Int> = []
  let log = FaceLog()

  /// The requests without an answer yet, by their ids.
  var awaited: [Int: Awaited] = [:]
  /// The kinds of data that the face requests again once they may be stale.
  enum Topic: Hashable {
    case keys, body, inspector
  }

  /// The data that may be stale.
  var stale: Set<Topic> = []

  /// The reason to request the open form again; nil if there is none.
  var formWish: FormWish?
  /// The reason of a failed reload, after which the old version goes on; nil after a successful reload.
  var broken: String?

  // The open parts of the screen.
  let bar = MenuBar()
  /// The focused list of rows: that of a pane, or the panel's single list.
  var panel = Panel()
  /// The panes of the panel, in order; empty if it is one list.
  var panes: [PaneArea] = []
  /// The version of the menus from which `panes` were taken.
  var panesVersion = -1
  /// Whether only the focused pane is shown.
  var isPaneAlone = false
  /// The overlays, topmost last.
  var over: [any Overlay] = []
  var strokes = PendingStrokes()
  var message = Message()
  /// Called with each message of the status line.
  var onSay: ((StatusContent) -> Void)?
  /// The ids of the picked entries, newest first.
  var latest: [String] = []
  var usesMouse: Bool
  /// The times until which a second ctrl+c quits, and a second esc cancels a job.
  var quitsUntil = Duration.zero
  var cancelsUntil = Duration.zero
  /// Whether unbound letters find a row.
  var findsTyped = true
  /// Whether the app has ended the face before answering the deed that caused it.
  var isToldToQuit = false
  /// The time until which the face quits without asking the app, since it has refused.
  var quitsAnywayUntil = Duration.zero
  /// Whether the body stays up to date even with a panel, for the plain face.
  var hasBodyBesidePanel = false
  /// Whether the body's data are needed: usually not with a panel, which replaces the body on the screen.
  var isBodyShown: Bool { menus.version > 0 && (hasBodyBesidePanel || panel.isEmpty && menus.panel.shown.isEmpty) }
  /// The view that the face requested last.
  var view = FaceView()
  /// The current row that the app and the face agree on.
  var rowOfApp: String?
  /// The ticked row that the current row followed last.
  var lastTicked: String?
  /// The actions without an item, from the time when the palette opened.
  var actions: [ListedAction] = [] { didSet { facts += 1 } }
  /// The titles of actions, by name.
  var titlesOfActions: [String: String] = [:]
  /// The number of answers about keys, actions and responders. Data made from them are valid while it stays the same.
  private(set) var facts = 0
  /// The trace of the last deed, a line for each step.
  var lastTrace: [String] = []
  /// The division of the screen at the last drawing.
  var layout = AreaTree.blank

  init(
    _ settings: FaceSettings, _ parts: FaceParts, wish: @escaping (Wish) -> Void,
    post: @escaping (_ method: String, _ parameters: [(String, JSON)]) -> Int
  ) {
    self.settings = settings
    self.parts = parts
    self.wish = wish
    self.post = post
    usesMouse = settings.usesMouse
    for line in settings.earlier { log.add(.init(text: line, kind: .print)) }
  }

  /// Sends the first requests: the app, its menus and panel, and a subscription to changes.
  func begin() {
    busySince = now
    if let greeting = settings.greeting {
      log.add(.init(text: greeting, kind: .refusal))
      say(.refused(greeting))
    }
    // The slowest request goes first, since the face isn't woken meanwhile.
    askWhatGoesOn()
    ask("hello", [("client", .object([("name", .text("ui")), ("quits", .bool(true))]))], for: .hello)
    ask("diagnostics", for: .diagnostics)
    stale = [.keys, .body]
    askWhatIsStale()
    // Buttons and the status line show the titles of actions.
    if !isAwaiting(.actions) { ask("actions", for: .actions) }
  }

  /// Subscribes, with the current menus and panel as the answer; then requests the jobs that began before.
  func askWhatGoesOn() {
    let topics = ["menus", "panel", "jobs", "focus", "log", "diagnostics", "app"]
    view = wantedView
    ask("subscribe", [("to", .list(topics.map { .text($0) })), ("view", view.json), ("now", .bool(true))], for: .shown)
    ask("jobs", for: .jobs)
  }

  func ask(_ method: String, _ parameters: [(String, JSON)] = [], for reason: Awaited) {
    awaited[post(method, parameters)] = reason
  }

  func isAwaiting(_ effect: Awaited.Effect) -> Bool { awaited.values.contains { $0.effects.contains(effect) } }

  func close(_ overlay: any Overlay) { over.removeAll { $0 === overlay } }

  // MARK: - Time

  func isNow(_ time: Duration) {
    now = time
    if isBusy {
      tookLong()
      if isAwaiting(.quitting) { wish(.quit) }
    }
    takeWhatCameEarly()
    askWhatIsStale()
  }

  /// The time at which the screen changes without an input or a message; nil if it doesn't.
  var deadline: Duration? {
    var due: [Duration] = []
    if let shown = strokes.hintsFrom, shown > now { due.append(shown) }
    due += jobs.filter { !$0.isShown(at: now) }.map(\.shownFrom)
    // When a message ends, the hints appear.
    if message.content != nil, message.until > now { due.append(message.until) }
    if panel.isTyping(now) { due.append(panel.typedUntil) }
    if !awaited.isEmpty, let since = busySince, since + Self.patience > now { due.append(since + Self.patience) }
    return due.min()
  }

  /// The time that an answer may take until the status line shows that the app is busy.
  static let patience = Duration.milliseconds(400)
  /// The time from which the app's silence counts: first waiting request or last answer; nil if none is missing.
  var busySince: Duration?

  /// Whether there is anything to draw: the app, or that it doesn't answer.
  var isWorthShowing: Bool { areKeysKnown && menus.version > 0 && !isListIncomplete || isBusy }

  var isBusy: Bool { busySince.map { now >= $0 + Self.patience } ?? false }

  /// The diagnostics shown since the app was loaded, and the most that are kept.
  var toldBefore: Set<String> = []
  static let mostTold = 1000

  // MARK: - Messages

  func say(_ content: StatusContent) {
    onSay?(content)
    // While a job runs its progress must be visible too, so the message is shorter.
    message = Message(content: content, until: now + (jobs.isEmpty ? content.timeToRead : .seconds(3)))
  }

  /// The message that the status line still shows.
  var said: StatusContent? {
    let isOver = message.isOld && !isAwaiting(.saying)
    return now < message.until && !isOver ? message.content : nil
  }
}

/// The settings of a face, chosen by a person.
package struct FaceSettings: Sendable {
  /// The strokes of the face's commands, by command name, if they differ from the defaults.
  package var strokes: [String: Stroke] = [:]
  /// Whether the face uses the mouse.
  package var usesMouse = true
  /// The lowest level of entries that the log keeps.
  package var level = LogLevel.warn
  /// Whether the face answers every question to confirm with yes.
  package var confirms = false
  /// Whether the app runs in this process, so that the face can end a long-running script.
  package var isOwn = true
  /// The folder of relative paths in forms: the app's folder, as for its script.
  package var folder = "."
  /// Whether the app gets the first row at the start, since it was opened for this face. Else it gets the row with the
  /// first deed, so that looking at another session changes nothing.
  package var tellsFirstRow = false
  /// The first entries of the log: the output before the face began.
  package var earlier: [String] = []
  /// A sentence that the status line shows first.
  package var greeting: String?
  package var theme = Theme()
  /// Whether a person chose the theme; else the terminal's background decides between dark and light.
  package var isThemeChosen = false

  package init() {}

  /// The names of the commands that have strokes.
  package static var commandNames: [String] {
    OwnCommand.allCases.filter { $0.usualStroke != nil }.map(\.rawValue)
  }

  /// Two commands with the same stroke; nil if there are none.
  package var doubled: (stroke: Stroke, first: String, second: String)? {
    let all = OwnCommand.allCases.compactMap { command in stroke(of: command).map { (stroke: $0, command: command) } }
    for (index, one) in all.enumerated() {
      guard let other = all[..<index].first(where: { $0.stroke == one.stroke }) else { continue }
      return (one.stroke, other.command.rawValue, one.command.rawValue)
    }
    return nil
  }

  func stroke(of command: OwnCommand) -> Stroke? { strokes[command.rawValue] ?? command.usualStroke }
}

/// The *line* from a face to its app, in this process or another. Sends requests and receives messages.
final class FaceLine {
  private let client: LiveClient
  /// The reason why the app is unreachable; nil while it is reachable.
  private(set) var failure: Unanswered?

  init(_ client: LiveClient) { self.client = client }

  var descriptor: Int32 { client.descriptor }

  func post(_ method: String, _ parameters: [(String, JSON)]) -> Int {
    do throws(Unanswered) { return try client.send(method, parameters) } catch {
      failure = failure ?? error
      return 0
    }
  }

  /// Passes the received messages to a face.
  func listen(_ face: Face, _ now: Duration) {
    do throws(Unanswered) {
      for message in try client.received() { face.told(message, at: now) }
    } catch {
      failure = failure ?? error
    }
  }
}

/// The last message of the status line. It disappears with the next key, or after a while.
struct Message {
  var content: StatusContent?
  var until = Duration.zero
  /// Whether a key was pressed since. The message then stays until the answer comes, which may replace it.
  var isOld = false
}

/// The content of the status line.
enum StatusContent: Equatable {
  /// The possible keys here, without another message.
  case hint(String)
  case done(String)
  /// A remark: the person's own choice, or the next step.
  case note(String)
  /// The reason of a refusal.
  case refused(String)
  case failed(String)
  /// The reason of a refusal, while a job is running that may be the cause.
  case inTheWay(String, job: String)
  /// A running job: its progress from 0 to 1 if known, its text, and the number of other jobs.
  case progress(title: String, fraction: Double?, text: String, others: Int = 0)
  /// The strokes of an unfinished sequence, or that the app is busy.
  case pending(String)
}

extension StatusContent {
  /// The mark and the text of an outcome that may have hints beside it.
  var outcome: (mark: String, text: String)? {
    switch self {
    case .done(let text): ("✓", text)
    case .note(let text): ("·", text)
    default: nil
    }
  }

  /// The text of a job without a known progress beside the hints: its title, and how to cancel it; nil for anything else.
  var quietJob: String? {
    guard case .progress(let title, nil, "", let others) = self else { return nil }
    return "\(title.onOneLine) goes on\(others > 0 ? " and \(others) more" : "")   esc esc cancels"
  }

  /// The time that the message stays without a key. A reason takes longer to read than a success.
  var timeToRead: Duration {
    switch self {
    case .done, .note: .seconds(4)
    default: .seconds(10)
    }
  }
}

// The screen: its division, its drawing, and the component below the mouse.

extension Face {
  /// The area for overlays: all but the bar and the status line.
  var overlayScreen: Area { Area(row: min(1, rows - 1), column: 0, rows: max(1, rows - 2), columns: columns) }

  /// The list that fills the screen: the panel, or the body without one.
  private var list: any Component { panel.isEmpty && panes.isEmpty ? parts.body : panel }

  /// The area between the bar and the status line, with a blank line above and below.
  var middle: Area { Area(row: min(2, rows - 1), column: 0, rows: max(0, rows - 4), columns: columns) }

  func draw() -> Canvas {
    isDrawn = true
    var canvas = Canvas(columns: columns, rows: rows)
    refreshPanes()
    panel.refresh(from: self)
    let list = list
    let body = panes.isEmpty ? AreaTree.area(list) : areasOfPanes(in: middle)
    layout = .stack([(1, .area(bar)), (1, .blank), (nil, body), (1, .blank), (1, .area(parts.status))])
    layout.place(in: canvas.frame)
    if panes.isEmpty { panel.area = list.area }
    for pane in panes { pane.panel.area = .nowhere }
    for component in body.components { draw(component, on: &canvas) }
    body.drawRules(on: &canvas, in: middle, theme: settings.theme)
    draw(bar, on: &canvas)
    draw(parts.hints, on: &canvas)
    for overlay in over {
      overlay.refresh(from: self)
      overlay.area = overlay.area(on: overlayScreen)
      overlay.draw(on: &canvas, theme: settings.theme)
      canvas.lay(settings.theme.overlay, in: overlay.area)
    }
    draw(parts.status, on: &canvas)
    canvas.lay(settings.theme.overBar, in: parts.status.area)
    return canvas
  }

  /// Adapts the theme to the background of a terminal with all colours.
  func isShown(on ground: TerminalGround) {
    settings.theme = settings.theme.tinted(on: ground, isChosen: settings.isThemeChosen)
  }

  private func draw(_ component: any Component, on canvas: inout Canvas) {
    component.refresh(from: self)
    component.draw(on: &canvas, theme: settings.theme)
  }

  /// Passes the mouse to the topmost overlay, or to the component below it. The wheel turns the list from anywhere.
  func mouse(_ mouse: Mouse) {
    for overlay in over.reversed() where overlay.mouse(mouse, of: self) { return }
    if bar.mouse(mouse, of: self) { return }
    if case .wheel = mouse.deed, panes.isEmpty { return _ = list.mouse(mouse, of: self) }
    _ = layout.component(at: mouse)?.mouse(mouse, of: self)
  }
}
