import ScriptHost

// A line of a client's, and the answer to it.

extension LiveHost {
  func answer(_ line: Connection.Line, to client: Client) {
    var id: JSON?
    do throws(CallError) {
      guard case .text(let bytes) = line else {
        throw CallError(.parse, "a line has \(Connection.longestLine >> 20) MiB at most, and this one was dropped")
      }
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
      let call = try Call(bytes)
      id = call.id
      guard let method = methods[call.method] else { throw unknown(call.method) }
      let given = try Parameters(call.parameters, of: method.name, method.parameters)
      let reply = try method.run(self, client, given, id)
      if method.isDeed { isDirty = true }
      settle()
      if let id, case .result(let members) = reply {
        client.answer(Message.result(members + [("revision", .integer(revision))], of: id))
      }
    } catch {
      settle()
      // What can't be read may have been a request; one that wants no answer gets none.
      if id != nil || error.code == .parse || error.code == .request {
        client.answer(Message.error(error, of: id ?? error.id))
      }
    }
    if isStopping { stop() }
  }

  private func unknown(_ method: String) -> CallError {
    let near = nearest(to: method, among: methods.keys.sorted()).first.map { "; did you mean '\($0)'?" } ?? ""
    return CallError(.method, "there is no method '\(method)'\(near)")
  }

  /// The methods that clients may ask for.
  var methods: [String: Method] { evaluates ? Method.all : Method.allButLines }
}
