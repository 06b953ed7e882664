/// A *trace* is how one perform went: whom the walk asked, what each answered, where that was written, and what was performed meanwhile.
///
/// It is noted while the walk goes on. The trace of a perform that waits comes at its end.
public final class Trace {
  /// One question and its answer.
  public struct Step: Sendable {
    /// The responder that was asked; `host` is the host itself.
    public var node: String
    /// What it was asked, as `can rate`.
    public var asked: String
    /// What it said, in words.
    public var answer: String
    /// Where its function was written.
    public var place: Place?
  }

  /// An entry of a trace.
  public enum Entry {
    case asked(Step)
    /// An action that a handler performed.
    case performed(Trace)
  }

  /// The reference as it was written.
  public let reference: String
  /// Who performed it: a responder, the app, or the id of an item.
  public let sender: String
  /// What came of it; nil as long as it goes on.
  public internal(set) var outcome: Outcome?
  private var notes: [Note] = []
  /// The trace of the perform in whose course this one was performed.
  var parent: Trace?
  /// The witness that notes what the walk asks.
  private(set) lazy var witness: Witness = {
    let witness = Witness()
    witness.onStep = { [unowned self] in notes.append(.asked($0)) }
    return witness
  }()

  /// An entry that is put into words only when somebody reads it.
  private enum Note {
    case asked(Witness.Step)
    case said(node: String, asked: String, answer: String, place: Place?)
    case provided(node: String, keys: [String], unheard: [String], Failure?, place: Place?)
    case performed(Trace)
  }

  init(_ reference: String, by sender: Sender) {
    self.reference = reference
    self.sender =
      switch sender {
      case .app: "app"
      case .item(let id, _, _, _): id
      case .responder(let name): name
      }
  }

  /// What was asked and performed, in order.
  public var entries: [Entry] {
    notes.map { note in
      switch note {
      case .asked(let step): .asked(Step(step))
      case .said(let node, let asked, let answer, let place):
        .asked(Step(node: node, asked: asked, answer: answer, place: place))
      case .provided(let node, let keys, let unheard, let failure, let place):
        .asked(Step(node: node, supplied: keys, unheard: unheard, failure: failure?.message, place: place))
      case .performed(let trace): .performed(trace)
      }
    }
  }

  // MARK: What is noted beside what a witness notes

  func note(_ performed: Trace) { notes.append(.performed(performed)) }

  /// Notes what a provider supplied, or why it couldn't.
  func provided(by name: String, _ failure: Failure?, at place: Place?, _ witness: Witness) {
    guard witness === self.witness else { return }
    let unheard = witness.suppliers.shadowed.filter { $0.by == name }.map(\.key)
    let keys = witness.suppliers.keys(of: name)
    notes.append(.provided(node: name, keys: keys, unheard: unheard, failure, place: place))
  }

  /// Notes that a handler begins an action, or goes on with it. Returns an index for `ends`.
  func begins(_ word: String, _ action: String, of responder: Responder, place: Place?) -> Int {
    notes.append(.said(node: responder.name, asked: "\(word) \(action)", answer: "", place: place))
    return notes.count - 1
  }

  /// Notes the reply of a handler that had begun.
  func ends(_ index: Int, _ reply: Reply) {
    guard case .said(let node, let asked, _, let place) = notes[index] else { return }
    notes[index] = .said(node: node, asked: asked, answer: reply.words, place: place)
  }
}

extension Trace.Step {
  init(node: String, supplied keys: [String], unheard: [String], failure: String?, place: Place?) {
    let supplied =
      keys.sorted { $0.precedesByBytes($1) } + unheard.map { "'\($0)', which is the host's and not heard" }
    let answer =
      failure.map { "fails: \($0)" } ?? (supplied.isEmpty ? "nothing" : supplied.joined(separator: ", "))
    self.init(node: node, asked: "provide", answer: answer, place: place)
  }

  init(_ step: Witness.Step) {
    self.init(
      node: step.responder, asked: "\(step.question.rawValue) \(step.action)", answer: step.answer.words,
      place: step.place)
  }
}

extension Reply {
  /// The reply in words.
  var words: String {
    switch self {
    case .value: "done"
    case .pass: "passes"
    case .refused(let reason): reason.isEmpty ? "refuses" : "refuses: \(reason)"
    case .failed(let failure): "fails: \(failure.message)"
    case .waiting: "waits"
    }
  }
}

/// The *tracing* state: who is told of traces, and the trace that is under way.
struct Tracing {
  /// Told of each trace that is no part of another, when it ends.
  var deliver: ((Trace) -> Void)?
  /// The trace of the innermost perform; what is performed meanwhile becomes a part of it.
  var current: Trace?
}

/// The suppliers of each key in the contexts that `why` has built; it names them if a key is missing. Providers may make up keys without
/// end, so all are forgotten when they take too much memory.
struct KnownSuppliers {
  private static let most = 1 << 18
  private var byKey: [ByteText: [String]] = [:]
  /// The approximate memory that they take.
  private(set) var bytes = 0

  mutating func note(_ name: String, of key: ByteText) {
    if byKey[key]?.contains(where: { $0.hasSameBytes(as: name) }) ?? false { return }
    let added = key.text.utf8.count + name.utf8.count + 64
    if added > Self.most { return }
    if bytes + added > Self.most { self = KnownSuppliers() }
    bytes += added
    byKey[key, default: []].append(name)
  }

  func names(of key: String) -> [String] { byKey[ByteText(key)] ?? [] }
}

/// A *witness* notes what a walk asks and what is answered, for explanations and traces. It changes nothing.
final class Witness {
  enum Question: String, Sendable {
    case on, resolve, redirect, claims, running, needs, takes, can, look, unknown, native, modal
  }

  enum Answer: Equatable {
    case nothing
    case takes
    case yes
    case no(String)
    case passes
    case redirects(String)
    case fails(String)
  }

  struct Step {
    let responder: String
    let question: Question
    let action: String
    let answer: Answer
    let place: Place?
  }

  private(set) var steps: [Step] = []
  /// The keys that were read, in the order of the first reading.
  private(set) var keys: [String] = []
  let suppliers = Suppliers()
  /// Told of each step as it is noted.
  var onStep: ((Step) -> Void)?

  func asked(
    _ responder: Responder, _ question: Question, _ query: Query, answer: Answer, place: Place? = nil
  ) {
    asked(responder.name, question, query.action, answer: answer, place: place)
  }

  func asked(_ name: String, _ question: Question, _ action: String, answer: Answer, place: Place?) {
    let step = Step(responder: name, question: question, action: action, answer: answer, place: place)
    steps.append(step)
    onStep?(step)
  }

  func read(_ key: String) {
    if !keys.contains(where: { $0.hasSameBytes(as: key) }) { keys.append(key) }
  }
}

extension Witness.Answer {
  /// The answer in words.
  var words: String {
    switch self {
    case .nothing: "doesn't answer"
    case .takes: "takes it"
    case .yes: "yes"
    case .no(let reason): reason.isEmpty ? "no" : "no: \(reason)"
    case .passes: "passes"
    case .redirects(let name): "hands it to '\(name)'"
    case .fails(let message): "fails: \(message)"
    }
  }
}
