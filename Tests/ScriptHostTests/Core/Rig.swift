import Testing

@testable import ChainModel
@testable import ScriptHost

/// A *rig* is a real host to which a test applies the operations of the model.
final class Rig {
  let host = ScriptHost()
  var trace: [String] = []
  /// The events that observers got since the last perform began.
  private var heard: [String] = []
  private let owners: [Owner]
  private var classes: [String: ClassDefinition] = [:]
  private var handles: [Registration?] = []
  private var depth = 0
  private var runs: [Int: Int] = [:]

  /// How a test uses a host. The mode doesn't change any result.
  struct Mode: CustomStringConvertible {
    /// Whether an observer runs before each handler, between the steps of a plan.
    var isObserved = false
    /// Whether handlers are Lua functions: then all steps of a plan may run in one crossing into Lua.
    var isScripted = false
    /// Whether every other handler is in Swift, so that a plan has steps of both kinds.
    var isMixed = false

    var description: String {
      "\(isObserved ? "observed" : "unobserved"), \(isMixed ? "mixed" : isScripted ? "scripted" : "in Swift")"
    }
  }

  private let isObserved: Bool
  private var scripted: ScriptedHandlers?
  private let isMixed: Bool
  private var handlers = 0

  init(_ mode: Mode) throws {
    isObserved = mode.isObserved
    isMixed = mode.isMixed
    owners = [host.program, Owner(name: "one"), Owner(name: "two")]
    for (name, ancestor) in [("C0", nil), ("C1", "C0"), ("C2", nil)] {
      classes[name] = try host.chain.define(
        name, ancestor: ancestor.flatMap { classes[$0] }, owner: owners[0], place: nil)
    }
    if mode.isScripted { scripted = try ScriptedHandlers(self) }
    guard isObserved else { return }
    host.observe { [unowned self] event in
      if depth == 0 { heard.append("\(event.stage) \(event.action)") }
    }
  }

  // MARK: Operations

  /// Applies an operation; returns whether the host allowed it.
  @discardableResult
  func apply(_ operation: Operation) -> Bool {
    do {
      try change(operation)
      return true
    } catch {
      return false
    }
  }

  private func change(_ operation: Operation) throws {
    switch operation {
    case .nothing: break
    case .add(let name, let isWindow, let next):
      let next = next.flatMap(host.find)
      _ = isWindow ? try host.window(name, next: next) : try host.responder(name, next: next)
    case .remove(let name): if let responder = host.find(name) { try host.remove(responder) }
    case .next(let next, let name):
      if let next = host.find(next), let responder = host.find(name) { try host.setNext(next, of: responder) }
    case .delegate(let delegate, let name):
      if let window = host.find(name) { try host.setDelegate(delegate.flatMap(host.find), of: window) }
    case .focus(let name): if let responder = host.find(name) { try host.focus(responder) }
    case .makeKey(let name): if let window = host.find(name) { try host.makeKey(window) }
    case .makeMain(let name): if let window = host.find(name) { try host.makeMain(window) }
    case .set(let table, let action, let place): set(table, action, place)
    case .setHook(let hook, let place): set(hook, place)
    case .native(let action, let reaction):
      let added = host.dispatcher.setNative(action, TestHandler(self, .reaction(reaction, "native")))
      handles.append(
        Registration { [unowned self] in host.dispatcher.removeNative(added.name, number: added.number) })
    case .takeBack(let index): if !handles.isEmpty { handles[index % handles.count]?.remove() }
    case .derive(let name, let className):
      if let responder = host.find(name), let definition = classes[className] { responder.derive(definition) }
    case .ancestor(let className, let name): host.find(name)?.setAncestor(className.flatMap { classes[$0] })
    case .removeLayer(let owner, let name): host.find(name)?.removeLayer(of: owners[owner])
    case .focusAnswers(let accepts, let becomes, let resigns, let name):
      guard let editor = host.find(name).map(host.edit) else { return }
      // A constant and a closure are two ways to the same result.
      if resigns { editor.acceptsFocus(accepts) } else { editor.acceptsFocus { accepts } }
      editor.become { becomes }
      editor.resign { resigns }
    case .modal(let name, let isDismissable):
      if let responder = host.find(name) { _ = try host.modal(responder, dismissable: isDismissable) }
    case .close(let index):
      let sessions = host.modalSessions
      if !sessions.isEmpty { sessions[index % sessions.count].close() }
    case .background:
      try host.enter(.background)
      try host.enter(.active)
    case .hostValue(let value): host["k"] = value.map(Value.integer) ?? .null
    }
  }

