// Compares given arguments with those that an action declares, and finds what is missing (A1 to A4).

/// The result of comparing what is given with what an action takes.
enum Fitting {
  /// The arguments fit. These values are put over them: defaults, and numbers converted to integers.
  case fits([(key: String, value: Value)])
  case unfit(Misfit)
  /// Nothing is wrong, but something is missing.
  case asks([AskedArgument])
  case failed(Failure)
}

/// Calls a function that answers which values may be given, or which default is used.
typealias Asking = (Handler) -> Result<Value, Failure>

/// The functions of the host that a comparison of arguments calls.
struct Comparing {
  let asking: Asking
  /// The elements of a list of at most so many; nil for any other value.
  let elements: (Value, Int) -> [Value]?
  /// Charges steps of a walk over what a script declared or gave; throws once the allowance is spent.
  let spend: (Int) throws -> Void
}

extension Takes {
  /// Compares given arguments with the declared ones. A wrong one is reported rather than a missing one.
  func fit(_ given: Arguments, of action: String, _ comparing: Comparing) -> Fitting {
    var fit = Fit(comparing)
    var isMissing = false
    do {
      try comparing.spend(given.members.count * arguments.count)
      for (key, _) in given.members where argument(key) == nil && key != Arguments.skipping {
        return .unfit(Misfit(undeclared: key, of: action, taking: arguments.map(\.key)))
      }
      for argument in arguments {
        let value = given[argument.key]?.orNone
        let isTaken = try fit.add(argument, value)
        if !isTaken, !argument.facts.isOptional { isMissing = true }
      }
      if !isMissing { return .fits(fit.filledIn) }
      return .asks(try fit.missing().sorted(by: AskedArgument.isBefore))
    } catch let misfit as Misfit {
      return .unfit(misfit)
    } catch {
      return .failed(error as? Failure ?? Failure(.script, "\(error)"))
    }
  }

  /// The declared arguments, as a form shows them; no function is asked for choices.
  var facts: [AskedArgument] { arguments.map(\.facts).sorted(by: AskedArgument.isBefore) }

  /// The declared arguments with the choices and defaults of now; those that a function fails to tell are left out.
  func facts(asking: Asking, elements: @escaping (Value, Int) -> [Value]?) -> [AskedArgument] {
    arguments.map { argument in
      var facts = argument.facts
      if let presetting = argument.presetting { facts.preset = (try? asking(presetting).get())?.orNone }
      if let proposing = argument.proposing { facts.proposal = (try? asking(proposing).get())?.orNone }
      if let choosing = argument.choosing, let answer = try? asking(choosing).get(),
        let all = elements(answer, AskedArgument.mostElements)
      {
        facts.choices = AskedArgument.choices(all, elements: elements)
      }
      return facts
    }.sorted(by: AskedArgument.isBefore)
  }
}

extension Misfit: Error {}

/// One comparison under way.
private struct Fit {
  let comparing: Comparing
  /// Values to be put over the given ones.
  private(set) var filledIn: [(key: String, value: Value)] = []
  /// The arguments that were not given, as far as they are known.
  private var open: [(argument: DeclaredArgument, facts: AskedArgument)] = []

  init(_ comparing: Comparing) { self.comparing = comparing }

  private var asking: Asking { comparing.asking }

  private func elements(_ value: Value) -> [Value]? { comparing.elements(value, AskedArgument.mostElements) }

  /// Checks a given value, or the default if none is given. Returns whether there is a value.
  mutating func add(_ argument: DeclaredArgument, _ given: Value?) throws -> Bool {
    var facts = argument.facts
    if given == nil, let presetting = argument.presetting { facts.preset = try asking(presetting).get().orNone }
    guard let value = given ?? facts.preset else {
      open.append((argument, facts))
      return false
    }
    if let choosing = argument.choosing { facts.choices = try choices(choosing) }
    let taken = try take(value, argument, facts)
    if given == nil {
      filledIn.append((facts.key, taken ?? value))
      open.append((argument, facts))
    } else if let taken {
      filledIn.append((facts.key, taken))
    }
    return true
  }

  /// The arguments that a form asks for.
  mutating func missing() throws -> [AskedArgument] {
    try open.map { argument, facts in
      var facts = facts
      if let proposing = argument.proposing { facts.proposal = try asking(proposing).get().orNone }
      if facts.choices == nil, let choosing = argument.choosing { facts.choices = try choices(choosing) }
      return facts
    }
  }

  private func choices(_ handler: Handler) throws -> [AskedArgument.Choice] {
    let answer = try asking(handler).get()
    guard let all = elements(answer) else {
      throw Failure(
        .misuse, "what 'one_of' answers must be a list, not \(answer.shown)", place: handler.place,
        owner: handler.owner.name)
    }
    return AskedArgument.choices(all, elements: comparing.elements)
  }

