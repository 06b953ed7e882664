/// What the command line asks for.
struct Options {
  /// The rows that are wanted, each by its name or the part of it before a hyphen; all where none is named.
  private(set) var rows: [String] = []
  /// An earlier result to compare with.
  var compare: String?
  /// Where the result goes.
  var json: String?
  /// The folder that plots go to.
  var plots: String?
  /// Where the floors' own counts stand.
  var floors: String?
  /// Whether they are written rather than checked.
  var record = false
  /// The folder of the programs that use what a user would pick instead; then only that is measured.
  var peers: String?
  /// To be run by callgrind: one side of the row.
  var counted: Side?
  /// To be run by the row of memory: whether to tell what a host takes in memory.
  var resident = false

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw BenchError("\(option) wants a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--compare": compare = try value(of: argument)
      case "--json": json = try value(of: argument)
      case "--plots": plots = try value(of: argument)
      case "--floors": floors = try value(of: argument)
      case "--record": record = true
      case "--peers": peers = try value(of: argument)
      case "--resident": resident = true
      case "--callgrind":
        rows = [try value(of: argument)]
        counted = Side(rawValue: try value(of: argument))
        guard counted != nil else { throw BenchError("--callgrind wants a row, then ours or floor") }
      default:
        guard !argument.hasPrefix("-") else { throw BenchError("unknown argument \(argument)") }
        rows.append(argument)
      }
    }
  }

  /// Whether a row is wanted. What callgrind counts is named in full.
  func wants(_ name: String) -> Bool {
    if counted != nil { return rows == [name] }
    return rows.isEmpty || rows.contains { name == $0 || name.hasPrefix($0 + "-") }
  }
}
