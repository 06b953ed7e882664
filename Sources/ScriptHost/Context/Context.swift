/// The request, and the values that the responders of the walk supplied. Handlers get it.
///
/// Each perform and each validation pass builds a context. A key's value comes from the handler's writes, else from the
/// arguments, else from the caller's info, else from the providers, nearest first.
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
  /// The request; nil while the context is being built, and then its fields are nil too.
  public internal(set) var request: Request?
  /// The responder that handles the action; `taker` is its typed form.
  var takerObject: AnyObject?
  /// The responder that handled the action first, while it forwards the action to others.
  private(set) var firstTaker: AnyObject?
  /// The handlers that this perform has forwarded its action to; `forwarded` is its typed form.
  var forwardedObject: AnyObject?
  /// The current resolution; `resolution` is its typed form.
  var resolutionObject: AnyObject?
  /// The `Undo` with which handlers register reversals.
  var undoObject: AnyObject?
  /// Whether a question is in progress, so that handlers can't write.
  var isReadOnly = false
  /// Called for each key that is read during a question, for explanations and traces.
  var onRead: ((String) -> Void)?
  /// The arguments whose values aren't known yet, while a `can` reads the context.
  var unknown: UnknownArguments?
  /// Records who supplied each key, if somebody wants to know.
  var suppliers: Suppliers?
  /// The host's names that a provider tried to supply, which aren't stored. Used only if `suppliers` is nil.
  fileprivate var unheard: [String] = []
  /// The row whose item the context is for; nil for everything else.
  var row: RowValues?
  /// A name for each pane, which changes with its current and marked rows or its selected lines; nil if nobody wants to
  /// know.
  var choices: [String]?
  /// The title of the row in `row`, and of that in `rows` or their number, by these keys. Empty unless `choices` is set.
  var titles: [String: String] = [:]
  /// The names in the question that a person answered; nil for what is current.
  var about: [String]?
  /// Whether a pane supplies nothing, because the question was about something else.
  var lacksChoice = false
  /// The number of the current provider. Values that a provider appends stay together.
  var group = 0
  /// The request without the values of `fillIn`, and the stored values that these replaced.
  private var filling: (request: Request, before: [(key: String, value: Value)])?

  init() {}

  // MARK: For kinds of storage. None of these reads the request.

  func stored(_ key: String) -> Value { .null }
  /// Returns true if there is a value under a key.
  func holds(_ key: String) -> Bool { !stored(key).isNull }
  func store(_ key: String, _ value: Value) {}
  /// Adds to the list of a key, before the values of farther providers. `group` is the number of the provider.
  func add(_ key: String, _ value: Value, group: Int) {}
  var storedKeys: [String] { [] }
  /// Called after the request or the taker changes.
  func aimed() {}
  /// Returns the elements of a value of the context.
  func elements(of value: Value) -> [Value] { value.asList }
  /// Called after only the arguments change.
  func argumentsChanged() { aimed() }
  /// Stores values in place of others, which are kept until `putBack`. Returns false if there are too many.
  func putAside(for values: [(key: String, value: Value)]) -> Bool { true }
  /// Restores the values of the last `putAside`.
  func putBack() {}
  /// Called after every provider has run. Removes and returns the host's names that scripts supplied.
  func takeOutHostNames() -> [String] { [] }
  /// Called when the action or the questions are over. Objects handed out for questions no longer lead into the
  /// context.
  func end() {}
}

extension Context {
  /// The value of a key; `.null` if nobody supplied it.
  public subscript(key: String) -> Value {
    get {
      if isReadOnly { heard(key) }
      return request.flatMap { $0.field(key, taker: firstTaker ?? takerObject) } ?? stored(key)
    }
    set {
      if !isReadOnly, note(key, isRemoved: newValue.isNull) { store(key, newValue) }
    }
  }

  /// The value of a key as a Swift type; nil if nobody supplied it.
  public subscript<T>(key: String, as type: T.Type) -> T? {
    get throws(WrongType) { try self[key].read(key, as: type) }
  }

  /// Notifies the listeners of a read.
  private func heard(_ key: String) {
    onRead?(key)
    // The caller gets all arguments.
    if key.hasSameBytes(as: "args") { unknown?.isRead = true } else { unknown?.read(key) }
  }

  /// Records a supplied key. Returns false if the context is read-only, or the key is one of the host's names.
  private func supplies(_ key: String) -> Bool { !isReadOnly && note(key) }

