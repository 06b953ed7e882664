/// The *dispatcher* finds who takes an action and has it done. There is one in a host, and one way through it.
final class Dispatcher {
  let chain: Chain
  let names: NameTable
  let references = ReferenceTable()
  private let walks: Walks
  /// What the embedding program does itself, last of all.
  private(set) var natives: [Name: Entry<Handler>] = [:]
  var observers: [Observer] = []
  /// Told of every perform that nobody took.
  var onUnhandled: ((ActionEvent, [String]) -> Void)?
  /// Makes the context of a perform where an engine keeps its values.
  var makeContext: () -> Context = { PlainContext() }
  /// Supplies what the embedding program gave to every context; the farthest of all providers.
  var hostValues = Arguments()
  /// Runs what it can of a perform in one go.
  weak var engine: (any Engine)?
  /// Who supplied a key in earlier contexts that were watched.
  private(set) var knownSuppliers: [String: [String]] = [:]
  /// Told of what went wrong beside the outcome.
  var report: (Diagnostic) -> Void = { _ in }
  /// The actions that are being performed, outermost first.
  private(set) var performing: [String] = []
  /// How many questions are being asked: while one is, nothing may be done.
  private(set) var asking = 0
  private var validating: [Validating] = []
  private let hostResponder: Responder

  static let nestingLimit = 50

  init(chain: Chain, names: NameTable, owner: Owner) {
    self.chain = chain
    self.names = names
    walks = Walks(chain: chain)
    hostResponder = Responder(name: "host", kind: .responder, owner: owner, place: nil, number: -1)
  }

  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result {
    asking += 1
    defer { asking -= 1 }
    return body()
  }

  // MARK: Native actions

  func setNative(_ action: String, _ handler: Handler?) -> (name: Name, number: Int) {
    let name = chain.intern(action)
    let number = chain.newEntryNumber()
    natives[name] = handler.map { Entry(content: $0, number: number) }
    chain.change(name)
    return (name, number)
  }

  func removeNative(_ name: Name, number: Int) {
    guard natives[name]?.number == number else { return }
    natives[name] = nil
    chain.change(name)
  }

  func native(_ query: Query, after: Resolution.Position) -> Candidate? {
    guard let name = query.name, let entry = natives[name] else { return nil }
    return Candidate(hostResponder, via: .native, handler: entry.content, query: query, position: 0, after: after)
  }

  // MARK: Walks and resolutions

  func walk(_ options: PerformOptions) -> Walk {
    if let target = options.to { return walks.walk(from: target).alone(target) }
    return walks.walk(from: options.from ?? chain.focused)
  }

  func defaultWalk() -> Walk { walks.walk(from: chain.focused) }

  func queries(for reference: Reference) -> [Query] {
    let candidates = reference.candidates
    return candidates.enumerated().map { index, candidate in
      Query(
        action: candidate.name, name: names.name(of: candidate.name), prefix: candidate.prefix,
        isLast: index == candidates.count - 1)
    }
  }

  /// Who would take a reference, as far as it can be told without asking a function; kept until that changes.
  func resolution(_ reference: Reference, raw: String, index: Int?, on walk: Walk) -> Resolution {
    if let index, let known = walk.resolutions[index] { return known }
    let resolution = Resolution(queries(for: reference), raw: raw, on: walk, dispatcher: self, isKept: true)
    if let index, walk.isWhole { walk.resolutions.keep(resolution, at: index, oldest: references.firstIndex) }
    return resolution
  }

  func beginAction(_ action: String) -> Bool {
    guard performing.count < Self.nestingLimit else { return false }
    performing.append(action)
    return true
  }

  func endAction() { performing.removeLast() }

  /// What is validated now: the same text is another question where it is asked of somebody else.
  private struct Validating: Equatable {
    let raw: ByteText
    let to: Int?
    let from: Int?
  }

  /// Marks that something is being validated; why it can't be, where it can't.
  func beginValidation(_ raw: String, _ options: PerformOptions) -> String? {
    let this = Validating(raw: ByteText(raw), to: options.to?.number, from: options.from?.number)
    if validating.contains(this) { return "being validated" }
    if validating.count == Self.nestingLimit { return "validations are nested more than \(Self.nestingLimit) deep" }
    validating.append(this)
    return nil
  }

  func endValidation() { validating.removeLast() }

  func noteSupplier(_ name: String, of key: String) {
    if !(knownSuppliers[key] ?? []).contains(name) { knownSuppliers[key, default: []].append(name) }
  }
}

/// What runs the functions of scripts; the core gives it a resolution, and it does what it can in one go.
protocol Engine: AnyObject {
  /// Performs the first candidate of a resolution if everything on the way is its own.
  func perform(_ resolution: Resolution, reference: Reference, in dispatcher: Dispatcher) -> FusedAnswer
}

/// What came of a perform in one go.
enum FusedAnswer {
  /// Something on the way is not the engine's: nothing was done.
  case notFused
  case outcome(Outcome)
  /// The first candidate passed; the context is built.
  case passed(Context)
  case failed(Failure)
}
