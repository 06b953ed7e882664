extension Dispatcher {
  /// Whether the action that a text refers to can be done now.
  func validate(_ text: String, _ options: PerformOptions = PerformOptions(), witness: Witness? = nil) -> Validation {
    do {
      let reference = try Reference.parse(text)
      return validate(reference, raw: text, options, witness: witness)
    } catch {
      return Validation(enabled: false, reason: error.message)
    }
  }

  /// Validates one reference, in a validation pass of its own.
  func validate(
    _ reference: Reference, raw: String, _ options: PerformOptions, witness: Witness? = nil,
    drawing form: FormDrawing? = nil
  ) -> Validation {
    if let misuse = stranger(options) { return Validation(enabled: false, reason: misuse.message) }
    let arguments = Arguments(reference.arguments).merging(options.arguments)
    tellSecrets(of: reference, options.arguments)
    // Marked before the providers run, because they may validate the same.
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
      ? (try? resolution(of: raw, on: pass.walk))
        ?? Resolution(reference, raw: raw, on: pass.walk, dispatcher: self, isKept: false)
      : Resolution(reference, raw: raw, on: pass.walk, dispatcher: self, isKept: false)
    if isSkipped { return pass.validateAsDeclared(reference, request, resolution) }
    return pass.validate(reference, request, resolution)
  }
}
