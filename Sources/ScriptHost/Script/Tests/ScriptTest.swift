/// A *scripted test* is a function that a test file registers under a name.
public struct ScriptTest: Sendable, Equatable {
  /// Between the names of the groups that a test stands in, and its own.
  public static let separator = " / "

  /// The name that the file was loaded under.
  public let file: String
  /// The whole name, those of its groups before it.
  public let name: String
  /// Where the file registers it.
  public let place: Place
  /// From which line to which it stands.
  public let lines: ClosedRange<Int>
  /// The groups that it stands in, the outermost first.
  public let groups: [ScriptTestGroup]
  /// How many the file registers before it.
  public let number: Int
}

/// What `describe` puts together.
public struct ScriptTestGroup: Sendable, Equatable {
  /// Its own name.
  public let name: String
  /// From which line to which it stands.
  public let lines: ClosedRange<Int>
}

extension [ScriptTest] {
  /// The tests that stand at a line, else those of the innermost group that does.
  public func written(at line: Int) -> [ScriptTest] {
    let tests = filter { $0.lines.contains(line) }
    if !tests.isEmpty { return tests }
    let groups = flatMap(\.groups).filter { $0.lines.contains(line) }
    guard let innermost = groups.min(by: { $0.lines.count < $1.lines.count }) else { return [] }
    return filter { $0.groups.contains(innermost) }
  }
}
