/// A *responder* is a node of the chain: it answers actions, supplies context, and names who is asked after it.
public final class Responder {
  /// Whether a responder is a window, the app, or any other.
  public enum Kind: Sendable {
    case responder, window, app
  }

  /// Its name, which no other responder of the host has.
  public let name: String
  /// Whether it is a window, the app, or any other.
  public let kind: Kind
  /// Who made it.
  public let owner: Owner
  /// Where a script declared it.
  public let place: Place?
  /// A number that no other responder of the host ever has.
  let number: Int
  /// The home of its chain, whose counts it changes.
  var home: Home?
  /// Asked next; the app where none was named.
  public internal(set) unowned var next: Responder? {
    didSet { next?.isSomebodysNext = true }
  }
  /// The responder before which it is asked, wherever a walk comes to that one; it stays this one's next.
  public internal(set) unowned var before: Responder?
  /// The name of the removed responder before which it is to be asked as soon as there is one again.
  var lostBefore: String?
  /// The responders attached before this one, the one loaded last first.
  var attached: [Responder] = []
  /// A window's delegate, asked right after it.
  public internal(set) unowned var delegate: Responder?
  /// A window's first responder.
  unowned var first: Responder?
  /// The maker's behaviour, then that of other owners in load order.
  private(set) var layers: [Behaviour]
  /// The classes given to this instance only, newest first.
  private(set) var derived: [ClassDefinition] = []
  private(set) var ancestor: ClassDefinition?
  /// Whether it was taken out of the chain, for good.
  var isRemoved: Bool {
    get { isTakenOut }
    set { isTakenOut = newValue }
  }
  /// The stored value. Each access to a public variable is checked, which costs as much as ten of these.
  private var isTakenOut = false
  /// The walk that begins here, while `Walks` keeps it.
  unowned(unsafe) var knownWalk: AnyObject?
  /// The window it is in, cached at a count of the chain's shape.
  unowned(unsafe) var knownWindow: Responder?
  var windowShape = -1
  /// Whether it has a hook for getting or losing the focus, cached at a count of the chain's shape.
  var asksForFocus = false
  var focusShape = -1
  /// The owner of the history for what it does, cached at a count of the chain's shape.
  unowned var knownUndoOwner: Responder?
  var undoShape = -1
  /// Its undo stack, once there is one; `undoStack` gives it its type.
  var undoObject: AnyObject?
  /// Supplies the rows of its pane, before its own `provide`; nil if it has no pane.
  var supplier: Handler?
  /// Whether it registered something to be taken back.
  var hasReversals = false
  /// Whether it ever was another's next: only then can a circle go through it.
  var isSomebodysNext = false
  /// The behaviours that are asked, in this order; the first that has an answer counts.
  private(set) var stack: [Behaviour] = []
  /// The actions that `resolve` was asked for since the tables changed.
  var resolved: Set<ByteText> = []
  private static let resolvedLimit = 4096
  /// The behaviours whose `stop` was run.
  var stopped: Set<ObjectIdentifier> = []
  /// The engine's object for it.
  var scriptObject: AnyObject?
  /// The job that began to wait last of those that bar their action from being done again, the head of a list; the scheduler retains the
  /// jobs and knows their type.
  let waiting = Cell<UnsafeMutableRawPointer?>(nil)

  init(name: String, kind: Kind, owner: Owner, place: Place?, number: Int) {
    self.name = name
    self.kind = kind
    self.owner = owner
    self.place = place
    self.number = number
    layers = [Behaviour(owner: owner)]
    restack()
  }

  deinit { waiting.free() }

  /// Drops the links to its neighbours, which it doesn't retain and which may be freed before it.
  func isolate() {
    next = nil
    before = nil
    attached = []
    delegate = nil
    first = nil
    undoObject = nil
  }

  /// The layer of an owner, made if there is none.
  func layer(of owner: Owner) -> Behaviour {
    if let known = layers.first(where: { $0.owner === owner }) { return known }
    let layer = Behaviour(owner: owner)
    setLayers(layers + [layer])
    return layer
  }

  /// Sets the layers: the maker's, then others' in load order.
  func setLayers(_ all: [Behaviour]) {
    layers = all.prefix(1) + all.dropFirst().sorted { $0.owner.number < $1.owner.number }
    restack()
  }

  func setClasses(ancestor: ClassDefinition?, derived: [ClassDefinition]) {
    self.ancestor = ancestor
    self.derived = derived
    restack()
  }

  func removeLayer(of owner: Owner) {
    let makers = layers.first
    layers.removeAll { $0.owner === owner && $0 !== makers }
    derived.removeAll { $0.owner === owner }
    if ancestor?.owner === owner { ancestor = nil }
    restack()
  }

  /// Adds a class to this instance on top of the others, unless it has that one already.
  func derive(_ definition: ClassDefinition) {
    guard !derived.contains(where: { $0 === definition }) else { return }
    derived.insert(definition, at: 0)
    restack()
  }

