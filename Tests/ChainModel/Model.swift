/// A *model* is the rules of D, I, C1, C2, V5 and F0 to F8 as `semantics.md` says them: no cache, no counters of changes, plain values.
///
/// Whatever is asked is found out anew from the tables, as slowly as it takes.
struct Model {
  /// A responder, a window or the app; whoever is made again under a name is another one.
  struct Node {
    let name: String
    let isWindow: Bool
    var next: Int?
    var delegate: Int?
    var first: Int?
    var isRemoved = false
    /// By owner, in the order in which they came; the maker's is the first.
    var layers: [(owner: Int, tables: Tables)] = [(0, Tables())]
    /// Names of classes, newest first.
    var derived: [String] = []
    var ancestor: String?
    /// What `resolve` was asked for since the tables changed.
    var resolved: Set<String> = []
    /// What it says to having, getting and losing the focus.
    var accepts = true
    var becomes = true
    var resigns = true
  }

  /// What one owner gave to one responder or class.
  struct Tables {
    var on: [String: (Reaction, number: Int)] = [:]
    var can: [String: (Permit, number: Int)] = [:]
    var needs: [String: ([String], number: Int)] = [:]
    var provide: Provider?
    var resolve: Resolve?
    var redirect: Redirection?
    var claims: Claiming?
    var unknown: Reaction?
    var worksWhenModal: Bool?
  }

  static let app = 0
  var nodes = [Node(name: "app", isWindow: false)]
  var classes: [String: Tables] = ["C0": Tables(), "C1": Tables(), "C2": Tables()]
  let ancestors = ["C1": "C0"]
  var natives: [String: (Reaction, number: Int)] = [:]
  var hostValues: [Write] = []
  var keyHistory: [Int] = []
  var main: Int?
  var loose: Int?
  /// The modal sessions that are open, the topmost last, and how many there ever were.
  var sessions: [Session] = []
  var opened = 0
  /// What was registered, so that it can be taken back.
  var handles: [(where: Where, table: Operation.Table, action: String)?] = []
  var trace: [String] = []
  /// The actions that are performed, outermost first.
  var performing: [String] = []
  /// How often each reaction ran.
  var runs: [Int: Int] = [:]

  func find(_ name: String?) -> Int? {
    nodes.indices.first { nodes[$0].name == name && !nodes[$0].isRemoved }
  }

  func name(_ node: Int) -> String { nodes[node].name }
}

// MARK: D1: the walk

extension Model {
  var key: Int? { keyHistory.last }

  /// Where a walk begins: who was focused last in the key window, or without a window; else the key window; else the app.
  var focused: Int { loose ?? key.map { nodes[$0].first ?? $0 } ?? Model.app }

  func walk(from start: Int) -> [Int] {
    var order: [Int] = []
    func ask(_ node: Int) {
      if node != Model.app && !order.contains(node) { order.append(node) }
    }
    func follow(_ start: Int) {
      var node: Int? = start
      while let known = node {
        ask(known)
        if nodes[known].isWindow, let delegate = nodes[known].delegate { ask(delegate) }
        node = nodes[known].next
      }
    }
    follow(start)
    if let main, main != key {
      follow(nodes[main].first ?? main)
      ask(main)
      if let delegate = nodes[main].delegate { ask(delegate) }
    }
    order.append(Model.app)
    if let delegate = nodes[Model.app].delegate { ask(delegate) }
    return order
  }
}

// MARK: D14: lookup on one responder

extension Model {
  func stack(_ node: Int) -> [Tables] {
    let node = nodes[node]
    var stack = node.derived.map { classes[$0]! }
    stack += node.layers.dropFirst().reversed().map(\.tables)
    stack.append(node.layers[0].tables)
    var ancestor = node.ancestor
    while let known = ancestor {
      stack.append(classes[known]!)
      ancestor = ancestors[known]
    }
    return stack
  }

  func look<Found>(_ node: Int, _ find: (Tables) -> Found?) -> Found? {
    for tables in stack(node) {
      if let found = find(tables) { return found }
    }
    return nil
  }

