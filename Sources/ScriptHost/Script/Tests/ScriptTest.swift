/// A *scripted test* is a function that a test file registers under a name.
public struct ScriptTest: Sendable, Equatable {
  /// Separates the names of a test's groups and its own name.
  public static let separator = " / "

  /// The name that the file was loaded under.
  public let file: String
  /// The full name: the names of its groups, and its own.
  public let name: String
  /// Where the file registers it.
  public let place: Place
  /// The lines of the test.
  public let lines: ClosedRange<Int>
  /// The groups that the test is in, the outermost first.
  public let groups: [ScriptTestGroup]
  /// How many tests the file registers before this one.
  public let number: Int
}

/// A group of tests, registered by `describe`.
public struct ScriptTestGroup: Sendable, Equatable {
  /// The group's own name.
  public let name: String
  /// The lines of the group.
  public let lines: ClosedRange<Int>
}

extension [ScriptTest] {
  /// The tests at a line, else those of the innermost group at that line.
  public func written(at line: Int) -> [ScriptTest] {
    let tests = filter { $0.lines.contains(line) }
    if !tests.isEmpty { return tests }
    let groups = flatMap(\.groups).filter { $0.lines.contains(line) }
    guard let innermost = groups.min(by: { $0.lines.count < $1.lines.count }) else { return [] }
    return filter { $0.groups.contains(innermost) }
  }
}
