/// The *natives* of a program are its functions for scripts by their dotted names, its types, and its capabilities.
final class Natives: KnownTypes {
  private(set) var functions: [String: NativeFunction] = [:]
  private(set) var types: [ObjectIdentifier: NativeType] = [:]
  /// The words of consent questions for the program's capabilities, by name.
  private var sentences: [String: String] = [:]
  /// The native types of objects, cached by their Swift type.
  private var known: [ObjectIdentifier: [NativeType]] = [:]
  private var closed: [ObjectIdentifier: Closed] = [:]
  /// The number of closed objects at which released objects are forgotten.
  private var closedLimit = 64

  private struct Closed {
    weak var object: AnyObject?
  }

  // MARK: Functions

  /// Returns the tables of functions that contain a name, outermost first: `library`, `library.albums`.
  static func tables(of name: String) -> [String] {
    let parts = name.split(separator: ".")
    return (1..<max(1, parts.count)).map { parts[..<$0].joined(separator: ".") }
  }

  /// Adds a function, or replaces the function of that name. Throws if the name conflicts with a table or a function.
  func add(_ function: NativeFunction) throws(Misuse) {
    let name = function.name
    if functions.keys.contains(where: { $0.hasPrefix(name + ".") }) {
      throw Misuse(.nameTaken, "'\(name)' is a table of functions, so it can't be a function too")
    }
    if let taken = Self.tables(of: name).first(where: { functions[$0] != nil }) {
      throw Misuse(.nameTaken, "'\(taken)' is a function, so '\(name)' can't be registered")
    }
    functions[name]?.isRemoved = true
    functions[name] = function
  }

  /// Removes a function. Returns false if a later function has its name.
  func remove(_ function: NativeFunction) -> Bool {
    function.isRemoved = true
    guard functions[function.name] === function else { return false }
    functions[function.name] = nil
    return true
  }

  /// Returns the content of a table of functions: functions, and the paths of tables, by their names there.
  func content(of table: String) -> (functions: [String: NativeFunction], tables: [String: String]) {
    var (found, tables): ([String: NativeFunction], [String: String]) = ([:], [:])
    for (name, function) in functions where name.hasPrefix(table + ".") {
      let rest = name.dropFirst(table.utf8.count + 1)
      if let dot = rest.firstIndex(of: ".") {
        let inner = String(rest[..<dot])
        tables[inner] = "\(table).\(inner)"
      } else {
        found[String(rest)] = function
      }
    }
    return (found, tables)
  }

  /// The globals of scripts.
  var roots: Set<String> { Set(functions.keys.compactMap { $0.split(separator: ".").first.map(String.init) }) }

  // MARK: Types

  func add(_ type: NativeType) {
    types[ObjectIdentifier(type.type)] = type
    known = [:]
  }

  func remove(_ type: NativeType) {
    guard types[ObjectIdentifier(type.type)] === type else { return }
    types[ObjectIdentifier(type.type)] = nil
    known = [:]
  }

  /// Returns the types of a value, the most derived type first.
  func types(of native: Any) -> [NativeType] {
    let id = ObjectIdentifier(Swift.type(of: native))
    if let found = known[id] { return found }
    let found = types.values.filter { $0.includes(native) }.sorted { $1.isAbove($0.type) && !$0.isAbove($1.type) }
    known[id] = found
    return found
  }

  func isCoded(_ type: Any.Type) -> Bool {
    types[ObjectIdentifier(type)] == nil && (type is any Decodable.Type || type is any Encodable.Type)
  }

  func form(of type: Any.Type) -> NativeForm {
    let known = types[ObjectIdentifier(type)]
    return NativeForm(expected: known?.described ?? "\(type)".withArticle, annotation: known?.name ?? "any")
  }

  /// Returns the wrong value in words.
  func found(_ wrong: Mismatch) -> String { wrong.type.flatMap { types[$0]?.described } ?? wrong.found }

  // MARK: Closed objects

  /// Makes every later use of an object an error.
  func close(_ object: AnyObject) {
    if closed.count >= closedLimit {
      closed = closed.filter { $0.value.object != nil }
      closedLimit = max(64, 2 * closed.count)
    }
    closed[ObjectIdentifier(object)] = Closed(object: object)
  }

