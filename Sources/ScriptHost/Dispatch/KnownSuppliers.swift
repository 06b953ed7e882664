/// The suppliers of each key in the contexts that `why` has built; it names them if a key is missing. Providers may make up keys without
/// end, so all are forgotten when they take too much memory.
struct KnownSuppliers {
  private static let most = 1 << 18
  private var byKey: [ByteText: [String]] = [:]
  /// The approximate memory that they take.
  private(set) var bytes = 0

  mutating func note(_ name: String, of key: ByteText) {
    if byKey[key]?.contains(where: { $0.hasSameBytes(as: name) }) ?? false { return }
    let added = key.text.utf8.count + name.utf8.count + 64
    if added > Self.most { return }
    if bytes + added > Self.most { self = KnownSuppliers() }
    bytes += added
    byKey[key, default: []].append(name)
  }

  func names(of key: String) -> [String] { byKey[ByteText(key)] ?? [] }
}
