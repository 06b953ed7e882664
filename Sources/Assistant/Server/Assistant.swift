import LiveHost
import ScriptHost

/// An *assistant's server* serves one client of the Model Context Protocol, and is itself a client of the live app.
package final class Assistant {
  let app: LiveClient
  let settings: AssistantSettings
  private let send: (String) -> Void
  let now: () -> Duration

  /// The era from `initialize`; nil before, and for clients without a session.
  private var session: Era?
  var table: ToolTable
  /// Whether the table has the app's tools since its last load.
  private var isTableKnown = false
  /// The structure of the list of tools that the client knows.
  private var listed = ""
  private var areToolsDirty = false
  private var nextTools = Duration.zero
  var subscriptions = Subscriptions()
  var sealed = SealedQuestions()
  var undo = OwnUndo()
  /// The calls whose action waits, by the number of its job.
  var running: [Int: Call] = [:]
  /// The calls of clients without a session whose job asks. If the job has ended, has the outcome.
  var parked: [Int: JSON?] = [:]
  /// The next question of a parked job, after another client answered the first.
  var askedNext: [Int: JSON] = [:]
  /// The calls with a question to the person of a client with a session, by the id of the question as JSON.
  var asked: [String: (call: Call, question: Question)] = [:]
  var lastQuestion = 0
  private var inbox: [Note] = []
  private var hasChanged = false
  /// Whether the app is gone, so that the server is useless.
  package private(set) var isOver = false {
    didSet { if isOver, !oldValue { answerAll() } }
  }

  /// A notification from the app. `isOwn` marks the outcome of the assistant's own deed.
  private struct Note {
    let method: String
    let parameters: JSON
    var isOwn = false
  }

  /// An unanswered call.
  struct Call {
    let request: Request
    let era: Era
    var deed: Deed
    var progress: Progress?
  }

  /// The shortest time between two notifications of changed tools.
  private static let pause = Duration.milliseconds(250)

  /// - Parameters:
  ///   - send: sends a message, without an end of line, to the client.
  ///   - now: the time, from any beginning.
  package init(
    _ app: LiveClient, _ settings: AssistantSettings, now: @escaping () -> Duration, send: @escaping (String) -> Void
  ) throws(Unanswered) {
    self.app = app
    self.settings = settings
    self.send = send
    self.now = now
    table = ToolTable(settings, isOpen: app.hello["app"]?["granted"]?.bool ?? false)
    app.onNotification = { [unowned self] in inbox.append(Note(method: $0, parameters: $1)) }
    try listen(to: ["outcomes", "app", "focus"])
  }

  /// The time at which `turn()` is due even without input; nil if there is none.
  package var deadline: Duration? {
    // The answer to a request may bring notifications, after which nothing wakes the loop.
    if !inbox.isEmpty { return .zero }
    let tools = areToolsDirty && subscriptions.wantTools ? nextTools : nil
    return [tools, sealed.expiry].compactMap { $0 }.min()
  }

  /// Handles a line from the client.
  package func take(_ line: some Collection<UInt8>) {
    var id = JSON.null
    do throws(RPCError) {
      switch try Incoming(line, id: &id) {
      case .request(let request): try answer(request)
      case .notification(let method, let parameters): try hear(method, parameters)
      case .answer(let key, let result):
        guard let (call, question) = asked.removeValue(forKey: key) else { break }
        // An error belongs to the waiting call, because an answer gets no answer.
        id = call.request.id
        try answered(call, question, result)
      }
    } catch { send(Outgoing.error(error, of: id)) }
    turn()
  }

  /// Answers a line that is too long.
  package func refuse(lineLongerThan most: Int) {
    send(Outgoing.error(RPCError(.parse, "this line has more than \(most) bytes"), of: .null))
  }

  private func answer(_ request: Request) throws(RPCError) {
    let era = try Era.said(in: request.parameters) ?? session ?? .unknown
    guard !isOpen(request.key) else { throw RPCError(.request, "the id \(request.key) is in use by a running request") }
    switch request.method {
    case "initialize": try begin(request)
    case "server/discover": discover(request, era)
    case "ping": reply(to: request, era, [])
    case "tools/list":
      try refresh()
      listed = table.structure
      reply(to: request, era, [("tools", .list(table.list))], isCached: true)
    case "tools/call": try call(request, era)
    case "resources/list": try listResources(request, era)
    case "resources/templates/list":
      reply(to: request, era, [("resourceTemplates", .list(Resource.templates))], isCached: true)
    case "resources/read": try read(request, era)
    case "resources/subscribe" where !era.isStateless: try subscribe(request, era)
    case "resources/unsubscribe" where !era.isStateless: try unsubscribe(request, era)
    case "subscriptions/listen" where era.isStateless: try listen(request)
    default: throw RPCError(.method, "there is no method '\(request.method)'")
    }
  }

  private func hear(_ method: String, _ parameters: JSON) throws(RPCError) {
    switch method {
    case "notifications/initialized" where session != nil:
      subscriptions.changeOwn { $0.tellsTools = true }
      try follow()
    case "notifications/cancelled":
      if let id = parameters["requestId"] { try cancel(JSONText.text(id)) }
    default: break
    }
  }

  // MARK: Identity

  private var serverInfo: JSON {
    .object([
      ("name", .text("menuctl")), ("title", .text(app.hello["app"]?["title"]?.text ?? "menuctl")),
      ("version", .text(settings.version)),
    ])
  }

  private static let capabilities = JSON.object([
    ("tools", .object([("listChanged", .bool(true))])),
    ("resources", .object([("subscribe", .bool(true)), ("listChanged", .bool(false))])),
  ])

  private static let instructions = """
    The menus of an app that runs, with a person at it. The tools are its actions. An action that can't be done says why, \
    and what is missing: do that first, then try again. What asks for confirmation asks the person. menuctl.undo takes back \
    what you did.
    """

  private func begin(_ request: Request) throws(RPCError) {
    let wanted = try request.text("protocolVersion")
    let revision = Era.withSession.first { $0 == wanted } ?? Era.withSession[0]
    let era = Era(revision: revision, canAsk: Era.canAsk(request.parameters["capabilities"]))
    session = era
    reply(
      to: request, era,
      [
        ("protocolVersion", .text(revision)), ("capabilities", Self.capabilities), ("serverInfo", serverInfo),
        ("instructions", .text(Self.instructions)),
      ])
  }

  private func discover(_ request: Request, _ era: Era) {
    reply(
      to: request, Era(revision: Era.stateless, canAsk: era.canAsk),
      [
        ("supportedVersions", .list(Era.supported.map { .text($0) })), ("capabilities", Self.capabilities),
        ("instructions", .text(Self.instructions)),
      ], isCached: true)
  }

  // MARK: Answers

  /// - Parameters:
  ///   - isComplete: false for an answer that asks for input first.
  ///   - isCached: whether the protocol requires the time for which the answer is valid.
  func reply(
    to request: Request, _ era: Era, _ members: [(String, JSON)], isComplete: Bool = true, isCached: Bool = false
  ) {
    var result = members
    if era.isStateless {
      result.insert(("resultType", .text(isComplete ? "complete" : "input_required")), at: 0)
      if isCached { result += [("ttlMs", .integer(0)), ("cacheScope", .text("private"))] }
      result.append(("_meta", .object([("\(Era.prefix)serverInfo", serverInfo)])))
    }
    send(Outgoing.result(of: request.id, .object(result)))
  }

  func notify(_ method: String, _ parameters: [(String, JSON)], of wish: Subscriptions.Wish? = nil) {
    let meta: [(String, JSON)] =
      wish?.id.map { [("_meta", .object([("\(Era.prefix)subscriptionId", $0)]))] } ?? []
    send(Outgoing.notification(method, parameters + meta))
  }

  func askClient(_ method: String, _ parameters: [(String, JSON)], id: String) {
    send(Outgoing.request(method, parameters, id: id))
  }

  // MARK: The app

  /// Sends a request to the app.
  func request(_ method: String, _ members: [(String, JSON)] = []) throws(Unanswered) -> JSON {
    do throws(Unanswered) { return try app.request(method, members) } catch {
      if error.isGone { isOver = true }
      throw error
    }
  }

  /// Sends a call's deed to the app. The last outcome before the answer is this deed's. If the client can ask the
  /// person, the deed may ask in the middle of its work.
  func perform(_ members: [(String, JSON)], for call: Call) throws(Unanswered) -> JSON {
    let begin = inbox.count
    // The host decides with its present menus, so an old table of tools lets nothing through.
    let manner: [(String, JSON)] =
      [("owned", .bool(true)), ("assistant", .bool(true))] + (call.era.canAsk ? [("answers", .bool(true))] : [])
      // The person's next undo names the deed if it can't be undone (U15).
      + (call.deed.called == OwnTool.undo.name ? [] : [("called", .text(call.deed.tool.title))])
    let outcome = try request("perform", members + manner)
    if let place = inbox[begin...].lastIndex(where: { $0.method == "outcome" }) { inbox[place].isOwn = true }
    return outcome
  }

  /// Requests the app's actions and menus.
  func refresh() throws(RPCError) {
    do {
      let reader = AnswerReader()
      let (actions, menus) = try app.requests(("actions", [("everywhere", .bool(true))]), ("menus", []))
      table.take(try reader.list(actions["actions"], of: ActionEntry.self), try reader.menus(menus["menus"]))
      isTableKnown = true
    } catch let error as Unanswered {
      isOver = isOver || error.isGone
      throw RPCError(error)
    } catch {
      throw RPCError(.inside, "the app's answer can't be read")
    }
  }

  /// Returns the tool that `find` finds, even if its action is newer than the client's list.
  func tool(_ find: (ToolTable) -> Tool?) throws(RPCError) -> Tool? {
    if isTableKnown, let tool = find(table) { return tool }
    try refresh()
    return find(table)
  }

  private func listen(to topics: [String]) throws(Unanswered) {
    _ = try request("subscribe", [("to", .list(topics.map { .text($0) }))])
  }

  /// Begins to follow the app's changes, for a client that subscribes to some.
  func follow() throws(RPCError) {
    do throws(Unanswered) { try listen(to: ["menus", "panel", "focus"]) } catch { throw RPCError(error) }
    if subscriptions.wantTools, listed.isEmpty {
      try refresh()
      listed = table.structure
    }
  }

  /// Handles the app's notifications.
  package func turn() {
    do throws(Unanswered) {
      for message in try app.received() {
        if let method = message["method"]?.text {
          inbox.append(Note(method: method, parameters: message["params"] ?? .null))
        }
      }
      // The handling may cause more notifications.
      var place = 0
      while place < inbox.count {
        try take(inbox[place], before: place + 1 < inbox.count ? inbox[place + 1] : nil)
        place += 1
      }
      inbox.removeAll()
      if hasChanged { try tellChanges() }
      for job in sealed.takeLost(at: now()) {
        (parked[job], askedNext[job]) = (nil, nil)
        _ = try? request("cancel", [("job", .integer(job))])
      }
    } catch { isOver = isOver || error.isGone }
  }

  private func take(_ note: Note, before next: Note?) throws(Unanswered) {
    switch note.method {
    case "job":
      guard let job = note.parameters["job"]?.integer else { return }
      try heard(ofJob: job, note.parameters)
    case "outcome":
      (hasChanged, areToolsDirty) = (true, true)
      // The app reports the end of its client's own job twice: by `outcome`, and by `job` right after it.
      let isEnd =
        next?.method == "job"
        && next?.parameters["job"]?.integer.map { running[$0] != nil || parked.keys.contains($0) } ?? false
      if !note.isOwn, !isEnd, note.parameters["undo"] != nil || note.parameters["via"]?.text == "native" { undo.lost() }
    case "app":
      // A reload begins new histories.
      if note.parameters["reloaded"]?.bool == true { undo.lost() }
      (hasChanged, areToolsDirty, isTableKnown) = (true, true, false)
    default: (hasChanged, areToolsDirty) = (true, true)
    }
  }

  private func tellChanges() throws(Unanswered) {
    for uri in subscriptions.uris.sorted() {
      guard let resource = Resource(uri: uri), let text = try text(of: resource, waits: false),
        subscriptions.differs(uri, text)
      else { continue }
      for wish in subscriptions.wishes where wish.uris.contains(uri) {
        notify("notifications/resources/updated", [("uri", .text(uri))], of: wish)
      }
    }
    hasChanged = false
    try tellTools()
  }

  private func tellTools() throws(Unanswered) {
    guard areToolsDirty, subscriptions.wantTools, now() >= nextTools else { return hasChanged = areToolsDirty }
    (areToolsDirty, hasChanged) = (false, false)
    nextTools = now() + Self.pause
    do throws(RPCError) { try refresh() } catch { return }
    if table.structure == listed { return }
    listed = table.structure
    for wish in subscriptions.wishes where wish.tellsTools { notify("notifications/tools/list_changed", [], of: wish) }
  }

  // MARK: Running requests

  /// Answers the calls that wait, because the app is gone.
  private func answerAll() {
    let calls = running.values.map(\.request) + asked.values.map(\.call.request)
    (running, asked) = ([:], [:])
    var met: Set<String> = []
    for request in calls.sorted(by: { $0.key < $1.key }) where met.insert(request.key).inserted {
      send(Outgoing.error(RPCError(.inside, "the app has ended"), of: request.id))
    }
  }

  private func isOpen(_ key: String) -> Bool {
    running.values.contains { $0.request.key == key } || asked.values.contains { $0.call.request.key == key }
      || subscriptions.wishes.contains { $0.id.map(JSONText.text) == key }
  }

  /// Cancels a request without an answer: takes back its job, drops its question, and ends its subscription.
  private func cancel(_ key: String) throws(RPCError) {
    if subscriptions.end(key) { return subscriptions.tidy() }
    if let (id, _) = asked.first(where: { $0.value.call.request.key == key }) {
      asked[id] = nil
      notify("notifications/cancelled", [("requestId", .written(id))])
    }
    sealed.cancel(key)
    guard let (job, _) = running.first(where: { $0.value.request.key == key }) else { return }
    running[job] = nil
    do throws(Unanswered) { _ = try request("cancel", [("job", .integer(job))]) } catch { throw RPCError(error) }
  }
}
