@testable import ScriptHost

/// Checks reading references from any bytes; the tests and the fuzzer both use it.
struct ReferenceCheck {
  /// Writes a reference; a test passes a faulty writer, to show that the check finds it.
  var format: (Reference) -> String = { $0.format() }

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    do throws(ReferenceError) {
      return fault(of: try Reference.parse(bytes))
    } catch {
      return fault(of: error, in: bytes)
    }
  }

  /// A reference survives its canonical spelling, and its candidates end with its name.
  private func fault(of reference: Reference) -> String? {
    let canonical = format(reference)
    guard let again = try? Reference.parse(canonical) else { return "\(canonical) can't be read" }
    guard again == reference else { return "\(canonical) is another reference" }
    guard again.format().hasSameBytes(as: canonical) else { return "\(canonical) is not the canonical spelling" }
    guard reference.candidates.last == .init(name: reference.name, prefix: reference.prefix),
      reference.candidates.count == reference.components.count
    else { return "the candidates don't end with the name" }
    return nil
  }

  /// The place lies within the text and the rendering ends with its caret.
  private func fault(of error: ReferenceError, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard (0...bytes.count).contains(error.offset) else { return "the offset \(error.offset) is outside" }
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.count
    guard (1...(scalars + 1)).contains(error.column) else {
      return "the column \(error.column) is outside"
    }
    // At most sixty characters come before the place, and a wide one has two columns.
    let lines = error.render().utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].last == UInt8(ascii: "^"), lines[2].count < 130 else {
      return "the rendering is not a sentence, a short line and a caret"
    }
    return nil
  }
}
