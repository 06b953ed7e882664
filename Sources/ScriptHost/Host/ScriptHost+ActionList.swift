/// An action within reach, with all facts that a person or an assistant needs before performing it.
public struct ActionEntry {
  /// The name that performs it.
  public var name: String
  /// The title from `about`, else the name.
  public var title: String
  /// A sentence about it.
  public var help: String?
  /// The name of an icon.
  public var icon: String?
  /// The responder that handles it; nil if nobody does.
  public var by: String?
  /// The way in which that responder was found.
  public var via: Outcome.Via?
  /// The arguments. Their present choices and defaults are included only if you list this action alone.
  public var takes: [AskedArgument] = []
  /// Whether `takes` is declared. An action without a declaration takes any arguments.
  public var isDeclared = false
  /// The question to confirm. If a function decides that, only the fact that there may be a question.
  public var confirm: Confirmation?
  /// Whether it can be done now.
  public var isEnabled: Bool
  /// The reason why it can't be done.
  public var reason: String?
  /// The keys that are bound to it along the chain.
  public var keys: [String] = []
  /// The ids of the items that perform it.
  public var items: [String] = []
  /// Whether an item or a row that performs it is destructive, or asks a person first.
  package var isDestructive = false
  /// Whether it is only for the app's own keys, rows and scripts.
  public var isInternal = false

  /// The known facts about a confirmation.
  public enum Confirmation: Sendable, Equatable {
    case said(String)
    case asked
  }
}

extension ScriptHost {
  /// Lists all actions within reach in the order of their names, without those that `look` hides. With a reference it
  /// lists only that action, even if it is hidden.
  ///
  /// - Parameter everywhere: whether to list the actions of all responders, even outside the chain and hidden, with
  ///   the arguments and questions of all of them. Then the names and arguments don't depend on the focus.
  ///
  /// ```swift
  /// let grid = try host.responder("grid")
  /// grid.takes("rate", .integer("rating", in: 0...5))
  /// grid.about("rate", "Rate the photo")
  /// grid.on("rate") { command in command.arguments["rating"] ?? .null }
  /// try host.focus(grid)
  /// for action in try host.actions("rate") {
  ///   print(action.title, action.takes.map(\.expected))  // Rate the photo ["an integer from 0 to 5"]
  /// }
  /// ```
  public func actions(_ reference: String? = nil, everywhere: Bool = false) throws(ReferenceError) -> [ActionEntry] {
    let wanted = try reference.map { text throws(ReferenceError) in try Reference.parse(text) }
    // Even listing the items resolves actions, and a 'redirect' may never end.
    return dispatcher.allowing {
      var list = ActionList(self, wanted, everywhere)
      let before = isListing
      isListing = wanted == nil
      defer { isListing = before }
      return list.entries()
    }
  }
}

extension ScriptHost {
  /// Validates many actions from the focus, in one context and within one allowance.
  package func validations<Answer>(_ body: ((String) -> Validation) -> Answer) -> Answer {
    dispatcher.allowing {
      let pass = ValidationPass(dispatcher, PerformOptions())
      let firsts = FirstNodes(pass.walk)
      return body { action in
        do throws(ReferenceError) {
          let reference = try Reference.parse(action)
          dispatcher.chargeWalk(1)
          dispatcher.tellSecrets(of: reference, Arguments())
          let resolution = Resolution(
            reference, raw: action, on: pass.walk, dispatcher: dispatcher,
            from: firsts.position(of: reference, names), isKept: false)
          let request = Request(
            raw: action, action: reference.name, prefix: reference.prefix, arguments: Arguments(reference.arguments))
          return request.arguments.skipsValidation ?? false
            ? pass.validateAsDeclared(reference, request, resolution) : pass.validate(reference, request, resolution)
        } catch {
          return Validation(enabled: false, reason: error.message)
        }
      }
    }
  }
}

extension ScriptHost {
  /// Returns the actions that no `look` hides now.
  package func shown(_ actions: [String]) -> [String] {
    validations { validation in actions.filter { validation($0).look.hidden != true } }
  }
}

/// One run of `actions`.
private struct ActionList {
  /// Distinct texts about an action: ten thousand items may perform the same action.
  private struct Noted {
    private(set) var all: [String] = []
    private var known: Set<ByteText> = []

