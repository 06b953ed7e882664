// How a closure of the embedding program makes what it does undoable.

extension Context {
  /// Registers what reverses the action that is being done.
  ///
  /// It runs when a person undoes the action, and when the action fails after all. What it registers on the context that it is given does
  /// the action again.
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
  ///   - title: what follows "Undo" in a menu; where left out the item's title, else the action's name.
  ///   - key: merges it with what was done right before under the same key.
  public func undo(_ title: String? = nil, coalesce key: String? = nil, _ body: @escaping (Context) throws -> Void)
    throws(Misuse)
  {
    guard !isReadOnly, let undo = undoObject as? Undo, undo.isPerforming, let taker else {
      throw Misuse(.notNow, "only a handler that is doing its action can register what reverses it")
    }
    let reversal = NativeReversal(taker: taker, body: body)
    reversal.title = title.flatMap { $0.isEmpty ? nil : $0 }
    reversal.key = key
    undo.register(reversal)
  }

  /// Writes a property of an object and makes that undoable, and redoable.
  public func set<Root: AnyObject, Property>(
    _ object: Root, _ path: ReferenceWritableKeyPath<Root, Property>, _ value: Property, _ title: String? = nil,
    coalesce key: String? = nil
  ) throws(Misuse) {
    let old = object[keyPath: path]
    try undo(title, coalesce: key) { context in try context.set(object, path, old) }
    object[keyPath: path] = value
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
