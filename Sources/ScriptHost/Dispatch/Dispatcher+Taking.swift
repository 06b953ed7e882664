// Compares given arguments with an action's declared ones, and finds those that are missing (A1 to A4, A12).

/// The result of comparing given arguments with an action's declared ones.
enum Fitting {
  /// The arguments fit. The context gets these values too: defaults, and numbers converted to integers.
  case fits(Laid)
  case unfit(Misfit)
  /// Nothing is wrong, but these arguments are missing.
  case asks([AskedArgument], Laid)
  /// A function failed. The misfit names its argument.
  case failed(Failure, Misfit?)

  /// Values that override the given arguments.
  struct Laid {
    var values: [(key: String, value: Value)] = []
    /// Arguments whose default comes from a function, which drawing doesn't call.
    var unknown: [String] = []
  }
}

/// Calls a function for a default or for the allowed values, with the arguments known so far.
typealias Asking = (_ handler: Handler, _ known: [(key: String, value: Value)]) -> Result<Value, Failure>

/// The host functions that a comparison of arguments uses.
struct Comparing {
  /// The purpose of a comparison (A12).
  enum Purpose {
    /// To draw an item. Only the choices for given values are computed.
    case drawing
    case performing
    /// To draw a form, whose fields are already known.
    case form([AskedArgument])

    /// Returns the same purpose, but with a form's fields if a person has to fill in missing arguments.
    fileprivate func drawn(_ fields: () throws -> [AskedArgument]) rethrows -> Purpose {
      if case .performing = self { .form(try fields()) } else { self }
    }
  }

  var purpose: Purpose
  let asking: Asking
  /// The list that a function gives for an argument after it has waited; nil as long as it hasn't come.
  let awaiting: (_ handler: Handler, _ key: String, _ known: [(key: String, value: Value)]) -> Result<Value, Failure>?
  /// Returns a list's elements, if there are at most this many; nil for any other value.
  let elements: (Value, Int) -> [Value]?
  /// Charges steps of a walk over script values. Throws once the allowance is spent.
  let spend: (Int) throws -> Void

  /// Returns the field of an argument if a form is drawn.
  fileprivate func field(_ key: String) -> AskedArgument? {
    guard case .form(let fields) = purpose else { return nil }
    return fields.first { $0.key.hasSameBytes(as: key) }
  }

  fileprivate var isDrawing: Bool { if case .drawing = purpose { true } else { false } }

  /// Returns the value with which a field begins, as a list if the argument has many values.
  func initial(
    _ handler: Handler, _ known: [(key: String, value: Value)], of facts: AskedArgument
  ) throws(Failure) -> Value? {
    guard let value = try asking(handler, known).get().orNone else { return nil }
    guard facts.isMany, let list = elements(value, AskedArgument.mostElements) else { return value }
    return .list(list)
  }

  /// Returns the values that a function lists; nil if the function waits and they haven't come.
  ///
  /// - Parameter field: the function's name, for the error.
  func choices(
    _ handler: Handler, _ known: [(key: String, value: Value)], of field: StaticString = "one_of",
    forFormOf key: String? = nil
  ) throws(Failure) -> [AskedArgument.Choice]? {
    var listed = handler.waits ? nil : asking(handler, known)
    // A function that has tried to wait is called again where it may. Only forms wait for it.
    if handler.waits { listed = key.flatMap { awaiting(handler, $0, known) } }
    guard let answer = try listed?.get() else { return nil }
    guard let all = elements(answer, AskedArgument.mostElements) else {
      throw Failure(
        .misuse, "'\(field)' must return a list, not \(answer.shown)", place: handler.place,
        owner: handler.owner.name)
    }
    do {
      return try AskedArgument.choices(all, elements: elements, spend: spend)
    } catch {
      throw error as? Failure ?? Failure(.script, "\(error)")
    }
  }
}

