/// The arguments of one perform, in order; no key twice.
public struct Arguments {
  /// Each key with its value, in order.
  public private(set) var members: [(key: String, value: Value)] = []

  /// No arguments.
  public init() {}

  public init(_ literal: LiteralObject?) {
    members = literal?.members.map { ($0.key, Value($0.value)) } ?? []
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
  public func has(_ key: String) -> Bool { members.contains { $0.key.hasSameBytes(as: key) } }

  /// The argument of that name; nil where there is none.
  public subscript(key: String) -> Value? {
    get { members.first { $0.key.hasSameBytes(as: key) }?.value }
    set {
      let index = members.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds an argument, whose key none has.
  mutating func append(_ key: String, _ value: Value) { members.append((key, value)) }

  /// These arguments with others laid over them.
  public func merging(_ others: Arguments) -> Arguments {
    if isEmpty { return others }
    var merged = self
    for (key, value) in others.members { merged[key] = value }
    return merged
  }
}

extension Arguments: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements.map { ($0.0, $0.1) }) }
}
