/// Keys with their values, in the order written; no two keys have the same bytes.
///
/// It holds the members between braces as well as the arguments between the parentheses of a reference.
public struct LiteralObject: Sendable, Hashable {
  /// One key with its value.
  public struct Member: Sendable, Hashable {
    public let key: String
    public let value: Literal

    public init(key: String, value: Literal) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(ByteText(key))
      hasher.combine(value)
    }
  }

  public let members: [Member]

  /// An object without members.
  public init() {
    members = []
  }

  /// An object of these members, or nil when a key is among them twice.
  public init?(_ members: [Member]) {
    var builder = Builder()
    for member in members {
      guard !builder.has(member.key) else { return nil }
      builder.append(member)
    }
    self.members = members
  }

  /// An object of members whose keys the caller has checked.
  init(distinct members: [Member]) {
    self.members = members
  }

  /// The value of a key, or nil when there is none.
  public subscript(key: String) -> Literal? {
    members.first { $0.key.hasSameBytes(as: key) }?.value
  }
}
