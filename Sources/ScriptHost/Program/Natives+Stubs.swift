// Annotations for editors, in the form of LuaCATS, of all that the program registered.

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

  /// The name of the type from which a type inherits most.
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
