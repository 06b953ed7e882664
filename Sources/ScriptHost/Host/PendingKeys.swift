/// The strokes of a key sequence that somebody has begun.
package final class PendingKeys {
  /// What was pressed of it so far; nil where nothing was begun.
  // Exclusivity isn't checked, here and for `known`: both are read with each press, and no change to them runs other code.
  @exclusivity(unchecked) package internal(set) var begun: KeySequence?

  /// The sequences that were read lately, by their texts, because most keys are pressed again.
  @exclusivity(unchecked) private var known: [ByteText: KeySequence] = [:]
  private static let mostKnown = 256

  /// The pending keys of someone who has pressed nothing yet.
  package init() {}

  func read(_ text: String) throws(KeyError) -> KeySequence {
    if let known = known[ByteText(text)] { return known }
    let keys = try KeySequence.parse(text)
    if known.count >= Self.mostKnown { known = [:] }
    known[ByteText(text)] = keys
    return keys
  }
}
