/// A context whose values lie in Swift: what native handlers share where no interpreter is needed.
final class PlainContext: Context {
  private var values = Arguments()
  /// How many values at the front of a list the group that appended last has put there.
  private var fronts: [String: (group: Int, count: Int)] = [:]

  override func stored(_ key: String) -> Value { values[key] ?? .null }

  override func store(_ key: String, _ value: Value) {
    fronts[key] = nil
    values[key] = value.isNull ? nil : value
  }

  override func add(_ key: String, _ value: Value, group: Int) {
    var list: [Value] = []
    switch stored(key) {
    case .null: break
    case .list(let values): list = values
    case let scalar: list = [scalar]
    }
    let front = fronts[key].flatMap { $0.group == group ? $0.count : nil } ?? 0
    list.insert(value, at: min(front, list.count))
    values[key] = .list(list)
    fronts[key] = (group, front + 1)
  }

  override var storedKeys: [String] { values.members.map(\.key) }
}
