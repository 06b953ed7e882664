/// The *patience* of a person who asks for many things in one go, each of which may spend what it may: until so many have, whatever
/// there is to come.
struct Patience {
  /// Fewer tell less about what is wrong; each may take ten seconds.
  static let most = 5

  private(set) var spent = 0

  /// Whether it is at its end.
  var isOver: Bool { spent >= Self.most }

  /// Takes what one of them came to.
  mutating func take(spent isSpent: Bool) { if isSpent { spent += 1 } }
}