extension Takes {
  /// Compares given arguments with the declared ones. A wrong argument takes precedence over a missing one.
  func fit(_ given: Arguments, of action: String, _ comparing: Comparing) -> Fitting {
    var fit = Fit(given, comparing)
    do {
      try comparing.spend(given.members.count * arguments.count)
      for (key, _) in given.members where !keys.contains(where: key.hasSameBytes) && key != Arguments.skipping {
        return .unfit(Misfit(undeclared: key, of: action, taking: keys))
      }
      for argument in arguments { try fit.add(argument) }
      if asksFunctions {
        for argument in inOrder { try fit.askWhetherWanted(argument) }
        // Drawing the form calls the functions, once.
        if fit.isMissing {
          fit.comparing.purpose = try comparing.purpose.drawn { try form(besides: given, comparing) }
        }
        for argument in inOrder { try fit.askForDefault(argument) }
        for argument in inOrder { try fit.askForChoices(argument) }
      }
      guard fit.isMissing else { return .fits(fit.laid) }
      return .asks(try missing(given, fit.comparing), fit.laid)
    } catch let misfit as Misfit {
      return .unfit(misfit)
    } catch let failed as FailedArgument {
      return .failed(failed.failure, failed.misfit)
    } catch {
      return .failed(error as? Failure ?? Failure(.script, "\(error)"), nil)
    }
  }

  /// Returns the arguments for which the form asks a person, because some are missing.
  private func missing(_ given: Arguments, _ comparing: Comparing) throws -> [AskedArgument] {
    switch comparing.purpose {
    case .form(let fields): return fields
    case .performing: return try form(besides: given, comparing)
    case .drawing: return facts.filter { given[$0.key]?.orNone == nil }
    }
  }

  /// The declared arguments, as far as they are known without calling functions. One with a `when` may be missing.
  var facts: [AskedArgument] {
    inOrder.map { argument in
      var facts = argument.facts
      if argument.applying != nil { facts.isOptional = true }
      return facts
    }
  }
}

extension Misfit: Error {}

/// The failure of an argument's function.
private struct FailedArgument: Error {
  let failure: Failure
  let misfit: Misfit

  init(_ failure: Failure, of argument: AskedArgument) {
    self.failure = failure
    misfit = Misfit(argument: argument.key, expected: argument.expected, reason: failure.asReason)
  }
}

/// A comparison in progress.
private struct Fit {
  let given: Arguments
  var comparing: Comparing
  /// Values that override the given ones.
  private(set) var laid = Fitting.Laid()
  /// Whether a person has to fill in an argument.
  private(set) var isMissing = false
  /// The arguments whose values are to be checked against a function's list.
  private var unchosen: [String] = []
  /// The missing arguments for which a function decides if they apply.
  private var conditional: [String] = []

  init(_ given: Arguments, _ comparing: Comparing) {
    self.given = given
    self.comparing = comparing
  }

  private func value(_ argument: DeclaredArgument) -> Value? { given[argument.key]?.orNone }

  /// Checks a given value, or the default, as far as possible without calling functions.
  mutating func add(_ argument: DeclaredArgument) throws {
    let facts = argument.facts
    guard let value = value(argument) ?? argument.presetList ?? facts.preset else {
      guard argument.presetting == nil, !facts.isOptional else { return }
      if argument.applying == nil { isMissing = true } else { conditional.append(argument.key) }
      return
    }
    try add(value, argument, facts, isGiven: self.value(argument) != nil)
  }

  /// Calls a function that decides if a missing argument applies. Drawing an item counts it as missing instead.
  mutating func askWhetherWanted(_ argument: DeclaredArgument) throws {
    guard let applying = argument.applying, conditional.contains(where: argument.key.hasSameBytes), !isMissing else {
      return
    }
    if comparing.isDrawing { return isMissing = true }
    do throws(Failure) {
      if try comparing.asking(applying, laid.values).get().isOn { isMissing = true }
    } catch {
      throw FailedArgument(error, of: argument.facts)
    }
  }

