// Draws forms (A12).

extension Takes {
  /// The fields of a form: the arguments that aren't given, as they are after some answers. Functions hear what is given, the answers, and
  /// the values with which the other fields begin. A function that fails leaves its failure in its field; only a spent limit is thrown.
  func form(
    besides given: Arguments, with answers: Arguments = Arguments(), _ comparing: Comparing
  ) throws -> [AskedArgument] {
    let open = inOrder.filter { given[$0.key]?.orNone == nil }
    func isAnswered(_ argument: DeclaredArgument) -> Bool { answers[argument.key]?.orNone != nil }
    var known = open.filter { !isAnswered($0) }.compactMap { argument in
      (argument.facts.preset ?? argument.facts.proposal).map { (key: argument.key, value: $0) }
    }
    func ask(for field: inout AskedArgument, _ change: (inout AskedArgument) throws -> Void) throws {
      do { try change(&field) } catch let failure as Failure where failure.limit == nil { field.failure = failure }
    }
    func begins(_ argument: DeclaredArgument, with value: Value?) {
      if let value, !isAnswered(argument) { known.append((argument.key, value)) }
    }
    var fields = open.map(\.facts)
    for (index, argument) in open.enumerated() {
      guard let presetting = argument.presetting else { continue }
      fields[index].isPresetComputed = false
      try ask(for: &fields[index]) { $0.preset = try comparing.asking(presetting, known).get().orNone }
      begins(argument, with: fields[index].preset)
    }
    for (index, argument) in open.enumerated() {
      guard let proposing = argument.proposing else { continue }
      try ask(for: &fields[index]) { $0.proposal = try comparing.asking(proposing, known).get().orNone }
      begins(argument, with: fields[index].proposal)
    }
    for (index, argument) in open.enumerated() {
      guard let choosing = argument.choosing else { continue }
      let others = known.filter { !$0.key.hasSameBytes(as: argument.key) }
      try ask(for: &fields[index]) { $0.choices = try comparing.choices(choosing, others) }
    }
    return fields.sorted(by: AskedArgument.isBefore)
  }
}