    mutating func note(_ what: String) {
      if known.insert(ByteText(what)).inserted { all.append(what) }
    }
  }

  private let host: ScriptHost
  private let wanted: Reference?
  /// The responders that handle each action, if the list is of all responders; empty otherwise.
  private var handlers: [Name: [Responder]] = [:]
  private let isOfAll: Bool
  private let pass: ValidationPass
  private let firsts: FirstNodes
  /// The keys and the items that perform each action.
  private var keys: [ByteText: Noted] = [:]
  private var items: [ByteText: Noted] = [:]
  /// The actions with an item or a row that is destructive or asks first.
  private var destructive: Set<ByteText> = []
  private var dispatcher: Dispatcher { host.dispatcher }

  init(_ host: ScriptHost, _ wanted: Reference?, _ everywhere: Bool) {
    self.host = host
    self.wanted = wanted
    isOfAll = everywhere
    // Made before the pass: the menus are made in a separate pass.
    let entries = host.keys().filter(\.isReached)
    let tree = host.menuTrees.snapshotTree()
    pass = ValidationPass(host.dispatcher, PerformOptions())
    firsts = FirstNodes(pass.walk)
    for entry in entries {
      for reference in [entry.reference] + entry.others { note(entry.keys, reference, in: \.keys) }
    }
    tree.root.forEach { node in
      if node.element.kind == .item { note(node.id, node.element.facts.action, in: \.items) }
    }
    var met: Set<ByteText> = []
    tree.forEach { node in
      let facts = node.element.facts
      guard facts.details?.confirm != nil || facts.destructive, let action = node.element.action,
        met.insert(ByteText(action.reference.id)).inserted
      else { return }
      destructive.insert(ByteText(answered(action.reference)))
    }
  }

  private mutating func note(_ what: String, _ reference: String, in table: WritableKeyPath<Self, [ByteText: Noted]>) {
    guard let parsed = try? Reference.parse(reference) else { return }
    self[keyPath: table][ByteText(answered(parsed)), default: Noted()].note(what)
  }

  /// Returns the name under which a reference is handled; the whole reference if nobody handles it.
  private func answered(_ reference: Reference) -> String {
    guard reference.candidates.count > 1 else { return reference.name }
    let resolution = Resolution(
      reference, raw: reference.id, on: pass.walk, dispatcher: dispatcher,
      from: firsts.position(of: reference, host.names), isKept: false)
    return resolution.candidate(0, witness: nil)?.action ?? reference.id
  }

  mutating func entries() -> [ActionEntry] {
    if let wanted { return [entry(answered(wanted), wanted)].compactMap { $0 } }
    var names = Set<ByteText>()
    for node in pass.walk.nodes {
      for behaviour in node.stack where behaviour.owner.whySetAside == nil {
        for name in behaviour.on.keys { names.insert(ByteText(host.names.text(of: name))) }
      }
      if case .these(let claimed)? = node.hook(\.claims) { names.formUnion(claimed.map(ByteText.init)) }
    }
    names.formUnion(dispatcher.listedNames.map { ByteText(host.names.text(of: $0)) })
    names.formUnion(keys.keys)
    names.formUnion(items.keys)
    if isOfAll { noteHandlers() }
    names.formUnion(handlers.keys.map { ByteText(host.names.text(of: $0)) })
    return names.map(\.text).sorted { $0.precedesByBytes($1) }.compactMap { name in
      dispatcher.chargeWalk(1)
      return (try? Reference.parse(name)).flatMap { entry(name, $0) }
    }
  }

