/// The result of a validation: whether an action can be done now, why not, and the look of its item.
public struct Validation {
  /// Whether the action can be done now.
  public var isEnabled: Bool
  /// Why not; never empty if it can't be done.
  public var reason: String?
  /// The responder that handles or refuses it.
  public var by: String?
  /// Whether only a modal session prevents it.
  var isBlocked = false
  /// Whether it can't be done because it waits.
  var isRunning = false
  /// The current look of its item.
  public var look = Look()
  private var rare: Rare?

  /// The fields that few validations have. They are large, so they are stored separately.
  private final class Rare {
    let elsewhere: String?
    let asks: Outcome.Question?
    let misfit: Misfit?

    init(_ elsewhere: String?, _ asks: Outcome.Question?, _ misfit: Misfit?) {
      (self.elsewhere, self.asks, self.misfit) = (elsewhere, asks, misfit)
    }
  }

  /// If nobody in the chain handles it, the responder outside the chain that would.
  public internal(set) var elsewhere: String? {
    get { rare?.elsewhere }
    set { rare = Rare(newValue, asks, misfit) }
  }
  /// The question for a person before it can be done; nil if there is none.
  public internal(set) var asks: Outcome.Question? {
    get { rare?.asks }
    set { rare = Rare(elsewhere, newValue, misfit) }
  }
  /// The argument that prevents the action, if any.
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

/// The form of an action: its fields after some answers, and whether the action can be done with these.
public struct Form {
  /// The missing arguments in the order of the form, with their choices and defaults after these answers.
  public var fields: [AskedArgument]
  /// Whether the action can be done with these answers, and why not.
  public var validation: Validation

  package init(_ fields: [AskedArgument], _ validation: Validation) {
    self.fields = fields
    self.validation = validation
  }
}

/// A form to draw during the validation of its request.
final class FormDrawing {
  /// The arguments of the reference or its item.
  let given: Arguments
  let answers: Arguments
  var fields: [AskedArgument] = []

  init(besides given: Arguments, with answers: Arguments) {
    self.given = given
    self.answers = answers
  }
}

extension Dispatcher {
  /// Returns the form of the action that a text refers to, after some answers. It performs nothing (A12).
  func form(_ text: String, _ options: PerformOptions, answers: Arguments) -> Form {
    var reference: Reference
    do throws(ReferenceError) { reference = try Reference.parse(text) } catch {
      return Form([], Validation(enabled: false, reason: error.message))
    }
    if options.isExact { reference.isExact = true }
    let drawing = FormDrawing(
      besides: Arguments(reference.arguments).merging(options.arguments), with: answers)
    var asked = options
    asked.arguments = options.arguments.merging(answers)
    let validation = validate(reference, raw: text, asked, drawing: drawing)
    return Form(drawing.fields, validation)
  }
}

/// A refusal without a reason, with the place where the script could give one. `check` reports it.
struct Silence {
  /// Where the reason could be given, if known.
  let place: Place?
  let help: String

  /// Returns nil if there is a reason. Checks `needs` first.
  init?(_ candidate: Candidate, _ said: String?, in context: Context) {
    if let need = candidate.lacks(in: context) {
      guard need.reason?.isEmpty ?? true else { return nil }
      place = nil
      help = "give the reason: needs.\(candidate.action) = { \(need.key) = \"why not\" }"
    } else {
      guard said?.isEmpty ?? true else { return nil }
      place = candidate.can?.place
      help = "give the reason: return false, \"why not\""
    }
  }
}
