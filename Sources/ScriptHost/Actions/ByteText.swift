/// A text that is equal to another, and hashes alike, when their bytes are the same.
package struct ByteText: Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ByteText, right: ByteText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text.utf8.count)
    text.withBytes { bytes in hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }
}
