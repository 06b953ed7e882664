import LiveHost

/// The subscriptions of a client.
struct Subscriptions {
  /// A subscription: the URIs of resources, and whether it includes the list of tools.
  struct Wish {
    /// The id of the `subscriptions/listen`; nil for a client with a session.
    var id: JSON?
    var uris: [String] = []
    var tellsTools = false
  }

  private(set) var wishes: [Wish] = []
  /// The last texts of the resources that clients got.
  private var told: [String: String] = [:]

  /// The most URIs that a client may subscribe to.
  static let most = 256

  var uris: Set<String> { Set(wishes.flatMap(\.uris)) }
  var wantTools: Bool { wishes.contains(where: \.tellsTools) }
  var isEmpty: Bool { wishes.isEmpty }

  mutating func add(_ wish: Wish) { wishes.append(wish) }

  /// Ends a `subscriptions/listen`. Returns false if there is none.
  mutating func end(_ key: String) -> Bool {
    let count = wishes.count
    wishes.removeAll { $0.id.map(JSONText.text) == key }
    return wishes.count < count
  }

  /// Changes the subscription of a client with a session.
  mutating func changeOwn(_ change: (inout Wish) -> Void) {
    if let place = wishes.firstIndex(where: { $0.id == nil }) { return change(&wishes[place]) }
    var wish = Wish()
    change(&wish)
    wishes.append(wish)
  }

  /// Notes a resource's text. Returns true if it differs from the last text.
  mutating func differs(_ uri: String, _ text: String) -> Bool {
    defer { told[uri] = text }
    return told[uri] != text
  }

  /// Forgets resources without a subscription.
  mutating func tidy() {
    let wanted = uris
    told = told.filter { wanted.contains($0.key) }
  }
}
