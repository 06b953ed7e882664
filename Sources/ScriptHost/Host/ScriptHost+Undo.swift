/// The titles of the undo and redo steps from the focus, the newest first.
public struct UndoHistory: Sendable, Equatable {
  /// The steps of the history that `undo` uses.
  public let undo: [String]
  /// The undone steps of the history that `redo` uses.
  public let redo: [String]
  /// The responder whose history `undo` uses: the nearest that has something to undo.
  public let owner: String
  /// The responder whose history `redo` uses: the nearest that has something to redo.
  public let redoOwner: String
}

extension ScriptHost {
  /// Undoes the last step. The outcome is that of the action `undo`, which a responder may handle itself.
  @discardableResult
  public func undo() -> Outcome { dispatcher.perform(UndoStack.Direction.undo.rawValue) }

  /// Redoes the step that was undone last. The outcome is that of the action `redo`.
  @discardableResult
  public func redo() -> Outcome { dispatcher.perform(UndoStack.Direction.redo.rawValue) }

  /// The steps that `undo` and `redo` would revert and repeat now.
  public var undoHistory: UndoHistory {
    func history(_ direction: UndoStack.Direction) -> (titles: [String], owner: String) {
      let (owner, stack) = dispatcher.history(direction, from: nil)
      return (stack?.titles(direction).map(dispatcher.told) ?? [], owner.name)
    }
    let (undo, redo) = (history(.undo), history(.redo))
    return UndoHistory(undo: undo.titles, redo: redo.titles, owner: undo.owner, redoOwner: redo.owner)
  }

  /// Drops the next undo step without reverting it, so that a failing undo doesn't block the others.
  ///
  /// Returns its title. Throws if there is nothing to undo, or an undo is under way.
  @discardableResult
  public func forgetUndo() throws(Misuse) -> String {
    try checkNotAsking("nothing can be forgotten")
    return try dispatcher.forgetUndo { _ in true }
  }

  // MARK: By a person

  /// Runs a body on behalf of a person at a face. If an undo in it would pass over an action that can't be undone, it
  /// is refused once, with a reason.
  package func actingForPerson<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = dispatcher.isOfPerson
    dispatcher.isOfPerson = true
    defer { dispatcher.isOfPerson = outer }
    return try body()
  }

  /// Notes, in the history of its responder, that a person did an action without a reversal. The host's own `undo` and
  /// `redo` aren't noted: `find` doesn't know the host's responder.
  package func notePassed(_ title: String, by name: String) {
    guard let responder = find(name), let stack = chain.undoOwner(of: responder).undoStack else { return }
    if !stack.isEmpty(.undo) { stack.passed = title.withoutEllipsis.cut(toBytes: 256).shown(hasLines: false) }
  }

  /// Counts each change of the next undo step, on any stack, by a new action or a redo.
  package var undoableCount: Int { chain.undoableCount }

  /// Returns the title of the next undo step at the focus, if it is newer than a count; else nil.
  package func undoable(since count: Int) -> String? {
    guard chain.undoableCount > count else { return nil }
    let stack = dispatcher.history(.undo, from: nil).stack
    return stack.flatMap { $0.undoableCount > count ? $0.counted.map { dispatcher.told($0.title) } : nil }
  }

  /// The number of the next undo step at the focus, which changes whenever the step does; 0 if there is none.
  package var undoStep: Int { dispatcher.history(.undo, from: nil).stack?[.undo]?.step ?? 0 }

  /// Returns the number of the next undo step at the focus, if it is newer than a count. If it was merged with an older
  /// step, `joined` is the number of that step.
  package func undoStep(since count: Int) -> (number: Int, joined: Int?)? {
    guard chain.undoableCount > count, let group = dispatcher.history(.undo, from: nil).stack?[.undo],
      group.step > count
    else { return nil }
    return (group.step, group.first > count ? nil : group.joined > count ? 0 : group.joined)
  }

  /// Returns the same for the undo step of a job that has just ended.
  package func undoStep(by job: Job) -> (number: Int, joined: Int?)? {
    undoStep(since: job.memory.undoableCount)
  }

  /// Returns true if a job that has just ended did something that can be undone, in any history.
  package func isUndoable(by job: Job) -> Bool { chain.undoableCount > job.memory.undoableCount }

  /// Returns the title of the undo step of a job that has just ended.
  package func undoable(by job: Job) -> String? { undoable(since: job.memory.undoableCount) }

  func setUndo(_ setting: UndoSetting?, in behaviour: Behaviour, of responder: Responder) {
    behaviour.undo = setting
    chain.hooksChanged(of: responder, in: behaviour)
    if responder.undoLevels == nil { responder.undoStack = nil }
    if responder.keepsUndo, let stack = responder.undoStack { dispatcher.undo.recall?(stack) }
  }
}

