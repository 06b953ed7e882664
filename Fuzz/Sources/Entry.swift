/// Takes one input from libFuzzer and ends the process when something does not hold for it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  if let fault = check.fault(in: UnsafeBufferPointer(start: start, count: count)) { fatalError(fault) }
  return 0
}
