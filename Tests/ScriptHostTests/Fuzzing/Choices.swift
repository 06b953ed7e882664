/// *Choices* are decisions that come from bytes, one after the other; after the last byte, each is the first option.
///
/// So a fuzzer that changes a byte changes a decision, and can run its findings again.
struct Choices {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Whether the bytes are used up.
  var isOver: Bool { index >= bytes.count }

  /// A number below a bound, which is 256 at most.
  mutating func below(_ bound: Int) -> Int {
    guard index < bytes.count else { return 0 }
    defer { index += 1 }
    return Int(bytes[index]) % bound
  }

  /// Returns true as often as a number between 0 and 255 is below this; false after the last byte.
  mutating func isLikely(_ weight: Int) -> Bool {
    guard index < bytes.count else { return false }
    return 255 - below(256) < weight
  }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
