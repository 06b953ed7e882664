import ScriptHost

/// A *method* is one kind of request that a client can send.
final class Method: Sendable {
  enum Reply {
    case result([(String, JSON)])
    case performed(Answer.Performed)
    /// The host answers the request when its job ends.
    case later
  }

  typealias Body = @Sendable (LiveHost, Client, Parameters, _ id: JSON?) throws(CallError) -> Reply

  let name: StaticString
  let parameters: [Parameter]
  /// The required parameters.
  let needed: [Parameter]
  /// The shape of the result, without the revision that every result has.
  let returns: Shape
  /// Whether the method may change something, so that the host looks for changes afterwards.
  let isDeed: Bool
  let run: Body

  init(
    name: StaticString, parameters: [Parameter], returns: Shape = Shape.performed, isDeed: Bool, run: @escaping Body
  ) {
    self.name = name
    self.returns = returns
    self.parameters = parameters
    needed = parameters.filter { !$0.isOptional }
    self.isDeed = isDeed
    self.run = run
  }

  /// Makes a method that only reads.
  static func asking(
    _ name: StaticString, _ parameters: [Parameter] = [], returns: Shape,
    _ run: @escaping @Sendable (LiveHost, Client, Parameters) throws(CallError) -> [(String, JSON)]
  ) -> Method {
    Method(name: name, parameters: parameters, returns: returns, isDeed: false) {
      live, client, given, _ throws(CallError) in
      .result(try run(live, client, given))
    }
  }

  /// Makes a method that changes something and answers at once.
  static func doing(
    _ name: StaticString, _ parameters: [Parameter] = [], returns: Shape,
    _ run: @escaping @Sendable (LiveHost, Client, Parameters) throws(CallError) -> [(String, JSON)]
  ) -> Method {
    Method(name: name, parameters: parameters, returns: returns, isDeed: true) {
      live, client, given, _ throws(CallError) in
      .result(try run(live, client, given))
    }
  }
}

extension Parameter {
  static func text(_ name: StaticString, _ shape: Shape = "string") -> Parameter {
    let words = shape.notation.split(separator: "|").map(String.init)
    return Parameter(name: name, kind: .text, shape: shape, words: words.count > 1 ? words : [])
  }
  static func texts(_ name: StaticString, _ shape: Shape = "[string]") -> Parameter {
    Parameter(name: name, kind: .texts, shape: shape)
  }
  static func integer(_ name: StaticString) -> Parameter { Parameter(name: name, kind: .integer, shape: "integer") }
  static func number(_ name: StaticString) -> Parameter { Parameter(name: name, kind: .number, shape: "number") }
  static func bool(_ name: StaticString) -> Parameter { Parameter(name: name, kind: .bool, shape: "boolean") }
  static func object(_ name: StaticString, _ shape: Shape = "{*: any}") -> Parameter {
    Parameter(name: name, kind: .object, shape: shape)
  }
  static func value(_ name: StaticString, _ shape: Shape = "any") -> Parameter {
    Parameter(name: name, kind: .value, shape: shape)
  }

  var orNone: Parameter {
    var optional = self
    optional.isOptional = true
    return optional
  }
}

/// The methods of the protocol, looked up by name.
final class Methods: Sendable {
  /// Sorted by the length of their names, since few have the same length.
  private let all: [Method]
  /// The index in `all` of the first method of each length.
  private let starts: [Int]

  init(_ methods: [Method]) {
    let all = methods.sorted { $0.name.utf8CodeUnitCount < $1.name.utf8CodeUnitCount }
    self.all = all
    let longest = all.last?.name.utf8CodeUnitCount ?? 0
    starts = (0...longest + 1).map { length in all.firstIndex { $0.name.utf8CodeUnitCount >= length } ?? all.count }
  }

  /// Returns the method whose name is at a node of a tape.
  func find(at node: Int, on tape: JSONTape, in line: UnsafeBufferPointer<UInt8>) -> Method? {
    // A name that is written with escapes has no length yet, and is compared with all.
    let length = tape.length(of: node)
    let mayBe = length.map { $0 + 1 < starts.count ? starts[$0]..<starts[$0 + 1] : 0..<0 } ?? all.indices
    for index in mayBe where tape.isText(all[index].name, at: node, in: line) { return all[index] }
    return nil
  }

  /// In the order of their names.
  var inOrder: [Method] { all.sorted { "\($0.name)" < "\($1.name)" } }

  /// Their names, in order.
  var names: [String] { all.map { "\($0.name)" }.sorted() }
}

// The schema: the answers of the tool with `--json`, and the messages of the protocol in both directions.