  /// Returns the entry of an action; nil if it is hidden, unless the caller wants only this action.
  private func entry(_ name: String, _ reference: Reference) -> ActionEntry? {
    let raw = reference.id
    let resolution = Resolution(
      reference, raw: raw, on: pass.walk, dispatcher: dispatcher, from: firsts.position(of: reference, host.names),
      isKept: false)
    let request = Request(
      raw: raw, action: reference.name, prefix: reference.prefix, arguments: Arguments(reference.arguments))
    let validation = pass.validate(reference, request, resolution)
    if wanted == nil, !isOfAll, validation.look.hidden == true { return nil }
    let candidate = taker(of: resolution, validation.by)
    let about = candidate?.name.flatMap { candidate?.responder.said(\.about, $0) }
    var entry = ActionEntry(
      name: name, title: validation.look.title ?? about?.title ?? name, by: validation.by,
      isEnabled: validation.isEnabled, reason: validation.reason)
    entry.help = about?.help
    entry.isInternal = about?.isInternal ?? false
    entry.icon = validation.look.icon ?? about?.icon
    entry.via = candidate?.via
    if let candidate, let takes = candidate.takes {
      entry.isDeclared = true
      // A list calls no function for choices, because a face lists actions whenever its palette opens.
      entry.takes = wanted == nil || takes.isFixed ? takes.facts : pass.fields(of: takes, candidate, request)
    }
    entry.confirm = candidate?.confirm.map { ($0 as? SaidConfirmation).map { .said($0.text) } ?? .asked }
    entry.keys = keys[ByteText(name)]?.all ?? []
    entry.items = items[ByteText(name)]?.all ?? []
    entry.isDestructive = destructive.contains(ByteText(name))
    if let known = host.names.name(of: name), let all = handlers[known] { entry.add(all, known) }
    return entry
  }

  /// Notes which responders handle an action, whether they are in the chain or not.
  private mutating func noteHandlers() {
    for responder in host.responders.sorted(by: { $0.number < $1.number }) + [dispatcher.hostResponder] {
      var met: Set<Name> = []
      for behaviour in responder.stack where behaviour.owner.whySetAside == nil {
        for name in behaviour.on.keys where met.insert(name).inserted { handlers[name, default: []].append(responder) }
      }
    }
  }

  /// Returns the candidate that handles the action or refuses it.
  private func taker(of resolution: Resolution, _ name: String?) -> Candidate? {
    guard let name else { return nil }
    var index = 0
    while let candidate = resolution.candidate(index, witness: nil) {
      if candidate.responder.name.hasSameBytes(as: name) { return candidate }
      index += 1
    }
    return nil
  }
}

extension ActionEntry {
  /// Adds what other handlers of the action declare, so that the entry suits all of them.
  fileprivate mutating func add(_ handlers: [Responder], _ name: Name) {
    let about = handlers.lazy.compactMap { $0.said(\.about, name) }.first
    if by == nil, let about { title = about.title }
    help = help ?? about?.help
    isInternal = handlers.contains { $0.said(\.about, name)?.isInternal ?? false }
    if confirm == nil, handlers.contains(where: { $0.entry(.confirm, name) != nil }) { confirm = .asked }
    let declared = handlers.map { $0.said(\.takes, name)?.facts }
    isDeclared = declared.allSatisfy { $0 != nil }
    takes = AskedArgument.merged(declared.compactMap { $0 })
    if !isDeclared { for index in takes.indices { takes[index].isOptional = true } }
  }
}

extension AskedArgument {
  /// Merges the arguments of several handlers. An argument is required if each of them requires it.
  fileprivate static func merged(_ lists: [[AskedArgument]]) -> [AskedArgument] {
    guard var merged = lists.first else { return [] }
    for list in lists.dropFirst() {
      for index in merged.indices {
        guard let other = list.first(where: { $0.key == merged[index].key }) else {
          merged[index].isOptional = true
          continue
        }
        merged[index].join(other)
      }
      for var new in list where !merged.contains(where: { $0.key == new.key }) {
        new.isOptional = true
        merged.append(new)
      }
    }
    return merged
  }

  private mutating func join(_ other: AskedArgument) {
    if kind != other.kind || isMany != other.isMany { (kind, isMany, choices, suggestions) = (.any, false, nil, nil) }
    if !Self.areSame(choices?.map(\.value), other.choices?.map(\.value)) { choices = nil }
    if !Self.areSame(from.map { [$0] }, other.from.map { [$0] }) { from = nil }
    if !Self.areSame(to.map { [$0] }, other.to.map { [$0] }) { to = nil }
    isOptional = isOptional || !other.isRequired
    isSecret = isSecret || other.isSecret
  }

  private static func areSame(_ values: [Value]?, _ others: [Value]?) -> Bool {
    guard let values, let others else { return values == nil && others == nil }
    return values.count == others.count && zip(values, others).allSatisfy { $0.isSame(as: $1) }
  }
}

