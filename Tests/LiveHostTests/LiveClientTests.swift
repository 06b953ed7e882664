import CSocket
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

/// The other end of a client's connection, at which a test says whatever it wants to.
private final class OtherEnd {
  let client: LiveClient
  private let descriptor: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(csocket_pair(&ends) == 0)
    descriptor = ends[0]
    client = LiveClient(at: FaceEnd(descriptor: ends[1], handover: Handover()))
  }

  deinit { close(descriptor) }

  func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = csocket_send(descriptor, bytes, bytes.count)
  }
}

@Suite("The client") struct LiveClientTests {
  /// Once a fraction below 0 ended the tool, which drew a bar of less than no cells.
  @Test("L11: The progress of a job is between 0 and 1 whatever number an app says")
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
    #expect(told == [0, 1, 0, 0.25, 1, 1])
  }
}
