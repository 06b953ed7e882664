import Glibc
import ScriptHost

/// The tests that run now, as what ends them all.
final class RunningTests: Sendable {
  private struct State {
    var cancellers: [LuaCanceller] = []
    var isCancelled = false
  }

  private let state = Guarded(State())
  private let watchdog: Watchdog

  init(watchdog: Watchdog) { self.watchdog = watchdog }

  /// Adds a test on its own thread; where all were ended already, this one is too.
  func add(_ canceller: LuaCanceller) {
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

/// Hands what threads come to over to the one that waits for it.
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

  /// Waits until there is one.
  func take() -> Letter {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while letters.isEmpty { pthread_cond_wait(arrival, lock) }
    return letters.removeFirst()
  }
}
