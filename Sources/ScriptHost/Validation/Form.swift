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
