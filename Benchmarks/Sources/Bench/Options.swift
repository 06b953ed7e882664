/// What the command line asks for.
struct Options {
  var row: String?
  /// An earlier result to compare with.
  var compare: String?
  /// Where the result goes.
  var json: String?
  /// Where the floors' own counts stand.
  var floors: String?
  /// Whether they are written rather than checked.
  var record = false
  /// To be run by callgrind: one side of the row.
  var counted: Side?

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
      case "--floors": floors = try value(of: argument)
      case "--record": record = true
      case "--callgrind":
        row = try value(of: argument)
        counted = Side(rawValue: try value(of: argument))
        guard counted != nil else { throw BenchError("--callgrind wants a row, then ours or floor") }
      default:
        guard !argument.hasPrefix("-"), row == nil else { throw BenchError("unknown argument \(argument)") }
        row = argument
      }
    }
  }
}