  private func handler(_ role: TestHandler.Role) -> Handler {
    handlers += 1
    guard let scripted, !isMixed || handlers % 2 == 0 else { return TestHandler(self, role) }
    do {
      return try scripted.handler(role)
    } catch {
      Issue.record("no function of a script's can be made: \(error)")
      return TestHandler(self, role)
    }
  }

  private func behaviour(_ place: Where) -> (Behaviour, Responder?)? {
    if let definition = classes[place.name] { return (definition.behaviour, nil) }
    return host.find(place.name).map { ($0.layer(of: owners[place.owner]), $0) }
  }

  func set(_ table: Operation.Table, _ action: String, _ place: Where) {
    guard let (behaviour, responder) = behaviour(place) else { return }
    switch table {
    case .on(let reaction):
      let handler = handler(.reaction(reaction, "on"))
      let number = host.chain.set(.on, action, handler, in: behaviour, of: responder)
      handles.append(host.chain.registration(of: number, .on, action, in: behaviour, of: responder))
    case .can(let permit):
      let handler = handler(.permit(permit))
      let number = host.chain.set(.can, action, handler, in: behaviour, of: responder)
      handles.append(host.chain.registration(of: number, .can, action, in: behaviour, of: responder))
    case .needs(let keys):
      let needs = keys.map { Need(key: $0, reason: nil) }
      let number = host.chain.set(\.needs, action, needs, in: behaviour, of: responder)
      handles.append(host.chain.registration(of: number, \.needs, action, in: behaviour, of: responder))
    }
  }

  private func set(_ hook: Operation.Hook, _ place: Where) {
    guard let (behaviour, responder) = behaviour(place) else { return }
    switch hook {
    case .provide(let provider): behaviour.provide = provider.map { handler(.provider($0)) }
    case .resolve(let resolve): behaviour.resolve = resolve.map { handler(.resolve($0)) }
    case .unknown(let reaction): behaviour.unknown = reaction.map { handler(.reaction($0, "unknown")) }
    case .worksWhenModal(let answer): behaviour.worksWhenModal = answer
    case .redirect(let redirection):
      behaviour.redirect = redirection.map {
        if case .to(let name) = $0 { .to(name) } else { .asked(handler(.redirection($0))) }
      }
    case .claims(let claiming):
      behaviour.claims = claiming.map {
        switch $0 {
        case .all: .all
        case .these(let actions): .these(actions)
        default: .asked(handler(.claiming($0)))
        }
      }
    }
    host.chain.hooksChanged(of: responder, in: behaviour)
  }

  // MARK: Asking

  func options(_ ask: Ask) -> PerformOptions {
    var options = PerformOptions()
    options.to = ask.to.flatMap(host.find)
    options.from = ask.from.flatMap(host.find)
    options.info = Arguments(ask.info.map { ($0.key, $0.value) })
    return options
  }

  func validate(_ ask: Ask) -> Answer {
    let validation = host.validate(ask.text, options(ask))
    return Answer(
      status: validation.isEnabled ? "enabled" : "disabled", by: validation.by, reason: validation.reason)
  }

  /// The same validation with its explanation, and the fault of the explanation, if it has one.
  func why(_ ask: Ask) throws -> (answer: Answer, complaint: String?) {
    let why = try host.why(ask.text, options(ask))
    let answer = Answer(status: why.isEnabled ? "enabled" : "disabled", by: why.by, reason: why.reason)
    guard let by = why.by else { return (answer, nil) }
    let takes = ["on ", "resolve ", "claims ", "native "]
    let isDerived = why.steps.contains { step in
      step.node == by && step.answer == "takes it" && takes.contains { step.asked.hasPrefix($0) }
    }
    return (answer, isDerived ? nil : "no step says that '\(by)' takes it: \(why.text)")
  }

  func perform(_ ask: Ask) -> Answer {
    heard = []
    return answer(outcome(ask))
  }

  /// Without options the driver may have nothing to do.
  private func outcome(_ ask: Ask) -> Outcome {
    let options = options(ask)
    return options.isPlain ? host.perform(ask.text) : host.perform(ask.text, options)
  }

