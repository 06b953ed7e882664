extension LiteralObject {
  /// An object that is being read, member by member.
  ///
  /// A handful of keys is searched one by one; from then on they are hashed, because a script could write a hundred
  /// thousand.
  struct Builder {
    private static let handful = 8
    private var members: [Member] = []
    private var keys: Set<ByteText> = []

    /// The object of the members so far.
    var object: LiteralObject { LiteralObject(distinct: members) }

    /// Whether a member has this key.
    func has(_ key: String) -> Bool {
      guard keys.isEmpty else { return keys.contains(ByteText(key)) }
      return members.contains { $0.key.hasSameBytes(as: key) }
    }

    /// Adds a member, whose key none has.
    mutating func append(_ member: Member) {
      members.append(member)
      if !keys.isEmpty {
        keys.insert(ByteText(member.key))
      } else if members.count > Self.handful {
        keys = Set(members.map { ByteText($0.key) })
      }
    }
  }
}
