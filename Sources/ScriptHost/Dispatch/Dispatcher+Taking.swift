// A1 to A4: whether what is given fits what an action takes, and what is missing of it.

/// The result of comparing what is given with what an action takes.
enum Fitting {
  /// It fits; what is to be put over it: defaults, and numbers as integers.
  case fits([(key: String, value: Value)])
  case unfit(Misfit)
  /// Nothing is wrong, but something is missing.
  case asks([AskedArgument])
  case failed(Failure)
}

/// Asks a function what may be given, or what is taken where nothing is.
typealias Asking = (Handler) -> Result<Value, Failure>

extension Takes {
  /// Compares what is given with what is taken. What is wrong goes before what is missing.
  ///
  /// - Parameter elements: what stands in a list, nil where a value is none.
  func fit(
    _ given: Arguments, of action: String, asking: @escaping Asking, elements: @escaping (Value) -> [Value]?
  ) -> Fitting {
    var fit = Fit(asking: asking, elements: elements)
    for (key, _) in given.members where argument(key) == nil && key != "skip_validation" {
      return .unfit(Misfit(undeclared: key, of: action, taking: arguments.map(\.key)))
    }
    var isMissing = false
    do {
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

  /// What is taken, as a form shows it; nobody is asked for choices.
  var facts: [AskedArgument] { arguments.map(\.facts).sorted(by: AskedArgument.isBefore) }

  /// The facts with the choices and defaults that there are now; without those of which nobody can tell.
  func facts(asking: Asking, elements: @escaping (Value) -> [Value]?) -> [AskedArgument] {
    arguments.map { argument in
      var facts = argument.facts
      if let presetting = argument.presetting { facts.preset = (try? asking(presetting).get())?.orNone }
      if let proposing = argument.proposing { facts.proposal = (try? asking(proposing).get())?.orNone }
      if let choosing = argument.choosing, let all = (try? asking(choosing).get()).flatMap(elements) {
        facts.choices = AskedArgument.choices(all, elements: elements)
      }
      return facts
    }.sorted(by: AskedArgument.isBefore)
  }
}

extension Misfit: Error {}

/// One comparison under way.
private struct Fit {
  let asking: Asking
  let elements: (Value) -> [Value]?
  /// What is to be put over what was given.
  private(set) var filledIn: [(key: String, value: Value)] = []
  /// What was not given, as far as it is known.
  private var open: [(argument: DeclaredArgument, facts: AskedArgument)] = []

  init(asking: @escaping Asking, elements: @escaping (Value) -> [Value]?) {
    self.asking = asking
    self.elements = elements
  }

  /// Takes an argument, or what stands for it where nothing is given; whether there is a value.
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

  /// What a form asks for.
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
    return AskedArgument.choices(all, elements: elements)
  }

  /// What is taken instead of a value; nil where that is the value itself.
  private func take(_ value: Value, _ argument: DeclaredArgument, _ facts: AskedArgument) throws -> Value? {
    guard facts.isMany else { return try one(value, argument, facts) }
    guard let all = elements(value) else { throw Misfit(facts, given: value) }
    var isOther = false
    let taken = try all.map { element in
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
      if let choice = facts.choices?.first(where: { $0.value.isSame(as: value) })?.value {
        if case .number = value, case .integer = choice { return choice }
        return nil
      }
    }
    throw Misfit(facts, given: value)
  }
}

extension AskedArgument {
  /// Choices as a list says them: a value, or a list of one and its title.
  static func choices(_ list: [Value], elements: (Value) -> [Value]?) -> [Choice] {
    list.map { value in
      if case .text = value { return Choice(value) }
      guard let pair = elements(value), pair.count == 2, case .text(let title) = pair[1] else { return Choice(value) }
      return Choice(pair[0], title: title)
    }
  }
}

extension Dispatcher {
  /// Compares what is given with what a candidate takes, and puts over the context what it takes for it; nil where all is well.
  func refusal(of takes: Takes, _ candidate: Candidate, in context: Context) -> Verdict? {
    guard let request = context.request else { return nil }
    if let onSecret, takes.hasSecrets { takes.tell(onSecret, of: request.given) }
    let asking = asking(candidate, in: context)
    switch takes.fit(request.given, of: candidate.action, asking: asking, elements: elements(of:)) {
    case .fits(let filledIn):
      // A default that is a list is another one each time, so that who adds to it adds to no other's.
      context.fillIn(
        filledIn.map { key, value in
          (key, takes.argument(key)?.facts.isMany == true ? engine?.copy(ofList: value) ?? value : value)
        })
      return nil
    case .unfit(let misfit): return .unfit(misfit)
    case .asks(let arguments): return .asks(Outcome.Question(arguments: arguments))
    case .failed(let failure): return .failed(failure)
    }
  }

  /// What a candidate takes, as a form shows it now.
  func facts(of takes: Takes, _ candidate: Candidate, in context: Context) -> [AskedArgument] {
    takes.facts(asking: asking(candidate, in: context), elements: elements(of:))
  }

  /// Asks functions of a candidate, which may do nothing meanwhile.
  private func asking(_ candidate: Candidate, in context: Context) -> Asking {
    { handler in self.asking(in: context) { handler.value(for: candidate.responder, in: context) } }
  }

  /// The elements of a list, be it a script's.
  func elements(of value: Value) -> [Value]? {
    if case .list(let values) = value { return values }
    return engine?.elements(of: value)
  }

  /// What a person is asked before a candidate does its action; nil where nothing is.
  func confirmation(_ candidate: Candidate, in context: Context) -> Result<String?, Failure> {
    guard let confirm = candidate.confirm else { return .success(nil) }
    switch asking(in: context, { confirm.value(for: candidate.responder, in: context) }) {
    case .failure(let failure): return .failure(failure)
    case .success(.null), .success(.bool(false)): return .success(nil)
    case .success(.text(let text)): return .success(text)
    case .success(let other):
      return .failure(
        Failure(
          .misuse, "what 'confirm' answers must be a string, not \(other.shown)", place: confirm.place,
          owner: confirm.owner.name))
    }
  }
}

extension Candidate {
  /// Whether it takes the arguments of a reference as they are, and nobody has to be asked for that.
  func takesAsGiven(_ reference: Reference) -> Bool {
    guard let takes else { return true }
    guard takes.isFixed else { return false }
    let nobody: Asking = { _ in .success(.null) }
    let fitting = takes.fit(Arguments(reference.arguments), of: action, asking: nobody) { value in
      if case .list(let values) = value { values } else { nil }
    }
    if case .fits(let filledIn) = fitting { return filledIn.isEmpty }
    return false
  }
}
