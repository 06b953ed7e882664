import ScriptHost

// Notifications: each is sent once, to all clients in the same order, before the answer to the request that caused it.

extension LiveHost {
  /// Sends a notification to the subscribers of a topic, and to `asker`.
  func tell(_ topic: Topic, also asker: Client? = nil, _ members: () -> [(String, JSON)]) {
    guard isWanted(topic) || asker != nil else { return }
    let members = members()
    tell(topic, also: asker, members) { json in json.members(members) }
  }

  /// - Parameters:
  ///   - members: the members of the notification as values, if the caller has them.
  ///   - write: writes the members, after a '{'. It is called at most once for all clients.
  func tell(
    _ topic: Topic, also asker: Client? = nil, _ members: [(String, JSON)]? = nil, _ write: (inout JSONWriter) -> Void
  ) {
    guard isWanted(topic) || asker != nil else { return }
    guard topic.mayTellSecrets, !secrets.isEmpty else { return send(topic, also: asker, members, write) }
    let masked = withoutSecrets(inWords: topic != .outcomes && topic != .events, write)
    send(topic, also: asker, masked) { $0.members(masked) }
  }

  private func send(
    _ topic: Topic, also asker: Client?, _ members: [(String, JSON)]?, _ write: (inout JSONWriter) -> Void
  ) {
    send(topic, to: clients.filter { $0.wants(topic) || $0 === asker }, members, write)
  }

  func send(_ topic: Topic, to clients: [Client], _ members: [(String, JSON)]) {
    send(topic, to: clients, members) { $0.members(members) }
  }

  private func send(
    _ topic: Topic, to clients: [Client], _ members: [(String, JSON)]?, _ write: (inout JSONWriter) -> Void
  ) {
    var line: [UInt8] = []
    for client in clients {
      if let members, let handover = client.handover {
        client.tell(topic, Message.notification(topic.notification, members), at: handover)
      } else {
        if line.isEmpty { line = written { json in Message.notification(topic.notification, to: &json, write) } }
        client.tell(topic, line)
      }
      willSend(to: client)
    }
  }

  /// Returns the members that `write` writes, without secrets, since any client may have subscribed. In texts of jobs,
  /// which faces show, only the secret itself is replaced.
  private func withoutSecrets(inWords: Bool, _ write: (inout JSONWriter) -> Void) -> [(String, JSON)] {
    var json = JSONWriter()
    json.raw("{")
    write(&json)
    json.raw("}")
    return JSON.readMembers(json.text.utf8).told(without: secrets, inWords: inWords).members ?? []
  }

  /// Returns an answer for any client, with the secrets in its texts replaced.
  func withoutSecrets(_ answer: JSON) -> JSON {
    secrets.isEmpty ? answer : answer.told(without: secrets, inWords: true)
  }

  private func drawWhatIsShown() {
    isDirty = false
    // By index, since a client may leave meanwhile.
    for client in clients where client.wants(.menus) || client.wants(.panel) {
      let shown = shown(to: client)
      if shown.isStale { draw(shown) }
    }
  }

  func isWanted(_ topic: Topic) -> Bool { wanted & topic.bit != 0 }

  /// Puts a client on the list of those to which `sendAll` sends queued lines.
  func willSend(to client: Client) {
    if client.isToBeSent { return }
    client.isToBeSent = true
    unsent.append(client)
  }

  /// Sends the queued lines of every client.
  func sendAll() {
    if unsent.isEmpty { return }
    if unsent.count < 2 { return unsent.popLast()?.send() ?? () }
    // In the order of queueing: the requesting client gets its answer after all others got their notifications.
    for client in unsent { client.send() }
    unsent.removeAll(keepingCapacity: true)
  }

