/// A context that keeps its values in Swift, for a host that has loaded no script yet.
final class PlainContext: Context {
  private var values = Arguments()
  /// For each list, the group that appended last, and how many values at its front are that group's.
  private var fronts: [ByteText: (group: Int, count: Int)] = [:]

  override func stored(_ key: String) -> Value { values[key] ?? .null }

  override func store(_ key: String, _ value: Value) {
    values[key] = value.orNone
    fronts[ByteText(key)] = nil
  }

  override func add(_ key: String, _ value: Value, group: Int) {
    var list = stored(key).asList
    let front = fronts[ByteText(key)].flatMap { $0.group == group ? $0.count : nil } ?? 0
    list.insert(value, at: min(front, list.count))
    values[key] = .list(list)
    fronts[ByteText(key)] = (group, front + 1)
  }

  /// The values before a request was put over them.
  private var aside: (values: Arguments, fronts: [ByteText: (group: Int, count: Int)])?

  override func putAside(for values: [(key: String, value: Value)]) -> Bool {
    aside = (self.values, fronts)
    for (key, value) in values { store(key, value) }
    return true
  }

  override func putBack() {
    guard let aside else { return }
    (values, fronts) = aside
    self.aside = nil
  }

  override var storedKeys: [String] { values.members.map(\.key) }
}

extension Value {
  /// A list as it is, a scalar as a list of one, nothing as an empty one.
  var asList: [Value] {
    switch self {
    case .null: []
    case .list(let values): values
    case let scalar: [scalar]
    }
  }
}
