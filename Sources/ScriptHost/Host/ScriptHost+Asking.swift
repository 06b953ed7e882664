/// One responder of the chain, and what it would answer.
public struct ChainLink: Sendable {
  public let name: String
  public let owner: String
  /// How it would take the action; nil when it doesn't answer.
  public let answer: String?
}

/// A key of a context, with who supplied it.
public struct ContextEntry {
  public let key: String
  public let value: Value
  public let by: String
}

extension ScriptHost {
  /// Why an action can be done now, or can't, and who gets it: the whole derivation.
  public func why(_ reference: String, _ options: PerformOptions = PerformOptions()) throws(ReferenceError)
    -> Explanation
  {
    dispatcher.why(try Reference.parse(reference), raw: reference, options)
  }

  /// Who is asked for an action, nearest first, and what each would answer.
  public func chain(_ reference: String) throws(ReferenceError) -> [ChainLink] {
    let parsed = try Reference.parse(reference)
    let witness = Witness()
    let walk = dispatcher.defaultWalk()
    let resolution = Resolution(parsed, raw: reference, on: walk, dispatcher: dispatcher, isKept: false)
    var index = 0
    while resolution.candidate(index, witness: witness) != nil { index += 1 }
    return walk.nodes.map { node in
      let step = witness.steps.first { $0.responder == node.name && $0.answer != .nothing }
      return ChainLink(
        name: node.name, owner: node.owner.name, answer: step.map { "\($0.question.rawValue): \($0.answer.words)" })
    }
  }

  /// What a handler would know now; with a reference, its arguments too.
  public func context(_ reference: String? = nil) throws(ReferenceError) -> [ContextEntry] {
    let witness = Witness()
    let walk = dispatcher.defaultWalk()
    let context = dispatcher.context(of: walk, witness: witness)
    if let reference {
      let parsed = try Reference.parse(reference)
      context.begin(
        Request(raw: reference, action: parsed.name, prefix: parsed.prefix, arguments: Arguments(parsed.arguments)))
    }
    return context.storedKeys.sorted { $0.precedesByBytes($1) }.map { key in
      ContextEntry(key: key, value: context[key], by: witness.suppliers.byKey[key]?.name ?? "")
    }
  }
}
