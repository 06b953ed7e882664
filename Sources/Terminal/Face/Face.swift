import LiveHost
import ScriptHost

/// The *face* of an app at a terminal: the state of what a person sees, and what each key does.
///
/// Its loop passes it the terminal's inputs and the app's messages, each with the time, and has it draw. It talks to the app by messages
/// alone, so the app may run in this process or in another. Nothing here waits.
final class Face {
  /// A request of the face that only its loop can fulfil.
  enum Wish: Equatable {
    case quit, suspend
    /// Ends the script that is running.
    case interrupt
    case useMouse(Bool)
    /// Opens a text of a form in the person's editor.
    case edit(String)
  }

  private(set) var settings: FaceSettings
  /// The parts of the screen below the overlays.
  let parts: FaceParts
  /// Sends a request to the app, and returns the id that the answer will have.
  private let post: (_ method: String, _ parameters: [(String, JSON)]) -> Int
  let wish: (Wish) -> Void

  /// The time of the last input or message.
  var now = Duration.zero
  /// The size of the screen.
  var columns = 80
  var rows = 24

  // What the app said.
  let menus = ShownMenus()
  var title = ""
  var source = ""
  /// The name of the session for others.
  var name: String?
  var keys: [BoundKeys] = [] {
    didSet {
      facts += 1
      bound = []
      for key in keys where key.entry.isReached { bound.formUnion(key.sequence.strokes.prefix(1)) }
      takesTyped = bound.contains(KeySequence.text.strokes[0])
    }
  }
  /// The strokes that the app has bound, alone or as the first of a sequence.
  private(set) var bound: Set<Stroke> = []
  /// Whether the app takes every character to which nothing else is bound.
  private(set) var takesTyped = false
  /// Whether digits before a stroke are a count for the app.
  var counts = false
  /// Whether the app has told its keys.
  var areKeysKnown = false
  /// The inputs that wait until their meaning is known, in order.
  var early: [TerminalInput] = []
  /// Whether `takeWhatCameEarly` is acting on an input.
  var isTakingEarly = false
  /// Whether the screen was drawn since the last input.
  var isDrawn = true
  /// Whether the person has asked to end a script, before it was known whether one takes long.
  var endsWhatTakesLong = false
  /// The names of the responders that are asked, nearest first.
  var chain: [String] = [] { didSet { facts += 1 } }
  var responders: [Answer.Node] = [] { didSet { facts += 1 } }
  var jobs: [RunningJob] = []
  /// The questions of jobs that wait until the open one is answered.
  var questions: [JobQuestion] = []
  /// The numbers of the jobs that timers have begun. Nobody has asked for them, so neither their progress nor their outcomes are said.
  var timers: Set<Int> = []
  let log = FaceLog()

  /// The requests without an answer yet, by their ids.
  var awaited: [Int: Awaited] = [:]
  /// The kinds of data that the face asks for again once they may be stale.
  enum Topic: Hashable {
    case keys, body, inspector
  }

  /// The data that may be stale, to be asked for again.
  var stale: Set<Topic> = []

  /// Why the app is to be asked for the open form again; nil if it needn't be.
  var formWish: FormWish?
  /// Why the last reload failed, so that the old version goes on; nil if it didn't.
  var broken: String?

