/// References to the metatables of the objects that the host hands to scripts, each made with the first object of its
/// kind.
final class ObjectMetatables {
  /// The kinds of objects that have a metatable of their own.
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
