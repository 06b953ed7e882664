import ScriptHost
import LiveHost

/// What must hold for whatever bytes are read as JSON; the tests and the fuzzer both ask it.
struct JSONCheck {
  /// Writes a value; a way that is wrong shows that a fault would be found.
  let write: (JSON) -> String

  /// Says what does not hold for these bytes, or nil when all does.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    do throws(JSONError) {
      return fault(of: try JSONReader.read(bytes))
    } catch {
      return fault(of: error, in: bytes)
    }
  }

  /// A value comes back from what is written of it.
  private func fault(of value: JSON) -> String? {
    let text = write(value)
    guard let again = try? JSONReader.read(text.utf8) else { return "\(text) can't be read" }
    guard again == value else { return "\(text) is another value" }
    return write(again) == text ? nil : "\(text) is written otherwise the second time"
  }

  /// An error has a place in the text, or right behind it.
  private func fault(of error: JSONError, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard error.line >= 1, error.line <= lines.count else { return "line \(error.line) is not there" }
    let columns = lines[error.line - 1].count { $0 & 0xC0 != 0x80 } + 1
    guard error.column >= 1, error.column <= columns else { return "column \(error.column) is not there" }
    return error.message.isEmpty ? "an error says nothing" : nil
  }
}
