import LiveHost
import ScriptHost

/// A *record* holds what was done to an app since it was loaded, and what came of it.
final class Record {
  /// A step: one thing that was done to the app.
  struct Step {
    let deed: Deed
    /// What a person had answered to what it asked.
    var answered = Answered()
    /// What came of it.
    let effect: JSON
    /// What scripts were given from outside, since the step before.
    var given: [Given] = []
    /// When it was done, in seconds since the app was loaded, where time went on by itself since the step before.
    var time: Double?
    /// How long it went on since then.
    var pause = 0.0
    /// The result, or the values of a line, as scripts write them.
    var values: [LuaTree] = []
    /// Whether there was something secret in these.
    var isUnsaid = false
    /// Of a line, whether it stands behind `return` as it is.
    var isExpression = false
  }

  /// How the items were drawn before anything was done, in their order.
  private(set) var drawn: [(id: String, text: String)] = []
  private(set) var steps: [Step] = []
  /// The globals that there were.
  private var globals: Set<String> = []
  private(set) var hasBegun = false
  /// What scripts were given while the app was loaded and began.
  private(set) var givenAtFirst: [Given] = []
  /// What they were given since then, or since the last step.
  private var given: [Given] = []
  private var countGiven = 0
  /// Whether they were given more than is kept.
  var isTooMuch: Bool { countGiven > Self.mostGiven }
  static let mostGiven = 100_000
  /// Texts that stand in no recording.
  private(set) var secrets = Secrets()
  /// The time by the host's clock.
  private var clock: () -> Duration = { .zero }
  /// When the app was loaded.
  private(set) var origin = Duration.zero
  /// When the last step had ended.
  private var end = Duration.zero
  private var beginning = Duration.zero

  /// Forgets everything: the app was read anew, and what was done before can't be done to what it is now.
  func startOver() {
    steps = []
    hasBegun = false
    countGiven = given.count
    givenAtFirst = []
    loaded()
  }

  /// Forgets what scripts were given: the app is about to be read anew.
  func forgetGiven() { given = [] }

  /// Goes by the clock of a host, and notes what its scripts are given from now on.
  func watch(_ host: ScriptHost) {
    clock = { host.now }
    host.outside = .noted { [unowned self] in note($0) }
    host.onSecret = { [unowned self] in keepSecret($0) }
    loaded()
  }

  /// Leaves something out of all that is written.
  func keepSecret(_ value: Value) { secrets.keep(value) }

  /// Notes what scripts are given.
  func note(_ one: Given) {
    countGiven += 1
    if !isTooMuch { given.append(one) }
  }

  /// The app was loaded just now.
  func loaded() {
    origin = clock()
    started()
  }

  /// The app has begun, so that the first step may come; what timers are given until then is that step's.
  func started() {
    (givenAtFirst, given) = (givenAtFirst + given, [])
    end = clock()
  }

  /// A step begins.
  func beginStep() { beginning = clock() }

  /// Looks at the app before the first step.
  func begin(_ root: MenuElement, globals: Set<String>) {
    hasBegun = true
    drawn = root.items.map { ($0.id, ItemText.of($0)) }
    self.globals = globals
  }

  func add(_ deed: Deed, _ answered: Answered, _ done: Answer.Done, isExpression: Bool) {
    var step = Step(deed: deed, answered: answered, effect: RecordingText.effect(done), isExpression: isExpression)
    (step.given, given) = (given, [])
    if beginning > end {
      step.time = Self.seconds(beginning - origin)
      step.pause = Self.seconds(beginning - end)
    }
    end = clock()
    switch done {
    case .performed(let performed): step.values = performed.result == .nil ? [] : [performed.result]
    case .evaluated(let evaluated): step.values = evaluated.values
    case .focused: break
    }
    steps.append(step)
  }

  /// Cuts to whole microseconds, so that nothing is due that was not.
  private static func seconds(_ duration: Duration) -> Double {
    Double(duration / .microseconds(1)).rounded(.down) / 1e6
  }

  /// The globals that lines defined and that are there still, in the order of their bytes.
  func defined(in host: ScriptHost) -> [String] {
    if !hasBegun { return [] }
    return host.globals.subtracting(globals + ["_"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// The text of an item in a few words: whether it can be done, its mark, and why it can't.
enum ItemText {
  static func of(_ item: MenuElement) -> String {
    text(isEnabled: item.isEnabled, state: item.state.rawValue, reason: item.reason)
  }

  /// The text of an item in a recording; nil of what is no item.
  static func of(_ item: JSON) -> String? {
    guard item["kind"]?.text == "item", let isEnabled = item["enabled"]?.bool else { return nil }
    return text(isEnabled: isEnabled, state: item["state"]?.text ?? "off", reason: item["reason"]?.text)
  }

  private static func text(isEnabled: Bool, state: String, reason: String?) -> String {
    let mark = state == Look.State.off.rawValue ? "" : ", \(state)"
    return (isEnabled ? "enabled" : "disabled") + mark + (reason.map { ": \($0)" } ?? "")
  }

  /// The same as a function of a test.
  static let script = """
    -- How an item is drawn: whether it can be done, its mark, and why it can't.
    local function drawn(id)
      local item = app:item(id)
      if not item then return "not there" end
      local text = item.enabled and "enabled" or "disabled"
      if item.state ~= "off" then text = text .. ", " .. item.state end
      if item.reason then text = text .. ": " .. item.reason end
      return text
    end
    """
}