  // What is open.
  let bar = MenuBar()
  /// The list of rows that has the focus: that of a pane, or the only one.
  var panel = Panel()
  /// The panes of the panel, in order; none where it is one list.
  var panes: [PaneArea] = []
  /// The version of the menus from which `panes` were taken.
  var panesVersion = -1
  /// Whether the pane that has the focus is shown alone.
  var isPaneAlone = false
  /// The child that each `tabs` showed last.
  var shownTabs: [String: String] = [:]
  /// The overlays, the top one last.
  var over: [any Overlay] = []
  var strokes = PendingStrokes()
  var message = Message()
  /// Called with each message of the status line.
  var onSay: ((StatusContent) -> Void)?
  /// The ids of the entries that were picked, the latest first.
  var latest: [String] = []
  var usesMouse: Bool
  /// The times until which a second ctrl+c quits, and a second esc cancels a job.
  var quitsUntil = Duration.zero
  var cancelsUntil = Duration.zero
  /// Whether letters that nothing is bound to find a row.
  var findsTyped = true
  /// Whether the app has said that the face ends, before the answer to the deed that did it.
  var isToldToQuit = false
  /// The time until which the face quits without asking the app, since it has refused.
  var quitsAnywayUntil = Duration.zero
  /// Whether the body is kept up to date even if there is a panel, as the plain face needs it.
  var hasBodyBesidePanel = false
  /// Whether the body's data are needed: usually not if there is a panel, which takes its place on the screen.
  var isBodyShown: Bool { menus.version > 0 && (hasBodyBesidePanel || panel.isEmpty && menus.panel.shown.isEmpty) }
  /// The view for which the app was asked last.
  var view = FaceView()
  /// The current row that the app knows, if the face has told it or was told of it.
  var rowOfApp: String?
  /// The ticked row that the current row followed last.
  var lastTicked: String?
  /// The actions without an item, as they were when the palette opened.
  var actions: [ListedAction] = [] { didSet { facts += 1 } }
  /// What actions are called, by their names.
  var titlesOfActions: [String: String] = [:]
  /// The number of answers so far about keys, actions and responders: what was made from them is valid as long as this is the same.
  private(set) var facts = 0
  /// The trace of the last deed, a line for each step.
  var lastTrace: [String] = []
  /// How the screen was divided when it was drawn last.
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

  /// Sends the first requests: what the app is, its menus and panel, and to be told of changes from then on.
  func begin() {
    busySince = now
    if let greeting = settings.greeting {
      log.add(.init(text: greeting, kind: .refusal))
      say(.refused(greeting))
    }
    // The request that takes the app longest goes first, since the face isn't woken meanwhile.
    askWhatGoesOn()
    ask("hello", [("client", .object([("name", .text("ui")), ("quits", .bool(true))]))], for: .hello)
    ask("diagnostics", for: .diagnostics)
    stale = [.keys, .body]
    askWhatIsStale()
    // Buttons and the status line name actions by their titles.
    if !isAwaiting(.actions) { ask("actions", for: .actions) }
  }

  /// Subscribes, with the present menus and panel as the answer; then asks for the jobs that began before that.
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

  /// The time at which the screen changes even if no input and no message comes; nil if it doesn't.
  var deadline: Duration? {
    var due: [Duration] = []
    if let shown = strokes.hintsFrom, shown > now { due.append(shown) }
    due += jobs.filter { !$0.isShown(at: now) }.map(\.shownFrom)
    // At its end a message gives way to the hints.
    if message.content != nil, message.until > now { due.append(message.until) }
    if panel.isTyping(now) { due.append(panel.typedUntil) }
    if !awaited.isEmpty, let since = busySince, since + Self.patience > now { due.append(since + Self.patience) }
    return due.min()
  }

  /// How long an answer may take until the status line says that the app is busy.
  static let patience = Duration.milliseconds(400)
  /// The time from which the app's silence counts: of the first deed that waits, or of the last answer; nil if no answer is missing.
  var busySince: Duration?

  /// Whether there is anything to draw: the app, or that it doesn't answer.
  var isWorthShowing: Bool { areKeysKnown && menus.version > 0 && !isListIncomplete || isBusy }

  var isBusy: Bool { busySince.map { now >= $0 + Self.patience } ?? false }

  /// The diagnostics that were told since the app was read, and how many are known.
  var toldBefore: Set<String> = []
  static let mostTold = 1000

  // MARK: - What is said

  func say(_ content: StatusContent) {
    onSay?(content)
    // While a job runs its progress has to be seen too, so the message is shorter.
    message = Message(content: content, until: now + (jobs.isEmpty ? content.timeToRead : .seconds(3)))
  }

  /// The message that the status line still shows.
  var said: StatusContent? {
    let isOver = message.isOld && !isAwaiting(.saying)
    return now < message.until && !isOver ? message.content : nil
  }
}