/// A *definition* of the schema: a shape under a name.
package struct Definition {
  package let name: String
  package var about: String?
  package var shape: Shape

  package init(_ name: String, _ about: String? = nil, _ shape: Shape) {
    self.name = name
    self.about = about
    self.shape = shape
  }
}

extension Definition {
  /// The answers and their parts. Clients get more members than programs; those definitions are named `whole-…`.
  private static var coded: [any Coded.Type] {
    [
      Answer.Performed.self, Answer.Evaluated.self, Answer.Focused.self, Answer.Node.self, Answer.Action.self,
      Look.self,
      Answer.Validated.self, Explanation.Key.self, Trace.Step.self, Answer.Traced.self, ChainLink.self, KeyEntry.self,
      ActionEntry.self, AskedArgument.self, Outcome.Question.self, Diagnostic.self, Failure.self,
    ]
  }

  /// The definitions of the protocol's messages and of the parts of answers.
  package static var all: [Definition] {
    var all = coded.map { Definition($0.definition.name, $0.definition.about, ShapeMaker.shape(of: $0, whole: false)) }
    all += coded.map { type in
      Definition("whole-\(type.definition.name)", type.definition.about, ShapeMaker.shape(of: type, whole: true))
    }
    all += (MenuElement.partShapes + MenuElement.shapes).map { Definition($0.name, nil, $0.shape) }
    all += [
      Definition("status", nil, Shape(Outcome.Status.allCases.map(\.rawValue).joined(separator: "|"))),
      Definition(
        "value", #"A value of a script's; what JSON can't say is {"$": "function"} and the like."#,
        "null|boolean|number|string|[@value]|{*: @value}"),
      Definition("unsaid", "What stands where something secret is not told.", "{$: secret}"),
      Definition("progress", "How far a job is.", "{fraction: number, text?: string}"),
      Definition(
        "asked", "What an action asks a person in the middle of its work.",
        Shape.coded(Outcome.Question.self).with("number: integer, title?: string, help?: string")),
      Definition("loaded-plugin", nil, "{name: string, version: string, path: string, trouble?: string}"),
      Definition("deed", "One thing that was done.", Deed.shape),
      Definition("told-outcome", "What came of a deed, for everybody who listens.", told("")),
    ]
    all += Method.all.inOrder.flatMap(\.definitions) + Topic.allCases.map(\.definition)
    all += [
      Definition(
        "live-told-do", "The notification 'do' of a live app: a client is to do an action of its responder.",
        notice(
          "do",
          """
          {call: integer, responder: string, action: string, args: {*: @value}, context: {*: @value},
          sender: string|{id: string, title: string, action: string, key?: string}}
          """)),
      Definition(
        "live-told-cancel", "The notification 'cancel' of a live app: nobody waits for the answer to a call any more.",
        notice("cancel", "{call: integer}")),
      Definition(
        "live-told-answered", "The notification 'answered' of a live app: a person's answer to a client's question.",
        notice("answered", "{call: integer, confirmed: boolean, args?: {*: any}, reason?: string}")),
    ]
    all.append(
      Definition("live-told-resync", "The notification 'resync' of a live app.", notice("resync", "{to: [string]}")))
    let id = "string|integer|number|null"
    all.append(
      Definition(
        "live-any-answer", "An answer of a live app.", Shape("{jsonrpc: \"2.0\", id: \(id), result: {*: any}}")))
    let codes = CallError.Fault.allCases.map { "\($0.rawValue)" }.joined(separator: "|")
    all.append(
      Definition(
        "live-error", "What a live app answers to what can't be done as asked.",
        Shape("{jsonrpc: \"2.0\", id: \(id), error: {code: \(codes), message: string}}")))
    return all.withoutDoubles
  }

  static func notice(_ name: String, _ shape: Shape) -> Shape {
    Shape("{jsonrpc: \"2.0\", method: \(name), params: \(shape.notation)}")
  }

  /// Returns the shape of a deed's outcome for all subscribers: without secrets.
  fileprivate static func told(_ others: String) -> Shape {
    Shape(
      """
      {action?: string, title?: string, status?: @status, by?: string, via?: string, result?: any,
      reason?: string|@unsaid, elsewhere?: string, error?: {*: any}, argument?: string, expected?: string,
      asks?: @question, changes?: [@whole-change], undo?: string, trace?: [{*: any}], job?: integer, waits?: true,
      progress?: @progress, eval?: string, values?: [any], inspected?: [any], focus?: string, focused?: boolean\(others)}
      """)
  }
}

