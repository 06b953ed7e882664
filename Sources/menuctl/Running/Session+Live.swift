import LiveHost
import ScriptHost

// Sessions with an app in another process.

extension Session {
  /// Connects to a live app and makes it the subject of this session.
  func askLive(_ name: String, quietly isQuiet: Bool) throws(Problem) {
    let live = LiveSubject(try Self.connect(to: name, as: "menuctl \(invocation.verb.name)"))
    let level = try logLevel()
    live.onPrint = { [output] in output.script($0) }
    live.onLog = { [output] in if $0.level >= level { output.log($0) } }
    if !isQuiet { live.onDiagnostic = { [output] in output.show($0) } }
    output.textOfFile = { [unowned live] file in live.text(ofFile: file) }
    if mayAsk || invocation.has(.yes) { live.onQuestion = { [unowned self] in answer(to: $0) } }
    ask(live)
    interrupts.cancel { [ring = live.client.ring] in ring(0) }
    _ = try asking { _ throws(Unanswered) in try live.listen() }
  }

  /// Refuses verbs and options that a live app doesn't support, before other checks of the command line.
  static func checkLive(_ invocation: Invocation) throws(Problem) {
    // `complete` never fails: the shell gets no names instead.
    if invocation.verb.name == Verb.complete.name { return }
    guard let name = invocation.files.first(where: { $0.hasPrefix("@") }) else { return }
    guard invocation.verb.asksLive else {
      throw Problem(.usage, "'\(invocation.verb.name)' can't use a live app: name a file")
    }
    if let option = invocation.options.map(\.option).first(where: Option.ofLoadingAlone.contains) {
      throw Problem(.usage, "'\(option.name)' is only for loading an app, and '\(name)' is running")
    }
  }

  /// The time limit of a live app's greeting in milliseconds: more than the default limit of its scripts.
  static let patience: Int32 = 8000

  /// Connects to the live app `@NAME`, or to the socket `@PATH`.
  static func connect(to word: String, as client: String) throws(Problem) -> LiveClient {
    guard word.hasPrefix("@"), word.count > 1 else {
      throw Problem(
        .usage, "'\(word)' is no live app",
        help: "a live app is named with '@': @\(SessionName.isName(word) ? word : "NAME")")
    }
    let name = String(word.dropFirst())
    let path = RuntimeFolder.socket(of: name)
    let live: LiveClient?
    do throws(Unanswered) { live = try LiveClient(at: path, within: patience) } catch {
      throw problem(error, of: word, process: LiveSession.process(at: path))
    }
    guard let live else { throw noSession(name, word) }
    do throws(Unanswered) { try live.greet(as: client, within: patience) } catch {
      throw problem(error, of: word, process: live.process)
    }
    return live
  }

  private static func noSession(_ name: String, _ word: String) -> Problem {
    let running: [String]
    do throws(LiveError) { running = try LiveSession.all().map { "@\($0.name)" } } catch {
      return Problem(.noSuchFile, "there is no live app '\(name)': \(error.message)")
    }
    return Problem(
      .noSuchFile, "there is no live app '\(name)'\(didYouMean(word, among: running))",
      help: running.isEmpty
        ? "no live app is running; start one: menuctl serve APP" : "those that run: \(running.joined(separator: ", "))")
  }

  /// Returns the problem of a live app that did not answer. Names the process of a silent app, if it is known.
  static func problem(_ error: Unanswered, of word: String, process: Int32?) -> Problem {
    guard case .silent = error.kind else { return Problem(error) }
    guard let process else {
      return Problem(.no, "'\(word)' doesn't answer: its process is stopped or busy")
    }
    return Problem(
      .no, "'\(word)' doesn't answer: process \(process) is stopped or busy",
      help: "to continue it: kill -CONT \(process); to end it: kill \(process)")
  }
}

extension Option {
  /// The options for loading, which a live app refuses.
  static let ofLoadingAlone = [plugin, plugins, keymap, allow, set, memory, source, budget, timeout, watch]
}

/// The *live steps* are the deeds of a live app's clients with their outcomes and changes, from notifications.
final class LiveSteps {
  private(set) var all: [JSON] = []
  private var isOver = false
  /// The current menus; nil until the app has sent them.
  private var menus: MenuElement?
  /// The menus before the last deed that ended; nil once later changes have another cause.
  private var before: MenuElement?
  /// The running deeds, each with the menus before it.
  private var begun: [(deed: JSON, before: MenuElement?)] = []

  /// Collects the steps until an interrupt comes or the app ends.
  func take(from live: LiveSubject, within interrupts: Interrupts) throws(Unanswered) {
    live.client.onNotification = { [unowned self] method, parameters in told(method, parameters) }
    live.client.onAlarm = { [unowned self, unowned client = live.client] in
      isOver = true
      // `hear` below waits for a message, so this request's answer wakes it.
      _ = try? client.send("unsubscribe", Self.topics)
    }
    interrupts.serve(leaving: {}) { [ring = live.client.ring] _ in ring(0) }
    _ = try live.client.request("subscribe", Self.topics)
    menus = try? live.menus()
    while !isOver { try live.client.hear() }
    // Earlier notifications arrive before the answer to this request.
    _ = try? live.client.request("unsubscribe", Self.topics)
  }

  private static let topics: [(String, JSON)] = [
    ("to", .list([.text("outcomes"), .text("menus"), .text("panel")]))
  ]

  private func told(_ method: String, _ parameters: JSON) {
    switch method {
    case "outcome":
      guard let deed = parameters["do"] else { return }
      // A running deed is reported again when it ends.
      if parameters["status"]?.text == "running" {
        begun.append((deed, menus))
        before = nil
        return
      }
      before = begun.firstIndex { $0.deed == deed }.map { begun.remove(at: $0).before } ?? menus
      let named = ["do", "action", "eval", "focus", "trace", "job"]
      let effect = RecordingText.effect((parameters.members ?? []).filter { !named.contains($0.0) })
      all.append(.object([("do", deed)] + effect))
      noteChanges()
    case "menus", "panel":
      guard let known = menus, let changes = try? AnswerReader().changes(parameters["changes"]) else { return }
      menus = known.applying(changes)
      // The changes arrive after their outcome.
      noteChanges()
    default: break
    }
  }

  /// Adds the changes of the menus since the last deed to its step.
  private func noteChanges() {
    guard let before, let menus, let last = all.last?.members else { return }
    let changes = JSON.changes(Answer.Changes(from: before, to: menus).all, isWhole: true)
    all[all.count - 1] = .object(last.filter { $0.0 != "changes" } + [("changes", changes)])
  }
}