  func setAncestor(_ definition: ClassDefinition?) {
    ancestor = definition
    restack()
  }

  /// Notes that `resolve` was asked for an action. Scripts may make up any number of actions, so this is bounded.
  func noteResolved(_ action: String) {
    if resolved.count == Self.resolvedLimit { resolved = [] }
    resolved.insert(ByteText(action))
  }

  func restack() {
    resolved = []
    home?.changeShape()
    stack = derived.map(\.behaviour) + layers.dropFirst().reversed() + layers.prefix(1)
    var definition = ancestor
    while let known = definition {
      stack.append(known.behaviour)
      definition = known.ancestor
    }
    home?.work += stack.count
  }
}

/// A *class* is behaviour that several responders share.
final class ClassDefinition {
  let name: String
  let owner: Owner
  let place: Place?
  var ancestor: ClassDefinition?
  /// The greatest number of classes that were ever built on each other upon it.
  var height = 0
  static let depthLimit = 64
  let behaviour: Behaviour
  var scriptObject: AnyObject?

  init(name: String, owner: Owner, place: Place?, ancestor: ClassDefinition?) {
    self.name = name
    self.owner = owner
    self.place = place
    self.ancestor = ancestor
    behaviour = Behaviour(owner: owner, className: name)
  }

  /// Releases a long line of ancestors one by one, so that `deinit` isn't nested as deep as the line is long.
  deinit {
    var line = ancestor
    ancestor = nil
    while isKnownUniquelyReferenced(&line), let last = line {
      line = last.ancestor
      last.ancestor = nil
    }
  }
}

extension Responder {
  /// The first entry of a table for an action, from a position of the stack on.
  func entry(_ table: Behaviour.Table, _ name: Name, from start: Int = 0) -> (entry: HandlerEntry, position: Int)? {
    for position in stack.indices.dropFirst(start) {
      guard let entry = stack[position].entry(table, name) else { continue }
      // The `on` entry of an owner that was set aside is still found, to say why the action can't be done; its other entries are skipped.
      if table == .on && start == 0 || stack[position].owner.whySetAside == nil { return (entry, position) }
    }
    return nil
  }

  func needs(_ name: Name) -> [Need] { said(\.needs, name) ?? [] }

  /// The declaration for an action, of the first behaviour that has one.
  func said<Content>(_ table: (Behaviour) -> [Name: Entry<Content>], _ name: Name) -> Content? {
    for behaviour in stack where behaviour.owner.whySetAside == nil {
      if let entry = table(behaviour)[name] { return entry.content }
    }
    return nil
  }

  /// Whether a name with this bit may be in `on`.
  func mayAnswer(_ bit: UInt64) -> Bool {
    for behaviour in stack where behaviour.mask & bit != 0 { return true }
    return false
  }

  /// Whether a behaviour is among those that are asked.
  func has(_ behaviour: Behaviour) -> Bool { stack.contains { $0 === behaviour } }

  /// The first of its behaviours that has a hook.
  @inline(__always)
  func hook<Content>(_ hook: (Behaviour) -> Content?) -> Content? {
    for behaviour in stack where behaviour.owner.whySetAside == nil {
      if let found = hook(behaviour) { return found }
    }
    return nil
  }

  /// All handlers of a hook for which every layer counts: the maker's first, then in load order.
  @inline(__always)
  func hooks(_ hook: (Behaviour) -> Handler?) -> [Handler] {
    let others = layers.dropFirst().filter { $0.owner.whySetAside == nil }
    let own = stack.first { behaviour in
      behaviour.owner.whySetAside == nil && !layers.dropFirst().contains { $0 === behaviour } && hook(behaviour) != nil
    }
    return [own.flatMap(hook)].compactMap { $0 } + others.compactMap(hook)
  }
}

extension Responder {
  /// All its builders of a kind: the maker's first, then in load order.
  func builders(_ kind: Name) -> [Handler] {
    let others = layers.dropFirst().filter { $0.owner.whySetAside == nil }
    let own = stack.first { behaviour in
      behaviour.owner.whySetAside == nil && behaviour.build[kind] != nil
        && !layers.dropFirst().contains { $0 === behaviour }
    }
    return [own?.build[kind]?.content].compactMap { $0 } + others.compactMap { $0.build[kind]?.content }
  }
}

extension Context {
  /// The responder that takes the action.
  public internal(set) var taker: Responder? {
    get { takerObject as? Responder }
    set { takerObject = newValue }
  }
}

/// The *home* of a responder is the part of its chain that it knows: counts that it changes.
final class Home {
  /// Counts changes of what walks are made of; C reads it too.
  let shapeChanges = Cell(0)
  /// Counts changes after which another responder may answer an action, those of the shape included.
  let answerChanges = Cell(0)
  /// Steps taken over declarations that nobody was charged for yet.
  var work = 0

  deinit {
    shapeChanges.free()
    answerChanges.free()
  }

  func changeShape() {
    shapeChanges.value &+= 1
    answerChanges.value &+= 1
  }
}