  /// Observes what scripts print and log, diagnostics, secrets and the current row.
  func listenToHost() {
    hearing = [
      host.printHearers.add { [life] line in
        life.object?.tell(.log) { [("level", .text("print")), ("text", .text(line))] }
      },
      host.logHearers.add { [life] entry in
        guard let all = life.object else { return }
        all.tell(.log) {
          [
            ("level", .text(entry.level.rawValue)), ("text", .text(entry.text)), ("owner", .text(entry.owner)),
          ] + all.answers.members(entry.place)
        }
      },
      host.diagnosticHearers.add { [life] diagnostic in
        guard let all = life.object else { return }
        all.tell(.diagnostics) { [("diagnostic", all.answers.json(diagnostic))] }
      },
      host.secretHearers.add { [life] value in life.object?.secrets.keep(value) },
      { [weak host = host] in
        host?.onQuit = nil
        host?.onWish = nil
        host?.onFormChanged = nil
        host?.onQuestion = nil
        host?.onEmitted = nil
      },
    ]
    host.onWish = { [life] wish in life.object?.pass(wish) ?? false }
    host.onQuit = { [life] in life.object?.quit() }
    host.onEmitted = { [life] name, data in
      guard let live = life.object else { return }
      var left = Connection.longestLine
      live.tell(.events) { [("event", .text(name)), ("data", live.host.tree(of: data, within: &left).json())] }
    }
    host.onFormChanged = { [life] in life.object?.tell(.app) { [("forms", .bool(true))] } }
    host.onQuestion = { [life] question in life.object?.hears(question) ?? false }
    // The host may outlive this live host.
    host.maskingTitle = { [life] title in life.object.map { title.without(all: $0.secrets) } ?? title }
    host.onChosen = { [life] id in life.object?.chosen = id }
  }

  /// The most bytes of a script's line that is sent along with an error in it.
  private static let longestLine = 4096

  /// Returns the writer of answers, which writes them whole so that a client can read them back.
  static func answers(of host: ScriptHost) -> AnswerJSON {
    var answers = AnswerJSON(whole: true)
    answers.coding.lineText = { [unowned host] place in
      host.line(at: place).flatMap { $0.utf8.count <= Self.longestLine ? $0 : nil }
    }
    return answers
  }

  /// Observes the host for the topics to which clients have subscribed, and for nothing else.
  func watchWhatIsWanted() {
    wanted = clients.reduce(0) { $0 | $1.bits }
    watch(.focus) {
      host.listen(.focus) { [life] event in
        guard case .focus(let new, let old) = event else { return }
        life.object?.tell(.focus) { [("new", .text(new.name)), ("old", .text(old.name))] }
      }
    }
    watch(.app) {
      host.listen(.phase) { [life] event in
        guard case .phase(let new, _) = event else { return }
        life.object?.tell(.app) { [("phase", .text(new.rawValue))] }
      }
    }
  }

  /// The loaded plugins, as answers and notifications list them.
  var pluginList: JSON {
    .list(
      host.plugins.map { plugin in
        .object(
          [
            ("name", .text(plugin.manifest.name)), ("version", .text("\(plugin.manifest.version)")),
            ("path", .text(plugin.path)),
          ] + (plugin.trouble.map { [("trouble", .text($0))] } ?? []))
      })
  }

  /// Takes the current plugins, keys and jobs as known before a client subscribes, so that it gets only later changes.
  func begin(_ topics: [Topic]) {
    if topics.contains(.app), !isWanted(.app) {
      (plugins, keyChanges, toldTitle) = (pluginList, host.keyChanges, host.text(ofAppField: "title"))
      keyConditions = host.keyConditions
    }
    guard topics.contains(.jobs) else { return }
    if !isWanted(.jobs) { followJobs() }
    awaitsFace = false
  }

