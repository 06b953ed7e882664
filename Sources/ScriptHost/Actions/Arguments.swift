/// The arguments of one perform, in order; no key twice.
///
/// A handful of keys is searched one by one; more are indexed, because a script could pass tens of thousands.
public struct Arguments {
  private static let handful = 8

  /// The storage, which copies share until one of them is changed, because they are passed on from call to call. Nil if there are none.
  private var all: Members?

  private final class Members {
    // Exclusivity isn't checked: storage is changed only while it is uniquely referenced.
    var inOrder: [(key: String, value: Value)]
    /// The index of each key; nil for a handful of keys.
    var places: [ByteText: Int]?

    init(_ members: [(key: String, value: Value)]) {
      inOrder = members
      notePlaces()
    }

    func place(of key: String) -> Int? {
      if let places { return places[ByteText(key)] }
      return inOrder.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    func append(_ key: String, _ value: Value) {
      inOrder.append((key, value))
      if places != nil { places?[ByteText(key)] = inOrder.count - 1 } else { notePlaces() }
    }

    func remove(at place: Int) {
      inOrder.remove(at: place)
      notePlaces()
    }

    private func notePlaces() {
      guard inOrder.count > Arguments.handful else { return places = nil }
      places = Dictionary(inOrder.indices.map { (ByteText(inOrder[$0].key), $0) }) { first, _ in first }
    }
  }

  private var own: Members {
    mutating get {
      if isKnownUniquelyReferenced(&all), let all { return all }
      let own = Members(members)
      all = own
      return own
    }
  }

  /// No arguments.
  public init() {}

  public init(_ literal: LiteralObject?) {
    if let members = literal?.members, !members.isEmpty { all = Members(members.map { ($0.key, Value($0.value)) }) }
  }

  /// The arguments that a reference gives, with others put over them.
  package init(_ written: LiteralObject?, under given: Arguments) { self = Arguments(written).merging(given) }

  /// These arguments; if a key stands twice, the later value counts.
  public init(_ members: [(key: String, value: Value)]) {
    for (key, value) in members { self[key] = value }
  }

  /// Each key with its value, in order.
  public var members: [(key: String, value: Value)] { all?.inOrder ?? [] }

  /// How many there are.
  var count: Int { all?.inOrder.count ?? 0 }

  /// Whether there are none.
  public var isEmpty: Bool { all?.inOrder.isEmpty ?? true }

  /// The arguments that aren't null; a null argument counts as not given.
  var given: [(key: String, value: Value)] { members.filter { !$0.value.isNull } }

  /// Whether there is an argument of that name, even a null one.
  public func has(_ key: String) -> Bool { all?.place(of: key) != nil }

  /// The argument of that name; nil where there is none.
  public subscript(key: String) -> Value? {
    get {
      guard let all, let place = all.place(of: key) else { return nil }
      return all.inOrder[place].value
    }
    set {
      switch (all?.place(of: key), newValue) {
      case (let place?, let value?): own.inOrder[place].value = value
      case (let place?, nil): own.remove(at: place)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// The name of the argument that leaves out `needs` and `can` (A2).
  static let skipping = "skip_validation"

  /// Whether `needs` and `can` are left out; nil if no argument says so or not.
  var skipsValidation: Bool? { self[Self.skipping]?.isOn }

  /// The bytes of their texts; what a script's tables have is Lua's.
  var textBytes: Int { (all?.inOrder ?? []).reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes } }

  /// Adds an argument whose key no other has.
  mutating func append(_ key: String, _ value: Value) { own.append(key, value) }

  /// These arguments with others put over them.
  public func merging(_ others: Arguments) -> Arguments {
    if isEmpty { return others }
    if others.isEmpty { return self }
    var merged = self
    for (key, value) in others.members { merged[key] = value }
    return merged
  }
}

extension LiteralObject {
  /// As of arguments.
  var skipsValidation: Bool? { self[Arguments.skipping].map { Value($0).isOn } }
}

extension Arguments: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements.map { ($0.0, $0.1) }) }
}
