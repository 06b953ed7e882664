/// A cache of the references that were parsed before, by their text.
///
/// An index is valid until the table is full and starts anew. Indices are never reused, so a caller that keeps
/// something by index sees from `firstIndex` what is invalid. The limits keep starting anew cheap, since a script can
/// fill the table at will.
final class ReferenceTable {
  /// How many references are kept at most.
  static let countLimit = 4096

  /// How many bytes their texts may have together.
  static let byteLimit = 1 << 19

  /// How long a text may be to be kept.
  static let textLimit = 1024

  private let texts = TextIndex()
  @exclusivity(unchecked) private var references: ContiguousArray<Reference> = []

  /// The index of the first reference since the table started anew.
  var firstIndex: Int { texts.first }

  /// How many references are kept.
  var count: Int { references.count }

  /// The index of a text's reference, which is parsed the first time; nil if the text is too long to be kept.
  @inline(__always)
  func index(of text: String) throws(ReferenceError) -> Int? {
    if let known = text.withBytes(texts.find) { return known }
    return try text.withBytes(added).get()
  }

  /// The index of the reference with these bytes, if it was parsed before.
  @inline(__always)
  func known(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? { texts.find(bytes) }

  /// The index of the reference with these bytes, parsed the first time; nil if they are too many to be kept.
  @inline(__always)
  func index(of bytes: UnsafeBufferPointer<UInt8>) throws(ReferenceError) -> Int? {
    if let known = texts.find(bytes) { return known }
    return try added(bytes).get()
  }

  /// The reference at an index, or nil when the table has started anew since.
  subscript(index: Int) -> Reference? {
    let position = index &- firstIndex
    return references.indices.contains(position) ? references[position] : nil
  }

  @inline(never)
  private func added(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int?, ReferenceError> {
    guard bytes.count <= Self.textLimit else { return .success(nil) }
    return Result { () throws(ReferenceError) in
      let reference = try Reference.parse(bytes)
      if count == Self.countLimit || texts.byteCount + bytes.count > Self.byteLimit { startAnew() }
      references.append(reference)
      return texts.insert(bytes)
    }
  }

  private func startAnew() {
    references.removeAll()
    texts.removeAll()
  }
}