  /// O1: the fault in the events that observers got of the last perform; nil if there is none.
  func complaint(about answer: Answer, ran: Bool) -> String? {
    guard isObserved else { return nil }
    let end = answer.status == "handled" ? "did" : "failed"
    let stages = heard.map { $0.split(separator: " ")[0] }
    let isRight = ran ? stages == ["will", Substring(end)] : stages.isEmpty
    let isBalanced = Set(heard.map { $0.split(separator: " ")[1] }).count <= 1
    return isRight && isBalanced ? nil : "observers heard \(heard)"
  }

  private func answer(_ outcome: Outcome) -> Answer {
    let isHandled = outcome.status == .handled
    return Answer(
      status: outcome.status.rawValue, by: outcome.by, via: outcome.via?.rawValue,
      result: isHandled ? outcome.result.shown : nil,
      reason: [.disabled, .blocked].contains(outcome.status) ? outcome.reason : nil,
      error: outcome.error?.message)
  }

  func run(_ reaction: Reaction) -> Reply {
    runs[reaction.id, default: 0] += 1
    if let operation = reaction.operation, runs[reaction.id, default: 0] % 2 == 0 { apply(operation) }
    if let nested = reaction.nested, depth == 0 {
      depth += 1
      let answer = answer(outcome(nested))
      depth -= 1
      trace.append("nested \(answer.status) \(answer.by ?? "")")
    }
    switch reaction.end {
    case .pass: return .pass
    case .value(let value): return .value(.integer(value))
    case .refuse(let reason): return .refused(reason)
    case .raise: return .failed(Failure(.script, "raised"))
    }
  }
}

extension Ask {
  /// The reference as text.
  var text: String {
    var arguments = arguments.map { "\($0.key): \($0.value.shown)" }
    if skips { arguments.append("skip_validation: true") }
    return arguments.isEmpty ? id : "\(id)(\(arguments.joined(separator: ", ")))"
  }
}

extension Write {
  var value: Value {
    switch how {
    case .set(let value): value.map(Value.integer) ?? .null
    case .append(let value): .integer(value)
    }
  }
}

/// A handler that follows an operation, and notes that the host called it.
final class TestHandler: Handler {
  enum Role {
    case reaction(Reaction, String)
    case permit(Permit)
    case provider(Provider)
    case resolve(Resolve)
    case redirection(Redirection)
    case claiming(Claiming)
  }

  private unowned let rig: Rig
  private let role: Role

  init(_ rig: Rig, _ role: Role) {
    self.rig = rig
    self.role = role
    super.init(owner: rig.host.program)
  }

  private func note(_ kind: String, _ context: Context) {
    let request = context.request
    let keys = Write.keys.map { " \($0)=\(context[$0].shown)" }.joined()
    let taker = context.taker?.name ?? "nobody"
    rig.trace.append("\(kind) \(request?.action ?? "") of \(taker), prefix '\(request?.prefix ?? "")',\(keys)")
  }

  private func write(_ writes: [Write], into context: Context) {
    for write in writes {
      if write.isSet { context[write.key] = write.value } else { context.append(write.key, write.value) }
    }
  }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    guard case .reaction(let reaction, let kind) = role else { return .pass }
    note(kind, context)
    write(reaction.writes, into: context)
    return rig.run(reaction)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    guard case .permit(let permit) = role else { return .pass }
    note("can", context)
    write([Write(key: "k", how: .set(99))], into: context)
    switch permit {
    case .yes: return .yes
    case .no(let reason): return .no(reason)
    case .pass: return .pass
    case .raise: return .failed(Failure(.script, "can raised"))
    }
  }

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    guard case .provider(let provider) = role else { return nil }
    write(provider.writes, into: context)
    return provider.raises ? Failure(.script, "provide raised") : nil
  }

  override func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> {
    rig.trace.append("resolve \(responder.name) \(action)")
    guard case .resolve(.adds(let actions, let value)) = role else {
      return .failure(Failure(.script, "resolve of \(responder.name)"))
    }
    guard actions.contains(action) else { return .success(false) }
    rig.set(.on(Reaction(end: .value(value))), action, Where(owner: 0, name: responder.name))
    return .success(true)
  }

  override func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> {
    rig.trace.append("redirect \(responder.name) \(action)")
    guard case .redirection(.asked(let targets)) = role else {
      return .failure(Failure(.script, "redirect of \(responder.name)"))
    }
    return .success(targets[action].flatMap(rig.host.find))
  }

  override func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> {
    rig.trace.append("claims \(responder.name) \(action)")
    guard case .claiming(.asked(let actions)) = role else {
      return .failure(Failure(.script, "claims of \(responder.name)"))
    }
    return .success(Claim(isClaimed: actions.contains(action)))
  }
}
