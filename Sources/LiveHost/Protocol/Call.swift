import ScriptHost

/// A *call* is what a client asks for: a request, or one that wants no answer.
struct Call {
  /// By what the answer is known; nil where none is wanted.
  let id: JSON?
  let method: String
  let parameters: JSON?

  /// Reads a line.
  init(_ line: ArraySlice<UInt8>) throws(CallError) {
    let json: JSON
    do throws(JSONError) { json = try JSONReader.read(line) } catch {
      throw CallError(.parse, "this is no JSON: \(error.message), at column \(error.column)")
    }
    if case .list = json { throw CallError(.request, "requests come one by one, each on a line of its own") }
    guard json.members != nil else { throw CallError(.request, "a request is an object") }
    let id = json["id"]
    switch id {
    case nil, .null?, .text?, .integer?, .number?: self.id = id
    default: throw CallError(.request, "'id' is a string or a number")
    }
    guard json["jsonrpc"]?.text == "2.0" else {
      throw CallError(.request, "a request has \"jsonrpc\": \"2.0\"", id: id)
    }
    guard let method = json["method"]?.text else {
      throw CallError(.request, "a request has a \"method\", which is a string", id: id)
    }
    self.method = method
    parameters = json["params"]
  }
}

/// Why a call is not done: one of JSON-RPC's own errors, and a sentence.
struct CallError: Error {
  enum Fault: Int {
    case parse = -32700
    case request = -32600
    case method = -32601
    case parameters = -32602
    /// Too many are connected.
    case busy = -32000
  }

  let code: Fault
  let message: String
  /// What the answer is known by, where it could be read.
  var id: JSON?

  init(_ code: Fault, _ message: String, id: JSON? = nil) {
    self.code = code
    self.message = message
    self.id = id
  }

  init(_ unanswered: Unanswered) { self.init(.parameters, unanswered.message) }
}

/// The lines of the protocol.
enum Message {
  static func result(_ members: [(String, JSON)], of id: JSON) -> [UInt8] {
    line([("id", id), ("result", .object(members))])
  }

  static func error(_ error: CallError, of id: JSON?) -> [UInt8] {
    let facts: [(String, JSON)] = [("code", .integer(error.code.rawValue)), ("message", .text(error.message))]
    return line([("id", id ?? .null), ("error", .object(facts))])
  }

  static func notification(_ method: String, _ members: [(String, JSON)]) -> [UInt8] {
    line([("method", .text(method)), ("params", .object(members))])
  }

  static func request(_ method: String, _ members: [(String, JSON)], id: Int) -> [UInt8] {
    line([("id", .integer(id)), ("method", .text(method)), ("params", .object(members))])
  }

  private static func line(_ members: [(String, JSON)]) -> [UInt8] {
    var bytes = Array(JSONText.text(.object([("jsonrpc", .text("2.0"))] + members)).utf8)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