  func checkOpen(_ object: AnyObject) throws {
    guard !closed.isEmpty, let known = closed[ObjectIdentifier(object)], known.object === object else { return }
    throw ClosedObject(name: types(of: object).first?.name ?? "\(Swift.type(of: object))")
  }

  // MARK: Capabilities

  /// Declares a capability with the words of its consent question.
  func declare(_ name: String, _ sentence: String) -> Capability {
    sentences[name] = sentence
    return Capability(native: name, sentence)
  }

  /// Returns the capability of a name, declared or only needed by a function; nil if there is none.
  func capability(_ name: String) -> Capability? {
    if let sentence = sentences[name] { return Capability(native: name, sentence) }
    return needed.contains(name) ? Capability(native: name, "use '\(name)'") : nil
  }

  /// The names of all capabilities of the program.
  var capabilities: Set<String> { needed.union(sentences.keys) }

  private var needed: Set<String> {
    let methods = types.values.flatMap(\.methods.values)
    return Set((Array(functions.values) + methods).compactMap(\.needs))
  }
}

/// The error for a use of an object that the program has closed.
struct ClosedObject: Error, CustomStringConvertible {
  /// The name of its type.
  let name: String

  var description: String { "this \(name.lowercased()) is closed" }
}

// Annotations for editors, in the form of LuaCATS, of everything that the program registered.

extension Natives {
  /// The annotations of all types and functions, in the order of their names.
  var stubs: String {
    let types = types.values.sorted { $0.name.precedesByBytes($1.name) }.map(stub)
    let tables = Set(functions.keys.flatMap(Self.tables)).sorted { $0.precedesByBytes($1) }.map { "\($0) = {}" }
    let functions = functions.values.sorted { $0.name.precedesByBytes($1.name) }.map(stub)
    let parts = ["---@meta"] + types + (tables.isEmpty ? [] : [tables.joined(separator: "\n")]) + functions
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func stub(_ type: NativeType) -> String {
    var lines = said(type.about) + ["---@class \(type.name)" + (above(type).map { ": \($0)" } ?? "")]
    for property in type.properties.values.sorted(by: { $0.name.precedesByBytes($1.name) }) {
      let about = ([property.about] + [property.write == nil ? "Read-only." : nil]).compactMap(\.self)
      lines.append(
        "---@field \(property.name) \(property.form().annotation) \(about.joined(separator: " "))".trimmedBlanks)
    }
    lines.append("local \(type.name) = {}")
    let methods = type.methods.values.sorted { $0.name.precedesByBytes($1.name) }.map(stub)
    return ([lines.joined(separator: "\n")] + methods).joined(separator: "\n\n")
  }

  /// Returns the name of the closest supertype.
  private func above(_ type: NativeType) -> String? {
    let others = types.values.filter { $0 !== type && $0.isAbove(type.type) }
    return others.first { other in others.allSatisfy { $0 === other || $0.isAbove(other.type) } }?.name
  }

  private func stub(_ function: NativeFunction) -> String {
    var lines = said(function.about)
    if let needs = function.needs { lines.append("---It needs the capability '\(needs)'.") }
    for parameter in function.parameters {
      let form = parameter.form()
      let type = form.annotation.hasSuffix("?") ? String(form.annotation.dropLast()) : form.annotation
      lines.append("---@param \(parameter.name)\(form.isOptional ? "?" : "") \(type)")
    }
    let result = function.result().annotation
    if result != "nil" { lines.append("---@return \(result)") }
    if function.takesNames {
      let fields = function.parameters.map { "\($0.name): \($0.form().annotation)" }.joined(separator: ", ")
      let of = function.isMethod ? "self: \(function.name.prefix { $0 != ":" }), " : ""
      lines.append("---@overload fun(\(of)arguments: { \(fields) })" + (result == "nil" ? "" : ": \(result)"))
    }
    let parameters = function.parameters.map(\.name).joined(separator: ", ")
    return (lines + ["function \(function.name)(\(parameters)) end"]).joined(separator: "\n")
  }

  private func said(_ about: String?) -> [String] {
    (about ?? "").split(whereSeparator: \.isNewline).map { "---\($0)" }
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmedBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
