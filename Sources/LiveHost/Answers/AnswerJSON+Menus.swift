import ScriptHost

extension AnswerJSON {
  package func json(_ element: MenuElement) -> JSON { .element(element, isWhole: isWhole) }
  func json(_ changes: [MenuChange]) -> JSON { .changes(changes, isWhole: isWhole) }

  /// The changes as a member; nothing if they weren't asked for.
  func members(_ changes: Answer.Changes?) -> [(String, JSON)] {
    changes.map { [("changes", json($0.all))] } ?? []
  }
}
