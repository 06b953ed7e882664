/// Who supplied which keys of contexts before: `why` names them where a key is missing. Providers may make up keys without an end, so all
/// are forgotten where they are too many.
struct KnownSuppliers {
  private static let most = 1 << 18
  private var byKey: [ByteText: [String]] = [:]
  /// How much they take, about.
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
