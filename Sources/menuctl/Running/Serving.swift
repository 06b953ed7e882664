import Assistant
import Glibc
import LiveHost
import ScriptHost
import Terminal

/// Runs an app for `serve`, `ui` and `mcp`: its host runs until it is stopped, and clients connect to it.
final class Serving {
  private let session: Session
  private let live: LiveHost
  private var saves: Saves?
  /// The exit status of `run`.
  private var status = ExitStatus.done
  /// The face of `menuctl ui`; nil for `serve`.
  private var face: FaceThread?
  /// Whether an assistant started the app as its client.
  private let hasAssistant: Bool
  /// The delay before the tool watches files, so that the face is drawn first.
  private static let firstMoment = Duration.milliseconds(50)
  /// Whether the tool was started from a terminal with a person.
  private let hasTerminal = isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1

  private var invocation: Invocation { session.invocation }
  private var output: Output { session.output }

  /// - Parameters:
  ///   - settings: the settings of the app's own face, which is one more client; nil for no face.
  ///   - hasAssistant: whether the app is for an assistant, which uses stdin and stdout.
  init(_ session: Session, face settings: FaceSettings? = nil, hasAssistant: Bool = false) throws {
    self.session = session
    self.hasAssistant = hasAssistant
    let isStdio = session.invocation.has(.stdio)
    let app = session.invocation.operands[0]
    if app == "-", isStdio || hasAssistant {
      throw Problem(.usage, "stdin can't be both the script and the protocol: name a file")
    }
    if app == "-", settings != nil, session.invocation.isPlain, !session.invocation.has(.screenshot) {
      throw Problem(.usage, "stdin can't be both the script and what is picked: name a file")
    }
    if app == "-", settings == nil, !session.invocation.has(.name), !session.invocation.has(.socket) {
      throw Problem(.usage, "an app from stdin has no name", help: "give it one: --name NAME")
    }
    // Then stdout has only the protocol.
    session.output.isData = isStdio || hasAssistant || session.invocation.has(.screenshot)
    signal(SIGPIPE, SIG_IGN)
    var printed: [String] = []
    if settings != nil { session.output.onScript = { printed.append($0) } }
    try session.load()
    session.output.onScript = nil
    // From now on the face has the terminal, and shows the output of scripts.
    if settings != nil { session.fallSilent() }
    live = LiveHost(session.host)
    live.path = session.source?.name
    live.evaluates = !session.invocation.has(.noEval)
    live.reloading = { () throws(Failure) in try session.reloadAnew() }
    // A picture is complete before a file could be saved.
    let watches =
      settings == nil && !hasAssistant
      ? session.invocation.has(.watch) : session.source?.folder != nil && !session.invocation.isOfPicture
    // A face is shown first.
    if watches { saves = try Saves(session, from: session.host.now + (settings == nil ? .zero : Self.firstMoment)) }
    if var settings {
      settings.earlier = printed
      settings.folder = session.source?.folder ?? "."
      face = try FaceThread(settings, show: faceShow())
    }
  }

  /// Returns the function that shows the face: on the terminal, or as a picture on stdout.
  private func faceShow() throws -> @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void {
    if let picture = try FacePicture(invocation) {
      return { (client, settings) throws(Problem) in try picture.show(client, settings) }
    }
    let canceller = try session.host.canceller()
    let depth = try invocation.colorDepth()
    let lender = TerminalLender()
    session.host.terminal = lender.lent
    if invocation.isPlain {
      return { [ring = live.ring] (client, settings) throws(Problem) in
        _ = PlainLoop(settings, client, lender: lender) {
          canceller.cancel()
          ring(0)
        }.run()
      }
    }
    return { [ring = live.ring] (client, settings) throws(Problem) in
      let loop = FaceLoop(settings, client, depth: depth, lender: lender) {
        canceller.cancel()
        ring(0)
      }
      _ = loop?.run()
    }
  }

  func run() throws -> Reply {
    if let face { return try run(face) }
    let isStdio = invocation.has(.stdio)
    if let path = invocation.values(.socket).last {
      try listening { () throws(LiveError) in try live.listen(path: path) }
    } else if !isStdio || invocation.has(.name) {
      try listening { () throws(LiveError) in try live.listen(name: name) }
    }
    if isStdio { live.listenToStdio() }
    takeSignals()
    watch()
    // A pipe without a reader must not block the loop, and with it all clients.
    let outlets = output.neverWait()
    live.others += outlets.map(LiveHost.Other.init)
    let place = live.name.map { "@\($0) is live" } ?? "live on stdin and stdout"
    output.remark { $0.note("\(place): \(session.source?.name ?? "")") }
    live.run()
    for outlet in outlets { outlet.flushForGood() }
    return Reply(status: status)
  }