  /// Calls a function for the default of a missing argument. If that fails, a person has to fill it in.
  mutating func askForDefault(_ argument: DeclaredArgument) throws {
    guard let presetting = argument.presetting, value(argument) == nil else { return }
    if comparing.isDrawing { return laid.unknown.append(argument.key) }
    var facts = argument.facts
    do throws(Failure) {
      facts.preset = try preset(argument, presetting).orNone
    } catch {
      // Don't ask a person for an optional argument: if left empty again, it would fail again.
      if error.limit != nil || facts.isOptional { throw FailedArgument(error, of: facts) }
      return isMissing = true
    }
    if let preset = facts.preset {
      try add(preset, argument, facts, isGiven: false)
    } else if !facts.isOptional {
      isMissing = true
    }
  }

  private func preset(_ argument: DeclaredArgument, _ presetting: Handler) throws(Failure) -> Value {
    guard let field = comparing.field(argument.key) else { return try comparing.asking(presetting, laid.values).get() }
    if let failure = field.failure { throw failure }
    return field.preset ?? .null
  }

  /// Checks a value, unless a function lists the choices: it needs the other arguments first.
  private mutating func add(
    _ value: Value, _ argument: DeclaredArgument, _ facts: AskedArgument, isGiven: Bool
  ) throws {
    if argument.choosing != nil {
      // Drawing uses a default without checking it.
      if isGiven || !comparing.isDrawing { unchosen.append(argument.key) }
      if !isGiven { laid.values.append((argument.key, value)) }
      return
    }
    let taken = try take(value, argument, facts)
    if !isGiven || taken != nil { laid.values.append((argument.key, taken ?? value)) }
  }

  /// Calls a function for an argument's choices, and checks its value.
  mutating func askForChoices(_ argument: DeclaredArgument) throws {
    guard let choosing = argument.choosing, unchosen.contains(where: argument.key.hasSameBytes) else { return }
    let place = laid.values.firstIndex { $0.key.hasSameBytes(as: argument.key) }
    guard let value = value(argument) ?? place.map({ laid.values[$0].value }) else { return }
    var facts = argument.facts
    do throws(Failure) {
      facts.choices = try choices(argument, choosing)
    } catch {
      throw FailedArgument(error, of: facts)
    }
    // A list that isn't known yet counts as fitting.
    if facts.choices == nil { return }
    guard let taken = try take(value, argument, facts) else { return }
    if let place { laid.values[place].value = taken } else { laid.values.append((argument.key, taken)) }
  }

  private func choices(_ argument: DeclaredArgument, _ choosing: Handler) throws(Failure) -> [AskedArgument.Choice]? {
    if let field = comparing.field(argument.key) {
      if field.isAwaited { return nil }
      if let choices = field.choices { return choices }
      if let failure = field.failure { throw failure }
    }
    let known = laid.values.filter { !$0.key.hasSameBytes(as: argument.key) }
    return try comparing.choices(choosing, known)
  }

  /// Returns a value to use instead of the given one; nil to keep the given one.
  private func take(_ value: Value, _ argument: DeclaredArgument, _ facts: AskedArgument) throws -> Value? {
    guard facts.isMany else { return try one(value, argument, facts) }
    guard let all = comparing.elements(value, AskedArgument.mostElements) else { throw Misfit(facts, given: value) }
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
  /// The most choices of an argument, and the most values in a list argument.
  static let mostElements = 100_000

  /// Reads choices from a list of values, or of pairs of a value and its title. Rethrows errors of `spend`.
  static func choices(
    _ list: [Value], elements: (Value, Int) -> [Value]?, spend: (Int) throws -> Void
  ) rethrows -> [Choice] {
    try list.map { value in
      if case .text = value { return Choice(value) }
      try spend(1)
      guard let pair = elements(value, 2), pair.count == 2, case .text(let title) = pair[1] else {
        return Choice(value)
      }
      return Choice(pair[0], title: title.shown(hasLines: false))
    }
  }
}

extension Dispatcher {
  /// Compares the given arguments with a candidate's, and adds defaults and converted numbers to the context. The
  /// verdict is nil if they fit. `open` lists the required arguments whose values aren't known.
  func refusal(
    of takes: Takes, _ candidate: Candidate, in context: Context, for purpose: Comparing.Purpose
  ) -> (verdict: Verdict?, open: [String]) {
    guard let request = context.request else { return (nil, []) }
    if !secretHearers.isEmpty, takes.hasSecrets { takes.tell({ tell(secret: $0) }, of: request.given) }
    let comparing = comparing(candidate, in: context, for: purpose)
    func fit() -> Fitting { takes.fit(request.given, of: candidate.action, comparing) }
    let fitting = hidingSecrets(of: takes, in: context) {
      defer { context.takeOut() }
      return engine?.copying("what '\(candidate.action)' takes", fit) ?? fit()
    }
    switch fitting {
    case .fits(let laid):
      layIn(laid.values, of: takes, context)
      return (nil, laid.unknown)
    case .asks(let arguments, let laid):
      layIn(laid.values, of: takes, context)
      if case .performing = purpose { reportFailures(of: arguments) }
      let missing = arguments.filter { $0.isRequired && request.given[$0.key]?.orNone == nil }.map(\.key)
      return (.asks(Outcome.Question(arguments: arguments)), missing + laid.unknown)
    case .unfit(let misfit): return (.unfit(misfit), [])
    case .failed(let failure, let misfit): return (.failed(failure, misfit), [])
    }
  }

