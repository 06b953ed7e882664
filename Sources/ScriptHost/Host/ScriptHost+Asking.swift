/// One responder of the chain, and what it would answer.
public struct ChainLink: Sendable {
  /// The responder's name.
  public let name: String
  /// Who made it.
  public let owner: String
  /// How it would take the action; nil when it doesn't answer.
  public let answer: String?
}

/// A key of a context, with who supplied it.
public struct ContextEntry {
  /// What handlers read it by.
  public let key: String
  /// What it is now.
  public let value: Value
  /// The responder that supplied it, or `arguments`, or `info`, or `host`.
  public let by: String
}

extension ScriptHost {
  /// Why an action can be done now, or can't, and who gets it: the whole derivation.
  public func why(_ reference: String, _ options: PerformOptions = PerformOptions()) throws(ReferenceError)
    -> Explanation
  {
    dispatcher.why(try Reference.parse(reference), raw: reference, options)
  }

  /// Runs many questions within one allowance, so that a person who asked once doesn't wait for many.
  package func asOneQuestion<Answer, Thrown: Error>(_ body: () throws(Thrown) -> Answer) throws(Thrown) -> Answer {
    try dispatcher.allowing(body)
  }

  /// Who is asked, nearest first; for an action, what each would answer too.
  public func chain(_ reference: String? = nil) throws(ReferenceError) -> [ChainLink] {
    let walk = dispatcher.defaultWalk()
    guard let reference else { return walk.nodes.map { ChainLink(name: $0.name, owner: $0.owner.name, answer: nil) } }
    let parsed = try Reference.parse(reference)
    let witness = Witness()
    let resolution = Resolution(parsed, raw: reference, on: walk, dispatcher: dispatcher, isKept: false)
    dispatcher.allowing {
      var index = 0
      while resolution.candidate(index, witness: witness) != nil { index += 1 }
    }
    dispatcher.chargeWalk(walk.nodes.count)
    let answers = Dictionary(
      witness.steps.filter { $0.answer != .nothing }.map { (ByteText($0.responder), $0) },
      uniquingKeysWith: { first, _ in first })
    return walk.nodes.map { node in
      let step = answers[ByteText(node.name)]
      return ChainLink(
        name: node.name, owner: node.owner.name, answer: step.map { "\($0.question.rawValue): \($0.answer.words)" })
    }
  }

  /// What a handler would know now; with a reference, its arguments too.
  public func context(_ reference: String? = nil) throws(ReferenceError) -> [ContextEntry] {
    let witness = Witness()
    let walk = dispatcher.defaultWalk()
    let context = dispatcher.allowing { dispatcher.context(of: walk, witness: witness) }
    var secrets: Set<String> = []
    if let reference {
      let parsed = try Reference.parse(reference)
      secrets = dispatcher.secrets(of: parsed)
      dispatcher.tellSecrets(of: parsed, Arguments())
      context.begin(
        Request(raw: reference, action: parsed.name, prefix: parsed.prefix, arguments: Arguments(parsed.arguments)))
    }
    return context.storedKeys.sorted { $0.precedesByBytes($1) }.map { key in
      let supplier = witness.suppliers.byKey[ByteText(key)]
      let isSecret = supplier == .arguments && secrets.contains(key)
      return ContextEntry(key: key, value: isSecret ? Value(.secret) : context[key], by: supplier?.name ?? "")
    }
  }
}
