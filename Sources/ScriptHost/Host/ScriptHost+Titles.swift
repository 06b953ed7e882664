// What actions without an item are called.

extension ScriptHost {
  /// What an action is called now: what its `look` says, else its `about`. Nil if neither says anything.
  package func title(of reference: String) -> String? {
    guard let parsed = try? Reference.parse(reference) else { return nil }
    let validation = validate(reference)
    if let title = validation.look.title { return title }
    guard let by = validation.by else { return nil }
    let taker = by.hasSameBytes(as: Outcome.hostName) ? dispatcher.hostResponder : find(by)
    return parsed.candidates.lazy.compactMap { candidate in
      self.names.name(of: candidate.name).flatMap { taker?.said(\.about, $0) }?.title
    }.first
  }

  /// What the action is called now that keys would perform. Nil if they pick an item, or nobody says it.
  package func title(ofKeys keys: KeySequence, after pending: PendingKeys?) -> String? {
    let bound = dispatcher.boundKeys
    let goingOn = (pending ?? ownKeys).begun.flatMap { begun in
      keys.strokes.count == 1 ? bound[begun.followed(by: keys.strokes[0])] : nil
    }
    return (goingOn ?? bound[keys]).flatMap { title(of: first(of: $0, struck).raw) }
  }
}
