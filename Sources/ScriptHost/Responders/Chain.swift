/// The *chain* holds the responders of one host, the order in which the host tries them, and the focus.
final class Chain {
  /// True once a script or the program has declared a secret argument.
  var hasSecrets = false {
    didSet { if hasSecrets != oldValue { onWatched?() } }
  }
  /// True if references don't fall back to their last component.
  var isExact = false {
    didSet { if isExact != oldValue { changeAnswers() } }
  }
  let names: NameTable
  let app: Responder
  let home = Home()
  /// Counts changes of the focus. A cached value is stale if its counter has changed since.
  private(set) var focusCount = 0
  /// Counts each change of the next undo step, in any history: an action was done or redone.
  private(set) var undoableCount = 0
  /// Counts bindings that were added or removed.
  var keyChanges = 0
  /// The user's own keys; nil where none were loaded.
  var keymap: Keymap? { didSet { keyChanges += 1 } }
  /// The responders and windows by name. Both share one name space.
  private(set) var responders: [ByteText: Responder] = [:]
  private(set) var windows: [Responder] = []
  /// The windows that were key. The key window is last.
  private(set) var keyHistory: [Responder] = []
  private(set) var main: Responder?
  private(set) var classes: [ClassDefinition] = []
  /// The focused responder, if it is outside of every window.
  private(set) var loose: Responder?
  /// The open modal sessions, the topmost last.
  var sessions: [ModalSession] = [] {
    didSet { onWatched?() }
  }
  /// How many sessions were opened so far.
  var lastSession = 0
  /// Called when a session opens or closes, and at the first secret declaration: both change how actions are performed.
  var onWatched: (() -> Void)?
  private var nextNumber = 0
  private var nextEntry = 0
  /// The owner whose script is being reloaded; responders of other owners can't be changed meanwhile.
  var loading: Owner?
  /// Removed responders that still have layers of other owners. The layers wait for a new responder of the same name.
  var orphans: [ByteText: Responder] = [:]
  /// Counts how often somebody gave the focus to a responder by name. Removals and reloads don't count.
  private(set) var focusMoves = 0
  /// Called for each removed responder.
  var onRemove: ((Responder) -> Void)?

  let life = Life<Chain>()

  init(names: NameTable, owner: Owner) {
    self.names = names
    app = Responder(name: "app", kind: .app, owner: owner, place: nil, number: 0)
    nextNumber = 1
    life.begin(self)
    responders[ByteText("app")] = app
    app.home = home
  }

  /// Cuts all links: a program may retain a responder longer than the chain, but a responder doesn't retain its
  /// neighbours.
  deinit {
    life.end()
    for responder in responders.values { responder.isolate() }
    for session in sessions { session.over() }
  }

  var shape: Int { home.shape }

  /// Returns the steps taken over declarations since the last call, which the host charges to the running script.
  func takeWork() -> Int {
    defer { home.work = 0 }
    return home.work
  }

  var key: Responder? { keyHistory.last }

  /// Invalidates all walks.
  func changeShape() { home.changeShape() }

  /// Counts that there is something new to undo. Returns the new count.
  @inline(__always)
  func countUndoable() -> Int {
    undoableCount &+= 1
    return undoableCount
  }

  /// Counts that the focus may have changed.
  private func changeFocus() { focusCount &+= 1 }

  /// Invalidates resolutions, because an action got a handler or lost one.
  func changeAnswers() { home.answerChanges &+= 1 }

  /// Returns the `Name` of a declared action. A new name makes all walks stale, because earlier lookups may have failed
  /// on it.
  func intern(_ action: String) -> Name {
    if let known = names.name(of: action) { return known }
    changeShape()
    return names.intern(action)
  }

  func newEntryNumber() -> Int {
    nextEntry += 1
    return nextEntry
  }

  func find(_ name: String) -> Responder? { responders[ByteText(name)] }

  /// Returns true if a responder belongs to this chain and is not removed.
  func holds(_ responder: Responder) -> Bool { !responder.isRemoved && responder.home === home }

  /// Returns the error for a responder that was removed or belongs to another host.
  func misuse(of responder: Responder, _ consequence: String) -> Misuse {
    responder.isRemoved
      ? Misuse(.removed, "'\(responder.name)' was removed: \(consequence)")
      : Misuse(.wrongType, "'\(responder.name)' is another host's: \(consequence)")
  }

