import LiveHost
import ScriptHost

/// *Stubs* are LuaCATS annotations for editors: of the script language, and of an app's names.
struct Stubs {
  /// The names of an app; nil for the language alone.
  var app: AppNames?

  var text: String {
    var parts = [header, aliases]
    parts += LanguageReference.groups.compactMap(groupText)
    parts += [assignable, tables, elements]
    if let app { parts.append(app.text) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var header: String {
    let of = app.map { ", and of \($0.source.visible)" } ?? ""
    return """
      ---@meta
      -- The language of menuctl \(Verb.versionNumber)\(of): what editors complete and check. 'menuctl stubs' writes it anew.
      """
  }

  private var aliases: String {
    let events = LanguageReference.group("listen").entries.map { "\"\($0.name)\"" }.joined(separator: "|")
    return """
      \(alias("Reference", "An action and its arguments: export(format: jpeg).", app?.actions ?? []))

      \(alias("ElementID", "The id of a menu or an item: its own, or its path of titles.", app?.elements ?? []))

      \(alias("ResponderName", "The name of a responder or a window.", app?.responderNames ?? []))

      ---What can be listened for.
      ---@alias HostEvent \(events)

      ---What a text means, or how a program printed it: "quiet", "bold red", "on-#202030".
      ---@alias Style string
      \(TextStyle.Meaning.allCases.map { "---| \"\($0.rawValue)\"" }.joined(separator: "\n"))

      ---A text that may have styles: a list joins its parts.
      ---@alias Text string|Span|Text[]
      """
  }

  private func alias(_ name: String, _ says: String, _ known: [AppNames.Known]) -> String {
    let lines = known.map { "---| \($0.name.luaText)" + ($0.says.isEmpty ? "" : " # \($0.says.visible)") }
    return (["---\(says)", "---@alias \(name) string"] + lines).joined(separator: "\n")
  }
}

// MARK: Groups

extension Stubs {
  private func groupText(_ group: LanguageGroup) -> String? {
    switch group.receiver {
    case .object: classText(group)
    case .library(let name) where name == "listen": nil
    case .library(let name):
      (["---\(group.says)", "\(name) = {}"] + group.entries.map { "\n" + function($0, "\(name).\($0.name)") })
        .joined(separator: "\n")
    case .none: globals(group)
    }
  }

  private func classText(_ group: LanguageGroup) -> String {
    guard let type = group.type else { return "" }
    var lines = ["---\(group.says)", "---@class \(type)" + (group.base.map { ": \($0)" } ?? "")]
    for entry in group.entries where !entry.isCall { lines.append(field(entry, of: type)) }
    // These fields are optional in a class's table, but the class itself always has them.
    if type == "Class" { lines += Self.handlers.map { "---@field \($0.field) \($0.type)" } + Self.given }
    lines += Self.calling[type] ?? []
    if Self.extensible.contains(type) { lines.append("---@field [string] any Fields of the script's own.") }
    if type == "Context" { lines += (app?.keys ?? []).map { "---@field \($0.name) \($0.type) \($0.says.visible)" } }
    let calls = group.entries.filter(\.isCall)
    if !calls.isEmpty {
      lines.append("local \(type) = {}")
      lines += calls.map { "\n" + overloads(of: $0, type) + function($0, "\(type):\($0.name)") }
    }
    return lines.joined(separator: "\n")
  }

  /// The types to which scripts may add fields.
  private static let extensible: Set<String> = ["Responder", "Context", "ClassFields"]

  /// The types that scripts call with a table after a name. They are overloads, because editors don't complete the
  /// table's fields for a call operator.
  private static let calling: [String: [String]] = [
    "Responder": ["---@overload fun(fields: ResponderFields): Responder"],
    "Window": ["---@overload fun(fields: WindowFields): Window"],
    "Class": ["---@overload fun(fields: ClassFields): Class"],
  ]

  private func field(_ entry: LanguageEntry, of type: String) -> String {
    let table = type == "Responder" ? Self.handlers.first { $0.field == entry.name }?.type : nil
    return
      "---@field \(entry.fieldName) \(table ?? Self.answered(Self.named(entry.fieldType), of: type)) \(entry.firstSentence)"
  }

  /// The other tables that a class always has.
  private static let given = ["needs", "keys"].map { "---@field \($0) table<string, any>" }

  /// Returns an answer's type without its '?', so that editors don't warn about a missing check for nil, as in tests.
  static func answered(_ type: String, of group: String) -> String {
    let isGiven = ["Fields", "Options", "Definition", "Look", "Claim", "Manifest"].contains { group.hasSuffix($0) }
    if isGiven || type.contains("|") || type.contains("(") { return type }
    let plain = type.hasSuffix("?") ? String(type.dropLast()) : type
    let isObject = plain.first?.isUppercase == true && plain != "Reference"
    return isObject || plain.hasSuffix("[]") ? plain : type
  }

  /// Returns a type for editors: a responder's name becomes `ResponderName`, whose values they know.
  static func named(_ type: String) -> String { type.replacing("Responder|string", with: "Responder|ResponderName") }

  /// Returns the result type of a call for editors, sometimes more precise than the entry's.
  static func result(of name: String, _ type: String) -> String {
    switch name {
    case "item": "Item"
    case "menu", "group": "Menu"
    case "section": "Section"
    case "pane": "Pane"
    case "text": "Text"
    case "beside", "stack", "tabs": "Layout"
    default: answered(type, of: "")
    }
  }

  /// Returns the parameter type of a call for editors, for `app:find` more precise than the entry's.
  static func parameter(_ parameter: LanguageEntry.Parameter, of name: String) -> String {
    name == "App:find" ? "ResponderName" : named(parameter.type)
  }

  private func function(_ entry: LanguageEntry, _ name: String) -> String {
    var lines = ["---\(entry.says)"]
    if let errors = entry.errors { lines.append("---It \(errors).") }
    lines += entry.parameters.map { "---@param \($0.name) \(Self.parameter($0, of: name)) \($0.says)" }
    lines += entry.results.map { "---@return \(Self.result(of: name, $0.type)) # \($0.says)" }
    let names = entry.parameters.map { $0.name.hasSuffix("?") ? String($0.name.dropLast()) : $0.name }
    return (lines + ["function \(name)(\(names.joined(separator: ", "))) end"]).joined(separator: "\n")
  }

  private func globals(_ group: LanguageGroup) -> String? {
    let texts = group.entries.compactMap { entry -> String? in
      switch entry.shape {
      case .call where entry.name == "listen":
        return listening + function(entry, entry.name)
      case .call: return overloads(of: entry, "") + function(entry, entry.name)
      case .value(let type): return "---\(entry.says)\n---@type \(type)\n\(entry.name) = nil"
      case .lua: return entry.annotations.map { "---\(entry.says)\n\($0)" }
      case .hook: return nil
      }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
  }

  /// The overloads of `listen`: the arguments of the callback for each event.
  private var listening: String {
    LanguageReference.group("listen").entries.map { entry in
      let told = entry.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      return "---@overload fun(event: \"\(entry.name)\", fn: fun(\(told))): Registration\n"
    }.joined()
  }

  /// Returns the overloads of `app:find`, `responder` and `window` for the responders of the app.
  private func overloads(of entry: LanguageEntry, _ type: String) -> String {
    let nodes = app?.responders ?? []
    switch (type, entry.name) {
    case ("App", "find"):
      return nodes.map { "---@overload fun(self: App, name: \($0.name.luaText)): \($0.type)\n" }.joined()
    case ("", "responder"), ("", "window"):
      let own = nodes.filter { ($0.base == "Window") == (entry.name == "window") }
      return own.map { "---@overload fun(name: \($0.name.luaText)): \($0.type)\n" }.joined()
    default: return ""
    }
  }
}

// MARK: Tables of functions

extension Stubs {
  /// A table of functions in a responder, such as `on`: its field, class, function type and description.
  struct Handlers {
    let field, type, function, says: String

    /// Returns the fields of a handler table, beside those of its responder.
    ///
    /// Reading a field may return any field of the responder, which is unknown here. So the type is a union that allows
    /// every use without a warning, and still has the arguments of an assigned function.
    ///
    /// - Parameter takes: the actions that declare their arguments, which their functions find in the context.
    func fields(_ takes: [AppNames.Taking] = []) -> String {
      let known = field == "build" ? [] : takes
      let others = Self.actions.filter { name in !known.contains { $0.action == name } }
      let named = known.map { "---@field \($0.action.fieldName) \(type(context: $0.type))\n" }
      return (others.map { "---@field \($0) \(type())\n" } + named).joined() + "---@field [string] \(type())"
    }

    private func type(context: String = "Context") -> String {
      "any|Own|(\(function.replacing("ctx: Context", with: "ctx: \(context)")))|(fun(...: any): any)"
    }

    /// The actions with the same names as fields of responders.
    private static let actions = ["next", "before", "undo", "remove", "become", "resign"]
  }

  /// The tables of functions. In 'function page.on:save(ctx)' an editor gives 'self' the type of 'page.on', and not
  /// that of the function's type. So this class inherits from the responder, and its fields are the functions.
  static let handlers = [
    Handlers(
      field: "on", type: "Handlers", function: "fun(self: any, ctx: Context): any, ...any",
      says: "What does actions, by their names."),
    Handlers(
      field: "can", type: "Conditions", function: "fun(self: any, ctx: Context): any, ...any",
      says: "Whether actions can be done now, by their names."),
    Handlers(
      field: "look", type: "Looks", function: "fun(self: any, ctx: Context): Look?",
      says: "How items look now, by their actions."),
    Handlers(
      field: "confirm", type: "Questions", function: "fun(self: any, ctx: Context): string?",
      says: "What a person is asked before actions are done, by their names."),
    Handlers(
      field: "build", type: "Builders", function: "fun(self: any, m: Builder, subject: any)",
      says: "What edits menus, by their kinds."),
  ]

  private var tables: String {
    let own = "---A field of a script's own.\n---@class Own\n---@overload fun(...: any): any\n---@field [any] any"
    let tables = Self.handlers.map { table in
      """
      ---\(table.says) As 'self' of a function in it, it is the responder.
      ---@class \(table.type): Responder
      \(table.fields())
      """
    }
    return ([own] + tables).joined(separator: "\n\n")
  }

  /// The classes of the elements that scripts call with a table.
  private var elements: String {
    [
      ("Item", "An item of a menu.", "ItemFields|Reference[]"), ("Menu", "A menu.", "MenuFields|Element[]"),
      ("Section", "A part of a menu that is made of values.", "SectionFields"),
      ("Pane", "A list of rows in a panel.", "PaneFields"),
      ("Layout", "What divides a panel among panes.", "LayoutFields"),
    ].map { name, says, fields in
      "---\(says)\n---@class \(name): Element\n---@overload fun(fields: \(fields)): \(name)"
    }.joined(separator: "\n\n")
  }
}

// MARK: Fields in the table after a name

extension Stubs {
  /// The classes of the tables after `responder "name"`, `window "name"` and classes: all assignable fields.
  private var assignable: String {
    let responder = LanguageReference.group("Responder").entries.filter { !$0.isCall && $0.name != "name" }
    let shared = responder.filter { !["next", "before"].contains($0.name) }
    let own = responder.filter { ["next", "before"].contains($0.name) }
    let window = LanguageReference.group("Window").entries.filter { $0.name == "delegate" }
    return """
      ---What a class may be given in its table.
      ---@class ClassFields
      \(shared.map(optional).joined(separator: "\n"))
      ---@field [string] any Fields of the script's own.

      ---What a responder may be given in its table.
      ---@class ResponderFields: ClassFields
      \(own.map(optional).joined(separator: "\n"))

      ---What a window may be given in its table.
      ---@class WindowFields: ResponderFields
      \(window.map(optional).joined(separator: "\n"))
      """
  }

  private func optional(_ entry: LanguageEntry) -> String {
    let type = Self.named(entry.assigned ?? entry.fieldType)
    return "---@field \(entry.name)? \(type) \(entry.firstSentence)"
  }
}

extension LanguageEntry {
  fileprivate var isCall: Bool { if case .call = shape { true } else { false } }

  fileprivate var fieldName: String {
    if case .hook = shape { return "\(name)?" }
    return name
  }

  fileprivate var fieldType: String {
    switch shape {
    case .value(let type): return type
    case .hook(let parameters, let results):
      let told = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      let answered = results.map(\.type).joined(separator: ", ")
      return assigned ?? ("fun(\(told))" + (answered.isEmpty ? "" : ": \(answered)"))
    case .call, .lua: return "any"
    }
  }
}

extension String {
  /// The text as a Lua string, on one line.
  var luaText: String {
    var text = "\""
    for scalar in visible.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