  /// Records a supplied key. Returns false for one of the host's names, which isn't stored.
  @discardableResult
  func note(_ key: String, isRemoved: Bool = false) -> Bool {
    if HostNames.contains(key) {
      if let suppliers { suppliers.refused(key) } else { unheard = unheard + [key] }
      return false
    }
    if isRemoved { suppliers?.removed(key) } else { suppliers?.supplied(key) }
    return true
  }

  /// Whether a provider tried to supply one of the host's names.
  var hasUnheard: Bool { !unheard.isEmpty }

  /// Returns the host's names that providers tried to supply since the last call.
  func takeUnheard() -> [String] {
    defer { if !unheard.isEmpty { unheard = [] } }
    return unheard
  }

  /// Appends to the list of a key, where a scalar becomes the first element; `.null` appends nothing.
  public func append(_ key: String, _ value: Value) {
    if !value.isNull, supplies(key) { add(key, value, group: group) }
  }

  /// The group of values that handlers append: nearer than all provided ones, in the order of appending.
  static let handlers = Int(Int32.max)

  /// Returns the values of a list, nearest first. A script's table returns its elements, a single value a list of one.
  public func each(_ key: String) -> [Value] { elements(of: self[key]) }

  /// Returns true if a switch is on.
  public func flag(_ key: String) -> Bool { self[key].isOn }

  /// Returns true if a key has a value.
  public func has(_ key: String) -> Bool {
    if isReadOnly { heard(key) }
    let asked = request.flatMap { $0.field(key, taker: firstTaker ?? takerObject) }
    return asked.map { !$0.isNull } ?? holds(key)
  }

  /// Puts a request over the supplied values: first the info, then the arguments.
  func begin(_ request: Request) {
    for (key, value) in request.supplied { store(key, value) }
    take(request)
  }

  private func take(_ request: Request) {
    self.request = request
    if let suppliers {
      for (key, _) in request.info.supplied {
        suppliers.supplied(key, by: row.flatMap { $0.values[key] == nil ? nil : .provider($0.supplier) } ?? .info)
      }
      for (key, _) in request.arguments.supplied { suppliers.supplied(key, by: .arguments) }
    }
    group = Self.handlers
    aimed()
  }

  /// Puts a request over the supplied values until `takeOff`. Returns false if it is too large.
  func put(_ request: Request) -> Bool {
    guard putAside(for: request.supplied) else { return false }
    take(request)
    return true
  }

  /// Puts values over the arguments for one candidate, as if the caller had passed them.
  func fillIn(_ filledIn: Arguments) {
    guard !filledIn.isEmpty, let request else { return }
    var before: [(key: String, value: Value)] = []
    for (key, value) in filledIn.supplied {
      before.append((key, stored(key)))
      store(key, value)
    }
    filling = (request, before)
    self.request = Request(request, filling: filledIn)
    argumentsChanged()
  }

  /// Removes the values of `fillIn`, because another candidate may handle the action.
  func takeOut() {
    guard let filling else { return }
    self.filling = nil
    for (key, value) in filling.before { store(key, value) }
    request = filling.request
    argumentsChanged()
  }

  /// Replaces the request, and stored values, while the body runs.
  func replacing<Result>(
    _ values: [(key: String, value: Value)], _ request: Request, _ body: () -> Result
  ) -> Result {
    let before = (request: self.request, values: values.map { (key: $0.key, value: stored($0.key)) })
    for (key, value) in values { store(key, value) }
    self.request = request
    argumentsChanged()
    defer {
      for (key, value) in before.values { store(key, value) }
      self.request = before.request
      argumentsChanged()
    }
    return body()
  }

  /// Removes the request.
  func takeOff() {
    takeOut()
    request = nil
    takerObject = nil
    forwardedObject = nil
    resolutionObject = nil
    putBack()
  }

  /// The request and the taker of a handler that forwards its action, kept while other candidates use the context.
  struct Lent {
    fileprivate let request: Request?
    fileprivate let taker: AnyObject?
    fileprivate let firstTaker: AnyObject?
    fileprivate let filling: (request: Request, before: [(key: String, value: Value)])?
  }

  /// Lends the context to other candidates until `takeBack`.
  func lend() -> Lent {
    defer { (filling, firstTaker) = (nil, firstTaker ?? takerObject) }
    return Lent(request: request, taker: takerObject, firstTaker: firstTaker, filling: filling)
  }

