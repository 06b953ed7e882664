import LiveHost
import ScriptHost

// Asking an app that runs in another process.

extension Session {
  /// Asks a live app from now on.
  func askLive(_ name: String, quietly isQuiet: Bool) throws(Problem) {
    guard invocation.verb.asksLive else {
      throw Problem(.usage, "'\(invocation.verb.name)' takes no live app: name a script")
    }
    if let option = invocation.options.map(\.option).first(where: Option.ofLoadingAlone.contains) {
      throw Problem(.usage, "'\(option.name)' is for loading an app, and '\(name)' runs already")
    }
    let live = LiveSubject(try Self.connect(to: name, as: "menuctl \(invocation.verb.name)"))
    let level = try logLevel()
    live.onPrint = { [output] in output.script($0) }
    live.onLog = { [output] in if $0.level >= level { output.log($0) } }
    if !isQuiet { live.onDiagnostic = { [output] in output.show($0) } }
    output.textOfFile = { [unowned live] file in live.text(ofFile: file) }
    ask(live)
    interrupts.cancel { [ring = live.client.ring] in ring(0) }
    _ = try asking { _ throws(Unanswered) in try live.listen() }
  }

  /// Connects to the live app that `@NAME` names, or a socket that `@PATH` does.
  static func connect(to word: String, as client: String) throws(Problem) -> LiveClient {
    guard word.hasPrefix("@"), word.count > 1 else {
      throw Problem(.usage, "'\(word)' names no live app", help: "a live app is named with '@': @photos")
    }
    let name = String(word.dropFirst())
    guard let live = LiveClient(at: RuntimeFolder.socket(of: name)) else {
      let running = LiveSession.all().map { "@\($0.name)" }
      throw Problem(
        .noSuchFile, "there is no live app '\(name)'\(didYouMean(word, among: running))",
        help: running.isEmpty
          ? "none runs; to run one: menuctl serve APP" : "those that run: \(running.joined(separator: ", "))")
    }
    do throws(Unanswered) { try live.greet(as: client) } catch { throw Problem(error) }
    return live
  }
}

extension Option {
  /// Those that say how an app is loaded.
  static let ofLoadingAlone = [plugin, plugins, allow, set, memory, budget, timeout, watch]
}
