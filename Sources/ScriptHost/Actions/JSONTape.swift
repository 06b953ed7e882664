import Glibc

/// Lists the positions of the values in a JSON text, in the order in which they begin. It is reused for the next text,
/// so that reading a short text allocates nothing. Only the parts that a caller needs become values.
package final class JSONTape {
  /// A kind of value.
  package enum Kind: Sendable {
    case null, yes, no, integer, number, text, list, object
  }

  struct Node {
    let kind: Kind
    /// For a string, whether it has no escapes.
    var isPlain = true
    /// The range of its bytes, with `end`; for a string without the quotes.
    let start: UInt32
    var end: UInt32 = 0
    /// The index of the node after it and everything in it.
    var next: UInt32 = 0
  }

  // These are read often, and changed only by `JSONReader`, so exclusivity isn't checked.
  private var memory = UnsafeMutablePointer<Node>.allocate(capacity: 64)
  private var capacity = 64
  private(set) var count = 0

  /// The number of nodes whose memory is kept for the next text.
  private static let usual = 4096

  package init() {}

  deinit { memory.deallocate() }

  @inline(__always)
  private func node(_ index: Int) -> Node {
    index >= 0 && index < count ? memory[index] : Node(kind: .null, start: 0)
  }

  /// Returns the index of the node after a node and everything in it.
  package func next(_ node: Int) -> Int { Int(self.node(node).next) }

  @inline(__always)
  func add(_ node: Node) {
    if count == capacity { grow(to: 2 * capacity) }
    (memory + count).initialize(to: node)
    count += 1
  }

  @inline(never)
  private func grow(to size: Int) {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: size)
    larger.update(from: memory, count: count)
    memory.deallocate()
    (memory, capacity) = (larger, size)
  }

  /// Closes a list or an object after its contents.
  func end(_ node: Int, at end: Int) {
    guard node < count else { return }
    memory[node].end = UInt32(end)
    memory[node].next = UInt32(count)
  }

  /// Reads a text with one value and only blanks around it. The value becomes node 0.
  package func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    count = 0
    if capacity > Self.usual { grow(to: Self.usual) }
    try JSONReader(bytes, self).whole()
  }

  package func kind(of node: Int) -> Kind { self.node(node).kind }

  /// Returns the number of bytes of a text; nil if it has escapes.
  package func length(of node: Int) -> Int? {
    let node = self.node(node)
    return node.isPlain ? Int(node.end - node.start) : nil
  }

  /// Returns the elements of a list, or the names of an object, where each name's value is the node after it.
  package func children(of node: Int) -> Children {
    Children(tape: self, isNamed: self.node(node).kind == .object, end: next(node), child: node + 1)
  }

  package struct Children: Sequence, IteratorProtocol {
    fileprivate let tape: JSONTape
    fileprivate let isNamed: Bool
    fileprivate let end: Int
    fileprivate var child: Int

    package mutating func next() -> Int? {
      guard child < end else { return nil }
      defer { child = tape.next(isNamed ? child + 1 : child) }
      return child
    }
  }

  /// Returns true if a node is this string.
  package func isText(_ text: StaticString, at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let found = self.node(node)
    if !found.isPlain { return isEscapedText(text, at: node, in: bytes) }
    let count = text.utf8CodeUnitCount
    guard found.kind == .text, Int(found.end &- found.start) == count, let start = bytes.baseAddress else {
      return false
    }
    return memcmp(start + Int(found.start), text.utf8Start, count) == 0
  }

  @inline(never)
  private func isEscapedText(_ text: StaticString, at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return self.text(at: node, in: bytes).withBytes { $0.hasSameBytes(as: text) }
  }

  /// Returns true if a name of an object equals an earlier one.
  func repeats(_ name: Int, of object: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let wanted = node(name)
    var other = object + 1
    while other < name {
      let known = node(other)
      // Names without escapes can be equal only if they have the same length.
      let mayBe = known.end &- known.start == wanted.end &- wanted.start || !known.isPlain || !wanted.isPlain
      if mayBe, isSame(name, other, in: bytes) { return true }
      other = next(other + 1)
    }
    return false
  }

  /// Returns true if two strings are equal after resolving escapes.
  private func isSame(_ one: Int, _ other: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let (left, right) = (node(one), node(other))
    guard left.isPlain, right.isPlain else {
      return text(at: one, in: bytes).hasSameBytes(as: text(at: other, in: bytes))
    }
    guard left.end - left.start == right.end - right.start, let start = bytes.baseAddress else { return false }
    return sameBytes(start + Int(left.start), start + Int(right.start), count: Int(left.end - left.start))
  }

  private func plain(_ node: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(self.node(node).start)..<Int(self.node(node).end)])
  }

  // MARK: Values

  /// Returns a value that isn't a list or object, as written; for a string without the quotes.
  package func written(at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: plain(node, bytes), as: UTF8.self)
  }

  /// Returns a text with its escapes resolved.
  package func text(at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let written = plain(node, bytes)
    return self.node(node).isPlain ? String(decoding: written, as: UTF8.self) : JSONReader.unescaped(written)
  }

  /// Returns an integer.
  package func integer(at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    JSONReader.integer(plain(node, bytes)) ?? 0
  }

  /// Returns any other number.
  package func number(at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Double {
    JSONReader.number(plain(node, bytes)) ?? 0
  }

  func literal(at node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Literal {
    switch self.node(node).kind {
    case .null: .null
    case .yes: .bool(true)
    case .no: .bool(false)
    case .integer: .integer(integer(at: node, in: bytes))
    case .number: .number(number(at: node, in: bytes))
    case .text: .text(text(at: node, in: bytes))
    case .list: .list(children(of: node).map { literal(at: $0, in: bytes) })
    case .object:
      .object(
        LiteralObject(
          distinct: children(of: node).map {
            LiteralObject.Member(key: text(at: $0, in: bytes), value: literal(at: $0 + 1, in: bytes))
          }))
    }
  }
}
