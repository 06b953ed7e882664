/// An *arrangement* is how responders stand to each other: what a script that fails to load may have changed of other scripts' responders.
struct Arrangement {
  fileprivate struct Position {
    let responder: Responder
    let next: Responder?
    let delegate: Responder?
    let first: Responder?
    let ancestor: ClassDefinition?
    let derived: [ClassDefinition]
  }

  fileprivate let positions: [Position]
  fileprivate let focus: Focus

  /// The windows that are key and main, and what is focused outside of windows.
  struct Focus {
    let keyHistory: [Responder]
    let main: Responder?
    let loose: Responder?
  }
}

extension Chain {
  /// The present arrangement.
  var arrangement: Arrangement {
    Arrangement(
      positions: responders.values.map {
        Arrangement.Position(
          responder: $0, next: $0.next, delegate: $0.delegate, first: $0.first, ancestor: $0.ancestor,
          derived: $0.derived)
      }, focus: focusState)
  }

  /// Restores an arrangement. In the place of a responder that was removed meanwhile stands the one after it.
  func restore(_ arrangement: Arrangement) {
    let heirs = heirs(in: arrangement)
    // The focus of a removed responder doesn't go to the app.
    let present: (Responder) -> Responder? = { known in
      known.isRemoved ? heirs[known.number].flatMap { $0.kind == .app ? nil : $0 } : known
    }
    for position in arrangement.positions where !position.responder.isRemoved {
      let responder = position.responder
      responder.next = position.next.map { present($0) ?? app }
      responder.delegate = position.delegate.flatMap { $0.isRemoved ? nil : $0 }
      responder.first = position.first.flatMap(present)
      responder.setClasses(ancestor: position.ancestor, derived: position.derived)
    }
    let focus = arrangement.focus
    let keyHistory = focus.keyHistory.filter { !$0.isRemoved }
    restore(
      Arrangement.Focus(
        keyHistory: keyHistory, main: focus.main.flatMap { $0.isRemoved ? keyHistory.last ?? windows.first : $0 },
        loose: focus.loose.flatMap(present)))
    changeShape()
  }

  /// For each responder removed since, the next one after it that was not removed.
  private func heirs(in arrangement: Arrangement) -> [Int: Responder] {
    let removed = arrangement.positions.filter(\.responder.isRemoved)
    let nexts = Dictionary(uniqueKeysWithValues: removed.map { ($0.responder.number, $0.next ?? app) })
    var heirs: [Int: Responder] = [:]
    for position in removed {
      var way: [Int] = []
      var node = position.responder
      while heirs[node.number] == nil, let next = nexts[node.number] {
        way.append(node.number)
        node = next
      }
      for number in way { heirs[number] = heirs[node.number] ?? node }
    }
    return heirs
  }
}
