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
