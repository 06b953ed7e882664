import Glibc

@testable import ScriptHost

/// Takes one input from libFuzzer and ends the process when something does not hold for it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let fault = check.fault(in: UnsafeBufferPointer(start: start, count: count)) { fatalError(fault) }
  return 0
}

/// With `FUZZ_PLANT` set, quotes in strings are written without their `\`: a fault that the fuzzer has to find.
nonisolated(unsafe) private let check = JSONCheck { value in
  let text = text(of: value)
  return getenv("FUZZ_PLANT") == nil ? text : text.replacing("\\\"", with: "\"")
}

/// What the tool writes of a value that was read.
private func text(of value: JSON) -> String {
  var writer = JSONWriter()
  write(value, to: &writer)
  return writer.text
}

private func write(_ value: JSON, to writer: inout JSONWriter) {
  switch value {
  case .null, .element: writer.raw("null")
  case .bool(let value): writer.bool(value)
  case .integer(let value): writer.integer(value)
  case .number(let value): writer.number(value)
  case .text(let value): writer.string(value)
  case .list(let values):
    writer.raw("[")
    for (index, value) in values.enumerated() {
      if index > 0 { writer.raw(",") }
      write(value, to: &writer)
    }
    writer.raw("]")
  case .object(let members):
    writer.raw("{")
    for (index, member) in members.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.string(member.0)
      writer.raw(":")
      write(member.1, to: &writer)
    }
    writer.raw("}")
  }
}
