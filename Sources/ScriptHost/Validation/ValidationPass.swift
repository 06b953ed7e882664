/// Validates any number of references in one context, so that the providers run only once. During the validation of an
/// item, its request and arguments are put over the context.
final class ValidationPass {
  let dispatcher: Dispatcher
  let options: PerformOptions
  let walk: Walk
  /// Built when first read.
  private(set) lazy var context = madeContext()
  /// The context, passed or built.
  private var known: Context?
  let witness: Witness?
  /// The form to draw during the validation; nil if none.
  private let form: FormDrawing?
  /// Whether to record refusals without a reason in `silence`.
  var notesSilence = false
  /// The last refusal without a reason.
  var silence: Silence?
  /// Resolutions that needed function calls, made once in a pass.
  private var asked: [ByteText: Resolution] = [:]

  init(
    _ dispatcher: Dispatcher, _ options: PerformOptions, context: Context? = nil, witness: Witness? = nil,
    drawing form: FormDrawing? = nil
  ) {
    self.form = form
    self.dispatcher = dispatcher
    self.options = options
    self.witness = witness
    walk = dispatcher.walk(options)
    known = context
  }

  private func madeContext() -> Context {
    let context = known ?? dispatcher.context(of: walk, witness: witness, row: options.row)
    known = context
    return context
  }

  deinit { known?.end() }

  /// Returns the validation for a verdict, without the look.
  private func said(_ verdict: Verdict, _ candidate: Candidate) -> Validation {
    var validation = Validation(enabled: false, by: candidate.responder.name)
    note(verdict, candidate, in: &validation)
    return validation
  }

  /// Records a verdict. A validation is large, so it is changed in place.
  private func note(_ verdict: Verdict, _ candidate: Candidate, in validation: inout Validation) {
    switch verdict {
    case .yes, .pass: validation.isEnabled = true
    case .asks(let question):
      validation.isEnabled = true
      validation.asks = question
    case .running: validation.isRunning = true
    case .unfit(let misfit): validation.misfit = misfit
    case .no: break
    case .failed(let failure, let misfit):
      dispatcher.report(Diagnostic(failure))
      if misfit != nil { validation.misfit = misfit }
    }
    if !validation.isEnabled { validation.reason = candidate.reason(of: verdict) }
  }

  /// Validates a request along a resolution.
  func validate(_ reference: Reference, _ request: Request, _ resolution: Resolution) -> Validation {
    if let reason = dispatcher.beginValidation(request.raw, options) {
      return Validation(enabled: false, reason: reason)
    }
    defer { dispatcher.endValidation() }
    return answer(reference, request, resolution)
  }

  /// Validates a request that skips `needs` and `can`: enabled, unless its arguments don't fit the candidate, or its
  /// action waits. It is also enabled if a modal session blocks it.
  func validateAsDeclared(_ reference: Reference, _ request: Request, _ resolution: Resolution) -> Validation {
    if let reason = dispatcher.beginValidation(request.raw, options) {
      return Validation(enabled: false, reason: reason)
    }
    defer { dispatcher.endValidation() }
    let declared = Validation(enabled: true)
    var resolution = resolution
    if resolution.candidate(0, witness: witness) == nil, resolution.isStuck {
      resolution = askedResolution(reference, request.raw)
    }
    guard let candidate = resolution.candidate(0, witness: witness),
      candidate.takes != nil || candidate.whySetAside != nil || dispatcher.isRunning(candidate),
      dispatcher.session(blocking: candidate, whileDrawing: true) == nil
    else { return declared }
    var isPut = false
    defer { if isPut { context.takeOff() } }
    (request.action, request.prefix) = (candidate.action, candidate.prefix)
    guard putArguments(request, for: candidate, resolution, &isPut) else { return declared }
    dispatcher.engine?.beginQuestion()
    defer { dispatcher.engine?.endQuestion() }
    let verdict = verdict(candidate, skipping: true)
    if case .yes = verdict { return declared }
    return said(verdict, candidate)
  }