extension [Definition] {
  /// These definitions, without each `whole-…` that is the same as its other definition.
  fileprivate var withoutDoubles: [Definition] {
    var all = self
    while let double = all.firstIndex(where: { one in
      one.name.hasPrefix("whole-")
        && all.contains { $0.name == one.name.dropFirst(6) && $0.shape.notation == one.shape.notation }
    }) {
      let name = all.remove(at: double).name
      for index in all.indices { all[index].shape = all[index].shape.naming(name, String(name.dropFirst(6))) }
    }
    return all
  }
}

extension Shape {
  /// Returns the shape of a type's objects in the protocol.
  static func coded(_ type: any Coded.Type) -> Shape { ShapeMaker.shape(of: type, whole: true) }

  /// The outcome of a deed, or its running job.
  static var performed: Shape { coded(Answer.Performed.self).with("job?: integer, progress?: @progress") }

  /// The outcome of a line of Lua, or its running job.
  static var evaluated: Shape {
    "\(coded(Answer.Evaluated.self))|{eval: string, status: running, job: integer, progress?: @progress}"
  }

  /// Returns the shape with another name for a definition.
  fileprivate func naming(_ old: String, _ new: String) -> Shape {
    var parts = notation.components(of: "@\(old)")
    for index in parts.indices.dropFirst() {
      let isLonger = parts[index].first.map { $0.isLetter || $0 == "-" } ?? false
      parts[index] = "@\(isLonger ? old : new)" + parts[index]
    }
    return Shape(parts.joined())
  }
}

extension Shape: ExpressibleByStringInterpolation, CustomStringConvertible {
  package var description: String { notation }
}

extension String {
  /// Returns the parts around each place of a text.
  fileprivate func components(of separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension Method {
  fileprivate var definitions: [Definition] {
    let members = parameters.map { "\($0.name)\($0.isOptional ? "?" : ""): \($0.shape)" }.joined(separator: ", ")
    let params = parameters.contains { !$0.isOptional } ? "params" : "params?"
    let request: Shape =
      "{jsonrpc: \"2.0\", id?: string|integer|number|null, method: \(name), \(params): {\(members)}}"
    // Each of several shapes ends with the revision.
    let results = returns.notation.components(of: "}|{").joined(separator: ", revision: integer}|{")
    return [
      Definition("live-\(name)", "A request '\(name)' of the protocol of live apps.", request),
      Definition(
        "live-\(name)-result", "What 'result' of the answer to '\(name)' is.",
        Shape(results).with("revision: integer")),
    ]
  }
}

extension Topic {
  fileprivate var definition: Definition {
    Definition(
      "live-told-\(notification)", "The notification '\(notification)' of a live app.",
      Definition.notice(notification, tells))
  }

  /// The shape of the topic's notifications.
  private var tells: Shape {
    switch self {
    case .menus: "{from: integer, revision: integer, changes: [@whole-change]}"
    case .panel:
      """
      {from: integer, revision: integer, changes: [@whole-change], first?: integer, rows?: integer, current?: string,
      number?: integer}
      """
    case .outcomes: Definition.told(", do?: @deed, waited?: string")
    case .jobs:
      """
      {job: integer, action?: string, eval?: string, by?: string, timer?: true, start?: true, choice?: true, progress?: @progress,
      asks?: @asked|null, outcome?: @told-outcome}
      """
    case .focus: "{new: string, old: string}"
    case .log:
      """
      {level: print|debug|info|warn|error, text: string, owner?: string, file?: string, line?: integer,
      column?: integer}
      """
    case .diagnostics: "{diagnostic: @whole-diagnostic}"
    case .app:
      """
      {phase?: string, reloaded?: boolean, keys?: true, forms?: true, title?: string|null, stopping?: true, quit?: true,
      diagnostics?: [@whole-diagnostic], plugins?: [@loaded-plugin],
      open?: {palette: true}|{menu: string}|{form: string}}
      """
    case .events: "{event: string, data: @value}"
    }
  }
}

extension Deed {
  fileprivate static var shape: Shape {
    """
    {perform: string, from?: string, to?: string, args?: {*: any}, skip_validation?: boolean, confirmed?: boolean}
    |{press: string, args?: {*: any}, confirmed?: boolean}
    |{pick: string, modifiers?: [string], args?: {*: any}, confirmed?: boolean}
    |{choose: string, args?: {*: any}, confirmed?: boolean}|{mark: [string], pane?: string}
    |{filter: string, pane: string}|{select: string, from: integer, to: integer}|{focus: string}|{open: string}|{eval: string}
    """
  }
}