  /// Reports failures that happened while a form was drawn.
  func reportFailures(of fields: [AskedArgument]) {
    for field in fields { if let failure = field.failure { report(Diagnostic(failure)) } }
  }

  private func layIn(_ values: [(key: String, value: Value)], of takes: Takes, _ context: Context) {
    // A list default is copied each time, because a handler may add to it.
    context.fillIn(
      Arguments(
        values.map { key, value in
          (key, takes.argument(key)?.facts.isMany == true ? engine?.copy(ofList: value) ?? value : value)
        }))
  }

  /// Returns a form's fields for the missing arguments, after some answers. The context gets the given arguments and
  /// the answers.
  func form(
    of takes: Takes, _ candidate: Candidate, in context: Context, besides given: Arguments, with answers: Arguments
  ) -> Result<[AskedArgument], Failure> {
    let comparing = comparing(candidate, in: context, for: .drawing)
    func form() -> Result<[AskedArgument], Failure> {
      do {
        return .success(try takes.form(besides: given, with: answers, comparing))
      } catch {
        return .failure(error as? Failure ?? Failure(.script, "\(error)"))
      }
    }
    return hidingSecrets(of: takes, in: context) {
      defer { context.takeOut() }
      return engine?.copying("what '\(candidate.action)' takes", form) ?? form()
    }
  }

  /// Creates the comparison for a candidate's arguments. Its functions are read-only, and see the arguments known so
  /// far.
  private func comparing(_ candidate: Candidate, in context: Context, for purpose: Comparing.Purpose) -> Comparing {
    comparing(
      for: candidate.responder, candidate.handler.owner, in: context, for: purpose,
      hiding: candidate.takes.flatMap { $0.hasSecrets ? $0.secrets : nil } ?? [])
  }

  /// Creates the comparison for the arguments of a responder's action or question.
  func comparing(
    for responder: Responder, _ owner: Owner, in context: Context, for purpose: Comparing.Purpose,
    hiding secrets: [String] = []
  ) -> Comparing {
    /// Returns known arguments without the secret ones, which no function of another argument sees.
    func shown(_ known: [(key: String, value: Value)]) -> Arguments {
      var known = Arguments(known)
      for key in secrets where known.has(key) { known[key] = Value(.secret) }
      return known
    }
    return Comparing(
      purpose: purpose,
      asking: { handler, known in
        self.engine?.charge(known.count)
        context.takeOut()
        context.fillIn(shown(known))
        return self.asking(in: context) { handler.value(for: responder, in: context) }
      },
      awaiting: { handler, key, known in
        var others = (context.request?.given ?? Arguments()).merging(shown(known))
        // A chosen value does not change its list.
        others[key] = nil
        return self.listAwaited(handler, responder, others)
      },
      elements: elements(of:most:), spend: { try self.spend($0, by: owner) })
  }

