import LiveHost
import ScriptHost

/// The *line* from a face to its app, in this process or in another: requests go out by it, and messages come in.
final class FaceLine {
  private let client: LiveClient
  /// Why the app doesn't hear any more; nil as long as it does.
  private(set) var failure: Unanswered?

  init(_ client: LiveClient) { self.client = client }

  var descriptor: Int32 { client.descriptor }

  func post(_ method: String, _ parameters: [(String, JSON)]) -> Int {
    do throws(Unanswered) { return try client.send(method, parameters) } catch {
      failure = failure ?? error
      return 0
    }
  }

  /// Gives a face the messages that have come.
  func listen(_ face: Face, _ now: Duration) {
    do throws(Unanswered) {
      for message in try client.received() { face.told(message, at: now) }
    } catch {
      failure = failure ?? error
    }
  }
}
