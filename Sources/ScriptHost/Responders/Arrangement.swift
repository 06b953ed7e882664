/// An *arrangement* is how responders stand to each other: what a script that fails to load may have changed of others than its own.
struct Arrangement {
  fileprivate struct Standing {
    let responder: Responder
    let next: Responder?
    let delegate: Responder?
    let first: Responder?
    let ancestor: ClassDefinition?
    let derived: [ClassDefinition]
  }

  fileprivate let standings: [Standing]
  fileprivate let focus: Focus

  /// Who is key, main and focused.
  struct Focus {
    let keyHistory: [Responder]
    let main: Responder?
    let loose: Responder?
  }
}

extension Chain {
  /// How things stand now.
  var arrangement: Arrangement {
    Arrangement(
      standings: responders.values.map {
        Arrangement.Standing(
          responder: $0, next: $0.next, delegate: $0.delegate, first: $0.first, ancestor: $0.ancestor,
          derived: $0.derived)
      }, focus: focusState)
  }

  /// Puts back how things stood, as far as those who stood so are still there.
  func restore(_ arrangement: Arrangement) {
    for standing in arrangement.standings where !standing.responder.isRemoved {
      let responder = standing.responder
      responder.next = standing.next
      responder.delegate = standing.delegate
      responder.first = standing.first
      responder.setClasses(ancestor: standing.ancestor, derived: standing.derived)
    }
    restore(arrangement.focus)
    changeShape()
  }
}
