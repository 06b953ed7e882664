import Glibc
import ScriptHost

/// The cancellers of the test hosts, through which an interrupt ends all tests.
final class RunningTests: Sendable {
  private struct State {
    var cancellers: [Canceller] = []
    var isCancelled = false
  }

  private let state = Guarded(State())
  private let watchdog: Watchdog

  init(watchdog: Watchdog) { self.watchdog = watchdog }

  /// Adds the host of a test, on that test's thread. If `cancel` was called before, it is cancelled at once.
  func add(_ canceller: Canceller) {
    watchdog.watch(canceller)
    let isCancelled = state.withLock { state in
      state.cancellers.append(canceller)
      return state.isCancelled
    }
    if isCancelled { canceller.cancel() }
  }

  func cancel() {
    let all = state.withLock { state in
      state.isCancelled = true
      return state.cancellers
    }
    for canceller in all { canceller.cancel() }
  }
}

/// A queue between threads: `put` adds a letter, and `take` waits for one.
final class Mailbox<Letter: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var letters: [Letter] = []

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(arrival, nil)
  }

  deinit {
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(lock)
    arrival.deallocate()
    lock.deallocate()
  }

  func put(_ letter: Letter) {
    pthread_mutex_lock(lock)
    letters.append(letter)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(lock)
  }

  /// Takes the oldest letter; waits until there is one.
  func take() -> Letter {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while letters.isEmpty { pthread_cond_wait(arrival, lock) }
    return letters.removeFirst()
  }
}
