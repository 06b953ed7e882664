/// References to the metatables of what the host hands to scripts, each made when the first of its kind is.
final class ObjectMetatables {
  /// What has a metatable of its own.
  enum Kind: Hashable {
    case responder, classes, job, failure
    case table(ObjectTable)

    fileprivate var number: Int {
      switch self {
      case .responder: 0
      case .classes: 1
      case .job: 2
      case .failure: 3
      case .table(let table): 3 + Int(table.rawValue)
      }
    }
  }

  private var references = [Int32](repeating: 0, count: 4 + ObjectTable.allCases.count)

  subscript(kind: Kind) -> Int32 {
    get { references[kind.number] }
    set { references[kind.number] = newValue }
  }
}