extension ActionEntry {
  /// The facts as a plain value, with the names of JSON.
  package var value: Value {
    var members: [(key: String, value: Value)] = [("name", .text(name)), ("title", .text(title))]
    func add(_ name: String, _ text: String?) { if let text { members.append((name, .text(text))) } }
    add("help", help)
    add("icon", icon)
    add("by", by)
    add("via", via?.rawValue)
    if isDeclared { members.append(("takes", .list(takes.map(\.value)))) }
    switch confirm {
    case .said(let text)?: add("confirm", text)
    case .asked?: members.append(("confirm", true))
    case nil: break
    }
    members.append(("enabled", .bool(isEnabled)))
    add("reason", reason)
    members.append(("keys", .list(keys.map { .text($0) })))
    members.append(("items", .list(items.map { .text($0) })))
    if isDeclared { members.append(("declared", true)) }
    return .object(members)
  }
}

// Titles of actions without an item.

extension ScriptHost {
  /// Returns the present title of an action: from its `look`, else from its `about`; nil without both.
  package func title(of reference: String) -> String? {
    guard let parsed = try? Reference.parse(reference) else { return nil }
    let validation = validate(reference)
    if let title = validation.look.title { return title }
    guard let by = validation.by else { return nil }
    let taker = by.hasSameBytes(as: Outcome.hostName) ? dispatcher.hostResponder : find(by)
    return parsed.candidates.lazy.compactMap { candidate in
      self.names.name(of: candidate.name).flatMap { taker?.said(\.about, $0) }?.title
    }.first
  }

  /// Returns the present title of the action that keys would perform; nil if they pick an item, or no title is known.
  package func title(ofKeys keys: KeySequence, after pending: PendingKeys?) -> String? {
    let goingOn = (pending ?? ownKeys).begun.flatMap { begun in
      keys.strokes.count == 1 ? binding(of: begun.followed(by: keys.strokes[0])) : nil
    }
    guard let binding = goingOn ?? binding(of: keys), !binding.isRemoval else { return nil }
    return binding.title ?? title(of: first(of: binding, struck).raw)
  }
}

// A7: only the action's handler sees secret values.

extension ScriptHost {
  /// Closures that receive each secret value, so that a recorder can mask it.
  package var secretHearers: Hearers<Value> { dispatcher.secretHearers }

  /// Replaces the secrets in undo titles, which appear in menus and results.
  package var maskingTitle: ((String) -> String)? {
    get { dispatcher.maskingTitle }
    set { dispatcher.maskingTitle = newValue }
  }

  /// The names of all arguments that any declaration makes secret.
  package var secretNames: Set<String> {
    guard chain.hasSecrets else { return [] }
    let takes = (responders + [dispatcher.hostResponder]).flatMap { $0.stack.flatMap(\.takes.values) }
    return Set(takes.flatMap(\.content.arguments).filter(\.facts.isSecret).map(\.key))
  }

  /// Returns the first of these arguments that a handler of the reference declares secret.
  package func secret(among given: Arguments, of reference: String) -> String? {
    guard chain.hasSecrets, let parsed = try? Reference.parse(reference) else { return nil }
    let secrets = dispatcher.secrets(of: parsed)
    return given.members.lazy.map(\.key).first(where: secrets.contains)
  }

  /// Returns a reference without its secret arguments, for anyone but the action's handler.
  package func masked(_ reference: String) -> String {
    guard chain.hasSecrets else { return reference }
    guard let parsed = try? Reference.parse(reference) else { return Dispatcher.maskedUnreadable(reference) }
    return dispatcher.masked(reference, parsed)
  }

  /// Returns a URL for others to see. If a handler of `openURL` declares it secret, returns the name `openURL` instead.
  package func masked(url: String) -> String {
    guard chain.hasSecrets else { return url }
    if case .text? = masked(Arguments([("url", .text(url))]), of: "openURL")["url"] { return url }
    return "openURL"
  }

  /// Returns arguments for others to see. Without a reference, masks each argument that any declaration makes secret.
  package func masked(_ arguments: Arguments, of reference: String?) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    if let parsed = reference.flatMap({ try? Reference.parse($0) }) { return dispatcher.masked(arguments, of: parsed) }
    var masked = arguments
    for key in secretNames where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}
