import ScriptHost

/// The objects of a client that the host knows now: one for each number, so that scripts find the same one equal.
final class ClientObjects {
  private let client: Int
  private var known: [Int: Known] = [:]
  /// The number of entries at which those are dropped whose objects nobody has any more.
  private var limit = 1024

  private struct Known {
    weak var object: ClientObject?
  }

  init(of client: Int) { self.client = client }

  func object(_ id: Int) -> ClientObject {
    if let object = known[id]?.object { return object }
    if known.count >= limit {
      known = known.filter { $0.value.object != nil }
      limit = max(1024, 2 * known.count)
    }
    let object = ClientObject(id, of: client)
    known[id] = Known(object: object)
    return object
  }
}

extension LuaTree {
  /// The value as its client is sent it: of the objects of others it is not told the numbers.
  func told(to client: Int) -> LuaTree {
    switch self {
    case .object(_, let owner) where owner != client: .opaque("object")
    case .list(let values): .list(values.map { $0.told(to: client) })
    case .map(let entries):
      .map(entries.map { LuaTree.Entry(told: $0.key.told(to: client), $0.value.told(to: client)) })
    default: self
    }
  }
}
