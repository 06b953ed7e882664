import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

/// The fuzzer's check of `menuctl mcp`, with inputs that the fuzzer kept, with random ones, and with planted faults.
@Suite("Fuzzing assistants") struct FuzzTests {
  private func kept() throws -> [[UInt8]] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let folder = "\(root)/Tests/Corpus/mcp"
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
      inputs.append(Array(bytes.prefix(fread(&bytes, 1, bytes.count, file))))
    }
    try require(!inputs.isEmpty, "nothing was kept in \(folder)")
    return inputs
  }

  private func fault(_ text: String, _ check: AssistantCheck = AssistantCheck()) -> String? {
    Array(text.utf8).withUnsafeBufferPointer(check.fault)
  }

  @Test("Z4, Z7: For any bytes each message is valid, and no action that asks runs without a yes")
  func bytes() throws {
    for input in try kept() { expect(input.withUnsafeBufferPointer(AssistantCheck().fault), is: nil) }
    let parts = [
      AssistantStage.line(0, "initialize", #""protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}"#),
      #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#, "\n", "{", #"{"id": "ask-1"}"#,
      AssistantStage.line(1, "tools/call", #""name": "delete""#),
      AssistantStage.line(2, "tools/call", #""name": "burn""#),
      AssistantStage.line(3, "tools/call", #""name": "send""#), AssistantStage.line(3, "tools/call", #""name": "nap""#),
      #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#,
      #"{"jsonrpc": "2.0", "id": "ask-2", "result": {"action": "decline"}}"#,
      #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}"#,
      AssistantStage.line(4, "tools/call", #""name": "menuctl.undo""#),
      AssistantStage.line(5, "tools/call", #""name": "burn""#, capabilities: #"{"elicitation": {}}"#),
      AssistantStage.line(
        6, "tools/call",
        #""name": "burn", "requestState": "$STATE", "inputResponses": {"confirm": {"action": "decline"}}"#,
        capabilities: #"{"elicitation": {}}"#),
      AssistantStage.line(7, "resources/subscribe", #""uri": "menuctl://panel""#),
      AssistantStage.line(8, "tools/call", #""name": "next""#), AssistantStage.line(9, "tools/list"),
    ]
    var state: UInt64 = 1
    for round in 0..<60 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        text += parts[Int(state >> 33) % parts.count] + "\n"
      }
      expect(fault("\(round % 4)\(text)"), is: nil, "\(text)")
    }
  }

  @Test("The check finds a planted fault")
  func planted() {
    let deaf = AssistantCheck { $0.contains("'") ? nil : try? JSONReader.read($0.utf8) }
    expect(fault("0\n[]\n"), is: nil)
    expect(fault("0{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"x\"}\n", deaf) != nil)
  }
}
