import ScriptHost

// Answers a client's line.

extension LiveHost {
  func answer(_ line: Inbox.Line, to client: Client) {
    asker = client
    defer { asker = nil }
    var id: JSON?
    do throws(CallError) {
      guard case .text(let bytes) = line else {
        throw CallError(.parse, "a line can have \(Connection.longestLine >> 20) MiB at most, and this one was dropped")
      }
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
      let call = try Call(bytes, tape, &id)
      guard let method = methods.find(at: call.method, on: tape, in: bytes) else {
        throw unknown(tape.text(at: call.method, in: bytes))
      }
      // A deed may take long, so the answers to other clients are sent before it begins.
      if method.isDeed {
        hasDone = true
        sendAll()
      }
      var given = try Parameters(
        tape, at: call.parameters, in: bytes, of: method.name, method.parameters, needing: method.needed)
      given.objects = client.part?.objects
      let reply = try method.run(self, client, given, id)
      if method.isDeed { isDirty = true }
      settle()
      if let id { answer(client, reply, to: id) }
    } catch {
      settle()
      // An unreadable line may be a request, so it gets an answer too. A notification gets none.
      if id != nil || error.code == .parse || error.code == .request { refuse(client, error, id) }
    }
    if isStopping { stop() }
  }

  /// Answers a request. If the reply is `.later`, the answer follows when the job ends.
  func answer(_ client: Client, _ reply: Method.Reply, to id: JSON) {
    if case .later = reply { return }
    defer { willSend(to: client) }
    if case .result(let members) = reply, let handover = client.handover {
      let revision = ("revision", JSON.integer(shown(to: client).revision))
      return client.answer(Message.result(of: id, members + [revision]), at: handover)
    }
    let line = line { json in
      Message.result(of: id, to: &json) { json in
        write(reply, to: &json)
        json.raw(json.last == UInt8(ascii: "{") ? "\"revision\": " : ", \"revision\": ")
        json.integer(shown(to: client).revision)
      }
    }
    guard line.count <= Connection.longestAnswer else {
      let most = Connection.longestAnswer >> 20
      return refuse(
        client,
        CallError(.tooLarge, "an answer can have \(most) MiB at most, and this one would have \(line.count >> 20)"),
        id)
    }
    client.answer(line)
    keep(line)
  }

  func refuse(_ client: Client, _ error: CallError, _ id: JSON?) {
    let line = line { Message.error(error, of: id, to: &$0) }
    client.answer(line)
    keep(line)
    willSend(to: client)
  }

  func write(_ reply: Method.Reply, to json: inout JSONWriter) {
    switch reply {
    case .result(let members): json.members(members)
    case .performed(let performed): json.members(answers.members(performed))
    case .later: break
    }
  }

  /// Returns a reply as JSON, for another message.
  func json(_ reply: Method.Reply) -> JSON {
    switch reply {
    case .result(let members): .object(members)
    case .performed(let performed): answers.json(.performed(performed))
    case .later: .null
    }
  }

  /// Writes a line into the memory of the line that `keep` got last.
  private func line(_ write: (inout JSONWriter) -> Void) -> JSONWriter {
    var json = writer.take() ?? JSONWriter(capacity: 1024)
    write(&json)
    return json
  }

  private func keep(_ line: consuming JSONWriter) {
    line.forget()
    if line.room <= 1 << 20 { writer = consume line }
  }

  /// Writes a line for several clients.
  func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var line = line(write)
    let bytes = line.take()
    keep(line)
    return bytes
  }

  private func unknown(_ method: String) -> CallError {
    if Method.all.names.contains(method) {
      return CallError(.method, "there is no method '\(method)': this app doesn't evaluate lines of Lua")
    }
    let near = nearest(to: method, among: methods.names).first.map { "; did you mean '\($0)'?" } ?? ""
    return CallError(.method, "there is no method '\(method)'\(near)")
  }
}

// Picks by number: a client that shows the menus in another program gives that program numbers, never texts of scripts.

extension LiveHost {
  enum Picked {
    case id(String)
    /// The answer to a pick by number from an older revision.
    case refused(Answer.Performed)
  }

  /// Returns the item that a client picks by id, or by number in the last snapshot. The numbers count the items of the
  /// menus, then the rows of the panel.
  func picked(_ given: Parameters, by client: Client) throws(CallError) -> Picked {
    let id = given.text("id")
    guard let number = given.integer("number") else {
      if given.integer("of") != nil { throw CallError(.parameters, "'of' of 'pick' needs a 'number'") }
      guard let id else { throw CallError(.parameters, "'pick' needs 'id', a string, or 'number', a whole number") }
      showContextMenu(of: client)
      return .id(id)
    }
    if id != nil { throw CallError(.parameters, "'pick' takes an 'id' or a 'number', not both") }
    let shown = shown(to: client)
    if shown.revision == 0 {
      throw CallError(.parameters, "no menus were sent yet to count items in: request 'menus' first")
    }
    if let of = given.integer("of") {
      // Only a new snapshot shows whether that revision is still current.
      draw(shown)
      if of != shown.revision { return .refused(refusal(of: number, since: of, until: shown.revision)) }
    }
    let items = shown.menus.items + (shown.menus.panel?.items ?? [])
    guard number > 0, number <= items.count else {
      throw CallError(.parameters, "there is no item \(number): the last menus that were sent have \(items.count)")
    }
    return .id(items[number - 1].id)
  }

