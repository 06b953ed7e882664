/// The order in which the host asks responders, from a start on. Reused until the shape changes.
final class Walk {
  let nodes: [Responder]
  /// The providers, farthest first, so that nearer ones override farther ones.
  let providers: [Provider]
  /// The catch-alls, nearest first.
  let catchAlls: [(node: Int, handler: Handler)]
  /// Whether each node has `resolve`, `redirect` or `claims`.
  let dynamic: [Bool]
  /// The index of each responder among the nodes, by its number.
  private(set) lazy var places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.number, $0) })
  /// The responders after the last node, which only failures reach.
  private let above: ArraySlice<Responder>
  /// Whether the walk continues to the app and the embedding program.
  let isWhole: Bool
  /// The start that the caller passed. If it is the app, it isn't the first node.
  let start: Responder?
  /// Where the walk continues in the main window. This depends on the focus, which the shape doesn't count.
  let mainStart: Responder?
  /// The chain's shape count when the walk was created.
  let shape: Int
  /// The resolutions found on the walk; nil if it isn't cached. They retain the walk, so `Walks` clears them.
  var resolutions: Resolutions?
  /// The bindings along the walk, after the first look-up of keys.
  var boundKeys: BoundKeys?
  /// A responder that supplies context, and its handler. A class, so that each step of a perform retains one object.
  final class Provider {
    let responder: Responder
    let handler: Handler

    init(_ responder: Responder, _ handler: Handler) {
      self.responder = responder
      self.handler = handler
    }
  }

  init(
    nodes: [Responder], shape: Int, from start: Responder? = nil, mainStart: Responder? = nil,
    above: ArraySlice<Responder> = [],
    providers known: [Provider]? = nil
  ) {
    self.nodes = nodes
    self.shape = shape
    self.start = start
    self.mainStart = mainStart
    self.above = above
    isWhole = known == nil
    var providers: [Provider] = known ?? []
    var catchAlls: [(Int, Handler)] = []
    var dynamic: [Bool] = []
    for (index, node) in nodes.enumerated() {
      dynamic.append(node.stack.contains { $0.hasDynamicAnswers })
      if let unknown = node.hook(\.unknown) { catchAlls.append((index, unknown)) }
    }
    for node in nodes.reversed() where known == nil {
      if let supplier = node.supplier { providers.append(Provider(node, supplier)) }
      for handler in node.hooks(\.provide) { providers.append(Provider(node, handler)) }
    }
    self.providers = providers
    self.catchAlls = catchAlls
    self.dynamic = dynamic
  }
}

extension Chain {
  /// Returns the responders to ask, in order, from a start on. No responder comes twice. The app comes last, before its
  /// delegate.
  func nodes(from start: Responder) -> [Responder] {
    var order = Order(app: app)
    order.follow(start)
    if let main, let mainStart {
      order.follow(mainStart)
      order.meet(main)
    }
    order.finish()
    return order.nodes
  }

  /// A walk under construction.
  private struct Order {
    let app: Responder
    var nodes: [Responder] = []
    var met: Set<Int> = []

    mutating func ask(_ responder: Responder) {
      guard responder !== app else { return }
      guard responder.attached.isEmpty else { return askAttached(of: responder) }
      if met.insert(responder.number).inserted { nodes.append(responder) }
    }

    /// Adds the attached responders first, and those attached to them, without recursion.
    private mutating func askAttached(of responder: Responder) {
      var way = [(node: responder, asked: 0)]
      while let (node, asked) = way.last {
        if asked < node.attached.count {
          way[way.count - 1].asked += 1
          if !met.contains(node.attached[asked].number) { way.append((node.attached[asked], 0)) }
        } else {
          way.removeLast()
          if met.insert(node.number).inserted { nodes.append(node) }
        }
      }
    }

    /// Adds a responder, and after a window its delegate. It ignores the delegate's own `next` and delegate.
    mutating func meet(_ responder: Responder) {
      ask(responder)
      if responder.kind == .window, let delegate = responder.delegate { ask(delegate) }
    }

    mutating func follow(_ start: Responder) {
      var node: Responder? = start
      while let known = node, known !== app {
        meet(known)
        node = known.next
      }
    }

