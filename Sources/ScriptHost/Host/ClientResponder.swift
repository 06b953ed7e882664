/// A *client responder* is a responder whose actions a client does. The client reports states ahead, so that no
/// question waits for it.
package final class ClientResponder {
  /// Sends the client a call, with the context keys that it reads. Returns false if that is not possible.
  package typealias Sending = (ClientCall, Request, _ context: [(key: String, value: Value)]) -> Bool

  package let name: String
  let patience: Double
  let send: Sending
  /// Called when a call ends before the client has answered.
  let onEndWithoutAnswer: (ClientCall) -> Void
  /// The context that it supplies.
  private(set) var context = Arguments()
  private(set) var states: [ByteText: ClientStates]
  private unowned let host: ScriptHost
  /// The calls that a text has begun and waits for.
  fileprivate var callsOfTexts: [ClientCall] = []

  /// The most states that a client may report of one responder: each is compared with each request.
  static let mostStates = 1000
  /// The most bytes that a client may declare and report for all its responders.
  static let mostBytes = 4 << 20
  private let owner: Owner
  /// The bytes of the declaration, and of all reports together.
  private let declaredBytes: Int
  private(set) var bytes: Int

  init(
    _ declared: ClientDeclaration, of owner: Owner, in host: ScriptHost, send: @escaping Sending,
    onEndWithoutAnswer: @escaping (ClientCall) -> Void
  ) {
    name = declared.name
    self.owner = owner
    declaredBytes = declared.bytes
    bytes = declared.bytes
    self.host = host
    patience = declared.patience
    self.send = send
    self.onEndWithoutAnswer = onEndWithoutAnswer
    states = Dictionary(
      declared.actions.map { (ByteText($0.name), ClientStates()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Merges context and states into earlier reports, or throws and changes nothing. A null deletes its key.
  package func tell(
    context told: [(key: String, value: Value)], actions: [(key: String, value: Value)]
  ) throws(Misuse) {
    try host.checkNotAsking("the state of '\(name)' can't be set")
    var (context, states) = (context, states)
    for (key, value) in told {
      if HostNames.contains(key) { throw Misuse(.refused, "'\(key)' is a name of the host: choose another name") }
      context[key] = value.orNone
    }
    for (text, value) in actions { try change(&states, text, value) }
    guard states.values.reduce(0, { $0 + $1.count }) <= Self.mostStates else {
      throw Misuse(.refused, "'\(name)' has more than \(Self.mostStates) states")
    }
    let bytes = states.values.reduce(declaredBytes + Value.object(context.members).weight) { $0 + $1.bytes }
    try owner.checkRoom(for: bytes - self.bytes)
    owner.toldBytes += bytes - self.bytes
    (self.context, self.states, self.bytes) = (context, states, bytes)
    callsOfTexts.removeAll { !$0.isWaiting }
    // A report in a call of a text would begin the text again, and with it the call.
    host.menuTrees.invalidate(forTexts: callsOfTexts.isEmpty)
    host.endTurn()
  }

  private func change(_ states: inout [ByteText: ClientStates], _ text: String, _ value: Value) throws(Misuse) {
    let reference: Reference
    do throws(ReferenceError) { reference = try Reference.parse(text) } catch {
      throw Misuse(.badName, "'\(text)' is no action: \(error.message)")
    }
    guard var known = states[ByteText(reference.id)] else {
      let near = nearest(to: reference.id, among: states.keys.map(\.text)).first
      throw Misuse(
        .unknownName,
        "'\(name)' has no action '\(reference.id)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    switch value {
    case .null: try known.change(reference, nil)
    case .object(let members):
      try known.change(reference) { state throws(Misuse) in try state.merge(members, of: text) }
    default: throw Misuse(.wrongType, "the state of '\(text)' must be an object or null")
    }
    states[ByteText(reference.id)] = known
  }

  func state(in context: Context) -> ClientStates.State {
    guard let request = context.request, let told = states[ByteText(request.action)] else { return .init() }
    return told.count == 0 ? .init() : told.state(of: request.arguments)
  }
}

extension ClientStates.State {
  /// Merges members of JSON; null deletes a member.
  fileprivate mutating func merge(_ members: [(key: String, value: Value)], of text: String) throws(Misuse) {
    for (name, value) in members {
      switch (name, value) {
      case ("enabled", .null): isEnabled = nil
      case ("enabled", .bool(let value)): isEnabled = value
      case ("reason", .null): reason = nil
      case ("reason", .text(let value)): reason = value
      case ("state", .null): state = nil
      case ("state", .text(let word)):
        guard let known = Look.State(rawValue: word) else {
          throw Misuse(.wrongType, "'state' of '\(text)' must be on, off or mixed, not '\(word)'")
        }
        state = known
      case ("title", .null): title = nil
      case ("title", .text(let value)): title = value
      case ("enabled", _): throw Misuse(.wrongType, "'enabled' of '\(text)' must be true or false")
      case ("reason", _), ("title", _), ("state", _): throw Misuse(.wrongType, "'\(name)' of '\(text)' is a string")
      default:
        let near = nearest(to: name, among: ["enabled", "reason", "state", "title"]).first
        throw Misuse(
          .unknownName, "the state of '\(text)' has no '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
    }
  }
}

// MARK: Handlers

/// Lets a client do an action.
private final class ClientAction: Handler {
  private let client: ClientResponder
  private unowned let dispatcher: Dispatcher
  private let keys: [String]?

  init(_ reads: [String]?, of client: ClientResponder, _ owner: Owner, _ dispatcher: Dispatcher) {
    self.client = client
    self.dispatcher = dispatcher
    self.keys = reads
    super.init(owner: owner)
  }

  override var readKeys: [String] { keys ?? [] }
  override var isReadable: Bool { keys != nil }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    guard let request = context.request else { return .pass }
    let call = ClientCall(
      request.action, of: responder, owner, in: dispatcher, patience: client.patience,
      onEndWithoutAnswer: client.onEndWithoutAnswer)
    let keys = keys ?? context.storedKeys.filter { !request.arguments.has($0) }.sorted { $0.precedesByBytes($1) }
    guard client.send(call, request, keys.map { ($0, context[$0]) }) else {
      let sentence = "'\(owner.name)' reads too slowly, so it can't handle '\(request.action)' of '\(responder.name)'"
      return .failed(Failure(.client, sentence, owner: owner.name))
    }
    if dispatcher.isWithinAside {
      client.callsOfTexts.removeAll { !$0.isWaiting }
      client.callsOfTexts.append(call)
    }
    return call.begin()
  }
}

/// Returns whether a client's action can be done, and its look, from the reports of the client.
private final class ClientState: Handler {
  private let client: ClientResponder

  init(of client: ClientResponder, _ owner: Owner) {
    self.client = client
    super.init(owner: owner)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    let state = client.state(in: context)
    return state.isEnabled ?? true ? .yes : .no(state.reason)
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    let state = client.state(in: context)
    var look = Look()
    (look.state, look.title) = (state.state, state.title)
    return .success(look)
  }
}

/// Supplies the context that a client has reported.
private final class ClientProvider: Handler {
  private let client: ClientResponder

  init(of client: ClientResponder, _ owner: Owner) {
    self.client = client
    super.init(owner: owner)
  }

  override var suppliedKeys: [String] { client.context.members.map(\.key) }
  override var isReadable: Bool { true }

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    for (key, value) in client.context.members { context[key] = value }
    return nil
  }
}

// MARK: Clients

extension ScriptHost {
  /// Asks a person for a client, in the middle of the client's call (A10). Returns the question, which has ended already
  /// if there is no person.
  package func ask(
    for call: ClientCall, title: String?, help: String?, confirm: String?, takes: [AskedArgument]
  ) throws(Misuse) -> PendingQuestion {
    if call.question != nil { throw Misuse(.notNow, "this call asks already: wait for the answer") }
    if takes.isEmpty, confirm == nil { throw Misuse(.wrongType, "a question needs 'takes', 'confirm' or both") }
    try checkRoomForQuestion(of: call.owner)
    // The person sees that the client asks, and not the app.
    let title = [call.owner.name, title].compactMap { $0 }.joined(separator: ": ")
    let question = PendingQuestion(
      Job.Subject(action: call.action, responder: call.responder, owner: call.owner, isReentrant: true), title: title,
      help: help, confirm: confirm, takes: takes.isEmpty ? nil : Takes(takes.map(DeclaredArgument.init)),
      in: dispatcher, hear: hearingQuestions)
    keep(question)
    if onQuestion == nil { question.remainsUnseen() } else { call.ask(question) }
    return question
  }

  /// The most responders that a client may have at a time.
  private static let mostClientResponders = 1000

  /// Returns a new owner for the responders of a client.
  package func newClient(_ name: String?) -> Owner {
    let owner = newOwner(name.map { "client \($0)" } ?? "client")
    owner.isClient = true
    return owner
  }

  /// Returns the number of a client, which its objects name.
  package func number(of client: Owner) -> Int { client.number }

  /// Makes a responder for a client. If any part of the declaration is invalid, it throws and makes nothing.
  package func register(
    _ declared: ClientDeclaration, of owner: Owner, send: @escaping ClientResponder.Sending,
    onEndWithoutAnswer: @escaping (ClientCall) -> Void
  ) throws(Misuse) -> ClientResponder {
    try checkNotAsking("a responder can't be made")
    if let taken = find(declared.name), taken !== app {
      if taken.owner === owner {
        throw Misuse(.nameTaken, "you have registered '\(declared.name)' already: unregister it first")
      }
      throw Misuse(
        .nameTaken, "the name '\(declared.name)' is taken by a \(taken.kindWord) of '\(taken.owner.name)'",
        other: taken.place)
    }
    if declared.name == Outcome.hostName {
      throw Misuse(.nameTaken, "'\(declared.name)' is the name of the host itself")
    }
    guard responders.count(where: { $0.owner === owner }) < Self.mostClientResponders else {
      throw Misuse(.refused, "a client has \(Self.mostClientResponders) responders at most")
    }
    let new = try check(declared, of: owner)
    defer { names.noteOfClients(new.compactMap(names.name)) }
    try owner.checkRoom(for: declared.bytes)
    let next = try declared.next.map { name throws(Misuse) in try known(name) }
    let before = try declared.before.map { name throws(Misuse) in try known(name) }
    let responder = try chain.add(
      declared.name, kind: declared.isWindow ? .window : .responder, next: next, owner: owner, place: nil)
    let client = ClientResponder(
      declared, of: owner, in: self, send: send, onEndWithoutAnswer: onEndWithoutAnswer)
    do throws(Misuse) {
      if let before { try chain.attach(responder, before: before) }
      try fill(responder, declared, of: owner, client)
    } catch {
      try chain.remove(responder)
      throw error
    }
    for action in declared.actions { dispatcher.clientsGone[ByteText(action.name)] = nil }
    owner.toldBytes += declared.bytes
    menuTrees.invalidate()
    endTurn()
    return client
  }

  private func fill(
    _ responder: Responder, _ declared: ClientDeclaration, of owner: Owner, _ client: ClientResponder
  ) throws(Misuse) {
    let editor = ResponderEditor(responder: responder, host: self, owner: owner)
    let state = ClientState(of: client, owner)
    for action in declared.actions {
      let handler = ClientAction(action.reads, of: client, owner, dispatcher)
      handler.isReentrant = action.isReentrant
      _ = editor.set(.on, action.name, handler)
      _ = editor.set(.can, action.name, state)
      _ = editor.set(.look, action.name, state)
      if let takes = action.takes { _ = editor.set(\.takes, action.name, Takes(takes.map(DeclaredArgument.init))) }
      if let about = action.about { _ = editor.set(\.about, action.name, about) }
      if let question = action.confirm { editor.confirm(action.name, question) }
    }
    editor.setHook(\.provide, ClientProvider(of: client, owner))
    if let counts = declared.counts { editor.counts(counts) }
    for key in declared.keys {
      do {
        if key.references.isEmpty {
          try editor.unbind(key.keys)
        } else if key.isWhole {
          try editor.bind(key.keys, toAll: key.references, title: key.title, wait: key.wait)
        } else {
          try editor.bind(key.keys, toFirst: key.references, title: key.title, wait: key.wait)
        }
      } catch let misuse as Misuse {
        throw misuse
      } catch {
        throw Misuse(.badName, "'\(key.keys)' can't be bound: \(error)")
      }
    }
  }

  /// Throws if the name of an action or a declared argument is invalid. Returns the new names.
  private func check(_ declared: ClientDeclaration, of owner: Owner) throws(Misuse) -> [String] {
    var made: [String] = []
    for action in declared.actions {
      let reference = try? Reference.parse(action.name)
      guard let reference, reference.arguments == nil, reference.id.hasSameBytes(as: action.name),
        action.name.utf8.count <= 256
      else { throw Misuse(.badName, "'\(action.name)' can't be the name of an action") }
      if names.name(of: action.name) == nil { made.append(action.name) }
      try AskedArgument.check(action.takes ?? [], of: action.name)
    }
    guard owner.namesMade + made.count <= NameTable.limitOfPlugin, hasRoom(forNames: made.count) else {
      throw Misuse(.refused, "'\(declared.name)' has more actions than a client can name")
    }
    owner.namesMade += made.count
    return made
  }

  /// Returns true if clients can create so many more names. If not, the names of clients that are gone end first.
  private func hasRoom(forNames count: Int) -> Bool {
    func fits() -> Bool {
      names.ofClients.count + count <= NameTable.limitOfClients && names.count + count <= NameTable.limit
    }
    if !fits(), dispatcher.depth == 0, !isLoading { endUnusedNames() }
    return fits()
  }

  /// Ends the names of clients that nothing uses any more: no table of a handler, and no action that waits.
  private func endUnusedNames() {
    var unused = names.ofClients
    let behaviours =
      (chain.responders.values + [dispatcher.hostResponder]).flatMap(\.layers) + chain.classes.map(\.behaviour)
    for behaviour in behaviours { unused.subtract(behaviour.names) }
    unused.subtract(dispatcher.lastNames)
    for job in dispatcher.scheduler.jobs {
      guard let reference = try? Reference.parse(job.action) else { continue }
      unused.subtract(reference.candidates.compactMap { names.name(of: $0.name) })
    }
    names.remove(unused)
    // Walks and resolutions know names by their numbers.
    chain.changeAll()
  }

  private func known(_ name: String) throws(Misuse) -> Responder {
    if let responder = find(name) { return responder }
    let near = nearest(to: name, among: responders.map(\.name)).first.map { "; did you mean '\($0)'?" } ?? ""
    throw Misuse(.unknownName, "there is no responder '\(name)'\(near)")
  }

  /// Removes a responder of a client.
  package func unregister(_ client: ClientResponder, of owner: Owner) throws(Misuse) {
    // The embedding program may have removed it.
    owner.toldBytes -= client.bytes
    guard let responder = find(client.name), responder.owner === owner else { return }
    try remove(responder)
    menuTrees.invalidate()
    endTurn()
  }

  /// Removes everything of a client. Its calls are cancelled, and what they did is undone. The reasons of its actions
  /// name it from now on.
  package func leave(_ client: Owner, with responders: some Collection<ClientResponder>) {
    for responder in responders { responder.states.keys.forEach { dispatcher.noteGone(client, doing: $0) } }
    removeAll(of: client)
    menuTrees.invalidate()
    endTurn()
  }
}

extension ClientCall {
  /// Throws if the client's limit has no room for an undo step.
  package func checkRoom(for undoing: Undoing?) throws(Misuse) {
    if let undoing { try owner.checkRoom(for: undoing.bytes) }
  }
}

extension Owner {
  /// Throws if a client would exceed its limit.
  fileprivate func checkRoom(for more: Int) throws(Misuse) {
    guard toldBytes + more > ClientResponder.mostBytes else { return }
    let most = ClientResponder.mostBytes >> 20
    throw Misuse(
      .refused, "the responders of '\(name)' have more than \(most) MiB of declarations, state and undo steps")
  }
}

extension Value {
  /// The bytes of a value with all its parts.
  fileprivate var weight: Int {
    switch self {
    case .text(let text): 16 + text.utf8.count
    case .list(let values): values.reduce(16) { $0 + $1.weight }
    case .object(let members): members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.weight }
    default: 16
    }
  }
}

extension AskedArgument {
  /// Throws if these arguments can't be declared for an action.
  fileprivate static func check(_ all: [AskedArgument], of action: String) throws(Misuse) {
    guard all.count <= Takes.most, Set(all.map { ByteText($0.key) }).count == all.count else {
      throw Misuse(.wrongType, "'\(action)' takes \(Takes.most) arguments at most, each with its own key")
    }
    for argument in all {
      let what = "'\(argument.key)' of '\(action)'"
      if argument.kind == .oneOf, argument.choices?.isEmpty ?? true {
        throw Misuse(.wrongType, "\(what) has choices, but 'one_of' doesn't list them")
      }
      if argument.kind != .oneOf, argument.choices != nil {
        throw Misuse(.wrongType, "\(what) has a type and 'one_of': remove one of the two")
      }
      if argument.suggestions != nil { try argument.checkSuggesting { Misuse(.wrongType, "\(what) \($0)") } }
      if argument.from != nil || argument.to != nil, ![.integer, .number, .string].contains(argument.kind) {
        throw Misuse(.wrongType, "\(what) has bounds, but only numbers and strings can have them")
      }
      if argument.isPresetComputed || argument.failure != nil {
        throw Misuse(.wrongType, "\(what) has a function, but a client can't register one")
      }
      if argument.lines != nil, argument.kind != .string || argument.isMany || argument.isSecret {
        throw Misuse(.wrongType, "\(what) has 'lines', but only a single string that isn't secret can have them")
      }
    }
  }
}
