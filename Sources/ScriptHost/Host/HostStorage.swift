/// Keeps the stored values of scripts from one run of an app to the next.
///
/// Without a storage, each run begins with nothing stored.
public struct HostStorage {
  /// The app or plugin that a storage belongs to.
  public struct Place: Sendable, Hashable {
    /// The app's name.
    public let app: String
    /// The app's folder, all links followed; nil if the app was not read from a file. It tells apps apart
    /// that have the same name.
    public let folder: String?
    /// The plugin's name and folder; nil for the app itself.
    public let plugin: String?
    public let pluginFolder: String?
    /// The responder whose undo history is stored; nil for the values of `app.store`.
    public internal(set) var history: String?

    init(app: String, folder: String?, plugin: String?, pluginFolder: String?) {
      self.app = app
      self.folder = folder
      self.plugin = plugin
      self.pluginFolder = pluginFolder
    }

    /// The place of the app itself.
    var ofApp: Place { Place(app: app, folder: folder, plugin: nil, pluginFolder: nil) }

    /// A digest that differs for each place.
    public var digest: String {
      let names = [app, folder, plugin, pluginFolder] + (history == nil ? [] : [history])
      let parts = names.map { $0.map { "\($0.utf8.count):\($0);" } ?? "-;" }
      return Digest.of(Array(parts.joined().utf8))
    }
  }

  /// Reads the stored bytes of a place; nil if there are none.
  public var read: (Place) throws -> [UInt8]?
  /// Replaces the stored bytes of a place, wholly or not at all.
  public var write: (Place, [UInt8]) throws -> Void
  /// Locks the storage of an app and its plugins against other processes, and returns the closure that unlocks it.
  /// Returns nil if another process holds the lock for too long. The host passes the app's place. It holds the lock
  /// while scripts run, and never while they wait.
  public var lock: (Place) throws -> (() -> Void)?

  /// Creates a storage with these closures. Without `lock`, no other process may write to it while this process runs.
  public init(
    read: @escaping (Place) throws -> [UInt8]?, write: @escaping (Place, [UInt8]) throws -> Void,
    lock: @escaping (Place) throws -> (() -> Void)? = { _ in {} }
  ) {
    self.read = read
    self.write = write
    self.lock = lock
  }
}

/// The terminal of the app's user, which a script may lend to a program for a while: an editor, a pager, `git commit`.
public struct HostTerminal {
  /// Leaves the terminal to another program. Returns its descriptor, or nil if the terminal isn't available now.
  public var lend: () -> Int32?
  /// Takes the terminal back when that program has ended.
  public var takeBack: () -> Void

  /// Creates a terminal with these two closures.
  public init(lend: @escaping () -> Int32?, takeBack: @escaping () -> Void) {
    self.lend = lend
    self.takeBack = takeBack
  }
}

/// The limits of the scripts of a host. The host ends a script that exceeds a limit.
///
/// ```swift
/// let host = ScriptHost(limits: HostLimits(memory: 16 << 20, perform: .milliseconds(200)))
/// try host.load(text: "function app.on:spin() while true do end end", name: "spin.lua")
/// print(host.perform("spin").error?.limit == .time)  // true
/// ```
public struct HostLimits: Sendable, Equatable {
  /// The bytes that all scripts together may hold.
  public var memory: Int
  /// The allowance for loading one script.
  public var load: Allowance
  /// The allowance for each perform and each question by the program. A script's performs get the rest of its
  /// allowance. Actions of the program use none, unless a script performs them, and their performs are the program's.
  public var perform: Allowance
  /// The allowance for each scripted test after loading, and for each move of a test's clock.
  /// It equals ten performs, so that a test outlives an action that never ends.
  public var test: Allowance
  /// The bytes that each script may print and log in one load, perform, line or test, with everything that these call.
  public var output: Int
  /// The most bytes of a script, or a 128th of the thread's stack if that is less: no limit ends Lua's parser.
  public var source: Int
  /// The most bytes of a text that a script compiles with `load`, never more than `source`.
  public var innerSource: Int

  /// Creates the limits that suit an app with a person in front of it.
  public init(
    memory: Int = 64 << 20, load: Allowance = .milliseconds(2000, instructions: 200_000_000),
    perform: Allowance = .milliseconds(1000, instructions: 200_000_000),
    test: Allowance = .milliseconds(10_000, instructions: 2_000_000_000), output: Int = 1 << 20,
    source: Int = 128 << 10, innerSource: Int = 64 << 10
  ) {
    self.memory = memory
    self.load = load
    self.perform = perform
    self.test = test
    self.output = output
    self.source = source
    self.innerSource = innerSource
  }
}

/// The time and the instructions that a run may take. A nested run can't exceed the allowance of the outer run.
public struct Allowance: Sendable, Equatable {
  /// The running time; 0 for no limit here.
  public var nanoseconds: UInt64
  /// The instructions of Lua; 0 for no limit here.
  public var instructions: UInt64

  /// Creates an allowance of both.
  public init(nanoseconds: UInt64 = 0, instructions: UInt64 = 0) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
  }

  /// Returns an allowance of this time and these instructions.
  public static func milliseconds(_ count: UInt64, instructions: UInt64 = 0) -> Allowance {
    Allowance(nanoseconds: count.multipliedReportingOverflow(by: 1_000_000).partialValue, instructions: instructions)
  }
}

extension HostLimits {
  /// The allowance for reading a manifest, smaller because there may be many. It never exceeds that of loading.
  var listing: Allowance {
    let most = Allowance.milliseconds(200, instructions: 20_000_000)
    return Allowance(
      nanoseconds: load.nanoseconds == 0 ? most.nanoseconds : min(load.nanoseconds, most.nanoseconds),
      instructions: load.instructions == 0 ? most.instructions : min(load.instructions, most.instructions))
  }
}

// A9: a recorder notes the results of each outside call of scripts, and a replay returns the same results.

/// The record of a script's call outside of the host: its results, as a recorded session stores them.
package final class Given {
  /// The called function: 'exec', 'fs.read', 'os.time'; 'app.store' for the values stored earlier, and 'app.undo' for a
  /// kept undo history.
  package let call: String
  package let arguments: [LuaTree]
  package var values: [Literal] = []
  /// The lines that a program wrote, if the script received each line as it came.
  package var lines: [Literal] = []
  /// The seconds that it waited, by the host's clock.
  package var seconds = 0.0
  /// Whether it has ended. If it never did, it was cancelled with its action, or still ran when the session ended.
  package var hasEnded = false
  /// The failure that it raised, if it did.
  package var failure: (code: Failure.Code, message: String)?

  package init(_ call: String, _ arguments: [LuaTree] = []) {
    self.call = call
    self.arguments = arguments
  }
}

/// Replaces or observes a host's access to the outside. Set it before you load anything.
package enum Outside {
  /// Passes each call to the closure as it begins, so that a record has the order of calls.
  /// The results follow at the call's end.
  case noted((Given) -> Void)
  /// Reaches nothing outside: the closure returns the result of each call; nil if it has none.
  case given((_ call: String, _ arguments: [LuaTree]) -> Given?)
}
