import CLua
import Glibc
import Testing

@testable import ScriptHost

/// A hostile script, and its expected outcome.
struct Attack: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable, Equatable {
    /// The limit ends it, even if it catches errors.
    case limit(LuaLimit)
    /// It fails with a message that contains this text.
    case error(String)
    /// It returns these values, in their printed form.
    case result(String)
    /// It doesn't compile, with a message that contains this text.
    case refused(String)
    /// A limit ends it, or it reaches its end: this depends on the machine. It doesn't fail.
    case limitOrEnd
  }

  /// How far beyond its allowance a script may run, in thread CPU time.
  enum Bound: String, Sendable {
    /// Lua executes instructions: 5 ms.
    case instructions
    /// One of these operations runs, which nothing interrupts: 1 s.
    case parse, rehash, collection
    /// One instruction or one call of a library function processes a whole block: 1 s.
    case block

    var nanoseconds: UInt64 {
      switch self {
      case .instructions: 5_000_000
      case .parse, .rehash, .collection, .block: 1_000_000_000
      }
    }
  }

  var name: String
  var outcome: Outcome
  var allowance: Allowance
  var bound: Bound
  var script: String

  init(
    _ name: String, _ outcome: Outcome, during bound: Bound = .instructions, milliseconds: UInt64 = 50,
    instructions: UInt64 = 0, _ script: String
  ) {
    self.name = name
    self.outcome = outcome
    self.bound = bound
    self.allowance = .milliseconds(milliseconds, instructions: instructions)
    self.script = script
  }

  var testDescription: String { name }
}

/// The CPU time that the calling thread has used, in nanoseconds.
func threadTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
