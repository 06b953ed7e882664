import LiveHost
import ScriptHost

/// An *incoming message* is one line from a client.
enum Incoming {
  case request(Request)
  case notification(method: String, parameters: JSON)
  /// The client's answer to a question of the server; the result is nil for an error.
  case answer(id: String, result: JSON?)
}

/// A request from the client.
struct Request {
  let id: JSON
  let method: String
  let parameters: JSON

  /// The id as text, with which the server finds the request again.
  var key: String { JSONText.text(id) }

  /// Returns a member of the parameters that must be a string.
  func text(_ name: String) throws(RPCError) -> String {
    guard let text = parameters[name]?.text else {
      throw RPCError(.parameters, "'\(method)' needs '\(name)', a string")
    }
    return text
  }
}

/// An error in the form of JSON-RPC.
struct RPCError: Error {
  enum Code: Int {
    case parse = -32700
    case request = -32600
    case method = -32601
    case parameters = -32602
    case inside = -32603
    /// No resource has this URI, in the revisions with a session.
    case resource = -32002
    /// The protocol's revision is unknown.
    case version = -32022
  }

  let code: Code
  let message: String
  var data: JSON?

  init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  init(_ unanswered: Unanswered) {
    if case .asking = unanswered.kind {
      self.init(.parameters, unanswered.message)
    } else {
      self.init(.inside, unanswered.message)
    }
  }
}

extension Incoming {
  /// Parses a line.
  ///
  /// - Parameter id: set to the request's id as soon as it is known, so that an error can name it.
  init(_ line: some Collection<UInt8>, id: inout JSON) throws(RPCError) {
    let json: JSON
    do throws(JSONError) { json = try JSONReader.read(line) } catch {
      throw RPCError(.parse, "this is no JSON: \(error.message), at column \(error.column)")
    }
    if json.list != nil { throw RPCError(.request, "send messages one by one, each on its own line") }
    guard json.members != nil else { throw RPCError(.request, "a message must be an object") }
    let given = json["id"]
    switch given {
    case .text, .integer: id = given ?? .null
    case nil: break
    default: throw RPCError(.request, "'id' must be a string or an integer")
    }
    guard json["jsonrpc"]?.text == "2.0" else { throw RPCError(.request, "a message needs \"jsonrpc\": \"2.0\"") }
    if json["method"] == nil, given != nil, json["result"] != nil || json["error"] != nil {
      self = .answer(id: JSONText.text(id), result: json["result"])
      return
    }
    guard let method = json["method"]?.text else {
      throw RPCError(.request, "a request needs a \"method\", a string")
    }
    let parameters = json["params"] ?? .object([])
    guard parameters.members != nil else { throw RPCError(.parameters, "'params' must be an object") }
    if given == nil {
      self = .notification(method: method, parameters: parameters)
    } else {
      self = .request(Request(id: id, method: method, parameters: parameters))
    }
  }
}

/// Writes the server's messages, each without the end of its line.
enum Outgoing {
  static func result(of id: JSON, _ result: JSON) -> String { text([("id", id), ("result", result)]) }

  static func error(_ error: RPCError, of id: JSON) -> String {
    let data: [(String, JSON)] = error.data.map { [("data", $0)] } ?? []
    return text([
      ("id", id),
      ("error", .object([("code", .integer(error.code.rawValue)), ("message", .text(error.message))] + data)),
    ])
  }

  static func notification(_ method: String, _ parameters: [(String, JSON)] = []) -> String {
    text([("method", .text(method))] + (parameters.isEmpty ? [] : [("params", .object(parameters))]))
  }

  static func request(_ method: String, _ parameters: [(String, JSON)], id: String) -> String {
    text([("id", .text(id)), ("method", .text(method)), ("params", .object(parameters))])
  }

  private static func text(_ members: [(String, JSON)]) -> String {
    JSONText.text(.object([("jsonrpc", .text("2.0"))] + members))
  }
}