/// The settings of a face, as a person has chosen them.
package struct FaceSettings: Sendable {
  /// The strokes of the face's own commands, by command name, if they differ from the usual ones.
  package var strokes: [String: Stroke] = [:]
  /// Whether the mouse is used.
  package var usesMouse = true
  /// The lowest level of entries that the log keeps.
  package var level = LogLevel.warn
  /// Whether every question to confirm is answered with yes.
  package var confirms = false
  /// Whether the app runs in this process, so that a script that takes too long can be ended.
  package var isOwn = true
  /// The folder to which paths in forms are relative: the app's, since its script reads them so.
  package var folder = "."
  /// Whether the app is told the first row at the start, since it was opened for this face; else with the first deed, so that looking at an app of
  /// others changes nothing in it.
  package var tellsFirstRow = false
  /// The first entries of the log: what was printed before there was a face.
  package var earlier: [String] = []
  /// A sentence that the status line shows at first.
  package var greeting: String?
  package var theme = Theme()
  /// Whether a person has chosen the theme; else the terminal's ground decides between dark and light.
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

/// The *line* from a face to its app, in this process or in another: requests go out by it, and messages come in.
final class FaceLine {
  private let client: LiveClient
  /// Why the app doesn't hear any more; nil as long as it does.
  private(set) var failure: Unanswered?

  init(_ client: LiveClient) { self.client = client }

  var descriptor: Int32 { client.descriptor }

  func post(_ method: String, _ parameters: [(String, JSON)]) -> Int {
    do throws(Unanswered) { return try client.send(method, parameters) } catch {
      failure = failure ?? error
      return 0
    }
  }

  /// Gives a face the messages that have come.
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
  /// Whether a key was pressed since. The message then stays until the answer comes, which may bring another one.
  var isOld = false
}

/// The content of the status line.
enum StatusContent: Equatable {
  /// What can be done here, if there is nothing else to say.
  case hint(String)
  case done(String)
  /// A remark: the person's own choice, or how to go on.
  case note(String)
  /// The reason why something was refused or can't be done.
  case refused(String)
  case failed(String)
  /// The reason why something was refused, while a job is running that may be the cause.
  case inTheWay(String, job: String)
  /// A running job: its progress from 0 to 1, if it tells that, its text, and the number of others.
  case progress(title: String, fraction: Double?, text: String, others: Int = 0)
  /// The strokes of a sequence that was begun, or that the app is busy.
  case pending(String)
}

extension StatusContent {
  /// How long the message stays if no key is pressed. A reason takes longer to read than a success.
  var timeToRead: Duration {
    switch self {
    case .done, .note: .seconds(4)
    default: .seconds(10)
    }
  }
}

// The screen: how it is divided, what is drawn on it, and what is below the mouse.

extension Face {
  /// The area for overlays: all but the bar and the status line.
  var overlayScreen: Area { Area(row: min(1, rows - 1), column: 0, rows: max(1, rows - 2), columns: columns) }

  /// The list that fills the screen: the panel, or what can be done now where there is none.
  private var list: any Component { panel.isEmpty && panes.isEmpty ? parts.body : panel }

  /// The area between the bar and the status line, with a blank line on either side.
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

  /// Has the theme that the ground of a terminal with all colours asks for.
  func isShown(on ground: TerminalGround) {
    settings.theme = settings.theme.tinted(on: ground, isChosen: settings.isThemeChosen)
  }

  private func draw(_ component: any Component, on canvas: inout Canvas) {
    component.refresh(from: self)
    component.draw(on: &canvas, theme: settings.theme)
  }

  /// Gives the mouse to what lies above everything else, or else to what is below it. The wheel turns the list from anywhere.
  func mouse(_ mouse: Mouse) {
    for overlay in over.reversed() where overlay.mouse(mouse, of: self) { return }
    if bar.mouse(mouse, of: self) { return }
    if case .wheel = mouse.deed, panes.isEmpty { return _ = list.mouse(mouse, of: self) }
    _ = layout.component(at: mouse)?.mouse(mouse, of: self)
  }
}