  /// Returns a list's elements, a script's list included, if at most `most`; nil for any other value.
  func elements(of value: Value, most: Int) -> [Value]? {
    if case .list(let values) = value { return values.count <= most ? values : nil }
    return engine?.elements(of: value, most: most)
  }

  /// Charges steps that the host took over an owner's declarations. Throws once the allowance is spent.
  func spend(_ steps: Int, by owner: Owner) throws {
    engine?.charge(steps)
    if let failure = engine?.spent(by: owner) { throw failure }
  }

  /// Returns the question that a person has to confirm before a candidate acts; nil if there is none.
  func confirmation(_ candidate: Candidate, in context: Context) -> Result<String?, Failure> {
    guard let confirm = candidate.confirm else { return .success(nil) }
    switch asking(in: context, { confirm.value(for: candidate.responder, in: context) }) {
    case .failure(let failure): return .failure(failure)
    case .success(.null), .success(.bool(false)): return .success(nil)
    case .success(.text(let text)): return .success(text.shown(hasLines: true))
    case .success(let other):
      return .failure(
        Failure(
          .misuse, "'confirm' must return a string, not \(other.shown)", place: confirm.place,
          owner: confirm.owner.name))
    }
  }
}

// Draws forms (A12).

extension Takes {
  /// Returns a form's fields: the missing arguments, after some answers. Functions see the given arguments, the
  /// answers, and the initial values of the other fields. If a function fails, its field keeps the failure; only a
  /// spent limit is thrown.
  func form(
    besides given: Arguments, with answers: Arguments = Arguments(), _ comparing: Comparing
  ) throws -> [AskedArgument] {
    let open = inOrder.filter { given[$0.key]?.orNone == nil }
    func isAnswered(_ argument: DeclaredArgument) -> Bool { answers[argument.key]?.orNone != nil }
    var known = open.filter { !isAnswered($0) }.compactMap { argument in
      (argument.facts.preset ?? argument.facts.proposal).map { (key: argument.key, value: $0) }
    }
    func ask(for field: inout AskedArgument, _ change: (inout AskedArgument) throws -> Void) throws {
      do { try change(&field) } catch let failure as Failure where failure.limit == nil { field.failure = failure }
    }
    func begins(_ argument: DeclaredArgument, with value: Value?) {
      if let value, !isAnswered(argument) { known.append((argument.key, value)) }
    }
    var fields = open.map(\.facts)
    for (index, argument) in open.enumerated() {
      guard let presetting = argument.presetting else { continue }
      fields[index].isPresetComputed = false
      try ask(for: &fields[index]) { $0.preset = try comparing.initial(presetting, known, of: $0) }
      begins(argument, with: fields[index].preset)
    }
    for (index, argument) in open.enumerated() {
      guard let proposing = argument.proposing else { continue }
      try ask(for: &fields[index]) { $0.proposal = try comparing.initial(proposing, known, of: $0) }
      begins(argument, with: fields[index].proposal)
    }
    var unwanted: Set<Int> = []
    for (index, argument) in open.enumerated() {
      guard let applying = argument.applying else { continue }
      try ask(for: &fields[index]) { _ in
        if try !comparing.asking(applying, known).get().isOn { unwanted.insert(index) }
      }
    }
    for (index, argument) in open.enumerated() where !unwanted.contains(index) {
      func others() -> [(key: String, value: Value)] { known.filter { !$0.key.hasSameBytes(as: argument.key) } }
      if let choosing = argument.choosing {
        try ask(for: &fields[index]) {
          $0.choices = try comparing.choices(choosing, others(), forFormOf: argument.key)
          $0.isAwaited = $0.choices == nil
        }
      }
      if let suggesting = argument.suggesting {
        try ask(for: &fields[index]) {
          $0.suggestions = try comparing.choices(suggesting, others(), of: "suggest", forFormOf: argument.key)
          $0.isAwaited = $0.suggestions == nil
        }
      }
    }
    return fields.indices.filter { !unwanted.contains($0) }.map { fields[$0] }.sorted(by: AskedArgument.isBefore)
  }
}
