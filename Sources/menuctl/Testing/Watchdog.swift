import Glibc
import ScriptHost

/// The *watchdog* ends the tool when a script runs where nothing else can end it.
///
/// Each thread that runs scripts has it look each time that it has used some of the processor's time. A script that has not looked at its
/// limits since the last time is cancelled, should it still come to look; one that has not by the next time is named, and the tool ended.
final class Watchdog: Sendable {
  static let signal = SIGVTALRM

  private struct State {
    var watches: [Int32: LuaWatch] = [:]
    var last: Int32 = 0
    var isJSON = false
  }

  private let state = Guarded(State())
  /// So much of the processor's time lies between two looks, in nanoseconds.
  private let patience: UInt64

  /// What a script takes at most where nothing can interrupt it is half of this.
  private static let usualPatience: UInt64 = 5_000_000_000

  /// Has the patience of MENUCTL_PATIENCE, in seconds, or the usual.
  init() {
    let wanted = getenv("MENUCTL_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 0
    patience = wanted >= 0.001 && wanted <= 1e6 ? UInt64(wanted * 1e9) : Self.usualPatience
  }

  /// Whether what is said of the end is JSON.
  var isJSON: Bool {
    get { state.withLock { $0.isJSON } }
    set { state.withLock { $0.isJSON = newValue } }
  }

  /// Watches an interpreter from now on; on its own thread.
  func watch(_ canceller: LuaCanceller) {
    state.withLock { state in
      state.watches = state.watches.filter { !$0.value.isOver }
      if state.watches.contains(where: { $0.value.isOver(canceller) }) { return }
      state.last &+= 1
      state.watches[state.last] = LuaWatch(canceller, each: patience, signal: Self.signal, number: state.last)
    }
  }

  /// Looks because the signal came; why the tool must be ended, if it must.
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
      return Problem(.limit, "a script can't be interrupted: the tool is ended")
    }
    let handler = function.map { ", in the function that begins at \($0)," } ?? ""
    return Problem(.limit, "the script at \(place)\(handler) can't be interrupted: the tool is ended")
  }
}
