/// A *key sequence* is one stroke or several, one after the other, as in `ctrl+k` and `g g`.
///
/// ```swift
/// let keys = try KeySequence.parse("Shift+CTRL+K Escape")
/// print(keys.text)  // ctrl+shift+k esc
/// print(keys.strokes.count)  // 2
/// ```
public struct KeySequence: Hashable, Sendable {
  /// The strokes in order; one at least.
  public let strokes: [Stroke]
  /// The hash, computed once because each press is looked up along the whole chain.
  private let hash: Int

  init(strokes: [Stroke]) {
    self.strokes = strokes
    hash = strokes.hashValue
  }

  /// A sequence of one stroke.
  public init(_ stroke: Stroke) { self.init(strokes: [stroke]) }

  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension KeySequence {
  /// This sequence with one more stroke.
  func followed(by stroke: Stroke) -> KeySequence { KeySequence(strokes: strokes + [stroke]) }
}

extension KeySequence: CustomStringConvertible {
  /// Its one spelling.
  public var text: String {
    strokes.dropFirst().reduce(strokes.first?.text ?? "") { $0 + " " + $1.text }
  }

  public var description: String { text }

  /// Whether another sequence begins with this one and is longer.
  public func begins(_ other: KeySequence) -> Bool {
    strokes.count < other.strokes.count && other.strokes.starts(with: strokes)
  }
}

extension KeySequence: Codable {
  public init(from decoder: any Decoder) throws {
    self = try KeySequence.parse(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