    mutating func finish() {
      if app.attached.isEmpty { nodes.append(app) } else { askAttached(of: app) }
      if let delegate = app.delegate { ask(delegate) }
    }
  }
}

extension Walk {
  /// Returns a walk of a single responder, in the context of this walk.
  func alone(_ responder: Responder) -> Walk {
    let next = places[responder.number].map { $0 + 1 } ?? nodes.count
    return Walk(nodes: [responder], shape: shape, above: nodes[next...], providers: providers)
  }

  /// Returns the responders from a step on, which a failure reaches.
  func upward(from step: Int) -> [Responder] { Array(nodes[step...]) + above }

  /// Returns the first node, from a start on, whose tables or functions may handle an action; most nodes can't.
  func first(from start: Int, thatMayAnswer name: Name?) -> Int {
    let bit = name.map(Behaviour.bit) ?? 0
    return nodes.withUnsafeBufferPointer { nodes in
      var node = start
      while node < nodes.count, !dynamic[node], bit == 0 || !nodes[node].mayAnswer(bit) { node += 1 }
      return node
    }
  }
}

/// The most recent walks by their start, with their resolutions. A few are kept for a focus that moves to and fro.
final class Walks {
  private let chain: Chain
  private var known: [Walk] = []
  private static let limit = 16

  init(chain: Chain) { self.chain = chain }

  /// Returns the walk from a responder on.
  func walk(from start: Responder) -> Walk {
    let mainStart = chain.mainStart
    if let known = start.knownWalk as? Walk, known.shape == chain.shape, known.mainStart === mainStart { return known }
    return newWalk(from: start, mainStart)
  }

  private func newWalk(from start: Responder, _ mainStart: Responder?) -> Walk {
    let walk = Walk(nodes: chain.nodes(from: start), shape: chain.shape, from: start, mainStart: mainStart)
    forget { $0.shape != walk.shape || $0.start === start }
    if known.count == Self.limit {
      let oldest = known[0]
      forget { $0 === oldest }
    }
    walk.resolutions = Resolutions()
    known.append(walk)
    start.knownWalk = walk
    return walk
  }

  /// Drops walks and their resolutions, which retain them.
  private func forget(where isOld: (Walk) -> Bool) {
    for old in known where isOld(old) {
      old.resolutions = nil
      if old.start?.knownWalk === old { old.start?.knownWalk = nil }
    }
    known.removeAll(where: isOld)
  }

  deinit { forget { _ in true } }
}

/// The resolutions found on one walk, by their text.
final class Resolutions {
  private let texts = TextIndex()
  private(set) var all: ContiguousArray<Resolution> = []
  /// Limits for the cached resolutions, their total bytes, and the bytes of one text. Scripts can fill this, so it is
  /// emptied when full.
  static let countLimit = 1024, byteLimit = 1 << 19, textLimit = 1024

  subscript(text: String) -> Resolution? { text.withBytes(texts.find).map { all[$0 - texts.first] } }

  func keep(_ resolution: Resolution) {
    let count = resolution.raw.utf8.count
    guard count <= Self.textLimit else { return }
    if all.count == Self.countLimit || texts.byteCount + count > Self.byteLimit {
      texts.removeAll()
      all = []
    }
    let place = resolution.raw.withBytes(texts.insert) - texts.first
    if place < all.count { all[place] = resolution } else { all.append(resolution) }
  }
}

/// The first node of a walk that may handle each action, found in one pass.
///
/// Otherwise, looking up thousands of actions would search the whole walk for each.
struct FirstNodes {
  private var first: [Name: Int] = [:]
  /// The first node that also has functions.
  private let other: Int

  init(_ walk: Walk) {
    var met: Set<ObjectIdentifier> = []
    for (index, node) in walk.nodes.enumerated() {
      for behaviour in node.stack where met.insert(ObjectIdentifier(behaviour)).inserted {
        for name in behaviour.on.keys where first[name] == nil { first[name] = index }
      }
    }
    other = walk.dynamic.firstIndex(of: true) ?? walk.nodes.count
  }

  /// Returns where a resolution of a reference begins.
  func position(of reference: Reference, _ names: NameTable) -> WalkPosition {
    let named = reference.candidates.first.flatMap { names.name(of: $0.name) }.flatMap { first[$0] }
    return WalkPosition(node: min(named ?? other, other))
  }
}
