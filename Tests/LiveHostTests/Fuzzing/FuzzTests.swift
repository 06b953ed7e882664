import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

/// The fuzzers' checks, with inputs that the fuzzers kept, with random ones, and with planted faults.
@Suite("Fuzzing the protocol") struct FuzzTests {
  /// The inputs that the fuzzer of a target kept.
  private func kept(_ target: String) throws -> [[UInt8]] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let folder = "\(root)/Tests/Corpus/\(target)"
    let stream = try require(opendir(folder), "there is no \(folder)")
    defer { closedir(stream) }
    var inputs: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let file = fopen("\(folder)/\(name)", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&bytes, 1, bytes.count, file)
      inputs.append(Array(bytes.prefix(count)))
    }
    try require(!inputs.isEmpty, "nothing was kept in \(folder)")
    return inputs
  }

  /// Bytes that are the same in each run.
  private func made(_ seed: UInt64, _ count: Int) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  @Test("S8, L9: For any bytes the session writes valid protocol lines only, and still answers everyone afterwards")
  func protocolBytes() throws {
    let parts = [
      #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "set(rows: [a])"}}"#, "\n", "[]\n", "\"",
      "{",
      #"{"jsonrpc":"2.0","id":null,"method":"menus"}"#, "\n\n", "\u{0}\n",
      #"{"jsonrpc": "2.0", "method": "evaluate", "params": {"line": "error('x')"}}"#,
      #"{"jsonrpc": "2.0", "id": 2, "method": "register", "params": {"responder": "r", "before": "list", "on": {"go": {}}}}"#,
      #"{"jsonrpc": "2.0", "method": "set", "params": {"responder": "r", "actions": {"go": {"title": "x"}}}}"#,
      #"{"jsonrpc": "2.0", "id": 3, "method": "perform", "params": {"ref": "go"}}"#,
      #"{"jsonrpc": "2.0", "id": 4, "method": "done", "params": {"call": 1, "undo": {"perform": "go"}}}"#,
      #"{"jsonrpc": "2.0", "method": "unregister", "params": {"responder": "r"}}"#,
    ].map { Array($0.utf8) }
    for input in try kept("protocol") {
      expect(input.withUnsafeBufferPointer(ProtocolCheck().fault), is: nil)
    }
    for seed in 1...120 {
      let chance = made(UInt64(seed), 64)
      var bytes: [UInt8] = []
      for byte in chance {
        let part = byte % 3 == 0 ? made(UInt64(byte) + UInt64(seed), 9) : parts[Int(byte) % parts.count]
        bytes += [byte % 5, UInt8(part.count)] + part
      }
      expect(bytes.withUnsafeBufferPointer(ProtocolCheck().fault), is: nil, "\(seed)")
    }
  }

  @Test("L7, L8: However several clients behave, each one's snapshot, updated by notifications, is the host's")
  func clients() throws {
    for input in try kept("clients") {
      expect(input.withUnsafeBufferPointer(ClientsCheck().fault), is: nil)
    }
    var missed = 0
    for seed in 1...80 {
      var check = ClientsCheck()
      check.onMissed = { missed += $0 }
      let fault = made(UInt64(seed), 480).withUnsafeBufferPointer(check.fault)
      expect(fault, is: nil, "\(seed)")
    }
    expect(missed > 0, "some who don't read miss something")
  }

  @Test("The checks find a planted fault")
  func planted() {
    let forgetful = ClientsCheck { menus, changes in
      menus.applying(changes.filter { if case .update = $0 { false } else { true } })
    }
    expect((1...60).contains { made(UInt64($0), 480).withUnsafeBufferPointer(forgetful.fault) != nil })
    let deaf = ProtocolCheck { line in line.contains(UInt8(ascii: "'")) ? nil : try? JSONReader.read(line) }
    let bytes = [0, 12] + Array("{\"a\": 1}\n[]\n".utf8)
    expect(bytes.withUnsafeBufferPointer(ProtocolCheck().fault), is: nil)
    expect(([0, 3] + Array("hi\n".utf8)).withUnsafeBufferPointer(deaf.fault) != nil)
  }
}
