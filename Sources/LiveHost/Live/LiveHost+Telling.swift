import ScriptHost

// What clients are told: each thing once, to all in one order, before the answer of whoever brought it about.

extension LiveHost {
  /// Tells those who want to know of a topic.
  func tell(_ topic: Topic, also asker: Client? = nil, _ members: () -> [(String, JSON)]) {
    guard isWanted(topic) || asker != nil else { return }
    let members = members()
    tell(topic, also: asker, members) { json in json.members(members) }
  }

  /// - Parameters:
  ///   - members: those of what is told, where they are not only written.
  ///   - write: writes them, behind a '{'. It is written once, whoever many are told.
  func tell(
    _ topic: Topic, also asker: Client? = nil, _ members: [(String, JSON)]? = nil, _ write: (inout JSONWriter) -> Void
  ) {
    guard isWanted(topic) || asker != nil else { return }
    guard topic.tellsOutcomes, !secrets.isEmpty else { return send(topic, also: asker, members, write) }
    let masked = withoutSecrets(inWords: topic == .jobs, write)
    send(topic, also: asker, masked) { $0.members(masked) }
  }

  private func send(
    _ topic: Topic, also asker: Client?, _ members: [(String, JSON)]?, _ write: (inout JSONWriter) -> Void
  ) {
    var line: [UInt8] = []
    for client in clients where client.wants(topic) || client === asker {
      if let members, let handover = client.handover {
        client.tell(topic, Message.notification(topic.notification, members), at: handover)
      } else {
        if line.isEmpty { line = written { json in Message.notification(topic.notification, to: &json, write) } }
        client.tell(topic, line)
      }
      willSend(to: client)
    }
  }

  /// What is told without what has something secret in it: whoever listens may be anybody. Of jobs faces read the texts.
  private func withoutSecrets(inWords: Bool, _ write: (inout JSONWriter) -> Void) -> [(String, JSON)] {
    var json = JSONWriter()
    json.raw("{")
    write(&json)
    json.raw("}")
    return JSON.readMembers(json.text.utf8).told(without: secrets, inWords: inWords).members ?? []
  }

  func isWanted(_ topic: Topic) -> Bool { wanted & topic.bit != 0 }

  /// There is something for a client: it is sent when what goes on is over.
  func willSend(to client: Client) {
    if client.isToBeSent { return }
    client.isToBeSent = true
    unsent.append(client)
  }

  /// Sends what there is for anybody.
  func sendAll() {
    if unsent.isEmpty { return }
    if unsent.count < 2 { return unsent.popLast()?.send() ?? () }
    // In this order: who asked has the answer when everybody else was told.
    for client in unsent { client.send() }
    unsent.removeAll(keepingCapacity: true)
  }

  /// From when it is made: what scripts print and log, and what is wrong.
  func listenToHost() {
    let (printed, logged, reported) = (host.onPrint, host.onLog, host.onDiagnostic)
    // The host may outlive who makes it live.
    host.onPrint = { [life] line in
      printed?(line)
      life.object?.tell(.log) { [("level", .text("print")), ("text", .text(line))] }
    }
    host.onLog = { [life] entry in
      logged?(entry)
      guard let all = life.object else { return }
      all.tell(.log) {
        [
          ("level", .text(entry.level.rawValue)), ("text", .text(entry.text)), ("owner", .text(entry.owner)),
        ] + all.answers.members(entry.place)
      }
    }
    host.onDiagnostic = { [life] diagnostic in
      reported?(diagnostic)
      guard let all = life.object else { return }
      all.tell(.diagnostics) { [("diagnostic", all.answers.json(diagnostic))] }
    }
    let keptSecret = host.onSecret
    host.onSecret = { [life] value in
      keptSecret?(value)
      life.object?.secrets.keep(value)
    }
    host.onChosen = { [life] id in life.object?.chosen = id }
  }

  /// What a line of a script may have that is shown with what is wrong in it.
  private static let longestLine = 4096

  /// How answers are written: so that they can be read again.
  static func answers(of host: ScriptHost) -> AnswerJSON {
    var answers = AnswerJSON(whole: true)
    answers.lineText = { [unowned host] place in
      host.line(at: place).flatMap { $0.utf8.count <= Self.longestLine ? $0 : nil }
    }
    return answers
  }

  /// Listens to the host for what somebody wants to be told, and for nothing else.
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

  /// The plugins that are loaded, as they are answered and told.
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

  /// Somebody is about to be told of topics: what is as it was before is told nobody.
  func begin(_ topics: [Topic]) {
    if topics.contains(.app), !isWanted(.app) { (plugins, keyChanges) = (pluginList, host.keyChanges) }
    if topics.contains(.jobs), !isWanted(.jobs) { followJobs() }
  }

  /// Tells of the plugins where they are others than before, since one was loaded anew or set aside, and that other keys are bound.
  private func tellPluginsAndKeys() {
    if host.keyChanges != keyChanges {
      keyChanges = host.keyChanges
      tell(.app) { [("keys", .bool(true))] }
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

  /// Makes a snapshot; where it is another than the last, the revision rises, and those who want to are told how it differs.
  @discardableResult
  func snapshot() -> MenuElement {
    let (before, now) = (drawn, host.menus())
    isDirty = false
    drawn = now
    guard isWanted(.menus) || isWanted(.panel) else {
      // How they differ nobody wants to know.
      if before.withPanel != now.withPanel { revision += 1 }
      return now
    }
    let changes = MenuChanges(from: before.withoutPanel, to: now.withoutPanel).all
    let panel = MenuChanges(from: before.panel ?? .emptyPanel, to: now.panel ?? .emptyPanel).all
    if changes.isEmpty, panel.isEmpty { return now }
    revision += 1
    tell(changes, .menus)
    tell(panel, .panel)
    return now
  }

  /// Both are told of each revision, so that whoever hears of one knows what it begins from.
  private func tell(_ changes: [MenuChange], _ topic: Topic) {
    if changes.isEmpty, topic == .panel, drawn.panel == nil { return }
    tell(topic) {
      [("from", .integer(revision - 1)), ("revision", .integer(revision)), ("changes", answers.json(changes))]
    }
  }

  /// The row that a script has made the current one is told behind the changes that may have brought it.
  private func tellChosen(_ id: String) {
    chosen = nil
    tell(.panel) {
      [("from", .integer(revision)), ("revision", .integer(revision)), ("changes", .list([])), ("current", .text(id))]
    }
  }

  /// What a request or a turn has brought about is told: jobs that ended, then what changed in the menus.
  func settle() {
    if isWanted(.jobs) { followJobs() }
    while !ended.isEmpty { tellEnd(of: ended.removeFirst()) }
    if isWanted(.app) { tellPluginsAndKeys() }
    if isDirty, isWanted(.menus) || isWanted(.panel) { snapshot() }
    if let id = chosen { tellChosen(id) }
  }
}
