import ScriptHost

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
    host.leave(part.owner)
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
