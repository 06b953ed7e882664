import Glibc
import ScriptHost

@testable import LiveHost

/// Checks a session with any bytes from clients: it writes valid protocol lines only, and answers everyone afterwards.
/// The bytes come in pieces: a client, a length, and that many bytes.
struct ProtocolCheck {
  /// Reads the session's output. A test replaces it with a wrong way, to see that the check finds a fault.
  var read: ([UInt8]) -> JSON? = { try? JSONReader.read($0) }

  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let session = try? FuzzedSession() else { return "the session does not begin" }
    var ends: [FuzzedEnd] = []
    for _ in 0..<3 { if let end = session.connect() { ends.append(FuzzedEnd(end)) } }
    defer { for end in ends { close(end.descriptor) } }
    guard ends.count == 3 else { return nil }
    var rest = Array(bytes)[...]
    while rest.count > 2 {
      let who = Int(rest.removeFirst() % 3), count = Int(rest.removeFirst())
      ends[who].write(rest.prefix(count))
      rest = rest.dropFirst(count)
      session.live.turn()
      if let fault = faultOfLines(&ends[who]) { return fault }
    }
    for index in ends.indices {
      ends[index].write(Array("\n{\"jsonrpc\": \"2.0\", \"id\": \"at the end\", \"method\": \"hello\"}\n".utf8))
    }
    for index in ends.indices {
      var isAnswered = false
      // A turn answers a line of each client, and any byte may have been one.
      for _ in 0..<bytes.count + 1000 where !isAnswered && !session.live.isOver {
        session.live.turn()
        for line in ends[index].lines() {
          if let fault = fault(of: line) { return fault }
          if read(line)?["id"]?.text == "at the end" { isAnswered = true }
        }
      }
      // A request may be the one that ends the session.
      if !isAnswered, !session.live.isOver { return "client \(index) is not answered" }
    }
    return nil
  }

  private func faultOfLines(_ end: inout FuzzedEnd) -> String? {
    for line in end.lines() { if let fault = fault(of: line) { return fault } }
    return nil
  }

  private func fault(of line: [UInt8]) -> String? {
    let text = String(decoding: line, as: UTF8.self)
    guard let json = read(line) else { return "no JSON: \(text)" }
    guard json["jsonrpc"]?.text == "2.0" else { return "no version: \(text)" }
    let kinds = ["result", "error", "method"].filter { json[$0] != nil }
    guard kinds.count == 1 else { return "neither answer nor notification: \(text)" }
    if kinds == ["method"] {
      return json["id"] == nil && json["params"]?.members != nil ? nil : "no notification: \(text)"
    }
    guard json["id"] != nil else { return "an answer to nobody: \(text)" }
    guard let error = json["error"] else { return nil }
    let isSaid = error["message"]?.text?.isEmpty == false
    return isSaid && CallError.Fault(rawValue: error["code"]?.integer ?? 0) != nil ? nil : "no error: \(text)"
  }
}