  private func answer(_ reference: Reference, _ request: Request, _ resolution: Resolution) -> Validation {
    var resolution = resolution
    var index = 0
    var isPut = false
    defer { if isPut { context.takeOff() } }
    while true {
      guard let candidate = resolution.candidate(index, witness: witness) else {
        guard resolution.isStuck else { break }
        // The new resolution begins with the same candidates, which `index` skips.
        resolution = askedResolution(reference, request.raw)
        continue
      }
      index += 1
      var validation = Validation(enabled: false, by: candidate.responder.name)
      if answers(candidate, request, resolution, &isPut, in: &validation) { return validation }
    }
    if let hookFailure = resolution.hookFailure {
      dispatcher.report(Diagnostic(hookFailure.failure))
      return Validation(enabled: false, reason: hookFailure.failure.asReason)
    }
    let nobody = dispatcher.nobody(reference, on: walk)
    var validation = Validation(enabled: false, reason: nobody.reason)
    if let other = nobody.elsewhere { validation.elsewhere = other.name }
    return validation
  }

  private func askedResolution(_ reference: Reference, _ raw: String) -> Resolution {
    let key = ByteText(reference.id)
    if let known = asked[key], known.isCurrent { return known }
    let resolution = Resolution(reference, raw: raw, on: walk, dispatcher: dispatcher, isKept: false)
    asked[key] = resolution
    return resolution
  }

  /// Records a candidate's answer. Returns false if it passes. Only candidates with functions need the request in the
  /// context.
  private func answers(
    _ candidate: Candidate, _ request: Request, _ resolution: Resolution, _ isPut: inout Bool,
    in validation: inout Validation
  ) -> Bool {
    let look = candidate.look
    let session = dispatcher.session(blocking: candidate, whileDrawing: true)
    guard
      look != nil || witness != nil
        || session == nil && !(candidate.asksNothing && candidate.takes == nil && candidate.whySetAside == nil)
    else {
      if let session {
        block(candidate, by: session, in: &validation)
      } else {
        note(dispatcher.isRunning(candidate) ? .running : .yes, candidate, in: &validation)
        addLook(nil, candidate, to: &validation)
      }
      return true
    }
    request.action = candidate.action
    request.prefix = candidate.prefix
    guard putArguments(request, for: candidate, resolution, &isPut) else {
      validation.reason = "error: it has too many arguments"
      return true
    }
    dispatcher.engine?.beginQuestion()
    defer { dispatcher.engine?.endQuestion() }
    if let session {
      block(candidate, by: session, in: &validation)
    } else {
      let verdict = verdict(candidate)
      switch verdict {
      case .pass: return false
      case .no(let reason) where notesSilence: silence = Silence(candidate, reason, in: context)
      default: break
      }
      note(verdict, candidate, in: &validation)
      if case .failed = verdict { return true }
    }
    addLook(look, candidate, to: &validation)
    return true
  }

  /// Returns whether a candidate may do its action now. It draws a form's fields first, even if the candidate may not.
  private func verdict(_ candidate: Candidate, skipping: Bool = false) -> Verdict {
    var purpose = Comparing.Purpose.drawing
    if let form {
      form.fields = []
      if let takes = candidate.takes {
        switch dispatcher.form(of: takes, candidate, in: context, besides: form.given, with: form.answers) {
        case .success(let fields):
          form.fields = fields
          dispatcher.reportFailures(of: fields)
        case .failure(let failure): return .failed(failure)
        }
      }
      purpose = .form(form.fields)
    }
    return dispatcher.verdict(candidate, in: context, witness: witness, for: purpose, skipping: skipping)
  }

  /// Returns the look from an item's own function, with the item's request in the context.
  ///
  /// - Parameter unknown: the required arguments whose values aren't known yet.
  func look(
    _ request: Request?, besides unknown: [String], _ look: (Context) -> Result<Look, Failure>
  ) -> Result<Look, Failure> {
    if !unknown.isEmpty { context.unknown = UnknownArguments(unknown) }
    defer { context.unknown = nil }
    dispatcher.engine?.beginQuestion()
    defer { dispatcher.engine?.endQuestion() }
    let isPut = request.map { context.put($0) } ?? false
    defer { if isPut { context.takeOff() } }
    return dispatcher.asking(in: context) { look(context) }
  }

