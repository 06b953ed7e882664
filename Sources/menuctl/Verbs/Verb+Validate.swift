extension Verb {
  static let validate = Verb(
    name: "validate", operands: [.app, Operand(name: "REF", isRepeated: true)],
    summary: "show whether actions can be done now, and why not",
    options: Option.loading
  ) { session in
    let references = try session.references()
    try session.load()
    let validations = references.map { (reference: $0, validation: session.host.validate($0)) }
    let isAllowed = validations.allSatisfy(\.validation.isEnabled)
    return Reply(answer: .validations(validations), status: isAllowed ? .done : .no)
  }
}
