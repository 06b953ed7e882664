import ScriptHost

extension JSONWriter {
  /// Writes a list of changes of menus.
  ///
  /// - Parameter isWhole: whether elements that can't be named have their ids too, by which changes find them.
  mutating func changes(_ changes: [MenuChange], whole isWhole: Bool) {
    raw("[")
    for (index, change) in changes.enumerated() {
      if index > 0 { raw(", ") }
      self.change(change, isWhole)
    }
    raw("]")
  }

  private mutating func change(_ change: MenuChange, _ isWhole: Bool) {
    switch change {
    case .insert(let element, let parent, let after):
      raw("{\"change\": \"insert\", \"id\": ")
      string(element.id)
      place(parent, after)
      raw(", \"element\": ")
      element.write(to: &self, whole: isWhole)
    case .move(let id, let parent, let after):
      raw("{\"change\": \"move\", \"id\": ")
      string(id)
      place(parent, after)
    case .remove(let id):
      raw("{\"change\": \"remove\", \"id\": ")
      string(id)
    case .update(let element):
      raw("{\"change\": \"update\", \"id\": ")
      string(element.id)
      raw(", \"element\": ")
      element.write(to: &self, whole: isWhole)
    }
    raw("}")
  }

  private mutating func place(_ parent: String, _ after: String?) {
    raw(", \"parent\": ")
    string(parent)
    guard let after else { return }
    raw(", \"after\": ")
    string(after)
  }
}
