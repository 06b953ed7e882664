/// A *method* is one thing that a client can ask for.
struct Method: Sendable {
  enum Reply {
    case result([(String, JSON)])
    /// It is answered when a job has ended.
    case later
  }

  let name: String
  let parameters: [Parameter]
  /// Whether it may do something, so that what changed is looked for afterwards.
  let isDeed: Bool
  let run: @Sendable (LiveHost, Client, Parameters, _ id: JSON?) throws(CallError) -> Reply

  /// One that only asks.
  static func asking(
    _ name: String, _ parameters: [Parameter] = [],
    _ run: @escaping @Sendable (LiveHost, Client, Parameters) throws(CallError) -> [(String, JSON)]
  ) -> Method {
    Method(name: name, parameters: parameters, isDeed: false) { live, client, given, _ throws(CallError) in
      .result(try run(live, client, given))
    }
  }

  /// One that does something, and has its answer at once.
  static func doing(
    _ name: String, _ parameters: [Parameter] = [],
    _ run: @escaping @Sendable (LiveHost, Client, Parameters) throws(CallError) -> [(String, JSON)]
  ) -> Method {
    Method(name: name, parameters: parameters, isDeed: true) { live, client, given, _ throws(CallError) in
      .result(try run(live, client, given))
    }
  }
}

extension Parameter {
  static func text(_ name: String) -> Parameter { Parameter(name: name, kind: .text) }
  static func texts(_ name: String) -> Parameter { Parameter(name: name, kind: .texts) }
  static func integer(_ name: String) -> Parameter { Parameter(name: name, kind: .integer) }
  static func bool(_ name: String) -> Parameter { Parameter(name: name, kind: .bool) }
  static func object(_ name: String) -> Parameter { Parameter(name: name, kind: .object) }
  static func value(_ name: String) -> Parameter { Parameter(name: name, kind: .value) }

  var orNone: Parameter { Parameter(name: name, kind: kind, isOptional: true) }
}
