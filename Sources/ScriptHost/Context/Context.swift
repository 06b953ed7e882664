/// A *context* is what a handler knows: what was asked, and what the responders of the walk supplied.
///
/// It is built once for a perform, and once for a validation pass. A key is looked up in what the handler wrote, then in the
/// arguments, then in what the caller passed as info, then in what was provided, nearest first.
///
/// ```swift
/// let page = try host.responder("page")
/// page.provide { context in context["zoom"] = 1.5 }
/// page.on("show") { command in
///   let zoom = try command.context["zoom", as: Double.self] ?? 1
///   let names = command.context.each("names").count
///   return .text("\(names) at \(zoom)")
/// }
/// try host.focus(page)
/// print(host.perform("show(names: [a, b])").result)  // text("2 at 1.5")
/// ```
public class Context {
  /// What the context is about; nil while it is being built, and then its fields are nil too.
  // It is read with each key, and nothing that changes it runs anybody's code meanwhile.
  @exclusivity(unchecked) public internal(set) var request: Request?
  /// Who takes the action; `taker` gives it its type.
  var takerObject: AnyObject?
  /// What is being gone through; `resolution` gives it its type.
  var resolutionObject: AnyObject?
  /// Where what reverses the action is registered.
  var undoObject: AnyObject?
  /// Whether asking goes on, so that nothing may be written.
  var isReadOnly = false
  /// Told of each key that is read while the host asks, where somebody explains.
  var onRead: ((String) -> Void)?
  /// Who supplied what, where somebody wants to know.
  var suppliers: Suppliers?
  /// The host's names under which something was supplied and not stored, where nobody notes who supplied what.
  @exclusivity(unchecked) fileprivate var unheard: [String] = []
  /// Whose turn it is to supply: what one appends stands together.
  var group = 0
  /// Whether what the request says is not stored: it is read where it lies.
  private(set) var isHeld = false
  /// What was put over what is asked for who takes it, and what there was before.
  @exclusivity(unchecked) private var filling: (request: Request, before: [(key: String, value: Value)])?

  init() {}

  // MARK: What a kind of storage answers. None of these looks at the request.

  func stored(_ key: String) -> Value { .null }
  /// Whether something is stored under a key.
  func holds(_ key: String) -> Bool { !stored(key).isNull }
  func store(_ key: String, _ value: Value) {}
  /// Adds to the list of a key, in front of what farther providers added; `group` tells the provider.
  func add(_ key: String, _ value: Value, group: Int) {}
  var storedKeys: [String] { [] }
  /// The request, or who takes it, changed.
  func aimed() {}
  /// The arguments changed, and nothing else.
  func argumentsChanged() { aimed() }
  /// Remembers what stands under keys, until `putBack`; false where they are too many.
  func setAside(_ keys: [String]) -> Bool { true }
  /// Puts back what was set aside last.
  func putBack() {}

  /// Lets go of what was asked in it, so that it can be another perform's; whether nothing else was done with it.
  func rest() -> Bool {
    guard filling == nil, suppliers == nil, onRead == nil, unheard.isEmpty, !isHeld, !isReadOnly else { return false }
    request = nil
    // Whoever supplies to it next does so before anybody takes the action.
    takerObject = nil
    return true
  }
}

extension Context {
  /// The value of a key; `.null` where nobody supplied it.
  public subscript(key: String) -> Value {
    get {
      if isReadOnly { onRead?(key) }
      return request.flatMap { $0.field(key, taker: takerObject) ?? held(key, $0) } ?? stored(key)
    }
    set {
      guard !isReadOnly else { return }
      if HostNames.contains(key) {
        refuse(key)
      } else {
        suppliers?.supplied(key)
        store(key, newValue)
      }
    }
  }

  /// The value of a key as a type of Swift's; nil where nobody supplied it.
  public subscript<T>(key: String, as type: T.Type) -> T? {
    get throws(WrongType) { try self[key].read(key, as: type) }
  }

