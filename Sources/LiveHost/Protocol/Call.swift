import ScriptHost

/// A *call* is a parsed line from a client: a request, or a notification, which gets no answer.
struct Call {
  /// The nodes on the tape of the method's name and of the parameters.
  let method: Int
  let parameters: Int?

  /// Parses a line.
  ///
  /// - Parameter answered: set to the request's id, even if the rest of the line is wrong; left nil for a notification.
  init(_ line: UnsafeBufferPointer<UInt8>, _ tape: borrowing JSONTape, _ answered: inout JSON?) throws(CallError) {
    do throws(JSONError) { try tape.read(line) } catch {
      throw CallError(.parse, "this is no JSON: \(error.message), at column \(error.column)")
    }
    switch tape.kind(of: 0) {
    case .object: break
    case .list: throw CallError(.request, "send requests one by one, each on its own line")
    default: throw CallError(.request, "a request must be an object")
    }
    var version, id, method, parameters: Int?
    // In the order in which nearly all clients write the members, since the search skips the members found already.
    var name = 1
    let end = tape.next(0)
    while name < end {
      defer { name = tape.next(name + 1) }
      if version == nil, tape.isText("jsonrpc", at: name, in: line) {
        version = name + 1
      } else if id == nil, tape.isText("id", at: name, in: line) {
        id = name + 1
      } else if method == nil, tape.isText("method", at: name, in: line) {
        method = name + 1
      } else if tape.isText("params", at: name, in: line) {
        parameters = name + 1
      }
    }
    if let id {
      switch tape.kind(of: id) {
      case .null, .text, .integer: answered = JSON(tape, at: id, in: line)
      // Kept as written, so that a client with longer numbers than ours recognizes its id.
      case .number: answered = .written(tape.written(at: id, in: line))
      case .yes, .no, .list, .object: throw CallError(.request, "'id' must be a string or a number")
      }
    }
    guard let version, tape.isText("2.0", at: version, in: line) else {
      throw CallError(.request, "a request needs \"jsonrpc\": \"2.0\"")
    }
    guard let method, case .text = tape.kind(of: method) else {
      throw CallError(.request, "a request needs a \"method\", a string")
    }
    self.method = method
    self.parameters = parameters
  }
}

/// The error of a call that fails: a code of JSON-RPC or of this protocol, and a sentence.
struct CallError: Error {
  enum Fault: Int, CaseIterable {
    case parse = -32700
    case request = -32600
    case method = -32601
    case parameters = -32602
    /// Too many clients are connected.
    case busy = -32000
    /// The answer exceeds the largest allowed size.
    case tooLarge = -32001
  }

  let code: Fault
  let message: String

  init(_ code: Fault, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ unanswered: Unanswered) { self.init(.parameters, unanswered.message) }
}

/// Writes the messages of the protocol as lines with their ends; for a face of this process, makes them as values.
enum Message {
  static func result(of id: JSON, _ members: [(String, JSON)]) -> JSON {
    .object([("id", id), ("result", .object(members))])
  }

  static func notification(_ method: String, _ members: [(String, JSON)]) -> JSON {
    .object([("method", .text(method)), ("params", .object(members))])
  }

  /// - Parameter members: writes the members of the result, after its '{'.
  static func result(of id: JSON, to json: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    json.raw("{\"jsonrpc\": \"2.0\", \"id\": ")
    json.value(id)
    json.raw(", \"result\": {")
    members(&json)
    json.raw("}}\n")
  }

  static func error(_ error: CallError, of id: JSON?, to json: inout JSONWriter) {
    json.raw("{\"jsonrpc\": \"2.0\", \"id\": ")
    json.value(id ?? .null)
    json.raw(", \"error\": {\"code\": ")
    json.integer(error.code.rawValue)
    json.raw(", \"message\": ")
    json.string(error.message)
    json.raw("}}\n")
  }

  static func notification(_ method: String, to json: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    json.raw("{\"jsonrpc\": \"2.0\", \"method\": ")
    json.string(method)
    json.raw(", \"params\": {")
    members(&json)
    json.raw("}}\n")
  }

  static func request(_ method: String, _ members: [(String, JSON)], id: Int, to json: inout JSONWriter) {
    json.raw("{\"jsonrpc\": \"2.0\", \"id\": ")
    json.integer(id)
    json.raw(", \"method\": ")
    json.string(method)
    json.raw(", \"params\": {")
    json.members(members)
    json.raw("}}\n")
  }

  /// Writes a line into new memory.
  static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    write(&json)
    return json.take()
  }
}

/// A topic of notifications, to which a client can subscribe.
enum Topic: String, CaseIterable {
  case menus, panel, outcomes, jobs, focus, log, diagnostics, app, events

  var bit: Int {
    switch self {
    case .menus: 1
    case .panel: 2
    case .outcomes: 4
    case .jobs: 8
    case .focus: 16
    case .log: 32
    case .diagnostics: 64
    case .app: 128
    case .events: 256
    }
  }

  /// Whether its notifications contain outcomes, data or texts about actions, which may contain secrets.
  var mayTellSecrets: Bool { [.outcomes, .jobs, .diagnostics, .events].contains(self) }

  /// The method name of its notifications.
  var notification: String {
    switch self {
    case .outcomes: "outcome"
    case .jobs: "job"
    case .diagnostics: "diagnostic"
    case .events: "event"
    default: rawValue
    }
  }
}