  /// Opens a context menu, which is the client's last context menu until it opens another.
  func openContextMenu(_ menu: Client.ContextMenu, for client: Client) -> MenuElement? {
    client.contextMenu = menu
    contextMenuOwner = client
    hasContextMenus = true
    switch menu {
    case .ofRow(let id): return host.contextMenu(ofRow: id)
    case .of(let kind, let subject, let responder): return host.contextMenu(kind, subject: subject, from: responder)
    }
  }

  /// Makes a client's last context menu the host's, which remembers a single menu for all clients.
  func showContextMenu(of client: Client) {
    guard hasContextMenus, contextMenuOwner !== client else { return }
    // If the client never opened a context menu, the host's becomes an empty menu.
    _ = openContextMenu(client.contextMenu ?? .of("", .null, nil), for: client)
  }

  private func refusal(of number: Int, since of: Int, until revision: Int) -> Answer.Performed {
    let reason =
      "the menus have changed since revision \(of), so number \(number) may be another item: it is \(revision) now"
    return Answer.Performed(
      name: "\(number)", outcome: Outcome(.disabled, reason: reason), result: .nil)
  }
}

extension LiveHost {
  /// Returns rows of a pane, or of a panel without panes, counted from 1; the number of all, and the current row's id.
  func rows(of id: String, _ range: Range<Int>) throws(CallError) -> (rows: [MenuElement], all: Int, current: String?) {
    let view = MenuView(menus: [], panes: [id: range.lowerBound - 1..<range.upperBound - 1], texts: [])
    let panel = host.menus(in: view).panel
    if let panel, id == panel.id, panel.children.allSatisfy({ $0.area == nil }) {
      return (panel.children, host.panelRowCount, host.currentRow)
    }
    guard let pane = panel?.find(id), pane.kind == .pane, let area = pane.area else {
      throw CallError(.parameters, "there is no pane '\(id)'")
    }
    return (pane.children, area.rows, area.current)
  }
}

// Calls clients to perform the actions of their responders, and removes what a client added to the host.

extension LiveHost {
  /// Returns the part of a client. Makes it if needed.
  func part(of client: Client) -> ClientPart {
    if let part = client.part { return part }
    let owner = host.newClient(client.name.map { $0.visible.prefix(64) }.map(String.init))
    let part = ClientPart(owner, ClientObjects(of: host.number(of: owner)))
    client.part = part
    return part
  }

  /// Removes everything that a client added to the host, as when a plugin is removed.
  func removePart(of client: Client) {
    guard let part = client.part else { return }
    client.part = nil
    host.leave(part.owner, with: part.responders.values)
    isDirty = true
  }

  /// Sends a call to a client. Returns false if the client has too much to read.
  func send(
    _ call: ClientCall, _ request: Request, _ context: [(key: String, value: Value)], to client: Client
  ) -> Bool {
    guard let part = client.part else { return false }
    let number = host.number(of: part.owner)
    var left = Connection.longestLine
    func json(_ members: [(key: String, value: Value)]) -> JSON {
      .object(members.map { ($0.key, host.tree(of: $0.value, within: &left).told(to: number).json()) })
    }
    let members: [(String, JSON)] = [
      ("responder", .text(call.by)), ("action", .text(request.action)), ("args", json(request.arguments.members)),
      ("context", json(context)), ("sender", request.sender.json),
    ]
    let id = part.add(call)
    if send("do", [("call", .integer(id))] + members, to: client) { return true }
    _ = part.take(id)
    return false
  }

  /// Tells a client that the host no longer waits for its answer to a call.
  func sendCancel(of call: ClientCall, to client: Client) {
    guard let number = client.part?.take(call) else { return }
    _ = send("cancel", [("call", .integer(number))], to: client)
  }

  /// Tells a client what a person answered in the middle of its call.
  func sendAnswer(of question: PendingQuestion, to call: ClientCall, of client: Client) {
    guard let number = client.part?.number(of: call) else { return }
    var members: [(String, JSON)] = [("call", .integer(number))]
    switch question.said {
    case (.null, let reason): members += [("confirmed", .bool(false))] + (reason.map { [("reason", .text($0))] } ?? [])
    case (.object(let given), _):
      members += [("confirmed", .bool(true)), ("args", .object(given.map { ($0.key, JSON($0.value)) }))]
    default: members.append(("confirmed", .bool(true)))
    }
    _ = send("answered", members, to: client)
  }

  private func send(_ method: String, _ members: [(String, JSON)], to client: Client) -> Bool {
    if let handover = client.handover {
      client.answer(Message.notification(method, members), at: handover)
    } else {
      let line = written { json in Message.notification(method, to: &json) { $0.members(members) } }
      guard client.connection.waiting + line.count <= client.connection.room else { return false }
      client.connection.send(line)
    }
    willSend(to: client)
    return true
  }

  /// Continues the actions whose calls were answered. Their effects aren't the request of the current client.
  func goOnWithAnswered() {
    let asker = asker
    self.asker = nil
    defer { self.asker = asker }
    host.run()
  }
}

extension Sender {
  fileprivate var json: JSON {
    switch self {
    case .app: .text("app")
    case .responder(let name): .text(name)
    case .item(let id, let title, let action, let key):
      .object(
        [("id", .text(id)), ("title", .text(title)), ("action", .text(action))]
          + (key.map { [("key", .text($0))] } ?? []))
    }
  }
}