  /// Runs the app with a face. If its name is taken, so that clients can't find the app, the face shows this.
  private func run(_ face: FaceThread) throws -> Reply {
    do throws(LiveError) {
      if let path = invocation.values(.socket).last {
        try live.listen(path: path)
      } else if !invocation.has(.alone), !invocation.isOfPicture {
        try live.listen(name: name)
      }
    } catch {
      let isTaken = if case .taken = error.kind { true } else { false }
      face.settings.greeting = "no session: \(error.message)" + (isTaken ? "; to see it: menuctl ui @\(name)" : "")
    }
    live.awaitsFace = true
    let end: FaceEnd
    do throws(LiveError) { end = try live.faceEnd() } catch { throw Problem(.raised, error.message) }
    takeSignals()
    watch()
    face.start(at: end)
    live.run()
    try face.wait()
    return Reply(status: status)
  }

  /// Runs the app with an assistant, on another thread, until the assistant's client or the app ends.
  func run(_ settings: AssistantSettings) throws -> Reply {
    do throws(LiveError) {
      if let path = invocation.values(.socket).last {
        try live.listen(path: path)
      } else if !invocation.has(.alone) {
        try live.listen(name: name)
      }
    } catch {
      output.remark { $0.note("no session for others: \(error.message)") }
    }
    let end: FaceEnd
    do throws(LiveError) { end = try live.faceEnd() } catch { throw Problem(.raised, error.message) }
    takeSignals()
    watch()
    let outlets = output.neverWait()
    live.others += outlets.map(LiveHost.Other.init)
    HostThread.start {
      let client = LiveClient(at: end)
      // If the app has ended, its loop shows the reason. When the client goes, the app ends.
      do throws(Unanswered) {
        try client.greet(as: "mcp")
        try AssistantLoop(client, settings).run()
      } catch {}
      withExtendedLifetime(client) {}
    }
    live.run()
    for outlet in outlets { outlet.flushForGood() }
    return Reply(status: status)
  }

  private func listening(_ listen: () throws(LiveError) -> Void) throws(Problem) {
    do throws(LiveError) { try listen() } catch {
      if case .taken = error.kind {
        let other = invocation.has(.socket) ? "another path: --socket PATH" : "another name: --name NAME"
        throw Problem(.no, error.message, help: "give it \(other)")
      }
      throw Problem(.no, error.message)
    }
  }

  /// The name of the session: from `--name`, else the app's `name`, else the name of its file or folder.
  private var name: String {
    var said = invocation.values(.name).last ?? ""
    // `--name @NAME` is allowed, because clients write it so.
    if said.hasPrefix("@"), said != "@" { said.removeFirst() }
    if let name = said.isEmpty ? session.host.text(ofAppField: "name") : said { return name }
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
    session.interrupts.serve(leaving: live.leaving) { signal in
      // A running script would keep the loop from handling the signal.
      if signal != SIGHUP { canceller?.cancel() }
      ring(UInt8(truncatingIfNeeded: signal))
    }
    live.onAlarm = { [unowned self] byte in
      session.clearInterrupt()
      switch Int32(byte) {
      // The face requested the end of a long-running script, and `cancel` has ended it.
      case 0: break
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

  /// Whether the terminal that started the tool is gone.
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
    // The face shows this to the person.
    if face != nil { return }
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

extension HostTerminal {
  /// The terminal that started the tool. The tool doesn't use it while a script's program has it.
  static var own: HostTerminal {
    var terminal: Int32 = -1
    return HostTerminal(
      lend: {
        guard terminal < 0, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        terminal = TerminalKeeper.lend() ?? -1
        return terminal >= 0 ? terminal : nil
      },
      takeBack: {
        TerminalKeeper.takeBack(terminal)
        terminal = -1
      })
  }
}

extension Verb {
  /// Whether a script's program may use the terminal: not without a person, with a face, or on a test clock.
  var lendsTerminal: Bool { ![Verb.serve, .ui, .mcp, .record, .replay, .stubs].contains { $0.name == name } }
}
