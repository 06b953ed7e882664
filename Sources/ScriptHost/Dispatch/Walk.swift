/// A *walk* is the order in which responders are asked, from a start on. It is made once and used until the shape
/// changes.
final class Walk {
  let nodes: [Responder]
  /// The providers, the farthest first, so that a nearer one may replace what a farther one wrote.
  let providers: [Provider]
  /// The catch-alls, nearest first.
  let catchAlls: [(node: Int, handler: Handler)]
  /// Whether each node also answers by `resolve`, `redirect` or `claims`.
  let dynamic: [Bool]
  /// Where each responder stands among the nodes, by its number.
  private(set) lazy var places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.number, $0) })
  /// The responders after the last node, through which only failures go.
  private let above: ArraySlice<Responder>
  /// Whether it goes on to the app and the embedding program.
  let isWhole: Bool
  /// The responder from which the walk was asked for. It is not the first node if it is the app.
  let start: Responder?
  /// Where the walk goes on in the main window. That depends on the focus, which the shape doesn't count.
  let mainStart: Responder?
  /// The chain's shape count when it was made.
  let shape: Int
  /// What was found on it; nil if it isn't kept. They retain it, so `Walks` takes them out.
  var resolutions: Resolutions?
  /// The bindings along the walk, once keys were looked up.
  var boundKeys: BoundKeys?
  /// A responder that supplies context, and its handler. A class, so that a step of a perform retains one object.
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
  /// The responders that are asked, in order, from a start on. None is asked twice, and the app comes last, before its
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

    /// Adds the responders attached before a responder first, and those attached before them, without recursion.
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

    /// Adds a responder, and right after a window its delegate; the delegate's own next and delegate are not followed.
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
  /// A walk that asks one responder only, in the context of this one.
  func alone(_ responder: Responder) -> Walk {
    let next = places[responder.number].map { $0 + 1 } ?? nodes.count
    return Walk(nodes: [responder], shape: shape, above: nodes[next...], providers: providers)
  }

  /// The responders from a step on, through which a failure travels.
  func upward(from step: Int) -> [Responder] { Array(nodes[step...]) + above }

  /// The first node, from a start on, that may answer an action, by its tables or by functions; most nodes can't.
  func first(from start: Int, thatMayAnswer name: Name?) -> Int {
    let bit = name.map(Behaviour.bit) ?? 0
    return nodes.withUnsafeBufferPointer { nodes in
      var node = start
      while node < nodes.count, !dynamic[node], bit == 0 || !nodes[node].mayAnswer(bit) { node += 1 }
      return node
    }
  }
}

/// The walks made lately, by their start, each with the resolutions that were found on it; a few are kept for a focus that moves to and fro.
final class Walks {
  private let chain: Chain
  private var known: [Walk] = []
  private static let limit = 16

  init(chain: Chain) { self.chain = chain }

  /// The walk from a responder on.
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

  /// Drops walks, and what was found on them, which retains them.
  private func forget(where isOld: (Walk) -> Bool) {
    for old in known where isOld(old) {
      old.resolutions = nil
      if old.start?.knownWalk === old { old.start?.knownWalk = nil }
    }
    known.removeAll(where: isOld)
  }

  deinit { forget { _ in true } }
}

/// The *resolutions* that were found on one walk, by the text that they resolve.
final class Resolutions {
  private let texts = TextIndex()
  private(set) var all: ContiguousArray<Resolution> = []
  /// How many are kept, how many bytes their texts may have together, and how many one may have to be kept. A script can fill this at will, so
  /// it is emptied when it is full.
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

/// The *first nodes* of a walk give, for each action, the first node that may answer it, found in one go. Without it, asking about
/// thousands of actions would search the whole walk for each.
struct FirstNodes {
  private var first: [Name: Int] = [:]
  /// The first node that also answers by functions.
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

  /// Where a resolution of a reference begins.
  func position(of reference: Reference, _ names: NameTable) -> WalkPosition {
    let named = reference.candidates.first.flatMap { names.name(of: $0.name) }.flatMap { first[$0] }
    return WalkPosition(node: min(named ?? other, other))
  }
}
