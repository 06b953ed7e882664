/// Where in a script something stands, as far as it is known.
public struct Place: Sendable, Equatable, Hashable {
  /// The name that the script was loaded under.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted in characters from 1.
  public var column: Int?

  /// A place in a script.
  public init(file: String, line: Int, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension Place: CustomStringConvertible {
  public var description: String {
    let column = column.map { ":\($0)" } ?? ""
    return "\(file):\(line)\(column)"
  }
}
