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
