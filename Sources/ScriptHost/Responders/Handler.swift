/// A *handler* is something that can be asked on behalf of a responder: a function of a script's, or a closure.
///
/// Each method answers one kind of question, by default as if nothing were registered; subclasses override those that they are registered
/// for.
class Handler {
  let owner: Owner
  /// Where it was registered.
  var place: Place? { nil }
  /// Whether the warning that it supplies one of the host's names was given already.
  var wasToldOfShadows = false
  /// Whether its action is the embedding program's or the host's own, so that a perform's allowance rests while it runs.
  var isOfProgram: Bool { false }
  /// Whether its action may be done again while it waits.
  var isReentrant = false

  init(owner: Owner) {
    self.owner = owner
  }

  /// The context keys that it supplies, as far as its code tells.
  var suppliedKeys: [String] { [] }

  /// The context keys that it reads, as far as its code tells.
  var readKeys: [String] { [] }
  /// Whether its code tells all keys that it supplies and reads.
  var isReadable: Bool { false }
  /// How many lines it has.
  var lineCount: Int { 1 }
  /// The name of a parameter, counted from 1.
  var parameters: [String] { [] }
  /// A text that its code returns somewhere as the only value.
  var answeredText: String? { nil }
  /// Whether it returns a table that it has made.
  var answersTable: Bool { false }
  /// The context keys that it is known to read, and where.
  final var reads: ContextReads { ContextReads(keys: readKeys, place: place, lineCount: lineCount) }

  func perform(for responder: Responder, in context: Context) -> Reply { .pass }
  func can(for responder: Responder, in context: Context) -> Verdict { .pass }
  func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(Look()) }
  /// Asked for a value: the choices or the default of an argument, or the question to confirm.
  func value(for responder: Responder, in context: Context) -> Result<Value, Failure> { .success(.null) }
  func provide(for responder: Responder, into context: Context) -> Failure? { nil }
  /// May add the action to its responder; returns whether it says that it did.
  func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> { .success(false) }
  func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> { .success(nil) }
  func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> { .success(.no) }
  /// Whether a responder takes the focus now.
  func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder gets the focus; false refuses it.
  func become(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder loses the focus; false keeps it.
  func resign(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Edits a menu by means of an editor.
  func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? { nil }
  /// Asked when a failure comes by on its way up: the failure to pass on, or nil to end it.
  func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> { .success(failure) }
}

/// A *verdict* is what `can` answers: whether an action may be done now.
/// The cases with much in them are rare, and apart: a verdict is moved often.
enum Verdict {
  case yes
  case no(String?)
  /// An argument doesn't fit.
  indirect case unfit(Misfit)
  /// Arguments are missing.
  indirect case asks(Outcome.Question)
  /// This responder doesn't take the action now.
  case pass
  /// Its action waits, and can't be done again meanwhile.
  case running
  /// A function failed; the misfit names the argument that it is about.
  indirect case failed(Failure, Misfit? = nil)
}

/// A context key without which an action can't be done, and the reason to give then.
struct Need {
  /// The most keys that a script may have one action need: each is looked for whenever an item of it is drawn.
  static let most = 256
  let key: String
  let reason: String?

  var reasonOrDerived: String {
    if let reason, !reason.isEmpty { return reason }
    return "needs '\(key)', which nobody supplies now"
  }
}
