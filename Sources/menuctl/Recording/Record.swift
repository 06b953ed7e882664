import LiveHost
import ScriptHost

/// A *record* holds the steps of an app since it was loaded, for recordings and recorded tests.
final class Record {
  /// One deed that was carried out on the app, and its effect.
  struct Step {
    let deed: Deed
    /// The answers to its questions that were given with it.
    var answered = Answered()
    /// The outcome and the changes of the menus, as a recording has them.
    let effect: JSON
    /// What scripts were given from outside since the previous step.
    var given: [Given] = []
    /// When it began, in seconds since the app was loaded; nil if no time has passed since the previous step ended.
    var time: Double?
    /// The seconds between the end of the previous step and the beginning of this one.
    var pause = 0.0
    /// The result, or the values of a line, as scripts write them.
    var values: [LuaTree] = []
    /// Whether something in `values` was secret.
    var isUnsaid = false
    /// Whether a line of Lua is an expression, which can follow `return`.
    var isExpression = false
  }

  /// The items before the first step, each with its `ItemText`, in their order.
  private(set) var drawn: [(id: String, text: String)] = []
  private(set) var steps: [Step] = []
  /// The names of the globals before the first step.
  private var globals: Set<String> = []
  private(set) var hasBegun = false
  /// What scripts were given while the app was loaded and started.
  private(set) var givenAtFirst: [Given] = []
  /// What scripts were given since the start or since the last step.
  private var given: [Given] = []
  private var countGiven = 0
  /// Whether scripts were given more than is kept, so that no recording can be written.
  var isTooMuch: Bool { countGiven > Self.mostGiven }
  static let mostGiven = 100_000
  /// The texts that are left out of recordings.
  private(set) var secrets = Secrets()
  /// Gives the time of the host's clock.
  private var clock: () -> Duration = { .zero }
  /// When the app was loaded.
  private(set) var origin = Duration.zero
  /// When the last step ended.
  private var end = Duration.zero
  private var beginning = Duration.zero

  /// Forgets all steps after the app was reloaded, because they can't be repeated on the new one.
  func startOver() {
    steps = []
    hasBegun = false
    countGiven = given.count
    givenAtFirst = []
    loaded()
  }

  /// Forgets what scripts were given, before the app is reloaded.
  func forgetGiven() { given = [] }

  /// Takes the clock of a host, and notes what its scripts are given from now on.
  func watch(_ host: ScriptHost) {
    clock = { host.now }
    host.outside = .noted { [unowned self] in note($0) }
    host.secretHearers.add { [unowned self] in keepSecret($0) }
    loaded()
  }

  /// Leaves a value out of everything that is written.
  func keepSecret(_ value: Value) { secrets.keep(value) }

  /// Notes what scripts are given.
  func note(_ one: Given) {
    countGiven += 1
    if !isTooMuch { given.append(one) }
  }

  /// Notes that the app was loaded just now.
  func loaded() {
    origin = clock()
    started()
  }

  /// Notes that the app has started. What timers are given from now on belongs to the next step.
  func started() {
    (givenAtFirst, given) = (givenAtFirst + given, [])
    end = clock()
  }

  /// Notes that a step begins now.
  func beginStep() { beginning = clock() }

  /// Notes the menus and globals before the first step.
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

  /// Rounds down to microseconds, so that a replay doesn't run timers that had not fired.
  private static func seconds(_ duration: Duration) -> Double {
    Double(duration / .microseconds(1)).rounded(.down) / 1e6
  }

  /// The globals that lines of Lua have defined and that still exist, sorted by bytes.
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

  /// The text of an item in a recording; nil for other elements.
  static func of(_ item: JSON) -> String? {
    guard item["kind"]?.text == "item", let isEnabled = item["enabled"]?.bool else { return nil }
    return text(isEnabled: isEnabled, state: item["state"]?.text ?? "off", reason: item["reason"]?.text)
  }

  private static func text(isEnabled: Bool, state: String, reason: String?) -> String {
    let mark = state == Look.State.off.rawValue ? "" : ", \(state)"
    return (isEnabled ? "enabled" : "disabled") + mark + (reason.map { ": \($0)" } ?? "")
  }

  /// The same function in Lua, for recorded tests.
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