  func check(_ responder: Responder, _ consequence: @autoclosure () -> String) throws(Misuse) {
    if !holds(responder) { throw misuse(of: responder, consequence()) }
  }
}

// MARK: Making and removing

extension Chain {
  func add(
    _ name: String, kind: Responder.Kind, next: Responder? = nil, owner: Owner, place: Place?
  ) throws(Misuse) -> Responder {
    try owner.checkIsThere()
    try checkLoading(owner, "'\(name)' can't be made")
    if let next { try check(next, "it can't be the next of '\(name)'") }
    try Chain.checkName(name, of: kind == .window ? "window" : "responder")
    if let taken = find(name) {
      if taken === app { throw Misuse(.nameTaken, "'\(name)' is the name of the app itself") }
      throw taken.hasName
    }
    let responder = Responder(name: name, kind: kind, owner: owner, place: place, number: nextNumber)
    nextNumber += 1
    responder.next = next ?? app
    responder.home = home
    responders[ByteText(name)] = responder
    if kind == .window {
      windows.append(responder)
      if keyHistory.isEmpty { keyHistory = [responder] }
      if main == nil { main = responder }
    }
    changeFocus()
    changeShape()
    return responder
  }

  /// Removes a responder. Its `next` replaces it as the next of others, and gets its focus.
  func remove(_ responder: Responder) throws(Misuse) {
    if responder === app { throw Misuse(.notNow, "the app can't be removed") }
    guard !responder.isRemoved else { return }
    try check(responder, "it can't be removed")
    try checkLoading(responder.owner, "'\(responder.name)' can't be removed")
    takeOut([responder])
  }

  /// Removes several responders in one pass over the others.
  private func takeOut(_ gone: [Responder]) {
    if gone.isEmpty { return }
    let numbers = Set(gone.map(\.number))
    let isGone: (Responder?) -> Bool = { $0.map { numbers.contains($0.number) } ?? false }
    let survivors = survivors(of: gone, numbers)
    // The responder that gets the focus of a removed responder.
    let heir: (Responder) -> Responder? = { gone in survivors[gone.number].flatMap { $0.kind == .app ? nil : $0 } }
    closeSessions { isGone($0.responder) }
    for responder in gone {
      for session in sessions { session.memory?.forget(responder, heir: heir(responder)) }
      for other in responder.attached { other.before = nil }
    }
    for other in responders.values where !isGone(other) {
      if let next = other.next, isGone(next) { other.next = survivors[next.number] }
      if isGone(other.delegate) { other.delegate = nil }
      if let first = other.first, isGone(first) { other.first = heir(first) }
      if other.attached.contains(where: isGone) { other.attached.removeAll(where: isGone) }
    }
    if let known = loose, isGone(known) { loose = heir(known) }
    windows.removeAll(where: isGone)
    keyHistory.removeAll(where: isGone)
    if keyHistory.isEmpty, let window = windows.first { keyHistory = [window] }
    if isGone(main) { main = key }
    for responder in gone {
      responders[ByteText(responder.name)] = nil
      responder.isRemoved = true
      onRemove?(responder)
    }
    for responder in gone {
      responder.lostBefore = nil
      responder.isolate()
    }
    changeFocus()
    changeShape()
  }

  /// Returns, for each removed responder, the first responder along `next` that stays.
  private func survivors(of gone: [Responder], _ numbers: Set<Int>) -> [Int: Responder] {
    var found: [Int: Responder] = [:]
    for responder in gone {
      var way: [Int] = []
      var node: Responder? = responder
      while let known = node, numbers.contains(known.number), found[known.number] == nil {
        way.append(known.number)
        node = known.next
      }
      guard let last = node else { continue }
      for number in way { found[number] = found[last.number] ?? last }
    }
    return found
  }

  /// Throws while another owner's script is being reloaded, because then only that owner's responders may change.
  private func checkLoading(_ owner: Owner, _ consequence: @autoclosure () -> String) throws(Misuse) {
    guard let loading, loading !== owner else { return }
    throw Misuse(.notNow, "\(consequence()) while the script of '\(loading.name)' is being reloaded")
  }

