/// A context that keeps its values in Swift, for native handlers where no script is involved.
final class PlainContext: Context {
  private var values = Arguments()
  /// Whether nothing was written since this was set.
  var isFresh = true
  /// For each list, the group that appended last, and how many values at its front are that group's.
  private var fronts: [ByteText: (group: Int, count: Int)] = [:]

  override func stored(_ key: String) -> Value { values[key] ?? .null }

  override func store(_ key: String, _ value: Value) {
    isFresh = false
    values[key] = value.orNone
    fronts[ByteText(key)] = nil
  }

  override func add(_ key: String, _ value: Value, group: Int) {
    isFresh = false
    var list = stored(key).asList
    let front = fronts[ByteText(key)].flatMap { $0.group == group ? $0.count : nil } ?? 0
    list.insert(value, at: min(front, list.count))
    values[key] = .list(list)
    fronts[ByteText(key)] = (group, front + 1)
  }

  /// Each key with the values that handlers appended, and the value from before.
  var parts: [(key: String, appended: [Value], before: Value)] {
    values.members.map { key, value in
      guard case .list(let list) = value, let front = fronts[ByteText(key)], front.group == Context.handlers else {
        return (key, [], value)
      }
      let before = Array(list.dropFirst(front.count))
      return (
        key, Array(list.prefix(front.count)), before.isEmpty ? .null : before.count == 1 ? before[0] : .list(before)
      )
    }
  }

  /// The values before a request was put over them.
  private var aside: (values: Arguments, fronts: [ByteText: (group: Int, count: Int)])?

  override func setAside(_ keys: [String]) -> Bool {
    aside = (values, fronts)
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
