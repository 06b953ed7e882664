import Glibc

/// A *handover* is the queue of messages for a face of this process, which gets them as values, without JSON being written or parsed.
/// For each message an empty line is sent to the face.
final class Handover: @unchecked Sendable {
  // The system's mutex, because the thread sanitizer doesn't know Swift's `Mutex`.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var messages: [(message: JSON, weight: Int)] = []
  /// The index of the first message that wasn't taken. Those before it are removed once they are half of the array, because tens of thousands may
  /// wait.
  private var first = 0
  /// The approximate number of bytes that the waiting messages would have as lines.
  private var weight = 0

  init() { pthread_mutex_init(lock, nil) }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  var waiting: Int { locked { weight } }

  func put(_ message: JSON) {
    let weight = message.weight
    locked {
      messages.append((message, weight))
      self.weight += weight
    }
  }

  /// Takes the oldest message; nil if none waits.
  func take() -> JSON? {
    locked {
      guard first < messages.count else { return nil }
      let (message, weight) = messages[first]
      messages[first].message = .null
      first += 1
      self.weight -= weight
      if 2 * first >= messages.count {
        messages.removeFirst(first)
        first = 0
      }
      return message
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}

/// The *face's end* of a connection that a live host has made for a face of its process.
package struct FaceEnd: Sendable {
  package let descriptor: Int32
  let handover: Handover
}

extension JSON {
  /// The approximate number of bytes as text. An element counts little, because it is in memory anyway.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .integer, .number, .element: 16
    case .text(let text), .written(let text): 16 + text.utf8.count
    case .list(let values): values.reduce(16) { $0 + $1.weight }
    case .object(let members): members.reduce(16) { $0 + $1.0.utf8.count + $1.1.weight }
    case .changes(let changes, _): 16 + 64 * changes.count
    }
  }
}
