import Glibc

/// The programs that scripts of any host started and that were not waited for yet. Any thread may end them.
package enum RunningPrograms {
  /// Whoever touches what follows holds it: no number is signalled that the system may have given to somebody else by then.
  nonisolated(unsafe) private static let lock = {
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    return lock
  }()
  nonisolated(unsafe) private static var running: Set<pid_t> = []
  /// Those that were told to end and had not when nobody waited any longer.
  nonisolated(unsafe) private static var left: Set<pid_t> = []
  nonisolated(unsafe) private static var isOver = false

  /// Ends all of them, and lets nothing be started any more: the process is about to end.
  package static func endAll() {
    locked {
      isOver = true
      running.forEach(signal)
    }
  }

  /// Has a program started, unless it is too late for that; its number, or nil with the reason in errno.
  static func start(_ spawn: (inout pid_t) -> Int32) -> pid_t? {
    locked {
      for process in left where reaped(process) != nil { left.remove(process) }
      var process: pid_t = 0
      let result = isOver ? ECANCELED : spawn(&process)
      guard result == 0 else {
        errno = result
        return nil
      }
      running.insert(process)
      return process
    }
  }

  /// How a program ended, as the system says it; nil as long as it goes on.
  ///
  /// - Parameter goesOnIfStopped: whether one that was stopped is told to go on: one at a terminal, which nobody could.
  static func end(of process: pid_t, goesOnIfStopped: Bool = false) -> Int32? {
    locked {
      var state: Int32 = 0
      guard goesOnIfStopped, running.contains(process), waitpid(process, &state, WNOHANG | WUNTRACED) == process else {
        return reaped(process)
      }
      // What the macro WIFSTOPPED says.
      if state & 0xFF == 0x7F {
        Glibc.kill(-process, SIGCONT)
        return nil
      }
      running.remove(process)
      return state
    }
  }

  /// Tells a program to end, with what it started.
  static func kill(_ process: pid_t) { locked { if running.contains(process) { signal(process) } } }

  /// Ends a program. One that can't be ended, since it is another user's by now, is left behind: nobody waits for it.
  static func end(_ process: pid_t) {
    kill(process)
    for _ in 0..<50 {
      if end(of: process) != nil { return }
      usleep(1000)
    }
    locked { _ = left.insert(process) }
  }

  /// Kills a process, which may have left its group.
  private static func signal(_ process: pid_t) {
    Glibc.kill(-process, SIGKILL)
    Glibc.kill(process, SIGKILL)
  }

  private static func reaped(_ process: pid_t) -> Int32? {
    var state: Int32 = 0
    guard waitpid(process, &state, WNOHANG) == process else { return nil }
    running.remove(process)
    return state
  }

  private static func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }
}
