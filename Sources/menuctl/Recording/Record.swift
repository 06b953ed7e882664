import LiveHost
import ScriptHost

/// A *record* has an app's steps since it was loaded, for recordings and recorded tests.
final class Record {
  /// A deed on the app, and its effect.
  struct Step {
    let deed: Deed
    /// The answers to the deed's questions.
    var answered = Answered()
    /// The outcome and the changes of the menus, in the form of recordings.
    let effect: JSON
    /// The data that scripts got from outside since the previous step.
    var given: [Given] = []
    /// The seconds from loading to the step; nil if no time has passed since the previous step.
    var time: Double?
    /// The seconds from the end of the previous step to the beginning of this step.
    var pause = 0.0
    /// The result, or the values of a line, in Lua's form.
    var values: [LuaTree] = []
    /// Whether `values` has lost a secret.
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
  /// The data that scripts got while the app was loaded and started.
  private(set) var givenAtFirst: [Given] = []
  /// The data that scripts got since the start or the last step.
  private var given: [Given] = []
  private var countGiven = 0
  /// Whether scripts got more data than a recording may have.
  var isTooMuch: Bool { countGiven > Self.mostGiven }
  static let mostGiven = 100_000
  /// The texts that recordings mask.
  private(set) var secrets = Secrets()
  /// Returns the time of the host's clock.
  private var clock: () -> Duration = { .zero }
  /// When the app was loaded.
  private(set) var origin = Duration.zero
  /// When the last step ended.
  private var end = Duration.zero
  private var beginning = Duration.zero

  /// The responder that kept the focus in a reload; nil without a reload.
  private(set) var focus: String?

  /// Forgets all steps after a reload, because they can't be repeated on the new app.
  ///
  /// - Parameter focus: the responder that has the focus now, perhaps because it has kept it.
  func startOver(focus: String) {
    // An app that gives the focus to none of its responders has it itself.
    self.focus = focus == "app" ? nil : focus
    steps = []
    hasBegun = false
    countGiven = given.count
    givenAtFirst = []
    loaded()
  }

  /// Forgets the scripts' data from outside, before the app is reloaded.
  func forgetGiven() { given = [] }

  /// Uses a host's clock, and notes its scripts' data from outside from now on.
  func watch(_ host: ScriptHost) {
    clock = { host.now }
    host.outside = .noted { [unowned self] in note($0) }
    host.secretHearers.add { [unowned self] in keepSecret($0) }
    loaded()
  }

  /// Masks a value in all output of the record.
  func keepSecret(_ value: Value) { secrets.keep(value) }

  /// Notes the answer to a script's call to the outside.
  func note(_ one: Given) {
    countGiven += 1
    if !isTooMuch { given.append(one) }
  }

  /// Notes that the app was loaded just now.
  func loaded() {
    origin = clock()
    started()
  }

  /// Notes that the app has started. Later data of timers belong to the next step.
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

  /// Returns seconds, rounded down to microseconds so that a replay doesn't run timers early.
  private static func seconds(_ duration: Duration) -> Double {
    Double(duration / .microseconds(1)).rounded(.down) / 1e6
  }

  /// Returns the existing globals that lines of Lua have defined, sorted by bytes.
  func defined(in host: ScriptHost) -> [String] {
    if !hasBegun { return [] }
    return host.globals.subtracting(globals + ["_"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// The state of an item in a few words: enabled or not, its mark, and the reason if disabled.
enum ItemText {
  static func of(_ item: MenuElement) -> String {
    text(isEnabled: item.isEnabled, state: item.state.rawValue, reason: item.reason)
  }

  /// Returns the text of an item in a recording; nil for other elements.
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
