/// *Choices* are decisions read off bytes, one after the other; when these are used up, each is the first there is.
///
/// A fuzzer that changes a byte so changes a decision, and what it finds can be run again.
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

  /// Yes as often as a number between 0 and 255 is below this; no where the bytes are used up.
  mutating func isLikely(_ weight: Int) -> Bool {
    guard index < bytes.count else { return false }
    return 255 - below(256) < weight
  }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