extension ResponderEditor {
  /// Gives the responder an undo stack with so many levels at most.
  ///
  /// Windows and the app have a stack without it. Actions of other responders go to the nearest stack upward.
  public func keepsUndo(levels: Int = 100) {
    host.setUndo(.levels(max(1, levels)), in: behaviour, of: responder)
  }
}

// Lets a closure of the embedding program make its action undoable.

extension Context {
  /// Registers a reversal of the present action.
  ///
  /// The reversal runs when a person undoes the action, and when the action fails after all. A reversal that it
  /// registers in turn does the action again.
  ///
  /// ```swift
  /// var zoom = 1.0
  /// func setZoom(_ factor: Double, in context: Context) throws {
  ///   let old = zoom
  ///   zoom = factor
  ///   try context.undo("Zoom") { context in try setZoom(old, in: context) }
  /// }
  /// let host = ScriptHost()
  /// host.on("zoom") { command in
  ///   try setZoom(try command.context["factor", as: Double.self] ?? 1, in: command.context)
  /// }
  /// host.perform("zoom(factor: 2)")
  /// print(zoom, host.undoHistory.undo)  // 2.0 ["Zoom"]
  /// host.undo()
  /// print(zoom, host.undoHistory.redo)  // 1.0 ["Zoom"]
  /// host.redo()
  /// print(zoom)  // 2.0
  /// ```
  ///
  /// - Parameters:
  ///   - title: the words after "Undo" in a menu; by default the item's title, else the action's name.
  ///   - key: merges it with the action right before, if that has the same key.
  public func undo(_ title: String? = nil, coalesce key: String? = nil, _ body: @escaping (Context) throws -> Void)
    throws(Misuse)
  {
    let (undo, taker) = try recording()
    let reversal = NativeReversal(taker: taker, body: body)
    reversal.name(title, key)
    undo.register(reversal)
  }

  /// Returns the undo of the running action, with which its handler can register a reversal.
  private func recording() throws(Misuse) -> (Undo, taker: Responder) {
    guard !isReadOnly, let undo = undoObject as? Undo, undo.isPerforming, let taker else {
      throw Misuse(.notNow, "register an undo only in a handler, while it runs")
    }
    return (undo, taker)
  }

  // MARK: Properties

  /// Writes a property of an object, and makes that undoable and redoable.
  ///
  /// A later write to the property is never overwritten. If this action fails after a wait, the property keeps the
  /// later value. An undo is refused, and the reason names the later action.
  public func set<Root: AnyObject, Property>(
    _ object: Root, _ path: ReferenceWritableKeyPath<Root, Property>, _ value: Property, _ title: String? = nil,
    coalesce key: String? = nil
  ) throws(Misuse) {
    try write(.set(object, path, from: object[keyPath: path]), title, key)
    object[keyPath: path] = value
  }

  /// Inserts a value into a list, and makes that undoable. The undo finds the value by equality, wherever it is by
  /// then.
  public func insert<Root: AnyObject, Element: Equatable>(
    _ value: Element, at place: Int, into object: Root, _ path: ReferenceWritableKeyPath<Root, [Element]>,
    _ title: String? = nil, coalesce key: String? = nil
  ) throws(Misuse) {
    guard (0...object[keyPath: path].count).contains(place) else {
      throw Misuse(.wrongType, "the place must be from 0 to \(object[keyPath: path].count), not \(place)")
    }
    try write(.inserted(value, at: place, into: object, path), title, key)
    object[keyPath: path].insert(value, at: place)
  }

  /// Removes the first equal value from a list, and makes that undoable. Returns false if there was none.
  @discardableResult
  public func remove<Root: AnyObject, Element: Equatable>(
    _ value: Element, from object: Root, _ path: ReferenceWritableKeyPath<Root, [Element]>, _ title: String? = nil,
    coalesce key: String? = nil
  ) throws(Misuse) -> Bool {
    guard let place = object[keyPath: path].firstIndex(of: value) else { return false }
    try write(.removed(value, at: place, from: object, path), title, key)
    object[keyPath: path].remove(at: place)
    return true
  }

  private func write(_ change: NativeChange, _ title: String?, _ key: String?) throws(Misuse) {
    let (undo, taker) = try recording()
    if undo.isTakingBack { return }
    let write = NativeWrite(change, taker: taker, undo: undo)
    write.name(title, key)
    undo.register(write)
  }
}

extension Reversal {
  fileprivate func name(_ title: String?, _ key: String?) {
    self.title = title.flatMap { $0.isEmpty ? nil : $0 }
    self.key = key
  }
}

/// A closure of the embedding program as a reversal.
final class NativeReversal: Reversal {
  private let body: (Context) throws -> Void

  init(taker: Responder, body: @escaping (Context) throws -> Void) {
    self.body = body
    super.init(taker: taker)
  }

  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    do {
      try body(makeContext())
      return .value(.null)
    } catch let refusal as Refusal {
      return .refused(refusal.reason)
    } catch {
      return .failed(Failure(native: error, of: owner))
    }
  }
}
