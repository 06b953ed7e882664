/// An *explanation* says why an action can be done or not: who was asked, what each answered, which keys were read, and who could have
/// supplied missing ones.
public struct Explanation {
  /// One question that was asked, and its answer, as a trace has them.
  public typealias Step = Trace.Step

  /// One key of the context that was read.
  public struct Key {
    /// Its name.
    public var key: String
    /// Who supplied it; nil when nobody did.
    public var by: String?
    /// Who could supply it.
    public var candidates: [String]
  }

  /// Whether the action can be done now.
  public var isEnabled: Bool
  /// Who takes it, or refuses it.
  public var by: String?
  /// Why it can't be done.
  public var reason: String?
  /// The questions in the order in which they were asked.
  public var steps: [Step]
  /// The keys that were read.
  public var keys: [Key]

  /// The same in sentences.
  public var text: String {
    var lines = [headline]
    for step in steps {
      let place = step.place.map { " (\($0))" } ?? ""
      lines.append("  \(step.node): \(step.asked) → \(step.answer)\(place)")
    }
    for key in keys {
      lines.append("  key '\(key.key)': \(supplied(key))")
    }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    switch (isEnabled, by) {
    case (true, let by?): "enabled: '\(by)' takes it"
    case (true, nil): "enabled"
    case (false, let by?): "disabled by '\(by)': \(reason ?? "")"
    case (false, nil): "disabled: \(reason ?? "")"
    }
  }

  private func supplied(_ key: Key) -> String {
    if let by = key.by { return "from '\(by)'" }
    if key.candidates.isEmpty { return "missing, and nobody is known to supply it" }
    return "missing; could come from \(key.candidates.map { "'\($0)'" }.joined(separator: ", "))"
  }
}

extension Explanation {
  /// The explanation as one value: what `app:why` gives a script.
  var value: Value {
    var members: [(key: String, value: Value)] = [("enabled", .bool(isEnabled))]
    if let by { members.append(("by", .text(by))) }
    if let reason { members.append(("reason", .text(reason))) }
    members.append(("steps", .list(steps.map(\.value))))
    members.append(("keys", .list(keys.map(\.value))))
    members.append(("text", .text(text)))
    return .object(members)
  }
}

extension Trace.Step {
  var value: Value {
    var members: [(key: String, value: Value)] = [
      ("node", .text(node)), ("asked", .text(asked)), ("answer", .text(answer)),
    ]
    if let place {
      members.append(("file", .text(place.file)))
      members.append(("line", .integer(place.line)))
    }
    return .object(members)
  }
}

extension Explanation.Key {
  var value: Value {
    .object(
      [("key", .text(key))] + (by.map { [("by", .text($0))] } ?? [])
        + [("candidates", .list(candidates.map { .text($0) }))])
  }
}
