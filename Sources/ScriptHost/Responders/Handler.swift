/// A *handler* is something that can be asked on behalf of a responder: a function of a script's, or a closure.
///
/// Every kind of question has an answer here that says "not asked for"; a kind of handler overrides those it is registered for.
class Handler {
  let owner: Owner
  /// Where it was registered.
  var place: Place? { nil }
  /// Whether it was said already that it supplies something under the host's names.
  var wasToldOfShadows = false
  /// Whether it may be asked to do its action while that waits.
  var isReentrant = false

  init(owner: Owner) {
    self.owner = owner
  }

  /// The context keys that it is known to supply, as far as its code tells.
  var suppliedKeys: [String] { [] }

  /// The context keys that it is known to read.
  var readKeys: [String] { [] }
  /// Whether these are all that it supplies and reads.
  var isReadable: Bool { false }
  /// Whether it reads a context in Swift alone, so that what is asked need not lie where scripts find it.
  var readsInSwift: Bool { false }
  /// How many lines it has.
  var lineCount: Int { 1 }
  /// What one of its parameters is called, from 1 on.
  func parameter(_ number: Int32) -> String? { nil }
  /// A text that it answers somewhere and nothing else with it.
  var answeredText: String? { nil }
  /// Whether it returns a table that it makes.
  var answersTable: Bool { false }
  /// Who has taken its place where it is registered, once, since somebody looked.
  var successor: Handler? { nil }
  /// Told that it is registered no more: another took its place, or nobody.
  func leave() {}

  /// What it is known to read.
  final var reads: ContextReads { ContextReads(keys: readKeys, place: place, lineCount: lineCount) }

  func perform(for responder: Responder, in context: Context) -> Reply { .pass }
  func can(for responder: Responder, in context: Context) -> Verdict { .pass }
  func look(for responder: Responder, in context: Context) -> Result<Look, Failure> { .success(Look()) }
  /// Asked for a value: what may be given, what is taken where nothing is, or what a person is asked first.
  func value(for responder: Responder, in context: Context) -> Result<Value, Failure> { .success(.null) }
  func provide(for responder: Responder, into context: Context) -> Failure? { nil }
  /// May add the action to its responder; whether it says it did.
  func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> { .success(false) }
  func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> { .success(nil) }
  func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> { .success(.no) }
  /// Whether a responder takes the focus now.
  func acceptsFocus(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder gets the focus; false refuses it.
  func become(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Told that the responder loses the focus; false keeps it.
  func resign(for responder: Responder) -> Result<Bool, Failure> { .success(true) }
  /// Edits a menu, which the editor stands for.
  func build(for responder: Responder, _ editor: AnyObject, _ subject: Value) -> Failure? { nil }
  /// A failure passes on its way up: what it becomes, nil when it ends here.
  func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> { .success(failure) }
}

/// A *verdict* is what `can` answers: whether an action may be done now.
enum Verdict {
  case yes
  case no(String?)
  /// An argument is not taken.
  case unfit(Misfit)
  /// Arguments are missing.
  case asks(Outcome.Question)
  /// This responder doesn't take it now.
  case pass
  /// Its action waits, and can't be done again meanwhile.
  case running
  case failed(Failure)
}

/// A context key without which an action can't be done, and what to say then.
struct Need {
  let key: String
  let reason: String?

  var reasonOrDerived: String {
    if let reason, !reason.isEmpty { return reason }
    return "needs '\(key)', which nobody supplies now"
  }
}
