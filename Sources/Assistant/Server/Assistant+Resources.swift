import Glibc
import LiveHost

// Resources: the menus, the panel, the context and the chain, and why an action is disabled.

extension Assistant {
  func read(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    guard let resource = Resource(uri: uri), let text = try found(uri) else { throw missing(uri, era) }
    let content = JSON.object([
      ("uri", .text(uri)), ("mimeType", .text(resource.mediaType)), ("text", .text(text)),
    ])
    reply(to: request, era, [("contents", .list([content]))], isCached: true)
  }

  private func found(_ uri: String) throws(RPCError) -> String? {
    guard let resource = Resource(uri: uri) else { return nil }
    do throws(Unanswered) { return try text(of: resource) } catch { throw RPCError(error) }
  }

  private func missing(_ uri: String, _ era: Era) -> RPCError {
    RPCError(era.isStateless ? .parameters : .resource, "there is no resource '\(uri)'")
  }

  /// Returns the current text of a resource; nil if the app doesn't have it.
  ///
  /// - Parameter waits: whether a text's function that runs has a while to end.
  func text(of resource: Resource, waits: Bool = true) throws(Unanswered) -> String? {
    let (method, members) = resource.request
    if case .why(let reference) = resource, Self.skipsValidation(reference) { return nil }
    if case .text = resource { return try lines(members, within: waits ? Self.patience : 0) }
    let json: JSON
    do throws(Unanswered) { json = try request(method, members) } catch {
      guard case .asking = error.kind else { throw error }
      return nil
    }
    // The revision counts snapshots, which is no news of their content.
    return JSONText.text(.object((json.members ?? []).filter { $0.0 != "revision" }))
  }

  /// The milliseconds that a text's function may run before its lines are read as they are.
  private static let patience = 2000
  /// The most lines of a text for a client.
  private static let mostLines = 20_000

  /// Returns the lines of a text; nil for an unknown text. A function that runs for the first time has a while to end.
  private func lines(_ members: [(String, JSON)], within patience: Int) throws(Unanswered) -> String? {
    do throws(Unanswered) {
      var waited = 0
      var part = try request("lines", members)
      while part["running"]?.bool == true, waited < patience {
        poll(nil, 0, 20)
        waited += 20
        part = try request("lines", members)
      }
      var lines: [String] = []
      while let more = part["lines"]?.list, !more.isEmpty, lines.count < Self.mostLines {
        lines += more.map { $0["text"]?.text ?? "" }
        part = try request("lines", members + [("from", .integer(lines.count + 1))])
      }
      let all = part["of"]?.integer ?? 0
      return (lines + (all > lines.count ? ["… \(all - lines.count) more"] : [])).joined(separator: "\n")
    } catch {
      guard case .asking = error.kind else { throw error }
      return nil
    }
  }

  /// Lists the current resources: those of every app, and the texts of this app.
  func listResources(_ request: Request, _ era: Era) throws(RPCError) {
    do {
      let panel = try AnswerReader().menus(self.request("panel")["panel"])
      reply(to: request, era, [("resources", .list(Resource.all + Resource.texts(in: panel)))], isCached: true)
    } catch let error as Unanswered { throw RPCError(error) } catch {
      throw RPCError(.inside, "the app's answer can't be read")
    }
  }

  func subscribe(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    guard let text = try found(uri) else { throw missing(uri, era) }
    guard subscriptions.uris.count < Subscriptions.most else {
      throw RPCError(.parameters, "a client subscribes to \(Subscriptions.most) resources at most")
    }
    subscriptions.changeOwn { wish in if !wish.uris.contains(uri) { wish.uris.append(uri) } }
    _ = subscriptions.differs(uri, text)
    try follow()
    reply(to: request, era, [])
  }

  func unsubscribe(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    subscriptions.changeOwn { wish in wish.uris.removeAll { $0 == uri } }
    subscriptions.tidy()
    reply(to: request, era, [])
  }

  /// Begins a subscription of a client without a session. The answer to the request is a stream of notifications.
  func listen(_ request: Request) throws(RPCError) {
    let wanted = request.parameters["notifications"]
    let uris = (wanted?["resourceSubscriptions"]?.list ?? []).compactMap(\.text)
    guard subscriptions.uris.count + uris.count <= Subscriptions.most, subscriptions.wishes.count < Subscriptions.most
    else { throw RPCError(.parameters, "a client subscribes to \(Subscriptions.most) resources at most") }
    var wish = Subscriptions.Wish(id: request.id)
    wish.tellsTools = wanted?["toolsListChanged"]?.bool ?? false
    for uri in uris where !wish.uris.contains(uri) {
      guard let text = try found(uri) else { continue }
      wish.uris.append(uri)
      _ = subscriptions.differs(uri, text)
    }
    subscriptions.add(wish)
    try follow()
    notify(
      "notifications/subscriptions/acknowledged",
      [
        (
          "notifications",
          .object([
            ("toolsListChanged", .bool(wish.tellsTools)),
            ("resourceSubscriptions", .list(wish.uris.map { .text($0) })),
          ])
        )
      ], of: wish)
  }
}
