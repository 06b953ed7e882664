import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import menuctl

/// The fuzzers' checks, with inputs that the fuzzers kept, and with planted faults.
@Suite("Fuzzing") struct FuzzTests {
  private func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = "\(Project.folder)/Tests/Corpus/\(target)"
    return try Project.entries(of: folder).sorted().map { ($0, try Project.bytes("\(folder)/\($0)")) }
  }

  @Test("Every input that the fuzzer of JSON kept is sound")
  func json() throws {
    let inputs = try inputs("json")
    expect(inputs.count >= 180)
    for (name, bytes) in inputs {
      let fault = bytes.withUnsafeBufferPointer { JSONCheck(write: JSONText.text).fault(in: $0) }
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("Every input that the fuzzer of recordings kept is sound")
  func recordings() throws {
    let inputs = try inputs("recording")
    expect(inputs.count >= 380)
    for (name, bytes) in inputs {
      let fault = bytes.withUnsafeBufferPointer(RecordingCheck().fault)
      expect(fault, is: nil, "\(name)")
    }
  }

  @Test("The check of recordings finds a step that is written wrongly")
  func recordingsCanFail() throws {
    let lines = """
      {"menuctl": 1, "recording": 1, "settings": {}}
      {"do": {"perform": "add(text: x)"}}
      {"do": {"press": "ctrl+z"}}
      """
    // The first difference ends a replay, so the check needs the first step's record only.
    let check = RecordingCheck {
      try RecordingText.text($0, of: nil, settings: $1).replacing("handled", with: "disabled")
    }
    let fault = Array(lines.utf8).withUnsafeBufferPointer(check.fault)
    expect(fault?.hasPrefix("step 1, 'perform add(text: x)', differs"), is: true)
    expect(Array(lines.utf8).withUnsafeBufferPointer(RecordingCheck().fault), is: nil)
  }
}