  /// Of `provide` all layers count, the maker's first; of the maker's own, its classes included, the first that has one.
  func providers(_ node: Int) -> [Provider] {
    var alone = self
    alone.nodes[node].layers = [nodes[node].layers[0]]
    return [alone.look(node, \.provide)].compactMap { $0 } + nodes[node].layers.dropFirst().compactMap(\.tables.provide)
  }
}

// MARK: D2: one node

extension Model {
  enum Found {
    case nobody
    case taker(Int, via: String, Reaction, isCatchAll: Bool)
    case raised(String, of: Int)
  }

  /// A name to look for: the whole id first, then with one leading component less at a time (I1, I2).
  struct Query {
    let action: String
    let prefix: String
    let isLast: Bool

    static func all(_ id: String) -> [Query] {
      let parts = id.split(separator: ".").map(String.init)
      return parts.indices.map {
        Query(
          action: parts[$0...].joined(separator: "."), prefix: parts[..<$0].joined(separator: "."),
          isLast: $0 == parts.count - 1)
      }
    }
  }

  /// `on[name]` · `resolve` · `redirect` · `claims`; `before` are those that the walk has asked, this one included.
  mutating func ask(_ node: Int, _ query: Query, before: [Int], redirected: inout Set<Int>) -> Found {
    let own = answer(node, query, via: ("on", "resolve"))
    guard case .nobody = own else { return own }
    var path = [node]
    while true {
      let last = path[path.count - 1]
      var target: Int?
      switch look(last, \.redirect) {
      case nil: break
      case .to(let name)?: target = find(name)
      case .asked(let targets)?:
        trace.append("redirect \(name(last)) \(query.action)")
        target = find(targets[query.action])
      case .raises?:
        trace.append("redirect \(name(last)) \(query.action)")
        return .raised("redirect of \(name(last))", of: last)
      }
      guard let target else { return claimed(last, query, via: last == node ? "claims" : "redirect") }
      if path.contains(target) {
        let circle = (path + [target]).map(name).joined(separator: " → ")
        return .raised("redirect leads in a circle: \(circle)", of: node)
      }
      // One already asked in this walk is skipped; the walk goes on at this node's next.
      if before.contains(target) || redirected.contains(target) { return .nobody }
      redirected.insert(target)
      let answer = answer(target, query, via: ("redirect", "redirect"))
      guard case .nobody = answer else { return answer }
      path.append(target)
    }
  }

  private mutating func answer(_ node: Int, _ query: Query, via: (on: String, resolve: String)) -> Found {
    if let entry = look(node, { $0.on[query.action] }) { return .taker(node, via: via.on, entry.0, isCatchAll: false) }
    guard let resolve = look(node, \.resolve), !nodes[node].resolved.contains(query.action) else { return .nobody }
    trace.append("resolve \(name(node)) \(query.action)")
    switch resolve {
    case .raises: return .raised("resolve of \(name(node))", of: node)
    case .adds(let actions, let value):
      if actions.contains(query.action) {
        set(.on(Reaction(end: .value(value))), query.action, Where(owner: 0, name: name(node)))
      }
      // Asked once per action until the tables change; what it added itself does not count.
      nodes[node].resolved.insert(query.action)
      guard actions.contains(query.action), let entry = look(node, { $0.on[query.action] }) else { return .nobody }
      return .taker(node, via: via.resolve, entry.0, isCatchAll: false)
    }
  }

  private mutating func claimed(_ node: Int, _ query: Query, via: String) -> Found {
    guard let claims = look(node, \.claims), let unknown = look(node, \.unknown) else { return .nobody }
    let isClaimed: Bool
    switch claims {
    case .all: isClaimed = query.isLast
    case .these(let actions): isClaimed = actions.contains(query.action)
    case .asked(let actions):
      trace.append("claims \(name(node)) \(query.action)")
      isClaimed = actions.contains(query.action)
    case .raises:
      trace.append("claims \(name(node)) \(query.action)")
      return .raised("claims of \(name(node))", of: node)
    }
    return isClaimed ? .taker(node, via: via, unknown, isCatchAll: true) : .nobody
  }
}

