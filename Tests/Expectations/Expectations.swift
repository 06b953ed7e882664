// The expectations of the tests. They are functions, because the macros of Swift Testing take the compiler three times
// as long for all tests.

import Glibc
import Testing

/// Expects that a value equals another.
public func expect<Found: Equatable>(
  _ found: Found, is expected: Found, _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation? = nil,
  fileID: String = #fileID, file: String = #filePath, line: Int = #line, column: Int = #column
) {
  if found == expected { return }
  record(
    difference(found, expected), comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: file, line: line, column: column))
}

/// Expects that a condition is true.
public func expect(
  _ condition: Bool, _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation? = nil,
  fileID: String = #fileID, file: String = #filePath, line: Int = #line, column: Int = #column
) {
  if condition { return }
  record(
    "this is false", comment(),
    sourceLocation ?? SourceLocation(fileID: fileID, filePath: file, line: line, column: column))
}

/// Returns a value that isn't nil. If it is, the test ends.
public func require<Found>(
  _ found: Found?, _ comment: @autoclosure () -> String = "",
  fileID: String = #fileID, file: String = #filePath, line: Int = #line, column: Int = #column
) throws -> Found {
  if let found { return found }
  record("this is nil", comment(), SourceLocation(fileID: fileID, filePath: file, line: line, column: column))
  throw Missing()
}

/// Ends the test if a condition is false.
public func require(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  fileID: String = #fileID, file: String = #filePath, line: Int = #line, column: Int = #column
) throws {
  if condition { return }
  record("this is false", comment(), SourceLocation(fileID: fileID, filePath: file, line: line, column: column))
  throw Missing()
}

/// What `require` throws when it has recorded its issue.
private struct Missing: Error, CustomStringConvertible {
  let description = "the test ends here, because it requires what is missing"
}

private func record(_ sentence: String, _ comment: String, _ location: SourceLocation) {
  let code = line(location.line, of: location.filePath).map { "\n\($0)" } ?? ""
  Issue.record(
    Comment(rawValue: sentence + (comment.isEmpty ? "" : "\n\(comment)") + code), sourceLocation: location)
}

/// Returns a sentence with both values. Of texts with several lines it has the first line that differs, and then all
/// that was found.
private func difference(_ found: some Any, _ expected: some Any) -> String {
  guard let text = found as? String, let expected = expected as? String, (text + expected).contains("\n") else {
    return "expected \(String(reflecting: expected)), found \(String(reflecting: found))"
  }
  let lines = [expected, text].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
  let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
  let differing = lines.map { $0.dropFirst(same).first.map(String.init) ?? "(the end)" }
  return "line \(same + 1) differs\nexpected: \(differing[0])\nfound:    \(differing[1])\nin:\n\(text)"
}

private func line(_ number: Int, of path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var line: UnsafeMutablePointer<CChar>?
  var room = 0
  defer { free(line) }
  for _ in 0..<number where getline(&line, &room, file) < 0 { return nil }
  return line.map { String(String(cString: $0).drop(while: \.isWhitespace)) }
}