  /// Notifies clients if the keys, the app's title or the plugins have changed, after a reload for example.
  private func tellPluginsAndKeys() {
    // Only a deed changes the answer of a condition.
    let conditions = isDirty ? host.keyConditions : keyConditions
    if host.keyChanges != keyChanges || conditions != keyConditions {
      (keyChanges, keyConditions) = (host.keyChanges, conditions)
      tell(.app) { [("keys", .bool(true))] }
    }
    // Only a deed changes the title.
    let title = isDirty ? host.text(ofAppField: "title") : toldTitle
    if title != toldTitle {
      toldTitle = title
      tell(.app) { [("title", title.map { .text($0) } ?? .null)] }
    }
    let now = pluginList
    if now == plugins { return }
    plugins = now
    tell(.app) { [("plugins", now)] }
  }

  private func watch(_ topic: Topic, _ listen: () -> Registration) {
    if isWanted(topic) {
      if registrations[topic] == nil { registrations[topic] = listen() }
    } else {
      registrations.removeValue(forKey: topic)?.remove()
    }
  }

  // MARK: Revisions

  /// Makes a snapshot of everything.
  @discardableResult
  func snapshot() -> MenuElement {
    draw(everything)
    return everything.menus
  }

  /// Returns the view of a client.
  func shown(to client: Client) -> Shown { client.shown ?? everything }

  /// Makes a snapshot of a view, and sends the changes to the subscribers that have this view.
  func draw(_ shown: Shown, tells: Bool = true) {
    let wanting = clients.filter { self.shown(to: $0) === shown && ($0.wants(.menus) || $0.wants(.panel)) }
    let changes = shown.draw(host, wantsChanges: tells && !wanting.isEmpty)
    if changes.isEmpty || wanting.isEmpty || !tells { return }
    tell(changes.menus, .menus, of: shown, to: wanting)
    // Both topics get every revision, even without changes, so that a client of either misses no number.
    // `panel` is sent only if there is a panel or was one before.
    if !changes.panel.isEmpty || shown.menus.panel != nil { tell(changes.panel, .panel, of: shown, to: wanting) }
  }

  private func tell(_ changes: [MenuChange], _ topic: Topic, of shown: Shown, to clients: [Client]) {
    let changes: [(String, JSON)] = [
      ("from", .integer(shown.revision - 1)), ("revision", .integer(shown.revision)),
      ("changes", answers.json(changes)),
    ]
    send(topic, to: clients.filter { $0.wants(topic) }, topic == .panel ? changes + shown.rows : changes)
  }

  /// Returns the members of an answer about the panel: its rows, and the current row if there is one.
  func panelMembers(of shown: Shown) -> [(String, JSON)] {
    [("panel", .list((shown.menus.panel?.children ?? []).map(answers.json)))] + shown.rows
      + (host.currentRow.map { currentMembers($0, of: shown) } ?? [])
  }

  /// Returns the current row's id, and its number if the view has only rows in sight. Empty if the row is gone.
  private func currentMembers(_ id: String, of shown: Shown) -> [(String, JSON)] {
    guard let number = host.panelRow(of: id) else { return [] }
    return [("current", .text(id))] + (shown.view.rows == nil ? [] : [("number", .integer(number + 1))])
  }

  /// Notifies clients of the panel's current row, after the changes that may have added the row.
  private func tellChosen(_ id: String) {
    chosen = nil
    for client in clients where client.wants(.panel) {
      let shown = shown(to: client)
      let members: [(String, JSON)] = [
        ("from", .integer(shown.revision)), ("revision", .integer(shown.revision)), ("changes", .list([])),
      ]
      send(.panel, to: [client], members + shown.rows + currentMembers(id, of: shown))
    }
  }

  /// Sends what the last step caused: ended jobs, changes of the menus, the current row, then the awaited answers (L8).
  func settle() {
    if followsQuestions { followJobs() }
    var answers: [(asker: Client, reply: Method.Reply, id: JSON)] = []
    while !ended.isEmpty { tellEnd(of: ended.removeFirst(), &answers) }
    if isWanted(.app) { tellPluginsAndKeys() }
    if isDirty, isWanted(.menus) || isWanted(.panel) { drawWhatIsShown() }
    if let id = chosen { tellChosen(id) }
    for (asker, reply, id) in answers { answer(asker, reply, to: id) }
  }
}
