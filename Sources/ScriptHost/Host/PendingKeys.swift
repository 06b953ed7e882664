/// The strokes of a key sequence that somebody has begun.
public final class PendingKeys {
  /// What was pressed of it so far; nil where nothing was begun.
  // Like what was read, it is looked at with each press, and nothing that changes it runs anybody's code.
  @exclusivity(unchecked) public internal(set) var begun: KeySequence?

  /// What was read last, by its text: most of what is pressed was pressed before.
  @exclusivity(unchecked) private var known: [ByteText: KeySequence] = [:]
  private static let mostKnown = 256

  /// The keys of somebody who has pressed nothing yet.
  public init() {}

  func read(_ text: String) throws(KeyError) -> KeySequence {
    if let known = known[ByteText(text)] { return known }
    let keys = try KeySequence.parse(text)
    if known.count >= Self.mostKnown { known = [:] }
    known[ByteText(text)] = keys
    return keys
  }
}
