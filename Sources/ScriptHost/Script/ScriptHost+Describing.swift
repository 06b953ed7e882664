// Describes what an app's scripts define, for the annotations that editors read.

extension LuaValue {
  /// Its type as annotations call it.
  fileprivate var annotation: String {
    switch self {
    case .integer: "integer"
    case .nil, .object: "any"
    case .bool, .number, .text, .bytes, .table, .function, .thread: typeName
    }
  }
}

extension ScriptHost {
  /// The fields that scripts gave a responder beside those of the host's, in the order of their bytes, each with the type of its value.
  package func ownFields(of responder: Responder) -> [(name: String, type: String)] {
    guard let scripts else { return [] }
    var types: [String: String] = [:]
    for owner in scripts.owners.dropFirst() {
      let object = LuaTable(reference: scripts.object(responder, for: owner).reference)
      try? scripts.lua.forEach(in: object) { key, value in
        if case .text(let name) = key, !scripts.isHostField(name, of: responder) { types[name] = value.annotation }
        return true
      }
    }
    return types.sorted { $0.key.precedesByBytes($1.key) }.map { ($0.key, $0.value) }
  }

  /// The keys that responders supply to contexts, as far as their code tells, in the order of their bytes, each with the names of those responders.
  package var suppliedKeys: [(key: String, by: [String])] {
    var suppliers: [String: [String]] = [:]
    for responder in responders {
      let keys = Set(responder.hooks(\.provide).flatMap(\.suppliedKeys)).subtracting(HostNames.all)
      for key in keys { suppliers[key, default: []].append(responder.name) }
    }
    return suppliers.sorted { $0.key.precedesByBytes($1.key) }.map { ($0.key, $0.value) }
  }
}
