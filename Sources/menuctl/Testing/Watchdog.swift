import Glibc
import ScriptHost

/// The *watchdog* ends the tool when a script runs in C code that can't be interrupted.
///
/// Each thread of scripts has a timer of its processor time, whose signal makes the watchdog look. A script that has
/// not checked its limits since the last look is cancelled. If it still hasn't at the next look, the tool ends.
final class Watchdog: Sendable {
  static let signal = SIGVTALRM

  private struct State {
    var watches: [Int32: LuaWatch] = [:]
    var last: Int32 = 0
    var isJSON = false
  }

  private let state = Guarded(State())
  /// The processor time between two looks, in nanoseconds.
  private let patience: UInt64

  /// Twice the longest known time that a script takes without being interruptible.
  private static let usualPatience: UInt64 = 5_000_000_000

  /// Reads the patience from MENUCTL_PATIENCE in seconds, or uses the default.
  init() {
    let wanted = getenv("MENUCTL_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 0
    patience = wanted >= 0.001 && wanted <= 1e6 ? UInt64(wanted * 1e9) : Self.usualPatience
  }

  /// Whether to write the final problem as JSON.
  var isJSON: Bool {
    get { state.withLock { $0.isJSON } }
    set { state.withLock { $0.isJSON = newValue } }
  }

  /// Watches an interpreter from now on. Call it on the thread that runs it.
  func watch(_ canceller: Canceller) {
    state.withLock { state in
      state.watches = state.watches.filter { !$0.value.isOver }
      if state.watches.contains(where: { $0.value.isOver(canceller.interpreter) }) { return }
      state.last &+= 1
      state.watches[state.last] = LuaWatch(
        canceller.interpreter, each: patience, signal: Self.signal, number: state.last)
    }
  }

  /// Checks the watch with this number after its signal. Returns the reason to end the tool, or nil.
  func look(_ number: Int32) -> Problem? {
    guard let watch = state.withLock({ $0.watches[number] }) else { return nil }
    switch watch.look() {
    case .well: return nil
    case .over: state.withLock { $0.watches[number] = nil }
    case .stuck(times: 1): watch.cancel()
    case .stuck: return Self.problem(watch)
    }
    return nil
  }

  private static func problem(_ watch: LuaWatch) -> Problem {
    guard let (place, function) = watch.whereabouts() else {
      return Problem(.limit, "a script can't be interrupted, so the tool ends")
    }
    let handler = function.map { ", in the function that begins at \($0)," } ?? ""
    return Problem(.limit, "the script at \(place)\(handler) can't be interrupted, so the tool ends")
  }
}

/// The cancellers of the test hosts, with which an interrupt ends all tests.
final class RunningTests: Sendable {
  private struct State {
    var cancellers: [Canceller] = []
    var isCancelled = false
  }

  private let state = Guarded(State())
  private let watchdog: Watchdog

  init(watchdog: Watchdog) { self.watchdog = watchdog }

  /// Adds the host of a test, on that test's thread. If `cancel` was called before, cancels it at once.
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

/// The *patience* for a run of many tests or steps: once `most` of them have spent their limits, the run ends.
struct Patience {
  /// Fewer would show less of the errors, and each may take ten seconds.
  static let most = 5

  private(set) var spent = 0

  /// Whether the run ends.
  var isOver: Bool { spent >= Self.most }

  /// Counts a test or step that spent a limit.
  mutating func take(spent isSpent: Bool) { if isSpent { spent += 1 } }
}