  /// The value to use instead of a given one; nil if the given one is used.
  private func take(_ value: Value, _ argument: DeclaredArgument, _ facts: AskedArgument) throws -> Value? {
    guard facts.isMany else { return try one(value, argument, facts) }
    guard let all = elements(value) else { throw Misfit(facts, given: value) }
    var isOther = false
    let taken = try all.map { element in
      try comparing.spend(1)
      guard let taken = try one(element, argument, facts) else { return element }
      isOther = true
      return taken
    }
    return isOther ? .list(taken) : nil
  }

  private func one(_ value: Value, _ argument: DeclaredArgument, _ facts: AskedArgument) throws -> Value? {
    switch facts.kind {
    case .any: return nil
    case .boolean: if case .bool = value { return nil }
    case .file, .folder: if case .text(let path) = value, !path.isEmpty { return nil }
    case .integer:
      if case .integer = value, facts.admits(value) { return nil }
      if case .number(let number) = value, let integer = Int(exactly: number), facts.admits(.integer(integer)) {
        return .integer(integer)
      }
    case .number: if facts.admits(value) { return nil }
    case .string:
      if case .text(let text) = value, facts.admits(.integer(text.unicodeScalars.count)),
        try argument.isMatching?(text) ?? true
      {
        return nil
      }
    case .oneOf:
      let length = if case .text(let text) = value { text.utf8.count / 64 } else { 0 }
      try comparing.spend((facts.choices?.count ?? 0) * (1 + length))
      if let choice = facts.choices?.first(where: { $0.value.isSame(as: value) })?.value {
        if case .number = value, case .integer = choice { return choice }
        return nil
      }
    }
    throw Misfit(facts, given: value)
  }
}

extension AskedArgument {
  /// The most choices of an argument, and the most values of one that has many.
  static let mostElements = 100_000

  /// Choices from a list, whose elements are a value, or a list of a value and its title.
  static func choices(_ list: [Value], elements: (Value, Int) -> [Value]?) -> [Choice] {
    list.map { value in
      if case .text = value { return Choice(value) }
      guard let pair = elements(value, 2), pair.count == 2, case .text(let title) = pair[1] else {
        return Choice(value)
      }
      return Choice(pair[0], title: title.shown(hasLines: false))
    }
  }
}

extension Dispatcher {
  /// Compares the given arguments with a candidate's, and puts defaults and converted numbers over the context. Returns nil if they fit.
  func refusal(of takes: Takes, _ candidate: Candidate, in context: Context) -> Verdict? {
    guard let request = context.request else { return nil }
    if let onSecret, takes.hasSecrets { takes.tell(onSecret, of: request.given) }
    let asking = asking(candidate, in: context)
    let comparing = Comparing(
      asking: asking, elements: elements(of:most:), spend: { try self.spend($0, by: candidate.handler.owner) })
    switch takes.fit(request.given, of: candidate.action, comparing) {
    case .fits(let filledIn):
      // A default that is a list is copied each time, because a handler may add to it.
      let copied = filledIn.map { key, value in
        (key, takes.argument(key)?.facts.isMany == true ? engine?.copy(ofList: value) ?? value : value)
      }
      context.fillIn(Arguments(copied))
      return nil
    case .unfit(let misfit): return .unfit(misfit)
    case .asks(let arguments): return .asks(Outcome.Question(arguments: arguments))
    case .failed(let failure): return .failed(failure)
    }
  }

  /// A candidate's declared arguments, as a form shows them now.
  func facts(of takes: Takes, _ candidate: Candidate, in context: Context) -> [AskedArgument] {
    takes.facts(asking: asking(candidate, in: context), elements: elements(of:most:))
  }

  /// A closure that asks a candidate's functions, which can't change anything meanwhile.
  private func asking(_ candidate: Candidate, in context: Context) -> Asking {
    { handler in self.asking(in: context) { handler.value(for: candidate.responder, in: context) } }
  }

  /// The elements of a list of at most so many, a script's list included; nil for any other value.
  func elements(of value: Value, most: Int) -> [Value]? {
    if case .list(let values) = value { return values.count <= most ? values : nil }
    return engine?.elements(of: value, most: most)
  }

  /// Charges steps that the host took over what an owner's scripts declared; throws once the allowance is spent.
  func spend(_ steps: Int, by owner: Owner) throws {
    engine?.charge(steps)
    if let failure = engine?.spent(by: owner) { throw failure }
  }

  /// The question that a person has to confirm before a candidate acts; nil if there is none.
  func confirmation(_ candidate: Candidate, in context: Context) -> Result<String?, Failure> {
    guard let confirm = candidate.confirm else { return .success(nil) }
    switch asking(in: context, { confirm.value(for: candidate.responder, in: context) }) {
    case .failure(let failure): return .failure(failure)
    case .success(.null), .success(.bool(false)): return .success(nil)
    case .success(.text(let text)): return .success(text.shown(hasLines: true))
    case .success(let other):
      return .failure(
        Failure(
          .misuse, "what 'confirm' answers must be a string, not \(other.shown)", place: confirm.place,
          owner: confirm.owner.name))
    }
  }
}
