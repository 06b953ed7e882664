/// Keeps what scripts store from one run of an app to the next.
///
/// Without one each run begins with nothing stored.
public struct HostStorage {
  /// Whose storage it is: an app's with a name, or a plugin's.
  public struct Place: Sendable, Hashable {
    /// The app's name.
    public let app: String
    /// The app's folder, all links followed; nil where it was not read from a file. Another app may call itself the same.
    public let folder: String?
    /// The plugin's name and folder; nil for the app's own.
    public let plugin: String?
    public let pluginFolder: String?
    /// The responder whose undo history it is; nil for what `app.store` has.
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

  /// Reads what is stored at a place; nil if nothing is.
  public var read: (Place) throws -> [UInt8]?
  /// Replaces what is stored at a place, wholly or not at all.
  public var write: (Place, [UInt8]) throws -> Void
  /// Locks what an app and its plugins store against other processes, and returns what unlocks it; nil if another process holds it for too long.
  /// It is called with the app's place. It is locked while scripts run, and never while they wait.
  public var lock: (Place) throws -> (() -> Void)?

  /// A storage with these closures. Without `lock` no other process may write to it while this one runs.
  public init(
    read: @escaping (Place) throws -> [UInt8]?, write: @escaping (Place, [UInt8]) throws -> Void,
    lock: @escaping (Place) throws -> (() -> Void)? = { _ in {} }
  ) {
    self.read = read
    self.write = write
    self.lock = lock
  }
}

/// The terminal of the app's person, which a program that a script runs may use for a while: an editor, a pager, `git commit`.
public struct HostTerminal {
  /// Leaves the terminal to another program. Returns its descriptor, or nil if the terminal isn't available now.
  public var lend: () -> Int32?
  /// Takes the terminal back when that program has ended.
  public var takeBack: () -> Void

  /// A terminal with these two closures.
  public init(lend: @escaping () -> Int32?, takeBack: @escaping () -> Void) {
    self.lend = lend
    self.takeBack = takeBack
  }
}

/// What the scripts of a host may spend before they are ended.
///
/// ```swift
/// let host = ScriptHost(limits: HostLimits(memory: 16 << 20, perform: .milliseconds(200)))
/// try host.load(text: "function app.on:spin() while true do end end", name: "spin.lua")
/// print(host.perform("spin").error?.limit == .time)  // true
/// ```
public struct HostLimits: Sendable, Equatable {
  /// Bytes that all scripts together may hold.
  public var memory: Int
  /// For loading one script.
  public var load: Allowance
  /// For each perform and each question that the program asks; one that a script asks for has no more than is left of the script's own. What
  /// an action of the program's does takes nothing from it, unless a script asked for that, and what it performs is asked for by the program.
  public var perform: Allowance
  /// For each scripted test, once its file is loaded, and for each time that a test's clock is driven: what ten performs may spend, so that a
  /// test outlives one that never ends.
  public var test: Allowance
  /// Bytes that each script may print and log in one go: a load, a perform, a line, a test, with whatever they call.
  public var output: Int
  /// Bytes of one script that the host loads. A 128th of the thread's stack where that is less: no limit ends Lua's parser.
  public var source: Int
  /// Bytes of one text that a script compiles with `load`, never more than `source`.
  public var innerSource: Int

  /// The limits that suit an app with a person in front of it.
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

/// How much time and how many instructions a run may take; a run nested in it can't have more.
public struct Allowance: Sendable, Equatable {
  /// Time while it runs; none of its own when 0.
  public var nanoseconds: UInt64
  /// Instructions of Lua's; none of its own when 0.
  public var instructions: UInt64

  /// An allowance of both.
  public init(nanoseconds: UInt64 = 0, instructions: UInt64 = 0) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
  }

  /// So much time, and so many instructions.
  public static func milliseconds(_ count: UInt64, instructions: UInt64 = 0) -> Allowance {
    Allowance(nanoseconds: count.multipliedReportingOverflow(by: 1_000_000).partialValue, instructions: instructions)
  }
}

extension HostLimits {
  /// For reading a manifest only, since there may be many; never more than loading may spend.
  var listing: Allowance {
    let most = Allowance.milliseconds(200, instructions: 20_000_000)
    return Allowance(
      nanoseconds: load.nanoseconds == 0 ? most.nanoseconds : min(load.nanoseconds, most.nanoseconds),
      instructions: load.instructions == 0 ? most.instructions : min(load.instructions, most.instructions))
  }
}

// A9: while a session is recorded, notes what scripts get from outside of the host; when it is replayed, gives them the same again.

/// What one call of a script got from outside of the host, as it stands in the record of a session.
package final class Given {
  /// The function that was called: 'exec', 'fs.read', 'os.time'; 'app.store' for the values stored earlier.
  package let call: String
  package let arguments: [LuaTree]
  package var values: [Literal] = []
  /// The lines that a program wrote, if the script was given each line as it came.
  package var lines: [Literal] = []
  /// How many seconds it waited, by the host's clock.
  package var seconds = 0.0
  /// Whether it has ended. If it never did, it was cancelled with its action, or still ran when the session ended.
  package var hasEnded = false
  /// The failure with which it raised, if it did.
  package var failure: (code: Failure.Code, message: String)?

  package init(_ call: String, _ arguments: [LuaTree] = []) {
    self.call = call
    self.arguments = arguments
  }
}

/// Replaces or observes a host's access to the outside. Set before anything is loaded.
package enum Outside {
  /// Passes each call to the closure as it begins, so that the record is in the order of calls; the results are filled in when it has ended.
  case noted((Given) -> Void)
  /// Reaches nothing outside: the closure says what each call gives; nil if it isn't known.
  case given((_ call: String, _ arguments: [LuaTree]) -> Given?)
}