  /// Replaces the responders, windows and classes without a notification.
  func hold(_ responders: [ByteText: Responder], windows: [Responder], classes: [ClassDefinition]) {
    self.responders = responders.filter { !$0.value.isRemoved }
    self.windows = windows.filter { !$0.isRemoved }
    self.classes = classes
  }

  func define(_ name: String, ancestor: ClassDefinition?, owner: Owner, place: Place?) throws(Misuse) -> ClassDefinition
  {
    try owner.checkIsThere()
    try Chain.checkName(name, of: "class")
    home.work += classes.count
    if let taken = classes.first(where: { $0.owner === owner && $0.name.hasSameBytes(as: name) }) {
      throw Misuse(.nameTaken, "there is a class named '\(name)' already", other: taken.place)
    }
    let definition = ClassDefinition(name: name, owner: owner, place: place, ancestor: ancestor)
    classes.append(definition)
    return definition
  }

  func setAncestor(_ ancestor: ClassDefinition?, of definition: ClassDefinition) throws(Misuse) {
    var members = [definition.name]
    var known: ClassDefinition? = ancestor
    while let current = known {
      members.append(current.name)
      if current === definition {
        throw Misuse(.cycle, "classes would build on each other in a circle: \(members.joined(separator: " → "))")
      }
      known = current.ancestor
    }
    try checkDepth(of: definition, on: ancestor, members)
    definition.ancestor = ancestor
    for responder in responders.values { responder.restack() }
    changeShape()
  }

  /// Throws if classes would build on each other too deep: each lookup in a responder visits all its classes.
  private func checkDepth(
    of definition: ClassDefinition, on ancestor: ClassDefinition?, _ members: [String]
  ) throws(Misuse) {
    guard members.count + definition.height <= ClassDefinition.depthLimit else {
      let way = members.prefix(3).joined(separator: " → ")
      throw Misuse(.refused, "classes build on each other more than \(ClassDefinition.depthLimit) deep: \(way) → …")
    }
    var (known, height) = (ancestor, definition.height + 1)
    while let current = known, current.height < height {
      current.height = height
      (known, height) = (current.ancestor, height + 1)
    }
  }

  func findClass(_ name: String, owner: Owner) -> ClassDefinition? {
    classes.first { $0.owner === owner && $0.name.hasSameBytes(as: name) }
  }

  /// Removes everything that an owner made or registered.
  func removeAll(of owner: Owner) throws(Misuse) {
    let gone = responders.values.filter { $0.owner === owner && $0 !== app }.sorted { $0.number > $1.number }
    if let first = gone.first { try checkLoading(owner, "'\(first.name)' can't be removed") }
    takeOut(gone)
    for responder in responders.values { responder.removeLayer(of: owner) }
    forgetOrphans(of: owner)
    classes.removeAll { $0.owner === owner }
    changeAll()
  }

  static func checkName(_ name: String, of what: String) throws(Misuse) {
    let count = name.utf8.count
    if count == 0 { throw Misuse(.badName, "the name of a \(what) can't be empty") }
    if count > 256 { throw Misuse(.badName, "the name of a \(what) can have 256 bytes at most, this one has \(count)") }
    if name.unicodeScalars.contains(where: \.isControl) {
      throw Misuse(.badName, "the name of a \(what) can't have control characters")
    }
  }
}

// MARK: The next responder

extension Chain {
  /// Makes one responder the next of another. Throws if that closes a circle.
  func setNext(_ next: Responder, of responder: Responder) throws(Misuse) {
    if responder === app { throw Misuse(.wrongType, "the app is always last, so it has no 'next'") }
    try check(responder, "it can't have a next")
    try check(next, "it can't be the next of '\(responder.name)'")
    if let before = responder.before {
      if before === next { return }
      throw Misuse(
        .notNow,
        "'next' of '\(responder.name)' can't change: '\(responder.name)' was made with before = '\(before.name)'")
    }
    if next === responder || responder.isSomebodysNext {
      var node: Responder? = next
      while let known = node, known !== responder { node = known.next }
      if node != nil { throw circle(from: responder, through: next) }
    }
    guard responder.next !== next else { return }
    responder.next = next
    changeShape()
  }

