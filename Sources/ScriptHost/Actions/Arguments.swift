/// The arguments of one perform, in order; no key twice.
///
/// A handful of keys is searched one by one; from then on it is known where each stands, because a script could pass tens of thousands.
public struct Arguments {
  private static let handful = 8

  /// Each key with its value, in order.
  public private(set) var members: [(key: String, value: Value)] = []
  /// Where each key stands; nil where they are a handful.
  private var places: [ByteText: Int]?

  /// No arguments.
  public init() {}

  public init(_ literal: LiteralObject?) {
    members = literal?.members.map { ($0.key, Value($0.value)) } ?? []
    notePlaces()
  }

  /// These arguments; of a key that stands twice the later value.
  public init(_ members: [(key: String, value: Value)]) {
    for (key, value) in members { self[key] = value }
  }

  /// Whether there are none.
  public var isEmpty: Bool { members.isEmpty }

  /// Those that are not null, which as an argument is nothing.
  var given: [(key: String, value: Value)] { members.filter { !$0.value.isNull } }

  /// Whether there is an argument of that name, be it null.
  public func has(_ key: String) -> Bool { place(of: key) != nil }

  /// The argument of that name; nil where there is none.
  public subscript(key: String) -> Value? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil):
        members.remove(at: place)
        notePlaces()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Adds an argument, whose key none has.
  mutating func append(_ key: String, _ value: Value) {
    members.append((key, value))
    if places != nil { places?[ByteText(key)] = members.count - 1 } else { notePlaces() }
  }

  /// These arguments with others put over them.
  public func merging(_ others: Arguments) -> Arguments {
    if isEmpty { return others }
    if others.isEmpty { return self }
    var merged = self
    for (key, value) in others.members { merged[key] = value }
    return merged
  }

  private func place(of key: String) -> Int? {
    if let places { return places[ByteText(key)] }
    return members.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  private mutating func notePlaces() {
    guard members.count > Self.handful else { return places = nil }
    places = Dictionary(members.indices.map { (ByteText(members[$0].key), $0) }) { first, _ in first }
  }
}

extension Arguments: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements.map { ($0.0, $0.1) }) }
}
