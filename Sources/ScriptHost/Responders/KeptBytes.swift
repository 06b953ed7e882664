/// Counts the bytes that the host keeps in Swift of what an owner's scripts declare: Lua's memory limit doesn't include them.
final class KeptBytes {
  /// What each declaration takes besides its texts.
  static let base = 64
  private(set) var bytes = 0

  /// A share of the bytes, which counts as long as somebody holds it.
  final class Share {
    private let whole: KeptBytes
    private let bytes: Int

    fileprivate init(_ bytes: Int, of whole: KeptBytes) {
      self.bytes = bytes
      self.whole = whole
      whole.bytes += bytes
    }

    deinit { whole.bytes -= bytes }
  }

  func share(_ bytes: Int) -> Share { Share(bytes, of: self) }
}
