import Expectations
import Testing

/// A call of the tool, and all of its visible results.
struct ToolCase: Sendable, CustomTestStringConvertible {
  let name: String
  let words: [String]
  /// The script, where APP is `-`.
  var script = ""
  var status: Int32 = 0
  var out = ""
  var err = ""

  var testDescription: String { name }

  func check() throws {
    let run = try Program.menuctl(words, stdin: script)
    expect(run, is: Run(status: status, out: out, err: err), name)
  }
}
