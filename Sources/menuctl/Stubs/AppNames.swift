import ScriptHost

/// The names in an app for the stubs: its actions, elements, responders and context keys.
struct AppNames {
  /// A name that scripts write as a string, with a description.
  struct Known {
    let name: String
    let says: String
  }

  /// A responder, with its class in the annotations.
  struct Node {
    let name: String
    let type: String
    let base: String
    let fields: [Field]
    /// The declared arguments of its actions.
    var takes: [Taking] = []
  }

  /// The arguments in the context of an action's functions, with the context's class in the annotations.
  struct Taking {
    let action: String
    let type: String
    let fields: [Field]
  }

  struct Field {
    let name: String
    let type: String
    var says = ""
  }

  let source: String
  let actions: [Known]
  let elements: [Known]
  let responders: [Node]
  let keys: [Field]
}

extension AppNames {
  init(of host: ScriptHost, source: String) {
    self.source = source
    actions = Self.actions(of: host)
    elements = Self.elements(of: host.menus())
    responders = Self.responders(of: host)
    keys = Self.keys(of: host)
  }

  /// Returns each action once, with the responders that handle it, without those that a `look` hides now.
  private static func actions(of host: ScriptHost) -> [Known] {
    let answered = host.answeredActions(by: 20)
    let shown = Set(host.shown(answered.map(\.action)))
    return answered.filter { shown.contains($0.action) }.map { known in
      let names = known.by.map(\.name).joined(separator: ", ")
      return Known(name: known.action, says: "answered by \(names)\(known.isMore ? " and others" : "")")
    }
  }

  private static func elements(of menu: MenuElement) -> [Known] {
    menu.children.flatMap { child -> [Known] in
      guard child.kind == .menu || child.kind == .item else { return [] }
      return [Known(name: child.id, says: child.action)] + elements(of: child)
    }
  }

  private static func responders(of host: ScriptHost) -> [Node] {
    var taken: Set<String> = []
    return host.responders.filter { $0.kind != .app }.map { responder in
      var type = "Responder.\(responder.name.typeName)"
      while !taken.insert(type).inserted { type += "_" }
      let fields = host.ownFields(of: responder).map { Field(name: $0.name.fieldName, type: $0.type) }
      return Node(
        name: responder.name, type: type, base: responder.kind == .window ? "Window" : "Responder", fields: fields,
        takes: host.takes(of: responder).map { Taking($0.action, $0.arguments, in: type) })
    }
  }

  /// Returns the context keys that providers declare, or supply now.
  private static func keys(of host: ScriptHost) -> [Field] {
    let now = (try? host.context()) ?? []
    let values = Dictionary(now.map { ($0.key, $0.value) }) { first, _ in first }
    var found = host.suppliedKeys.map { supplied in
      let value = values[supplied.key]
      return Field(
        name: supplied.key.fieldName, type: type(of: value, host), says: "from \(supplied.by.joined(separator: ", "))")
    }
    var names = Set(found.map(\.name))
    for entry in now where names.insert(entry.key.fieldName).inserted {
      found.append(Field(name: entry.key.fieldName, type: type(of: entry.value, host), says: "from \(entry.by)"))
    }
    return found
  }

  /// Returns the annotation of a value's type: optional, because the value may be nil later.
  private static func type(of value: Value?, _ host: ScriptHost) -> String {
    switch value.map(host.tree(of:)) {
    case nil, .nil?, .object?, .opaque?, .bytes?: "any"
    case .bool?: "boolean?"
    case .integer?: "integer?"
    case .number?: "number?"
    case .text?: "string?"
    case .list?, .map?: "table?"
    }
  }
}

extension AppNames {
  /// The names of the responders.
  var responderNames: [Known] { responders.map { Known(name: $0.name, says: "") } }

  /// The annotations: a class for each responder, and one for each of its handler tables, with a typed 'self'.
  var text: String {
    responders.map { node in
      let fields = node.fields.map { "---@field \($0.name) \($0.type)" }
      let tables = Stubs.handlers.map { "---@field \($0.field) \(node.type).\($0.field)" }
      let whole =
        [
          "---The \(node.base == "Window" ? "window" : "responder") \(node.name.luaText).",
          "---@class \(node.type): \(node.base)",
          "---@overload fun(fields: \(node.base)Fields): \(node.type)",
        ] + fields + tables
      let parts = Stubs.handlers.map { "---@class \(node.type).\($0.field): \(node.type)\n\($0.fields(node.takes))" }
      return ([whole.joined(separator: "\n")] + parts + node.takes.map(\.text)).joined(separator: "\n\n")
    }.joined(separator: "\n\n")
  }
}

extension AppNames.Taking {
  init(_ action: String, _ arguments: [AskedArgument], in responder: String) {
    self.action = action
    type = "\(responder).ctx.\(action.typeName)"
    fields = arguments.map { argument in
      AppNames.Field(
        name: argument.key.fieldName, type: Self.type(of: argument), says: argument.title ?? argument.expected)
    }
  }

  /// Returns the annotation of an argument's type: as declared, or nil if it is optional without a preset.
  private static func type(of argument: AskedArgument) -> String {
    var type =
      switch argument.kind {
      case .string, .file, .folder: "string"
      case .integer: "integer"
      case .number: "number"
      case .boolean: "boolean"
      case .any: "any"
      case .oneOf: choices(argument.choices ?? [])
      }
    if argument.isMany { type = type.contains("|") ? "(\(type))[]" : "\(type)[]" }
    return argument.isOptional && argument.preset == nil && type != "any" ? "\(type)|nil" : type
  }

  /// Returns the union of the choices; `any` if a choice is no text, or the choices are unknown now.
  private static func choices(_ choices: [AskedArgument.Choice]) -> String {
    let texts = choices.compactMap { choice in
      if case .text(let text) = choice.value, text.visible == text { text.luaText } else { nil }
    }
    return texts.isEmpty || texts.count < choices.count ? "any" : texts.joined(separator: "|")
  }

  fileprivate var text: String {
    let heading = ["---What a function of the action \(action.luaText) is given.", "---@class \(type): Context"]
    return (heading + fields.map { "---@field \($0.name) \($0.type) \($0.says.visible)" }).joined(separator: "\n")
  }
}

extension String {
  /// The text as a part of a class name in annotations, which has no blanks.
  fileprivate var typeName: String {
    String(visible.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" })
  }

  /// The text as the name of a field in annotations: in brackets if it is no Lua identifier.
  var fieldName: String {
    let isName =
      utf8.first.map { $0 < 0x30 || $0 > 0x39 } ?? false
      && utf8.allSatisfy {
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
    return isName ? self : "[\(luaText)]"
  }
}
