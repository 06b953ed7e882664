/// Makes random operations; the same seed makes the same ones.
struct OperationGenerator {
  private var state: UInt64
  private var made = 0
  static let actions = ["a", "b", "x.a", "y.x.a"]
  private static let responders = (0..<5).map { "r\($0)" }
  private static let windows = (0..<3).map { "w\($0)" }
  private static let names = responders + windows + ["app"]
  private static let classes = ["C0", "C1", "C2"]

  /// Whether what is asked seldom has options, and the program supplies nothing: then plans may run most of it at once.
  private var isPlain = false

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
    isPlain = chance(60)
  }

  /// The next number below a bound, from SplitMix64.
  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) >> 33) % bound
  }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  private mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  private mutating func maybe<Element>(_ percent: Int, _ make: (inout Self) -> Element) -> Element? {
    chance(percent) ? make(&self) : nil
  }

  // MARK: Steps

  mutating func steps(_ count: Int) -> [Turn] {
    (0..<count).map { index in
      let operation = index < 8 ? addition() : operation()
      let asks = [ask(), ask()]
      // What is asked again and again is what is kept.
      return Turn(operation: operation, asks: chance(isPlain ? 60 : 30) ? asks + asks + asks : asks)
    }
  }

  private mutating func addition() -> Operation {
    let isWindow = chance(35)
    let name = one(of: isWindow ? Self.windows : Self.responders)
    return .add(name, isWindow: isWindow, next: maybe(75) { $0.name() })
  }

  private mutating func name() -> String { one(of: Self.names) }
  /// One much more often than the others, so that several answer it.
  private mutating func action() -> String { chance(50) ? "a" : one(of: Self.actions) }
  private mutating func some<Element>(_ elements: [Element]) -> [Element] { elements.filter { _ in chance(50) } }

  mutating func operation() -> Operation {
    switch below(100) {
    case ..<8: addition()
    case ..<11: .remove(name())
    case ..<15: modality()
    case ..<20: .next(name(), of: name())
    case ..<24: .delegate(maybe(80) { $0.name() }, of: one(of: Self.windows + ["app"]))
    case ..<30: .focus(name())
    case ..<32: .makeKey(one(of: Self.windows))
    case ..<34: .makeMain(one(of: Self.windows))
    case ..<62: .set(table(), action(), place())
    case ..<82: .setHook(hook(), place())
    case ..<84: .native(chance(20) ? "undo" : action(), reaction())
    case ..<89: .takeBack(below(1000))
    case ..<92: .derive(name(), one(of: Self.classes))
    case ..<95: .ancestor(maybe(75) { $0.one(of: Self.classes) }, of: name())
    case ..<97: .removeLayer(below(2) + 1, of: name())
    default: .hostValue(maybe(isPlain ? 0 : 70) { $0.below(10) })
    }
  }

  private mutating func modality() -> Operation {
    switch below(100) {
    case ..<45: .modal(name(), isDismissable: chance(40))
    case ..<70: .close(below(1000))
    case ..<75: .background
    default: .focusAnswers(accepts: chance(80), becomes: chance(80), resigns: chance(80), of: name())
    }
  }

  private mutating func place() -> Where {
    if chance(12) { return Where(owner: 0, name: one(of: Self.classes)) }
    return Where(owner: chance(50) ? 0 : below(2) + 1, name: name())
  }

  private mutating func table() -> Operation.Table {
    switch below(100) {
    case ..<60: .on(reaction())
    case ..<85: .can(one(of: [.yes, .yes, .no("no \(below(10))"), .no(""), .pass, .raise]))
    default: .needs(some(Write.keys))
    }
  }

  private mutating func hook() -> Operation.Hook {
    switch below(100) {
    case ..<30: .provide(maybe(85) { $0.provider() })
    case ..<48: .resolve(maybe(80) { $0.chance(10) ? .raises : .adds($0.some(Self.actions), $0.below(10)) })
    case ..<66: .redirect(maybe(80) { $0.redirection() })
    case ..<82: .claims(maybe(80) { $0.claiming() })
    case ..<96: .unknown(maybe(85) { $0.reaction() })
    default: .worksWhenModal(maybe(85) { $0.chance(75) })
    }
  }

  private mutating func provider() -> Provider {
    var writes = writes(3)
    if chance(10) { writes.append(Write(key: "action", how: .set(1))) }
    return Provider(writes: writes, raises: chance(10))
  }

  private mutating func writes(_ count: Int) -> [Write] {
    (0..<below(count + 1)).map { _ in
      let how: Write.How = chance(50) ? .append(below(10)) : .set(maybe(85) { $0.below(10) })
      return Write(key: one(of: Write.keys), how: how)
    }
  }

  private mutating func redirection() -> Redirection {
    switch below(100) {
    case ..<60: return .to(name())
    case ..<95:
      var targets: [String: String] = [:]
      for action in some(Self.actions + ["q"]) { targets[action] = name() }
      return .asked(targets)
    default: return .raises
    }
  }

  private mutating func claiming() -> Claiming {
    switch below(100) {
    case ..<25: .all
    case ..<60: .these(some(Self.actions + ["q"]))
    case ..<95: .asked(some(Self.actions + ["q"]))
    default: .raises
    }
  }

  private mutating func reaction() -> Reaction {
    var reaction = Reaction()
    reaction.writes = writes(2)
    if chance(25) { reaction.operation = chance(50) ? .set(table(), action(), place()) : operation() }
    made += 1
    reaction.id = made
    if chance(8) { reaction.nested = ask() }
    switch below(100) {
    case ..<50: reaction.end = .pass
    case ..<85: reaction.end = .value(below(100))
    case ..<92: reaction.end = .refuse("refused \(below(10))")
    default: reaction.end = .raise
    }
    return reaction
  }

  mutating func ask() -> Ask {
    var ask = Ask(id: chance(40) ? action() : one(of: Self.actions + ["z.b", "q", "z.x.a", "undo"]))
    ask.arguments = values(15)
    ask.info = values(isPlain ? 2 : 15)
    if chance(isPlain ? 2 : 12) { ask.to = name() }
    if chance(isPlain ? 2 : 15) { ask.from = name() }
    // The host's own action refuses by itself what its `can` would, which no handler of the model does.
    ask.skips = chance(isPlain ? 2 : 8) && ask.id != "undo"
    return ask
  }

  private mutating func values(_ percent: Int) -> [Write] {
    Write.keys.compactMap { key in
      maybe(percent) { Write(key: key, how: .set($0.maybe(80) { $0.below(10) })) }
    }
  }
}

/// One operation, and what is asked after it.
struct Turn {
  var operation: Operation
  var asks: [Ask]
}
