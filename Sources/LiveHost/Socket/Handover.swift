import Glibc

/// A *handover* is where messages for a face of this process lie: handed over as the values that they are, they are neither written nor read.
/// Among the lines that go to the face an empty one stands for each.
final class Handover: @unchecked Sendable {
  // The system's: that of Swift's own `Mutex` the thread sanitizer can't see.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var messages: [(message: JSON, weight: Int)] = []
  /// Where those begin that nobody has taken. What lies before is let go of when it is half of all: tens of thousands may wait.
  private var first = 0
  /// How much waits to be taken, as lines of it would weigh.
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

  /// The message that was put here first.
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

/// The *face's end* of what a live host has made for a face of its process.
package struct FaceEnd: Sendable {
  package let descriptor: Int32
  let handover: Handover
}

extension JSON {
  /// About how many bytes it has as text. What is an element is in memory anyway.
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