  private func circle(from responder: Responder, through next: Responder) -> Misuse {
    var members = [responder.name]
    var node: Responder? = next
    while let known = node, known !== responder {
      members.append(known.name)
      node = known.next
    }
    members.append(responder.name)
    return Misuse(.cycle, "next would lead in a circle: \(members.joined(separator: " → "))")
  }

  func setDelegate(_ delegate: Responder?, of responder: Responder) throws(Misuse) {
    if responder.kind == .responder { throw Misuse(.wrongType, "only windows and the app have a delegate") }
    try check(responder, "it can't have a delegate")
    if let delegate { try check(delegate, "it can't be a delegate") }
    responder.delegate = delegate
    changeShape()
  }
}

// MARK: Focus and windows

extension Chain {
  /// Returns the window of a responder: the responder itself, or the first window along `next`.
  func window(of responder: Responder) -> Responder? {
    if responder.windowShape != shape {
      responder.knownWindow = findWindow(of: responder)
      responder.windowShape = shape
    }
    return responder.knownWindow
  }

  private func findWindow(of responder: Responder) -> Responder? {
    var node: Responder? = responder
    while let known = node, known !== app {
      if known.kind == .window { return known }
      node = known.next
    }
    return nil
  }

  /// The focused responder, at which a walk begins.
  var focused: Responder {
    if let loose { return loose }
    guard let key else { return app }
    return key.first ?? key
  }

  /// Returns true if a responder has a hook that runs when it gets or loses the focus.
  func asksForFocus(_ responder: Responder) -> Bool {
    if responder.focusShape != shape {
      responder.asksForFocus = responder.stack.contains {
        $0.acceptsFocus != nil || $0.resign != nil || $0.become != nil
      }
      responder.focusShape = shape
    }
    return responder.asksForFocus
  }

  /// The responder at which a walk continues in the main window; nil if that is the key window.
  var mainStart: Responder? {
    guard let main, main !== key else { return nil }
    return main.first ?? main
  }

  func setFocus(_ responder: Responder) throws(Misuse) {
    try check(responder, "it can't have the focus")
    giveFocus(to: responder)
  }

  /// Gives the focus to a responder of this chain.
  func giveFocus(to responder: Responder) {
    focusMoves += 1
    changeFocus()
    if let window = window(of: responder) {
      window.first = responder
      loose = nil
      if key !== window { bringForward(window) }
    } else {
      loose = responder === app ? nil : responder
    }
    if responder === app, key != nil { loose = app }
  }

  func makeKey(_ window: Responder) throws(Misuse) {
    try checkWindow(window, "it can't be key")
    if key !== window { bringForward(window) }
  }

  private func bringForward(_ window: Responder) {
    changeFocus()
    keyHistory.removeAll { $0 === window }
    keyHistory.append(window)
    loose = nil
  }

  func makeMain(_ window: Responder) throws(Misuse) {
    try checkWindow(window, "it can't be the main window")
    guard main !== window else { return }
    main = window
    changeFocus()
    changeShape()
  }

  private func checkWindow(_ window: Responder, _ consequence: String) throws(Misuse) {
    try check(window, consequence)
    if window.kind != .window { throw Misuse(.wrongType, "'\(window.name)' is no window: \(consequence)") }
  }
}

extension Responder {
  /// The error of another responder that would have the same name.
  var hasName: Misuse {
    let whose = owner.isClient ? ": it is one of '\(owner.name)'" : ""
    return Misuse(.nameTaken, "there is a \(kindWord) named '\(name)' already\(whose)", other: place)
  }

  var kindWord: String {
    switch kind {
    case .responder: "responder"
    case .window: "window"
    case .app: "app"
    }
  }
}

extension Chain {
  /// The key windows, the main window, and the focused responder outside of windows.
  var focusState: Arrangement.Focus { Arrangement.Focus(keyHistory: keyHistory, main: main, loose: loose) }

  func restore(_ focus: Arrangement.Focus) {
    main = focus.main
    restoreFocus(keyHistory: focus.keyHistory.filter { !$0.isRemoved }, loose: focus.loose)
  }

  /// Restores the history of key windows. If it is empty, the first window becomes key.
  func restoreFocus(keyHistory known: [Responder], loose: Responder?) {
    keyHistory = known.isEmpty ? Array(windows.prefix(1)) : known
    self.loose = loose
    changeFocus()
  }
}
