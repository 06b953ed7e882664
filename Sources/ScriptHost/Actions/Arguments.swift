/// The arguments of one perform, in order, with distinct keys.
///
/// A few keys are searched one by one. More are indexed, because a script could pass tens of thousands.
public struct Arguments {
  private static let handful = 8

  /// The storage; nil if there are no arguments. Copies share it until one changes, because calls pass arguments on.
  private var all: Members?

  private final class Members {
    // Storage changes only while uniquely referenced, so exclusivity isn't checked.
    var inOrder: [(key: String, value: Value)]
    /// The index of each key; nil for a few keys.
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

  /// Creates empty arguments.
  public init() {}

  public init(_ literal: LiteralObject?) {
    if let members = literal?.members, !members.isEmpty { all = Members(members.map { ($0.key, Value($0.value)) }) }
  }

  /// Creates the arguments of a reference, with others over them.
  package init(_ written: LiteralObject?, under given: Arguments) { self = Arguments(written).merging(given) }

  /// Creates arguments from pairs. If a key occurs twice, the later value applies.
  public init(_ members: [(key: String, value: Value)]) {
    for (key, value) in members { self[key] = value }
  }

  /// The keys with their values, in order.
  public var members: [(key: String, value: Value)] { all?.inOrder ?? [] }

  /// The number of arguments.
  var count: Int { all?.inOrder.count ?? 0 }

  /// Whether there are no arguments.
  public var isEmpty: Bool { all?.inOrder.isEmpty ?? true }

  /// The arguments that aren't null; a null argument counts as missing.
  var given: [(key: String, value: Value)] { members.filter { !$0.value.isNull } }

  /// Returns true if an argument with this name exists, even a null one.
  public func has(_ key: String) -> Bool { all?.place(of: key) != nil }

  /// The argument with this name; nil if there is none.
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

  /// The argument that skips `needs` and `can` (A2).
  package static let skipping = "skip_validation"

  /// Whether to skip `needs` and `can`; nil without the argument.
  var skipsValidation: Bool? { self[Self.skipping]?.isOn }

  /// The bytes of the texts. Lua counts the tables of scripts.
  var textBytes: Int { (all?.inOrder ?? []).reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes } }

  /// Adds an argument with a new key.
  mutating func append(_ key: String, _ value: Value) { own.append(key, value) }

  /// Returns these arguments with others over them.
  public func merging(_ others: Arguments) -> Arguments {
    if isEmpty { return others }
    if others.isEmpty { return self }
    var merged = self
    for (key, value) in others.members { merged[key] = value }
    return merged
  }
}

extension LiteralObject {
  /// The same for a reference's arguments.
  var skipsValidation: Bool? { self[Arguments.skipping].map { Value($0).isOn } }
}

extension Arguments: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements.map { ($0.0, $0.1) }) }
}
