import ScriptHost

/// A *parameter* of a method: what it is called, and what it may be.
struct Parameter: Sendable {
  enum Kind: String {
    case text = "a string"
    case integer = "a whole number"
    case bool = "true or false"
    case texts = "a list of strings"
    case object = "an object"
    case value = "a value"
  }

  let name: String
  let kind: Kind
  var isOptional = false

  fileprivate func admits(_ value: JSON) -> Bool {
    switch kind {
    case .text: value.text != nil
    case .integer: value.integer != nil
    case .bool: value.bool != nil
    case .texts: value.list?.allSatisfy { $0.text != nil } ?? false
    case .object: value.members != nil
    case .value: true
    }
  }
}

/// What was given with a call, looked at before anything is done.
struct Parameters {
  private let given: JSON

  init(_ given: JSON?, of method: String, _ known: [Parameter]) throws(CallError) {
    let given = given ?? .object([])
    guard let members = given.members else { throw CallError(.parameters, "'params' is an object") }
    for (name, value) in members {
      guard let parameter = known.first(where: { $0.name == name }) else {
        let near = nearest(to: name, among: known.map(\.name)).first.map { "; did you mean '\($0)'?" } ?? ""
        throw CallError(.parameters, "'\(method)' has no parameter '\(name)'\(near)")
      }
      guard parameter.admits(value) else {
        throw CallError(.parameters, "'\(name)' of '\(method)' is \(parameter.kind.rawValue)")
      }
    }
    for parameter in known where !parameter.isOptional && given[parameter.name] == nil {
      throw CallError(.parameters, "'\(method)' needs '\(parameter.name)', \(parameter.kind.rawValue)")
    }
    self.given = given
  }

  func member(_ name: String) -> JSON? { given[name] }
  func text(_ name: String) -> String? { given[name]?.text }
  func integer(_ name: String) -> Int? { given[name]?.integer }
  func bool(_ name: String) -> Bool? { given[name]?.bool }
  func isSet(_ name: String) -> Bool { given[name]?.bool ?? false }
  func texts(_ name: String) -> [String] { (given[name]?.list ?? []).compactMap(\.text) }
  func value(_ name: String) -> Value { given[name].map(Value.init) ?? .null }

  func arguments(_ name: String) -> Arguments {
    Arguments((given[name]?.members ?? []).map { ($0.0, Value($0.1)) })
  }

  /// What is needed stands there, as the method's table says.
  func needed(_ name: String) -> String { text(name) ?? "" }
}

extension Value {
  /// A value as JSON has it.
  package init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map(Value.init))
    case .object(let members): self = .object(members.map { ($0.0, Value($0.1)) })
    case .element(let element, _): self = (try? JSONReader.read(element.json.utf8)).map(Value.init) ?? .null
    }
  }
}
