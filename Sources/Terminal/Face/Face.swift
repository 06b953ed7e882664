import LiveHost
import ScriptHost

/// The *face* is what a person sees of an app at a terminal, and what a key does there.
///
/// It is told what the terminal sends and what the app says, each with the time, and draws what is to be seen. It asks the app by messages
/// alone: whether the app runs in this process or in another is the same to it. Nothing here waits.
final class Face {
  /// What a face wishes for that only its loop can do.
  enum Wish: Equatable {
    case quit, suspend
    /// The script that runs is to be ended.
    case interrupt
    case useMouse(Bool)
  }

  let settings: FaceSettings
  /// Asks the app for something; gives the number that the answer will have.
  private let post: (_ method: String, _ parameters: [(String, JSON)]) -> Int
  let wish: (Wish) -> Void

  /// The time, as it was told last.
  var now = Duration.zero
  /// How large the screen is.
  var columns = 80
  var rows = 24

  // What the app said.
  let menus = ShownMenus()
  /// The context menu that was opened last.
  let context = ShownMenus()
  var title = ""
  var source = ""
  /// The name that others know the session by.
  var name: String?
  var keys: [BoundKeys] = [] {
    didSet {
      bound = []
      for key in keys where key.entry.isReached { bound.formUnion(key.sequence.strokes.prefix(1)) }
    }
  }
  /// The strokes that the app has bound, alone or as the beginning of a sequence.
  private(set) var bound: Set<Stroke> = []
  /// Whether the app has said which keys it has bound; what is typed before waits.
  var areKeysKnown = false
  var early: [TerminalInput] = []
  /// Whether what is typed is for a menu that the app has still to say.
  var isAwaitingMenu: Bool { awaited.values.contains(where: \.isOfContextMenu) }
  /// Whether a script that takes long is to be ended, which nobody can tell yet.
  var endsWhatTakesLong = false
  /// The names of those who are asked, the nearest first.
  var chain: [String] = []
  var responders: [Answer.Node] = []
  var jobs: [RunningJob] = []
  let log = FaceLog()

  /// What was asked and not answered yet, by the numbers of the answers.
  var awaited: [Int: Awaited] = [:]
  /// What is not as it was when it was asked for.
  var stale: Set<Topic> = []

  /// Whether the answers of an open form are others than the app was told.
  var isFormStale = false
  /// Why the app could not be read anew: its old version goes on.
  var broken: String?

  // What is open.
  var open: [OpenMenu] = []
  var over: [Overlay] = []
  var strokes = PendingStrokes()
  var message = Message()
  /// Told what is said.
  var onSay: ((StatusView.Content) -> Void)?
  /// The ids of what was picked, the last one first.
  var latest: [String] = []
  var usesMouse: Bool
  /// Until when a second ctrl+c quits, and a second esc cancels a job.
  var quitsUntil = Duration.zero
  var cancelsUntil = Duration.zero
  var bodyTop = 0
  var body = Body()
  /// Whether what can be done now may be asked for where there is a panel too.
  var hasBodyBesidePanel = false
  /// Where there is a panel, it is the body of the screen.
  var isBodyShown: Bool { menus.version > 0 && (hasBodyBesidePanel || menus.panel.shown.isEmpty) }
  var panel = Panel()
  /// The row that the current one followed last, since it was ticked.
  var lastTicked: String?
  /// Whether the current row of the panel is to be seen, since a key made it current.
  var isRowFollowed = false
  /// What can be done that no item does, as it was when the palette opened.
  var actions: [ListedAction] = []
  /// Whether these are others than an open palette has.
  var isPaletteStale = false
  /// How what was done last went, a line for each that was asked.
  var lastTrace: [String] = []
  /// What the inspector shows, by its parts.
  var inspection: [InspectorPart: [String]] = [:]
  /// Where things were drawn last, for the mouse.
  var layout = FaceLayout()

  init(
    _ settings: FaceSettings, wish: @escaping (Wish) -> Void,
    post: @escaping (_ method: String, _ parameters: [(String, JSON)]) -> Int
  ) {
    self.settings = settings
    self.wish = wish
    self.post = post
    usesMouse = settings.usesMouse
    for line in settings.earlier { log.add(.init(text: line, kind: .print)) }
  }

  /// Asks who this is and what there is to be seen, and to be told from then on.
  func begin() {
    busySince = now
    if let greeting = settings.greeting {
      log.add(.init(text: greeting, kind: .refusal))
      say(.refused(greeting))
    }
    // What takes the app longest first: meanwhile nobody is woken.
    askWhatGoesOn()
    ask("hello", [("client", .object([("name", .text("ui"))]))], for: .hello)
    ask("diagnostics", for: .diagnostics)
    stale = [.keys, .body]
    askWhatIsStale()
  }

  /// Asks for the menus and the panel, and to be told from there on; then for what goes on since before that.
  func askWhatGoesOn() {
    let topics = ["menus", "panel", "jobs", "focus", "log", "diagnostics", "app"]
    ask("subscribe", [("to", .list(topics.map { .text($0) })), ("now", .bool(true))], for: .shown)
    ask("jobs", for: .jobs)
  }

  func ask(_ method: String, _ parameters: [(String, JSON)] = [], for reason: Awaited) {
    awaited[post(method, parameters)] = reason
  }

  /// Whether the app was asked what can be done, and has not said it.
  var isAwaitingActions: Bool { awaited.values.contains { if case .actions = $0 { true } else { false } } }

  // MARK: - Time

  func isNow(_ time: Duration) {
    now = time
    if isBusy { tookLong() }
    askWhatIsStale()
  }

  /// When something is to be seen that isn't now, if nothing comes.
  var deadline: Duration? {
    var due: [Duration] = []
    if let shown = strokes.hintsFrom, shown > now { due.append(shown) }
    // What was said gives way to what can be done.
    if message.content != nil, message.until > now { due.append(message.until) }
    if !panel.typed.isEmpty, panel.typedUntil > now { due.append(panel.typedUntil) }
    if !awaited.isEmpty, let since = busySince, since + Self.patience > now { due.append(since + Self.patience) }
    return due.min()
  }

  /// So long the app may take for an answer until it is said that it does.
  static let patience = Duration.milliseconds(400)
  /// Since when it owes an answer.
  var busySince: Duration?

  /// Whether there is something to be seen: the app, or that it doesn't answer.
  var isWorthShowing: Bool { areKeysKnown && menus.version > 0 || isBusy }

  var isBusy: Bool { busySince.map { now >= $0 + Self.patience } ?? false }

  // MARK: - What is said

  func say(_ content: StatusView.Content) {
    onSay?(content)
    // Where something goes on, how far it is is to be seen too.
    message = Message(content: content, until: now + (jobs.isEmpty ? content.timeToRead : .seconds(3)))
  }

  /// What was said last. It goes with the next key, or after a while.
  struct Message {
    var content: StatusView.Content?
    var until = Duration.zero
    /// Whether a key was pressed since: it stays until the answer is there, which may say something else.
    var isOld = false
  }

  /// What was said just now, and is still to be read.
  var said: StatusView.Content? {
    let isOver = message.isOld && !awaited.values.contains(where: \.saysWhatCame)
    return now < message.until && !isOver ? message.content : nil
  }
}

extension StatusView.Content {
  /// So long it stays where no key is pressed: a reason is read longer than what went well.
  fileprivate var timeToRead: Duration {
    switch self {
    case .done, .note: .seconds(4)
    default: .seconds(10)
    }
  }
}

/// What the face has asked for and may be other by now.
extension Face {
  enum Topic: Hashable {
    case keys, body, inspector
  }
}