// MARK: C1 and C2: the context

extension Model {
  struct Knowledge {
    /// Who wrote what, nearest first: the handlers, the arguments, the info, then the providers from near to far.
    var groups: [[Write]]
    var action = ""
    var prefix = ""
    var taker = ""

    /// From near to far, up to the first that sets the key and doesn't append to it.
    func value(_ key: String) -> String {
      var values: [Int] = []
      var isList = false
      for group in groups {
        var appended: [Int] = []
        var own: [Int] = []
        let writes = group.filter { $0.key == key }
        for write in writes {
          switch write.how {
          case .set(let value):
            own = value.map { [$0] } ?? []
            appended = []
          case .append(let value): appended.append(value)
          }
        }
        values += appended + own
        isList = isList || !appended.isEmpty
        if writes.contains(where: \.isSet) { break }
      }
      return isList ? "[\(values.map(String.init).joined(separator: ","))]" : values.first.map(String.init) ?? "null"
    }

    var shown: String {
      "\(action) of \(taker), prefix '\(prefix)'," + Write.keys.map { " \($0)=\(value($0))" }.joined()
    }
  }

  func knowledge(_ walk: [Int], _ ask: Ask) -> Knowledge {
    let provided = walk.flatMap { node in
      providers(node).reversed().map { provider in provider.writes.filter { $0.key != "action" } }
    }
    return Knowledge(groups: [[], ask.arguments, ask.info] + provided + [hostValues])
  }
}

// MARK: Perform: D2 to D6, D13

extension Model {
  mutating func perform(_ ask: Ask) -> Answer {
    performing.append(ask.id)
    defer { performing.removeLast() }
    let opened = opened
    let target = find(ask.to)
    let walk = walk(from: target ?? find(ask.from) ?? focused)
    var context = knowledge(walk, ask)
    let asked = target.map { [$0] } ?? walk
    var passed: Set<Int> = []

    for query in Query.all(ask.id) {
      var redirected: Set<Int> = []
      for (index, node) in asked.enumerated() where !nodes[node].isRemoved && !redirected.contains(node) {
        switch self.ask(node, query, before: Array(asked[...index]), redirected: &redirected) {
        case .nobody: continue
        case .raised(let message, let failing):
          endSessions(afterFailureOf: failing, openedSince: opened)
          return Answer(status: "failed", error: message)
        case .taker(let taker, let via, let reaction, let isCatchAll):
          if let reason = blocked(taker) { return block(reason).by(name(taker), via) }
          aim(&context, query, name(taker))
          if let refusal = refusal(taker, query, context, ask) {
            guard let refusal = refusal.answer else {
              if isCatchAll { passed.insert(taker) }
              continue
            }
            return refusal.by(name(taker), via)
          }
          if let answer = run(reaction, &context, isCatchAll ? "unknown" : "on", taker, opened) {
            return answer.by(name(taker), via)
          }
          if isCatchAll { passed.insert(taker) }
        }
      }
      if target == nil, let native = natives[query.action] {
        if let reason = blockedNative(query.action) { return block(reason).by("host", "native") }
        aim(&context, query, "host")
        if let answer = run(native.0, &context, "native", nil, opened) { return answer.by("host", "native") }
      } else if target == nil, let reason = ownRefusal(query.action) {
        return Answer(status: "disabled", reason: reason).by("host", "native")
      }
    }
    // D3: only now the catch-alls, nearest first; D5: with a target its own only.
    let last = Query.all(ask.id).last!
    for node in asked where !nodes[node].isRemoved && !passed.contains(node) {
      guard let unknown = look(node, \.unknown) else { continue }
      if let reason = blocked(node) { return block(reason).by(name(node), "unknown") }
      aim(&context, last, name(node))
      if let answer = run(unknown, &context, "unknown", node, opened) { return answer.by(name(node), "unknown") }
    }
    return Answer(status: "unhandled")
  }

  /// U5 and U7: why the host's own `undo` can't be done, where nothing was ever registered; nil for every other action.
  private func ownRefusal(_ action: String) -> String? {
    guard action == "undo" else { return nil }
    if performing.count > 1 { return "nothing can be undone while '\(performing[0])' is being performed" }
    return "there is nothing to undo"
  }

