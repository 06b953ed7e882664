import Glibc
import ScriptHost

/// A *parameter* of a method: its name and its allowed values.
struct Parameter: Sendable {
  enum Kind: String {
    case text = "a string"
    case integer = "a whole number"
    case number = "a number"
    case bool = "true or false"
    case texts = "a list of strings"
    case object = "an object"
    case value = "a value"
  }

  let name: StaticString
  let kind: Kind
  let shape: Shape
  /// The only texts that it can be; empty if it can be any text.
  var words: [String] = []
  var isOptional = false

  fileprivate func admits(_ value: JSON) -> Bool {
    switch kind {
    case .text: value.text != nil
    case .integer: value.integer != nil
    case .number: value.double != nil
    case .bool: value.bool != nil
    case .texts: value.list?.allSatisfy { $0.text != nil } ?? false
    case .object: value.members != nil
    case .value: true
    }
  }
}

/// The *parameters* of a call, checked before the method runs. All are copied off the tape, because the method may run
/// the loop, which reads the next line into the same memory.
struct Parameters {
  /// The first parameter, usually alone. Name and value are separate, so that comparing names copies no value.
  private var firstName: StaticString = ""
  private var firstValue = JSON.null
  private var others: [Given] = []
  /// Makes the objects of the calling client; nil if it has no responders, and so no objects.
  var objects: ClientObjects?

  private struct Given {
    let name: StaticString
    let value: JSON
  }

  /// - Parameters:
  ///   - node: the node of the parameters on the tape.
  ///   - wanted, needed: all parameters of the method, and the required ones.
  init(
    _ tape: borrowing JSONTape, at node: Int?, in line: UnsafeBufferPointer<UInt8>, of method: StaticString,
    _ wanted: [Parameter], needing needed: [Parameter]
  ) throws(CallError) {
    if let node {
      guard case .object = tape.kind(of: node) else { throw CallError(.parameters, "'params' must be an object") }
      var name = node + 1
      let end = tape.next(node)
      while name < end {
        defer { name = tape.next(name + 1) }
        guard let parameter = wanted.first(where: { tape.isText($0.name, at: name, in: line) }) else {
          let name = tape.text(at: name, in: line)
          let near = nearest(to: name, among: wanted.map { "\($0.name)" }).first
          throw CallError(
            .parameters,
            "'\(method)' has no parameter '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        let value = JSON(tape, at: name + 1, in: line)
        guard parameter.admits(value) else {
          throw CallError(.parameters, "'\(parameter.name)' of '\(method)' is \(parameter.kind.rawValue)")
        }
        if let word = value.text, !parameter.words.isEmpty, !parameter.words.contains(where: word.hasSameBytes) {
          let near = nearest(to: word, among: parameter.words).first
          throw CallError(
            .parameters,
            "'\(parameter.name)' of '\(method)' is \(parameter.words.joined(separator: " or ")), not '\(word)'"
              + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        if firstName.utf8CodeUnitCount == 0 {
          (firstName, firstValue) = (parameter.name, value)
        } else {
          others.append(Given(name: parameter.name, value: value))
        }
      }
    }
    for parameter in needed where self[parameter.name] == nil {
      throw CallError(.parameters, "'\(method)' needs '\(parameter.name)', \(parameter.kind.rawValue)")
    }
  }

  // Inlined, because a method reads up to ten parameters, most of which are missing.
  @inline(__always)
  private subscript(name: StaticString) -> JSON? {
    if firstName.hasSameBytes(as: name) { return firstValue }
    return others.isEmpty ? nil : other(name)
  }

  private func other(_ name: StaticString) -> JSON? {
    others.first { $0.name.hasSameBytes(as: name) }?.value
  }

  func member(_ name: StaticString) -> JSON? { self[name] }
  @inline(__always) func text(_ name: StaticString) -> String? { self[name]?.text }
  func integer(_ name: StaticString) -> Int? { self[name]?.integer }
  func number(_ name: StaticString) -> Double? { self[name]?.double }
  @inline(__always) func bool(_ name: StaticString) -> Bool? { self[name]?.bool }
  @inline(__always) func isSet(_ name: StaticString) -> Bool { bool(name) ?? false }
  func texts(_ name: StaticString) -> [String] { (self[name]?.list ?? []).compactMap(\.text) }
  func value(_ name: StaticString) -> Value { self[name].map { Value($0, of: objects) } ?? .null }

  func arguments(_ name: StaticString) -> Arguments {
    guard let members = self[name]?.members else { return Arguments() }
    return Arguments(members.map { ($0.0, Value($0.1, of: objects)) })
  }

  /// Returns a required text, which is known to be present.
  func needed(_ name: StaticString) -> String { text(name) ?? "" }
}

extension StaticString {
  @inline(__always)
  fileprivate func hasSameBytes(as other: StaticString) -> Bool {
    utf8CodeUnitCount == other.utf8CodeUnitCount
      && (utf8Start == other.utf8Start || memcmp(utf8Start, other.utf8Start, utf8CodeUnitCount) == 0)
  }
}

extension Value {
  /// Makes a value from JSON.
  package init(_ json: JSON) { self.init(json, of: nil) }

  /// - Parameter objects: makes the objects of the sending client.
  init(_ json: JSON, of objects: ClientObjects?) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map { Value($0, of: objects) })
    case .object(let members):
      if let objects, let id = json.objectID {
        self = .opaque(objects.object(id))
      } else {
        self = .object(members.map { ($0.0, Value($0.1, of: objects)) })
      }
    case .element(let element, _): self = Value(.written(element.json))
    case .changes: self = Value(.written(JSONText.text(json)))
    case .written(let text): self = (try? JSONReader.read(text.utf8)).map(Value.init) ?? .null
    }
  }
}

/// The objects of a client that the host knows now: one for each number, so that scripts find them equal.
final class ClientObjects {
  private let client: Int
  private var known: [Int: Known] = [:]
  /// The number of entries at which unused objects are dropped.
  private var limit = 1024

  private struct Known {
    weak var object: ClientObject?
  }

  init(of client: Int) { self.client = client }

  func object(_ id: Int) -> ClientObject {
    if let object = known[id]?.object { return object }
    if known.count >= limit {
      known = known.filter { $0.value.object != nil }
      limit = max(1024, 2 * known.count)
    }
    let object = ClientObject(id, of: client)
    known[id] = Known(object: object)
    return object
  }
}

extension LuaTree {
  /// Returns the value as sent to a client, without the numbers of other clients' objects.
  func told(to client: Int) -> LuaTree {
    switch self {
    case .object(_, let owner) where owner != client: .opaque("object")
    case .list(let values): .list(values.map { $0.told(to: client) })
    case .map(let entries):
      .map(entries.map { LuaTree.Entry(told: $0.key.told(to: client), $0.value.told(to: client)) })
    default: self
    }
  }
}
