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

/// An *era* describes a client's Model Context Protocol: the revision, and whether it can ask the person.
struct Era: Equatable {
  /// The revision, as a date.
  var revision: String
  /// Whether the client can show the person a form (an *elicitation*).
  var canAsk: Bool

  /// The revision without a session: each request names its client.
  static let stateless = "2026-07-28"
  /// The revisions that begin with `initialize`, newest first.
  static let withSession = ["2025-11-25", "2025-06-18"]
  static let supported = [stateless] + withSession

  /// The era of a client that has not introduced itself.
  static let unknown = Era(revision: withSession[0], canAsk: false)

  var isStateless: Bool { revision == Self.stateless }

  /// Reads the era from the `_meta` of a request; nil without a revision.
  static func said(in parameters: JSON) throws(RPCError) -> Era? {
    guard let meta = parameters["_meta"], let word = meta["\(prefix)protocolVersion"] else { return nil }
    guard let revision = word.text, revision == stateless else {
      let isKnown = word.text.map(withSession.contains) ?? false
      throw RPCError(
        .version,
        isKnown
          ? "in the revision \(JSONText.text(word)), a client begins with 'initialize'"
          : "this server doesn't speak the protocol's revision \(JSONText.text(word))",
        data: .object([("supported", .list(supported.map { .text($0) })), ("requested", word)]))
    }
    return Era(revision: revision, canAsk: canAsk(meta["\(prefix)clientCapabilities"]))
  }

  /// Returns true if a client with these capabilities can show a form; `{}` means forms, as in the older revisions.
  static func canAsk(_ capabilities: JSON?) -> Bool {
    guard let members = capabilities?["elicitation"]?.members else { return false }
    return members.isEmpty || members.contains { $0.0 == "form" }
  }

  /// The beginning of the protocol's names in `_meta`.
  static let prefix = "io.modelcontextprotocol/"
}

/// The *incoming lines* are the client's bytes, split into lines.
struct IncomingLines {
  enum Line: Equatable {
    case whole(ArraySlice<UInt8>)
    /// A line with too many bytes. It comes once, before the end of the line is known.
    case tooLong
  }

  /// The most bytes that a line may have.
  static let longest = 4 << 20

  private var bytes: [UInt8] = []
  private var searched = 0
  /// Whether to skip the rest of a too long line.
  private var skips = false

  /// Adds received bytes. Returns the lines that they complete, without blank lines.
  mutating func take(_ chunk: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    var start = 0
    bytes += chunk
    while let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[start..<end]
      (start, searched) = (end + 1, end + 1)
      if skips { skips = false } else if !Self.isBlank(line) { lines.append(.whole(line)) }
    }
    bytes.removeFirst(start)
    searched = bytes.count
    if bytes.count > Self.longest {
      if !skips { lines.append(.tooLong) }
      bytes.removeAll()
      (skips, searched) = (true, 0)
    }
    return lines
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}