  private func aim(_ context: inout Knowledge, _ query: Query, _ taker: String) {
    context.action = query.action
    context.prefix = query.prefix
    context.taker = taker
  }

  /// What a handler does; nil when it passes.
  private mutating func run(
    _ reaction: Reaction, _ context: inout Knowledge, _ kind: String, _ taker: Int?, _ opened: Int
  ) -> Answer? {
    trace.append("\(kind) \(context.shown)")
    context.groups[0] += reaction.writes
    runs[reaction.id, default: 0] += 1
    if let operation = reaction.operation, runs[reaction.id, default: 0] % 2 == 0 { apply(operation) }
    if let nested = reaction.nested, performing.count == 1 {
      let answer = perform(nested)
      trace.append("nested \(answer.status) \(answer.by ?? "")")
    }
    switch reaction.end {
    case .pass: return nil
    case .value(let value): return Answer(status: "handled", result: "\(value)")
    case .refuse(let reason): return Answer(status: "disabled", reason: reason)
    case .raise:
      endSessions(afterFailureOf: taker, openedSince: opened)
      return Answer(status: "failed", error: "raised")
    }
  }

  /// `needs`, then `can` (D13); nil when neither has anything against it, an empty one when `can` passes (V5).
  private mutating func refusal(
    _ taker: Int, _ query: Query, _ context: Knowledge, _ ask: Ask
  ) -> (answer: Answer?, Void)? {
    if ask.skips { return nil }
    for key in look(taker, { $0.needs[query.action] })?.0 ?? [] where context.value(key) == "null" {
      return (Answer(status: "disabled", reason: "needs '\(key)', but nothing supplies it now"), ())
    }
    guard let can = look(taker, { $0.can[query.action] }) else { return nil }
    trace.append("can \(context.shown)")
    switch can.0 {
    case .yes: return nil
    case .pass: return (nil, ())
    case .no(let said):
      // V12: a reason is never empty.
      let reason = said.isEmpty ? "'\(name(taker))' refuses '\(query.action)'" : said
      return (Answer(status: "disabled", reason: reason), ())
    case .raise: return (Answer(status: "disabled", reason: "error: can raised"), ())
    }
  }
}

// MARK: Validation: V1, V2, V5, V14, D4

extension Model {
  mutating func validate(_ ask: Ask) -> Answer {
    let target = find(ask.to)
    let walk = walk(from: target ?? find(ask.from) ?? focused)
    var context = knowledge(walk, ask)
    // Of what skips that, who takes it is looked for, and asked nothing.
    let declared = Answer(status: "enabled")
    let asked = target.map { [$0] } ?? walk
    for query in Query.all(ask.id) {
      var redirected: Set<Int> = []
      for (index, node) in asked.enumerated() where !redirected.contains(node) {
        switch self.ask(node, query, before: Array(asked[...index]), redirected: &redirected) {
        case .nobody: continue
        case .raised(let message, _):
          return ask.skips ? declared : Answer(status: "disabled", reason: "error: \(message)")
        case .taker(let taker, let via, _, _):
          if ask.skips { return declared }
          if let reason = blocked(taker) { return Answer(status: "disabled", reason: reason).by(name(taker), via) }
          aim(&context, query, name(taker))
          guard let refusal = refusal(taker, query, context, ask) else {
            return Answer(status: "enabled").by(name(taker), via)
          }
          if let answer = refusal.answer { return answer.by(name(taker), via) }
        }
      }
      if target == nil, natives[query.action] != nil {
        if ask.skips { return declared }
        let reason = blockedNative(query.action)
        return Answer(status: reason == nil ? "enabled" : "disabled", reason: reason).by("host", "native")
      }
      if target == nil, let reason = ownRefusal(query.action) {
        return ask.skips ? declared : Answer(status: "disabled", reason: reason).by("host", "native")
      }
    }
    if ask.skips { return declared }
    return Answer(status: "disabled", reason: "nobody handles '\(ask.id)'")
  }
}
