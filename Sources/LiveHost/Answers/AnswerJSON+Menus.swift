import ScriptHost

extension AnswerJSON {
  package func json(_ element: MenuElement) -> JSON { .element(element, isWhole: isWhole) }

  /// Writes a list of what changed.
  func write(_ changes: [MenuChange], to json: inout JSONWriter) {
    json.raw("[")
    for (index, change) in changes.enumerated() {
      if index > 0 { json.raw(", ") }
      write(change, to: &json)
    }
    json.raw("]")
  }

  private func write(_ change: MenuChange, to json: inout JSONWriter) {
    switch change {
    case .insert(let element, let parent, let after):
      json.raw("{\"change\": \"insert\", \"id\": ")
      json.string(element.id)
      writePlace(parent, after, to: &json)
      json.raw(", \"element\": ")
      element.write(to: &json, whole: isWhole)
    case .move(let id, let parent, let after):
      json.raw("{\"change\": \"move\", \"id\": ")
      json.string(id)
      writePlace(parent, after, to: &json)
    case .remove(let id):
      json.raw("{\"change\": \"remove\", \"id\": ")
      json.string(id)
    case .update(let element):
      json.raw("{\"change\": \"update\", \"id\": ")
      json.string(element.id)
      json.raw(", \"element\": ")
      element.write(to: &json, whole: isWhole)
    }
    json.raw("}")
  }

  private func writePlace(_ parent: String, _ after: String?, to json: inout JSONWriter) {
    json.raw(", \"parent\": ")
    json.string(parent)
    guard let after else { return }
    json.raw(", \"after\": ")
    json.string(after)
  }

  /// The same as a member, where somebody wants to know.
  func members(_ changes: Answer.Changes?) -> [(String, JSON)] {
    guard let changes else { return [] }
    var json = JSONWriter()
    write(changes.all, to: &json)
    return [("changes", .written(json.text))]
  }
}
