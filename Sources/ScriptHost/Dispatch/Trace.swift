/// The record of one perform: which responders the walk asked, their answers, where those are written, and nested
/// performs. It fills up while the walk runs. A waiting perform delivers its trace at its end.
public final class Trace {
  /// A question and its answer.
  public struct Step: Sendable {
    /// The responder's name; `host` is the host itself.
    public var node: String
    /// The question, such as `can rate`.
    public var asked: String
    /// The answer in words.
    public var answer: String
    /// Where the function is written.
    public var place: Place?
  }

  /// An entry of a trace.
  public enum Entry {
    case asked(Step)
    /// An action that a handler performed.
    case performed(Trace)
  }

  /// The reference, as written.
  public let reference: String
  /// The sender: a responder, the app, or the id of an item.
  public let sender: String
  /// The outcome; nil until the perform ends.
  public internal(set) var outcome: Outcome?
  private var notes: [Note] = []
  /// The trace of the outer perform.
  var parent: Trace?
  /// Records the questions of the walk.
  private(set) lazy var witness: Witness = {
    let witness = Witness()
    witness.onStep = { [unowned self] in notes.append(.asked($0)) }
    return witness
  }()

  /// An entry, put into words only when read.
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

  /// The questions and nested performs, in order.
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

  // MARK: More than a witness notes

  func note(_ performed: Trace) { notes.append(.performed(performed)) }

  /// Records the values that a provider supplied, or its failure.
  func provided(by name: String, _ failure: Failure?, at place: Place?, _ witness: Witness) {
    guard witness === self.witness else { return }
    let unheard = witness.suppliers.shadowed.filter { $0.by == name }.map(\.key)
    let keys = witness.suppliers.keys(of: name)
    notes.append(.provided(node: name, keys: keys, unheard: unheard, failure, place: place))
  }

  /// Records that a handler begins or resumes an action. Returns an index for `ends`.
  func begins(_ word: String, _ action: String, of responder: Responder, place: Place?) -> Int {
    notes.append(.said(node: responder.name, asked: "\(word) \(action)", answer: "", place: place))
    return notes.count - 1
  }

  /// Records the reply of a handler.
  func ends(_ index: Int, _ reply: Reply) {
    guard case .said(let node, let asked, _, let place) = notes[index] else { return }
    notes[index] = .said(node: node, asked: asked, answer: reply.words, place: place)
  }
}

extension Trace.Step {
  init(node: String, supplied keys: [String], unheard: [String], failure: String?, place: Place?) {
    let supplied =
      keys.sorted { $0.precedesByBytes($1) } + unheard.map { "'\($0)', ignored since it is a name of the host" }
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

/// The listener for traces, and the current trace.
struct Tracing {
  /// Called with each trace that isn't part of another, when it ends.
  var deliver: ((Trace) -> Void)?
  /// The trace of the innermost perform. Nested performs become part of it.
  var current: Trace?
}

/// The suppliers of each key in contexts that `why` built, named when a key is missing. Providers may invent keys
/// without end, so all are dropped when they take too much memory.
struct KnownSuppliers {
  private static let most = 1 << 18
  private var byKey: [ByteText: [String]] = [:]
  /// The approximate memory in use.
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

/// Records the questions of a walk and their answers, for explanations and traces. It changes nothing.
final class Witness {
  enum Question: String, Sendable {
    case on, resolve, redirect, claims, running, needs, takes, can, look, unknown, native, modal, enabled
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
  /// The keys read, in order of the first read.
  private(set) var keys: [String] = []
  let suppliers = Suppliers()
  /// Whether the item itself has refused, after what the responders said.
  var isRefusedByItem = false
  /// Called for each new step.
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
