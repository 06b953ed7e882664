/// Whether an action can be done now, why not, and how its item looks.
public struct Validation {
  /// Whether it can be done now.
  public var isEnabled: Bool
  /// Why not; never empty when it can't be done.
  public var reason: String?
  /// Who takes it, or refuses it.
  public var by: String?
  /// Whether only a modal session keeps it from being done.
  var isBlocked = false
  /// Whether it can't be done because it waits.
  var isRunning = false
  /// How its item looks now.
  public var look = Look()
  private var rare: Rare?

  /// What few validations have. It is large, so it is stored apart.
  private final class Rare {
    let elsewhere: String?
    let asks: Outcome.Question?
    let misfit: Misfit?

    init(_ elsewhere: String?, _ asks: Outcome.Question?, _ misfit: Misfit?) {
      (self.elsewhere, self.asks, self.misfit) = (elsewhere, asks, misfit)
    }
  }

  /// Who would take it if it were in the chain, where nobody in the chain does.
  public internal(set) var elsewhere: String? {
    get { rare?.elsewhere }
    set { rare = Rare(newValue, asks, misfit) }
  }
  /// What a person is asked before it can be done; nil if nothing is.
  public internal(set) var asks: Outcome.Question? {
    get { rare?.asks }
    set { rare = Rare(elsewhere, newValue, misfit) }
  }
  /// The argument that doesn't fit, if that is why it can't be done.
  public internal(set) var misfit: Misfit? {
    get { rare?.misfit }
    set { rare = Rare(elsewhere, asks, newValue) }
  }

  init(enabled: Bool, reason: String? = nil, by: String? = nil, look: Look = Look(), isBlocked: Bool = false) {
    isEnabled = enabled
    self.reason = reason
    self.by = by
    self.look = look
    self.isBlocked = isBlocked
  }
}

/// The *form* of an action: what a person is asked for, after some answers, and whether the action can be done with these.
public struct Form {
  /// The arguments that aren't given otherwise, required ones first, with the choices and defaults that there are after these answers.
  public var fields: [AskedArgument]
  /// Whether the action can be done with these answers, and why not.
  public var validation: Validation

  package init(_ fields: [AskedArgument], _ validation: Validation) {
    self.fields = fields
    self.validation = validation
  }
}

/// A form that is drawn while its request is validated.
final class FormDrawing {
  /// What the reference or its item gives.
  let given: Arguments
  let answers: Arguments
  var fields: [AskedArgument] = []

  init(besides given: Arguments, with answers: Arguments) {
    self.given = given
    self.answers = answers
  }
}

extension Dispatcher {
  /// The form of the action that a text refers to, after some answers. Nothing is performed (A12).
  func form(_ text: String, _ options: PerformOptions, answers: Arguments) -> Form {
    let reference: Reference
    do throws(ReferenceError) { reference = try Reference.parse(text) } catch {
      return Form([], Validation(enabled: false, reason: error.message))
    }
    let drawing = FormDrawing(
      besides: Arguments(reference.arguments).merging(options.arguments), with: answers)
    var asked = options
    asked.arguments = options.arguments.merging(answers)
    let validation = validate(reference, raw: text, asked, drawing: drawing)
    return Form(drawing.fields, validation)
  }
}

/// A *silence* is a refusal without a reason, and where the script could give one. `check` reports it.
struct Silence {
  /// Where the reason could be given, if that is known.
  let place: Place?
  let help: String

  /// Nil if there is a reason. `needs` is looked at first.
  init?(_ candidate: Candidate, _ said: String?, in context: Context) {
    if let need = candidate.lacks(in: context) {
      guard need.reason?.isEmpty ?? true else { return nil }
      place = nil
      help = "needs.\(candidate.action) = { \(need.key) = \"why not\" } says it"
    } else {
      guard said?.isEmpty ?? true else { return nil }
      place = candidate.can?.place
      help = "return false, \"why not\" says it"
    }
  }
}
