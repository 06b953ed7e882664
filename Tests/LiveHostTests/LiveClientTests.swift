import CSocket
import Dispatch
import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

/// The other end of a client's connection, at which a test sends any lines.
private final class OtherEnd {
  let client: LiveClient
  private let descriptor: Int32
  private let thread = DispatchGroup()

  init() throws {
    var ends: [Int32] = [-1, -1]
    try require(csocket_pair(&ends) == 0)
    descriptor = ends[0]
    client = LiveClient(at: FaceEnd(descriptor: ends[1], handover: Handover()))
  }

  deinit {
    thread.wait()
    close(descriptor)
  }

  private static func say(_ line: String, at descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = csocket_send(descriptor, bytes, bytes.count)
  }

  func say(_ line: String) { Self.say(line, at: descriptor) }

  /// Sends a line every 20 milliseconds for two seconds, on another thread, then the last one.
  func keepSaying(_ line: String, last: String) {
    DispatchQueue.global().async(group: thread) { [descriptor] in
      for _ in 0..<100 {
        Self.say(line, at: descriptor)
        usleep(20_000)
      }
      Self.say(last, at: descriptor)
    }
  }

  /// Ends the connection after two seconds, so that an endless wait fails.
  func endSoon() {
    DispatchQueue.global().async(group: thread) { [descriptor] in
      sleep(2)
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }
}

@Suite("The client") struct LiveClientTests {
  /// A fraction below 0 once ended the tool, which drew a bar with fewer than no cells.
  @Test("L11: The progress of a job is between 0 and 1 for any number from an app")
  func progress() throws {
    let end = try OtherEnd()
    end.say(#"{"id": 1, "result": {"menus": []}}"#)
    end.say(#"{"id": 2, "result": {"panel": []}}"#)
    end.say(#"{"id": 3, "result": {"action": "nap", "status": "running", "job": 1, "progress": {"fraction": -5}}}"#)
    for fraction in ["1e300", "-1e300", "0.25", "7", "1", "\"half\""] {
      end.say(#"{"method": "job", "params": {"job": 1, "progress": {"fraction": \#(fraction)}}}"#)
    }
    end.say(#"{"method": "job", "params": {"job": 1, "outcome": {"action": "nap", "status": "handled"}}}"#)
    var told: [Double] = []
    let manner = Manner(onProgress: { if let fraction = $0?.fraction { told.append(fraction) } })
    _ = try LiveSubject(end.client).carryOut(.perform("nap"), manner)
    expect(told, is: [0, 1, 0, 0.25, 1, 1])
  }

  @Test("If an app doesn't read a request, the client gives up in time, and sends nothing after the part")
  func unread() throws {
    let end = try OtherEnd()
    end.client.patience = 100
    end.endSoon()
    let long = JSON.text(String(repeating: "x", count: 8 << 20))
    let refusal = #expect(throws: Unanswered.self) { try end.client.request("evaluate", [("line", long)]) }
    expect(refusal?.message, is: "the live app doesn't answer")
    let next = #expect(throws: Unanswered.self) { try end.client.send("hello") }
    expect(next?.message, is: "the live app has ended")
  }

  @Test("Notifications don't extend the time within which a request must be answered")
  func notified() throws {
    let end = try OtherEnd()
    end.keepSaying(#"{"method": "log", "params": {"text": "busy"}}"#, last: #"{"id": 1, "result": {}}"#)
    let refusal = #expect(throws: Unanswered.self) { try end.client.request("hello", within: 300) }
    expect(refusal?.message, is: "the live app doesn't answer")
  }
}
