import Glibc
import LiveHost
import ScriptHost

/// An app that stays: its host goes on until it is stopped, and others ask it.
final class Serving {
  private let session: Session
  private let live: LiveHost
  private var saves: Saves?
  /// What it ends with.
  private var status = ExitStatus.done
  /// Whether a person sits at the terminal that it was started from.
  private let hasTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1

  private var invocation: Invocation { session.invocation }
  private var output: Output { session.output }

  init(_ session: Session) throws {
    self.session = session
    let isStdio = session.invocation.has(.stdio)
    let app = session.invocation.operands[0]
    if app == "-", isStdio {
      throw Problem(.usage, "stdin can't be both the script and the protocol: name a file")
    }
    if app == "-", !session.invocation.has(.name), !session.invocation.has(.socket) {
      throw Problem(.usage, "an app from stdin has no name of its own", help: "give it one: --name NAME")
    }
    // Nothing but the protocol goes to stdout then.
    session.output.isData = isStdio
    signal(SIGPIPE, SIG_IGN)
    try session.load()
    live = LiveHost(session.host)
    live.path = session.source?.name
    live.evaluates = !session.invocation.has(.noEval)
    live.reloading = { () throws(Failure) in try session.reloadAnew() }
    if session.invocation.has(.watch) { saves = try Saves(session) }
  }

  func run() throws -> Reply {
    let isStdio = invocation.has(.stdio)
    if let path = invocation.values(.socket).last {
      try listening { () throws(LiveError) in try live.listen(path: path) }
    } else if !isStdio || invocation.has(.name) {
      try listening { () throws(LiveError) in try live.listen(name: name) }
    }
    if isStdio { live.listenToStdio() }
    takeSignals()
    watch()
    let place = live.name.map { "@\($0) is live" } ?? "live on stdin and stdout"
    output.remark { $0.note("\(place): \(session.source?.name ?? "")") }
    live.run()
    return Reply(status: status)
  }

  private func listening(_ listen: () throws(LiveError) -> Void) throws(Problem) {
    do throws(LiveError) { try listen() } catch {
      if case .taken = error.kind {
        throw Problem(.no, error.message, help: "give it another name: --name NAME")
      }
      throw Problem(.no, error.message)
    }
  }

  /// What it is called: as the command line says, else as the app does, else as its file or its folder.
  private var name: String {
    if let name = invocation.values(.name).last ?? session.host.text(ofAppField: "name") { return name }
    let path = realpath(session.source?.name ?? "app") ?? session.source?.name ?? "app"
    let parts = path.split(separator: "/").map(String.init)
    let file = parts.last ?? "app"
    if file == "app.lua", parts.count > 1 { return parts[parts.count - 2] }
    return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
  }

  // MARK: Signals

  private func takeSignals() {
    let canceller = try? session.host.canceller()
    let ring = live.ring
    session.interrupts.serve { signal in
      // A script that runs would have the loop wait.
      if signal != SIGHUP { canceller?.cancel() }
      ring(UInt8(truncatingIfNeeded: signal))
    }
    live.onAlarm = { [unowned self] byte in
      session.clearInterrupt()
      switch Int32(byte) {
      case SIGHUP where !isAbandoned: reload()
      case SIGINT: end(.interrupted)
      default: end(.done)
      }
    }
  }

  private func end(_ status: ExitStatus) {
    self.status = status
    live.stop()
  }

  /// Whether the terminal is gone that it was started from.
  private var isAbandoned: Bool {
    guard hasTerminal else { return false }
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if terminal >= 0 { close(terminal) }
    return terminal < 0
  }

  // MARK: Reloading

  private func reload() {
    saves?.lookAgain()
    report(live.reload())
  }

  private func report(_ failure: Failure?) {
    guard let failure else { return output.remark { $0.note("reloaded \(session.source?.name ?? "")") } }
    output.forgetShown()
    output.show(Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place))
    output.remark(\.oldGoesOn)
  }

  private func watch() {
    guard let saves else { return }
    live.others.append(
      LiveHost.Other(descriptor: saves.descriptor, deadline: { saves.deadline }) { [unowned self] in
        guard let saved = saves.saved(by: live.host.now) else { return }
        report(live.reload { () throws(Failure) in try self.session.reloadAnew(saved) })
        saves.lookAgain()
      })
  }
}