  /// Returns the declared arguments of a candidate, as a form would show them now.
  func fields(of takes: Takes, _ candidate: Candidate, _ request: Request) -> [AskedArgument] {
    dispatcher.engine?.beginQuestion()
    defer { dispatcher.engine?.endQuestion() }
    let isPut = context.put(request)
    defer { if isPut { context.takeOff() } }
    let fields = dispatcher.form(of: takes, candidate, in: context, besides: Arguments(), with: request.given)
    return (try? fields.get()) ?? takes.facts
  }

  /// Puts a request over the context for a candidate, unless it is already there. Returns false if it is too large.
  private func putArguments(
    _ request: Request, for candidate: Candidate, _ resolution: Resolution, _ isPut: inout Bool
  ) -> Bool {
    let context = context
    context.takeOut()
    context.takerObject = candidate.responder
    context.resolution = resolution
    if isPut { context.aimed() } else { isPut = context.put(request) }
    return isPut
  }

  /// Records that a modal session blocks a candidate.
  private func block(_ candidate: Candidate, by session: ModalSession, in validation: inout Validation) {
    let name = candidate.responder.name
    let reason = session.reason(for: name)
    witness?.asked(name, .modal, candidate.action, answer: .no(reason), place: session.place)
    (validation.reason, validation.isBlocked) = (reason, true)
  }

  /// Adds the look from the candidate's `look`; mixed for an action that waits. If `look` fails, disables the action.
  private func addLook(_ handler: Handler?, _ candidate: Candidate, to validation: inout Validation) {
    if let handler {
      switch dispatcher.look(handler, candidate, in: context, witness) {
      case .success(let look): validation.look = look
      case .failure(let failure):
        validation.isEnabled = false
        validation.reason = failure.asReason
      }
    }
    if validation.isRunning { validation.look.state = .mixed }
  }
}

extension Dispatcher {
  /// Returns whether the action that a text refers to can be done now.
  func validate(_ text: String, _ options: PerformOptions = PerformOptions(), witness: Witness? = nil) -> Validation {
    do {
      let reference = try Reference.parse(text)
      return validate(reference, raw: text, options, witness: witness)
    } catch {
      return Validation(enabled: false, reason: error.message)
    }
  }

  /// Validates one reference in a separate validation pass.
  func validate(
    _ reference: Reference, raw: String, _ options: PerformOptions, witness: Witness? = nil,
    drawing form: FormDrawing? = nil
  ) -> Validation {
    if let misuse = stranger(options) { return Validation(enabled: false, reason: misuse.message) }
    let arguments = Arguments(reference.arguments).merging(options.arguments)
    tellSecrets(of: reference, options.arguments)
    // Marked before the providers run, because they may validate the same text.
    if let reason = beginValidation(raw, options) { return Validation(enabled: false, reason: reason) }
    let isSkipped = options.skipValidation || arguments.skipsValidation ?? false
    engine?.beginAllowance()
    defer { endAllowance() }
    let pass = ValidationPass(self, options, witness: witness, drawing: form)
    if !isSkipped { _ = pass.context }
    endValidation()
    let request = Request(
      raw: raw, action: reference.name, prefix: reference.prefix, arguments: arguments, info: options.info,
      sender: options.sender, modifiers: options.modifiers, subject: options.subject)
    let resolution =
      witness == nil
      ? (try? resolution(of: raw, on: pass.walk, exact: reference.isExact))
        ?? Resolution(reference, raw: raw, on: pass.walk, dispatcher: self, isKept: false)
      : Resolution(reference, raw: raw, on: pass.walk, dispatcher: self, isKept: false)
    if isSkipped { return pass.validateAsDeclared(reference, request, resolution) }
    return pass.validate(reference, request, resolution)
  }
}
