import ScriptHost

extension AnswerJSON {
  package func json(_ element: MenuElement) -> JSON { .element(element, isWhole: isWhole) }

  package func json(_ change: MenuChange) -> JSON {
    switch change {
    case .insert(let element, let parent, let after):
      .object(place("insert", element.id, parent, after) + [("element", json(element))])
    case .move(let id, let parent, let after): .object(place("move", id, parent, after))
    case .remove(let id): .object([("change", .text("remove")), ("id", .text(id))])
    case .update(let element):
      .object([("change", .text("update")), ("id", .text(element.id)), ("element", json(element))])
    }
  }

  private func place(_ change: String, _ id: String, _ parent: String, _ after: String?) -> [(String, JSON)] {
    [("change", .text(change)), ("id", .text(id)), ("parent", .text(parent))]
      + (after.map { [("after", .text($0))] } ?? [])
  }
}
