/// A client's declaration of a responder, which it sends when it registers the responder.
package struct ClientDeclaration {
  package var name: String
  /// The names of the responders that come after it in the chain, and that it is attached before.
  package var next: String?
  package var before: String?
  package var isWindow = false
  package var actions: [Action] = []
  package var keys: [Key] = []
  /// Whether digits before a stroke are a count.
  package var counts: Bool?
  /// The seconds within which the client answers a call, or reports progress.
  package var patience = 10.0
  /// The length of the declaration.
  package var bytes = 0

  package init(_ name: String) { self.name = name }

  /// Keys with references. The first that can be done is performed, or all one after the other. Without references the
  /// keys are removed.
  package struct Key {
    package var keys: String
    package var references: [String] = []
    package var isWhole = false
    package var title: String?
    package var wait: Duration?

    package init(_ keys: String) { self.keys = keys }
  }

  /// An action that the client does.
  package struct Action {
    package var name: String
    package var takes: [AskedArgument]?
    package var about: About?
    package var confirm: String?
    /// The keys of the context to send to the client; nil for all.
    package var reads: [String]?
    /// Whether the action can be done again while the client does it.
    package var isReentrant = false

    package init(_ name: String) { self.name = name }
  }
}

/// The *states* that a client reports ahead of time for an action: for its name, and for references with arguments.
struct ClientStates {
  /// A client's report for one reference; a field is nil if the client reports nothing.
  struct State {
    var isEnabled: Bool?
    var reason: String?
    var state: Look.State?
    var title: String?
  }

  private struct Entry {
    /// The arguments that a request must have.
    let arguments: [(key: String, value: Value)]
    /// The canonical spelling of the reference.
    let text: String
    var state: State
  }

  /// The most specific first.
  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// The bytes of all texts in them.
  var bytes: Int {
    entries.reduce(0) {
      $0 + $1.text.utf8.count + ($1.state.reason?.utf8.count ?? 0) + ($1.state.title?.utf8.count ?? 0)
    }
  }

  /// Changes the state of a reference; nil removes it.
  mutating func change(_ reference: Reference, _ change: ((inout State) throws(Misuse) -> Void)?) throws(Misuse) {
    let text = reference.format()
    let place = entries.firstIndex { $0.text.hasSameBytes(as: text) }
    guard let change else {
      if let place { entries.remove(at: place) }
      return
    }
    if let place { return try change(&entries[place].state) }
    var entry = Entry(arguments: Arguments(reference.arguments).members, text: text, state: State())
    try change(&entry.state)
    let behind = entries.firstIndex { $0.arguments.count <= entry.arguments.count }
    entries.insert(entry, at: behind ?? entries.count)
  }

  /// Returns the state of a request: each field comes from the most specific matching reference that has it.
  func state(of arguments: Arguments) -> State {
    var found = State()
    for entry in entries
    where entry.arguments.allSatisfy({ arguments[$0.key]?.isSame(as: $0.value) ?? $0.value.isNull }) {
      found.isEnabled = found.isEnabled ?? entry.state.isEnabled
      found.reason = found.reason ?? entry.state.reason
      found.state = found.state ?? entry.state.state
      found.title = found.title ?? entry.state.title
    }
    return found
  }
}
