extension ResponderEditor {
  // MARK: Focus and modality

  /// Says whether it takes the focus.
  public func acceptsFocus(_ answer: Bool) { setHook(\.acceptsFocus, .always(answer)) }

  /// Sets a closure that says whether the responder takes the focus now.
  public func acceptsFocus(_ body: @escaping () throws -> Bool) {
    setHook(\.acceptsFocus, .asked(NativeFocus(owner: owner, body: body)))
  }

  /// Sets a closure that is called when the responder gets the focus; false refuses it, and the window has it then.
  public func become(_ body: @escaping () throws -> Bool) {
    setHook(\.become, NativeFocus(owner: owner, body: body))
  }

  /// Sets a closure that is called when the responder loses the focus; false keeps it. The focus can't be moved meanwhile.
  public func resign(_ body: @escaping () throws -> Bool) {
    setHook(\.resign, NativeFocus(owner: owner, body: body))
  }

  /// Says whether the responder may act whatever modal session is open; a window's answer holds for all that is in it.
  public func worksWhenModal(_ answer: Bool) { setHook(\.worksWhenModal, answer) }

  // MARK: Keys

  /// Binds keys to an action; a later binding of the same keys replaces it.
  ///
  /// ```swift
  /// let grid = try host.responder("grid")
  /// grid.on("top") { _ in print("at the top") }
  /// try grid.bind("g g", to: "top")
  /// try host.focus(grid)
  /// print(host.press("g").status)  // pending
  /// print(host.press("g").status)  // at the top, handled
  /// ```
  @discardableResult
  public func bind(_ keys: String, to reference: String) throws -> Registration {
    try bind(keys, toFirst: [reference])
  }

  /// Binds keys to several actions: the first that can be done now is done.
  @discardableResult
  public func bind(_ keys: String, toFirst references: [String]) throws -> Registration {
    let keys = try KeySequence.parse(keys)
    let all = try references.map { (reference: try Reference.parse($0), raw: $0) }
    guard let first = all.first else { throw Misuse(.wrongType, "'\(keys.text)' has to be bound to something") }
    let binding = KeyBinding(
      reference: first.reference, raw: first.raw, others: Array(all.dropFirst()), owner: owner, place: nil)
    let number = host.chain.set(keys, binding, in: behaviour)
    return host.chain.registration(of: number, keys, in: behaviour)
  }
}

/// A closure that is asked when the focus moves.
final class NativeFocus: Handler {
  private let body: () throws -> Bool

  init(owner: Owner, body: @escaping () throws -> Bool) {
    self.body = body
    super.init(owner: owner)
  }

  private var answer: Result<Bool, Failure> { Result { try body() }.mapError { Failure(native: $0, of: owner) } }

  override func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { answer }
  override func become(for responder: Responder) -> Result<Bool, Failure> { answer }
  override func resign(for responder: Responder) -> Result<Bool, Failure> { answer }
}
