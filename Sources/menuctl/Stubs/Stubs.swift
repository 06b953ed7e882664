/// *Stubs* are annotations for editors, as LuaCATS has them: what there is in the language, and what is an app's own.
struct Stubs {
  /// What an app adds; nil for the language alone.
  var app: AppNames?

  var text: String {
    var parts = [header, aliases]
    parts += LanguageReference.groups.compactMap(groupText)
    parts.append(assignable)
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
    let events = LanguageReference.listening.entries.map { "\"\($0.name)\"" }.joined(separator: "|")
    return """
      \(alias("Reference", "An action and its arguments: export(format: jpeg).", app?.actions ?? []))

      \(alias("ElementID", "The id of a menu or an item: its own, or its path of titles.", app?.elements ?? []))

      ---What can be listened for.
      ---@alias HostEvent \(events)
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
    for entry in group.entries where !entry.isCall { lines.append(field(entry)) }
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

  /// What has fields of the script's own beside those of the host's.
  private static let extensible: Set<String> = ["Responder", "Context", "ClassFields"]

  /// What is called with a table after its name.
  private static let calling: [String: [String]] = [
    "Responder": ["---@operator call(ResponderFields): Responder"],
    "Window": ["---@operator call(WindowFields): Window"],
    "Class": ["---@operator call(ClassFields): Class"],
    "Element": [
      "---@operator call(ItemFields): Element", "---@operator call(MenuFields): Element",
      "---@operator call(SectionFields): Element",
    ],
  ]

  private func field(_ entry: LanguageEntry) -> String {
    "---@field \(entry.fieldName) \(entry.fieldType) \(entry.firstSentence)"
  }

  private func function(_ entry: LanguageEntry, _ name: String) -> String {
    var lines = ["---\(entry.says)"]
    if let errors = entry.errors { lines.append("---It \(errors).") }
    lines += entry.parameters.map { "---@param \($0.name) \($0.type) \($0.says)" }
    lines += entry.results.map { "---@return \($0.type) # \($0.says)" }
    let names = entry.parameters.map { $0.name.hasSuffix("?") ? String($0.name.dropLast()) : $0.name }
    return (lines + ["function \(name)(\(names.joined(separator: ", "))) end"]).joined(separator: "\n")
  }

  private func globals(_ group: LanguageGroup) -> String? {
    let texts = group.entries.compactMap { entry -> String? in
      switch entry.shape {
      case .call where entry.name == "listen":
        return listening + function(entry, entry.name)
      case .call: return function(entry, entry.name)
      case .value(let type): return "---\(entry.says)\n---@type \(type)\n\(entry.name) = nil"
      // Editors know what is Lua's own.
      case .hook, .lua: return nil
      }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
  }

  /// What a listener is told, for each thing that can be listened for.
  private var listening: String {
    LanguageReference.listening.entries.map { entry in
      let told = entry.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      return "---@overload fun(event: \"\(entry.name)\", fn: fun(\(told))): Registration\n"
    }.joined()
  }

  /// What `app:find` finds by the names that an app has.
  private func overloads(of entry: LanguageEntry, _ type: String) -> String {
    guard type == "App", entry.name == "find", let app else { return "" }
    return app.responders.map { "---@overload fun(self: App, name: \($0.name.luaText)): \($0.type)\n" }.joined()
  }
}

// MARK: What stands in the table behind a name

extension Stubs {
  /// The fields that `responder "name" { … }` and its like take: all that can be assigned.
  private var assignable: String {
    let responder = LanguageReference.responder.entries.filter { !$0.isCall && $0.name != "name" }
    let shared = responder.filter { !["next", "before"].contains($0.name) }
    let own = responder.filter { ["next", "before"].contains($0.name) }
    let window = LanguageReference.window.entries.filter { $0.name == "delegate" }
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
    let type = entry.assigned ?? entry.fieldType
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
  /// As a string of Lua's, on one line.
  var luaText: String {
    var text = "\""
    for scalar in visible.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