  func takeBack(_ lent: Lent) {
    takeOut()
    (request, takerObject, firstTaker, filling) = (lent.request, lent.taker, lent.firstTaker, lent.filling)
    aimed()
  }

  /// Sets the current candidate, and its name for the action.
  func aim(at taker: AnyObject?, action: String, prefix: String) {
    if let request { self.request = Request(request, as: action, prefix) }
    takerObject = taker
    aimed()
  }
}

/// Required arguments whose values aren't known yet. A `can` that reads one can't decide (A12, A13).
final class UnknownArguments {
  private let keys: [String]
  /// Whether one was read.
  var isRead = false

  init(_ keys: [String]) { self.keys = keys }

  /// Notes that a key is read. Returns true if it is one of the arguments.
  @discardableResult
  func read(_ key: String) -> Bool {
    guard keys.contains(where: key.hasSameBytes) else { return false }
    isRead = true
    return true
  }
}

/// A context that keeps its values in Swift, for a host without scripts.
final class PlainContext: Context {
  private var values = Arguments()
  /// For each list, the group that appended last, and its number of values at the front.
  private var fronts: [ByteText: (group: Int, count: Int)] = [:]

  override func stored(_ key: String) -> Value { values[key] ?? .null }

  override func store(_ key: String, _ value: Value) {
    values[key] = value.orNone
    fronts[ByteText(key)] = nil
  }

  override func add(_ key: String, _ value: Value, group: Int) {
    var list = stored(key).asList
    let front = fronts[ByteText(key)].flatMap { $0.group == group ? $0.count : nil } ?? 0
    list.insert(value, at: min(front, list.count))
    values[key] = .list(list)
    fronts[ByteText(key)] = (group, front + 1)
  }

  /// The values before a request was put over them.
  private var aside: (values: Arguments, fronts: [ByteText: (group: Int, count: Int)])?

  override func putAside(for values: [(key: String, value: Value)]) -> Bool {
    aside = (self.values, fronts)
    for (key, value) in values { store(key, value) }
    return true
  }

  override func putBack() {
    guard let aside else { return }
    (values, fronts) = aside
    self.aside = nil
  }

  override var storedKeys: [String] { values.members.map(\.key) }
}

extension Value {
  /// The elements of a list; a scalar as a list of one, null as an empty list.
  var asList: [Value] {
    switch self {
    case .null: []
    case .list(let values): values
    case let scalar: [scalar]
    }
  }
}

/// The values that a pane supplies while its row's item is validated or performed (P9).
struct RowValues {
  /// The id of the pane.
  let pane: String
  let values: Arguments

  /// The pane's name as a supplier.
  var supplier: String { Self.supplier(pane) }

  static func supplier(_ pane: String) -> String { "pane \(pane)" }
}

/// Records who supplied each key, for `why`, `context` and traces.
final class Suppliers {
  enum Supplier: Equatable {
    case provider(String)
    case info
    case arguments

    var name: String {
      switch self {
      case .provider(let name): name
      case .info: "info"
      case .arguments: "arguments"
      }
    }
  }

  /// The current provider.
  var current = Supplier.provider("")
  private(set) var byKey: [ByteText: Supplier] = [:]
  /// The last providers that set a key to nil.
  private(set) var removers: [ByteText: Supplier] = [:]
  /// The host's names that providers tried to supply, and their providers.
  private(set) var shadowed: [(key: String, by: String)] = []
  /// The number of entries that `takeShadowed` has returned.
  private var taken = 0

  func supplied(_ key: String) { supplied(key, by: current) }
  /// Forgets a supplied key, because the current provider sets it to nil.
  func removed(_ key: String) {
    byKey[ByteText(key)] = nil
    removers[ByteText(key)] = current
  }
  func supplied(_ key: String, by supplier: Supplier) {
    byKey[ByteText(key)] = supplier
    removers[ByteText(key)] = nil
  }
  func refused(_ key: String) { shadowed.append((key, current.name)) }

  /// Returns the keys that a provider supplied, unless a nearer one replaced them.
  func keys(of provider: String) -> [String] {
    byKey.compactMap { $0.value == .provider(provider) ? $0.key.text : nil }
  }

  /// Returns the entries added to `shadowed` since the last call.
  func takeShadowed() -> ArraySlice<(key: String, by: String)> {
    defer { taken = shadowed.count }
    return shadowed[taken...]
  }
}
