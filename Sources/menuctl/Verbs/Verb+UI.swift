import Glibc
import LiveHost
import ScriptHost
import Terminal

extension Verb {
  static let ui = Verb(
    name: "ui", operands: [.app], summary: "open an app in the terminal",
    options: [.plain, .faceKeys, .noMouse, .theme, .screenshot, .screenshotTo, .name, .socket, .alone, .noEval]
      + Option.loading.filter { $0 != .json },
    asksLive: true
  )
}

extension VerbBody {
  static let ui = VerbBody(.ui) { session in
    var settings = try FaceSettings(session)
    // Parsed first, so that a wrong `--screenshot` fails before anything runs.
    _ = try FacePicture(session.invocation)
    if session.invocation.operands[0].hasPrefix("@") { return try session.showLive(settings) }
    settings.tellsFirstRow = true
    return try Serving(session, face: settings).run()
  }
}

extension Option {
  static let plain = Option(
    name: "--plain",
    summary: "in lines with numbers, one question at a time: for screen readers, and where there is no terminal")
  static let faceKeys = Option(
    name: "--keys", value: "NAME=STROKE,…",
    summary: "give commands of its own other strokes: \(FaceSettings.commandNames.joined(separator: ", "))")
  static let noMouse = Option(name: "--no-mouse", summary: "leave the mouse to the terminal")
  static let theme = Option(
    name: "--theme", value: "NAME|FILE",
    summary: "colours other than those that fit the terminal: \(Theme.names.joined(separator: ", ")), or a file"
      + " with lines such as accent = \"blue\"")
  static let screenshot = Option(
    name: "--screenshot", value: "COLSxROWS[:KEYS]",
    summary: "write a screen of this size, after these keys, to stdout as text, and end")
  static let screenshotTo = Option(
    name: "--screenshot-to", value: "FILE", summary: "write it to a file instead, as a picture where it ends with .svg")
  static let alone = Option(name: "--alone", summary: "don't let others reach the app as @NAME")
}

extension Invocation {
  /// Whether the face writes plain lines: for `--plain`, without a terminal, or on a dumb terminal.
  var isPlain: Bool {
    has(.plain) || isatty(STDOUT_FILENO) == 0 || getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
  }
}

extension FaceSettings {
  /// Reads the settings from the command line.
  fileprivate init(_ session: Session) throws(Problem) {
    self.init()
    usesMouse = !session.invocation.has(.noMouse)
    level = try session.logLevel()
    confirms = session.invocation.has(.yes)
    if let name = session.invocation.values(.theme).last {
      theme = try Self.theme(name)
      isThemeChosen = true
    }
    for word in session.invocation.values(.faceKeys).flatMap({ $0.split(separator: ",") }) {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw Problem(.usage, "'\(word)' names no command and its stroke: \(Option.faceKeys.usage)")
      }
      guard Self.commandNames.contains(parts[0]) else {
        throw Problem(
          .usage, "'ui' has no command '\(parts[0])'\(didYouMean(parts[0], among: Self.commandNames))",
          help: Self.commandNames.joined(separator: ", "))
      }
      let keys: KeySequence
      do throws(KeyError) { keys = try KeySequence.parse(parts[1]) } catch {
        throw Problem(.usage, "'--keys \(word)': \(error.message)")
      }
      guard keys.strokes.count == 1 else {
        throw Problem(.usage, "'--keys \(word)': a command has one stroke, and this is a sequence")
      }
      strokes[parts[0]] = keys.strokes[0]
    }
    if let (stroke, first, second) = doubled {
      throw Problem(
        .usage, "'--keys': '\(stroke.text)' would be both '\(first)' and '\(second)'",
        help: "give the other one another stroke as well, as in --keys \(second)=\(stroke.text),\(first)=f9")
    }
  }
}

extension FaceSettings {
  /// Returns the theme of a name, or of a file, whose path has a '/' or a '.'.
  private static func theme(_ name: String) throws(Problem) -> Theme {
    if let theme = Theme(named: name) { return theme }
    guard name.contains("/") || name.contains(".") else {
      throw Problem(
        .usage, "there is no theme '\(name)'\(didYouMean(name, among: Theme.names))",
        help: Theme.names.joined(separator: ", ") + ", or a file, as in ./\(name)")
    }
    let text = String(decoding: try Source(file: name).bytes, as: UTF8.self)
    do throws(Theme.Misspelling) { return try Theme(reading: text) } catch {
      throw Problem(.usage, "\(name):\(error.line): \(error.message)")
    }
  }
}

extension Session {
  /// Stops the host from writing to the terminal, which the face now has.
  func fallSilent() {
    host.onPrint = nil
    host.onLog = nil
    host.onDiagnostic = nil
    asksForConsent = false
  }

  /// Shows an app in another process.
  fileprivate func showLive(_ settings: FaceSettings) throws -> Reply {
    let name = invocation.operands[0]
    let ofSessions: [Option] = [.name, .socket, .alone, .noEval]
    if let option = invocation.options.map(\.option).first(where: {
      Option.ofLoadingAlone.contains($0) || ofSessions.contains($0)
    }) {
      throw Problem(.usage, "'\(option.name)' is only for an app that this command loads, and '\(name)' is running")
    }
    var settings = settings
    settings.isOwn = false
    let client = try Self.connect(to: name, as: "ui")
    if let picture = try FacePicture(invocation) {
      try picture.show(client, settings)
      return Reply()
    }
    signal(SIGPIPE, SIG_IGN)
    if invocation.isPlain {
      let loop = PlainLoop(settings, client, interrupt: {})
      return end(loop.ring) { loop.run() }
    }
    guard let loop = FaceLoop(settings, client, depth: try invocation.colorDepth(), interrupt: {}) else {
      throw Problem(.usage, "'ui' needs a terminal")
    }
    return end(loop.ring) { loop.run() }
  }

  /// Runs a face's loop until it ends; a signal ends it too.
  private func end(_ ring: @escaping @Sendable (UInt8) -> Void, _ run: () -> FaceLoop.End) -> Reply {
    let status = Guarded(ExitStatus.done)
    interrupts.serve { signal in
      if signal == SIGINT { status.withLock { $0 = .interrupted } }
      ring(UInt8(truncatingIfNeeded: signal))
    }
    if case .gone(let sentence) = run() { output.remark { $0.note(sentence) } }
    return Reply(status: status.withLock { $0 })
  }
}
