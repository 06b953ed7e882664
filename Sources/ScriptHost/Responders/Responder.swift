/// A *responder* is a node of the chain: it handles actions, supplies context, and names the responder after it.
public final class Responder {
  /// The three kinds of responders.
  public enum Kind: Sendable {
    case responder, window, app
  }

  /// The name, unique in the host.
  public let name: String
  /// Whether the responder is a window, the app, or any other.
  public let kind: Kind
  /// The script, plugin, client or program that made it.
  public let owner: Owner
  /// The line of the script that declares it.
  public let place: Place?
  /// A number that no other responder of the host ever has.
  let number: Int
  /// The counters of its chain.
  var home: Home?
  /// The responder after it: the app, unless its owner named another.
  public internal(set) unowned var next: Responder? {
    didSet { next?.isSomebodysNext = true }
  }
  /// The responder that this responder is attached before, which is also its next.
  public internal(set) unowned var before: Responder?
  /// The name of a removed responder. When a new one has this name, this responder is attached before it.
  var lostBefore: String?
  /// The responders attached before this responder, the last loaded first.
  var attached: [Responder] = []
  /// A window's delegate. The host tries it right after the window.
  public internal(set) unowned var delegate: Responder?
  /// A window's first responder.
  unowned var first: Responder?
  /// The maker's behaviour, then the behaviours of other owners in load order.
  private(set) var layers: [Behaviour]
  /// The classes given to this instance only, newest first.
  private(set) var derived: [ClassDefinition] = []
  private(set) var ancestor: ClassDefinition?
  /// True if it was removed from the chain, for good.
  var isRemoved: Bool {
    get { isTakenOut }
    set { isTakenOut = newValue }
  }
  /// The stored value. Swift checks each access to a public variable, which costs ten times as much.
  private var isTakenOut = false
  /// The walk that begins here, while `Walks` keeps it.
  var knownWalk: AnyObject?
  /// Its window, cached at a count of the chain's shape.
  unowned var knownWindow: Responder?
  var windowShape = -1
  /// True if it has a hook for getting or losing the focus, cached at a count of the chain's shape.
  var asksForFocus = false
  var focusShape = -1
  /// The responder whose history records its actions, cached at a count of the chain's shape.
  unowned var knownUndoOwner: Responder?
  var undoShape = -1
  /// The undo stack, once there is one; `undoStack` gives it its type.
  var undoObject: AnyObject?
  /// Supplies the rows of its pane, before its own `provide`; nil if it has no pane.
  var supplier: Handler?
  /// True if it registered a reversal.
  var hasReversals = false
  /// True if it ever was another's next: only then can a circle go through it.
  var isSomebodysNext = false
  /// The behaviours in order of precedence. The first that has an answer counts.
  private(set) var stack: [Behaviour] = []
  /// The actions that the host called `resolve` for since the tables changed.
  var resolved: Set<ByteText> = []
  private static let resolvedLimit = 4096
  /// The behaviours whose `stop` has run.
  var stopped: Set<ObjectIdentifier> = []
  /// The script engine's object for it.
  var scriptObject: AnyObject?

  init(name: String, kind: Kind, owner: Owner, place: Place?, number: Int) {
    self.name = name
    self.kind = kind
    self.owner = owner
    self.place = place
    self.number = number
    layers = [Behaviour(owner: owner)]
    restack()
  }

  /// Cuts the links to its neighbours: it doesn't retain them, and they may be freed before it.
  func isolate() {
    next = nil
    before = nil
    attached = []
    delegate = nil
    first = nil
    undoObject = nil
    knownWalk = nil
    knownWindow = nil
  }

  /// Returns the layer of an owner, and makes it if there is none.
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

  /// Adds a class to this responder on top of the others, unless it has the class already.
  func derive(_ definition: ClassDefinition) {
    guard !derived.contains(where: { $0 === definition }) else { return }
    derived.insert(definition, at: 0)
    restack()
  }

  func setAncestor(_ definition: ClassDefinition?) {
    ancestor = definition
    restack()
  }

  /// Notes that `resolve` was called for an action. The set is bounded: scripts may make up any number of actions.
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
  /// The length of the longest line of classes that were ever built on this class.
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

  /// Releases a long line of ancestors in a loop, because a nested `deinit` could exhaust the stack.
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
  /// Returns the first entry of a table for an action, from a position of the stack on.
  func entry(_ table: Behaviour.Table, _ name: Name, from start: Int = 0) -> (entry: HandlerEntry, position: Int)? {
    for position in stack.indices.dropFirst(start) {
      guard let entry = stack[position].entry(table, name) else { continue }
      // The `on` entry of an owner that is set aside explains why the action can't be done. Skip its other entries.
      if table == .on && start == 0 || stack[position].owner.whySetAside == nil { return (entry, position) }
    }
    return nil
  }

  func needs(_ name: Name) -> [Need] { said(\.needs, name) ?? [] }

  /// Returns the declaration for an action from the first behaviour that has it.
  func said<Content>(_ table: (Behaviour) -> [Name: Entry<Content>], _ name: Name) -> Content? {
    for behaviour in stack where behaviour.owner.whySetAside == nil {
      if let entry = table(behaviour)[name] { return entry.content }
    }
    return nil
  }

  /// Returns false if no behaviour has a handler whose name has this bit.
  func mayAnswer(_ bit: UInt64) -> Bool {
    for behaviour in stack where behaviour.mask & bit != 0 { return true }
    return false
  }

  /// Returns true if the stack contains a behaviour.
  func has(_ behaviour: Behaviour) -> Bool { stack.contains { $0 === behaviour } }

  /// Returns a hook of the first behaviour that has it.
  @inline(__always)
  func hook<Content>(_ hook: (Behaviour) -> Content?) -> Content? {
    for behaviour in stack where behaviour.owner.whySetAside == nil {
      if let found = hook(behaviour) { return found }
    }
    return nil
  }

  /// Returns all handlers of a hook that each layer may have: the maker's first, then in load order.
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
  /// Returns all builders of a kind: the maker's first, then in load order.
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
  /// The responder that handles the action.
  public internal(set) var taker: Responder? {
    get { takerObject as? Responder }
    set { takerObject = newValue }
  }
}

/// The *home* of a responder is the part of its chain that it knows: the counters that it changes.
final class Home {
  /// Counts changes that invalidate walks.
  private(set) var shape = 0
  /// Counts changes after which another responder may handle an action. Changes of the shape are included.
  var answerChanges = 0
  /// Steps taken over declarations, and not yet charged to a script.
  var work = 0

  func changeShape() {
    shape &+= 1
    answerChanges &+= 1
  }
}