  /// Notes that something was supplied under a name of the host's, and is not stored.
  func refuse(_ key: String) {
    if let suppliers { suppliers.refused(key) } else { unheard.append(key) }
  }

  /// Whether anything was.
  var hasUnheard: Bool { !unheard.isEmpty }

  /// What was supplied under names of the host's since this was asked last, and not stored.
  func takeUnheard() -> [String] {
    defer { if !unheard.isEmpty { unheard = [] } }
    return unheard
  }

  /// Adds to a list, which a scalar becomes; `.null` adds nothing.
  public func append(_ key: String, _ value: Value) {
    guard !isReadOnly, !value.isNull else { return }
    if HostNames.contains(key) {
      refuse(key)
    } else {
      suppliers?.supplied(key)
      add(key, value, group: group)
    }
  }

  /// What handlers append is nearer than all that was provided, in the order in which they do, whatever they are written in.
  static let handlers = Int(Int32.max)

  /// The values of a list, nearest first; a scalar is a list of one.
  public func each(_ key: String) -> [Value] { self[key].asList }

  /// Whether a switch is on.
  public func flag(_ key: String) -> Bool { self[key].isOn }

  /// Whether somebody supplied a key.
  public func has(_ key: String) -> Bool {
    if isReadOnly { onRead?(key) }
    let asked = request.flatMap { $0.field(key, taker: takerObject) ?? held(key, $0) }
    return asked.map { !$0.isNull } ?? holds(key)
  }

  /// Lays what the caller knows over what was provided: first the info, then the arguments.
  func begin(_ request: Request) {
    self.request = request
    for (key, value) in request.info.members where !HostNames.contains(key) {
      suppliers?.supplied(key, by: .info)
      store(key, value)
    }
    for (key, value) in request.arguments.members where !HostNames.contains(key) {
      suppliers?.supplied(key, by: .arguments)
      store(key, value)
    }
    group = Self.handlers
    aimed()
  }

  /// Lays a request over what was provided, until it is taken off again; false where it is too large. What only Swift reads is not
  /// stored.
  func put(_ request: Request, isHeld: Bool) -> Bool {
    self.isHeld = isHeld
    if isHeld {
      self.request = request
      return true
    }
    var keys: [String] = []
    for member in request.info.members where !HostNames.contains(member.key) { keys.append(member.key) }
    for member in request.arguments.members where !HostNames.contains(member.key) { keys.append(member.key) }
    guard setAside(keys) else { return false }
    begin(request)
    return true
  }

  /// Lays values over the arguments for who takes the action, as if they had been given.
  func fillIn(_ filledIn: [(key: String, value: Value)]) {
    guard !filledIn.isEmpty, let request else { return }
    var before: [(key: String, value: Value)] = []
    if !isHeld {
      for (key, value) in filledIn where !HostNames.contains(key) {
        before.append((key, stored(key)))
        store(key, value)
      }
    }
    filling = (request, before)
    self.request = Request(request, filling: filledIn)
    argumentsChanged()
  }

  /// Takes out what was put over the arguments: another may take the action.
  func takeOut() {
    guard let filling else { return }
    self.filling = nil
    for (key, value) in filling.before { store(key, value) }
    request = filling.request
    argumentsChanged()
  }

  /// Takes off what was put over it.
  func takeOff() {
    takeOut()
    request = nil
    takerObject = nil
    resolutionObject = nil
    if isHeld { isHeld = false } else { putBack() }
  }

  /// What a request that is held says of a key; nil where that is what is stored.
  private func held(_ key: String, _ request: Request) -> Value? {
    guard isHeld, !HostNames.contains(key) else { return nil }
    return request.arguments[key] ?? request.info[key]
  }

  /// Says who is asked now, and under which name.
  func aim(at taker: AnyObject?, action: String, prefix: String) {
    if let request { self.request = Request(request, as: action, prefix) }
    takerObject = taker
    aimed()
  }
}
