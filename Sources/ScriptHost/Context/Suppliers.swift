/// The *suppliers* of a context note who supplied which key; kept for `why`, `context` and traces.
final class Suppliers {
  enum Supplier: Equatable {
    case provider(String)
    case info
    case arguments

    var name: String {
      switch self {
      case .provider(let name): name
      case .info: "info"
      case .arguments: "arguments"
      }
    }
  }

  /// The provider that runs now.
  var current = Supplier.provider("")
  private(set) var byKey: [ByteText: Supplier] = [:]
  /// The host's names that somebody tried to supply, and who.
  private(set) var shadowed: [(key: String, by: String)] = []
  /// How many of them `takeShadowed` has returned.
  private var taken = 0

  func supplied(_ key: String) { byKey[ByteText(key)] = current }
  func supplied(_ key: String, by supplier: Supplier) { byKey[ByteText(key)] = supplier }
  func refused(_ key: String) { shadowed.append((key, current.name)) }

  /// The keys that a provider supplied, as far as no nearer one replaced them.
  func keys(of provider: String) -> [String] {
    byKey.compactMap { $0.value == .provider(provider) ? $0.key.text : nil }
  }

  /// What was added to `shadowed` since the last call.
  func takeShadowed() -> ArraySlice<(key: String, by: String)> {
    defer { taken = shadowed.count }
    return shadowed[taken...]
  }
}
