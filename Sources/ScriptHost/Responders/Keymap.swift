/// A *keymap* holds the user's own keys, by the names of responders. They precede all keys that scripts bind (K11).
final class Keymap {
  let owner: Owner
  private let bindings: [ByteText: [KeySequence: KeyBinding]]
  /// Counts the bytes that the host keeps for it.
  private let share: KeptBytes.Share
  private let places: (String) -> Place

  init(
    _ owner: Owner, _ bindings: [ByteText: [KeySequence: KeyBinding]], share: KeptBytes.Share,
    places: @escaping (String) -> Place
  ) {
    self.owner = owner
    self.bindings = bindings
    self.share = share
    self.places = places
  }

  /// The names of the responders for which it has keys.
  var names: [String] { bindings.keys.map(\.text).sorted { $0.precedesByBytes($1) } }

  /// Returns the line that names a responder.
  func place(of name: String) -> Place { places(name) }

  /// Returns the binding of keys for a responder.
  func binding(of keys: KeySequence, for responder: Responder) -> KeyBinding? {
    bindings[ByteText(responder.name)]?[keys]
  }

  /// Returns all bindings for a responder, in the order of their spelling.
  func bindings(for responder: Responder) -> [(keys: KeySequence, bindings: [KeyBinding])] {
    (bindings[ByteText(responder.name)] ?? [:]).map { ($0.key, [$0.value]) }
      .sorted { $0.keys.text.precedesByBytes($1.keys.text) }
  }
}
