import CLua

// Adds the likely intention of the author to Lua's errors.

extension ScriptEngine {
  /// Returns the place of an error. Without a column from Lua, it points at the missing thing, or the message's
  /// subject.
  func pointed(_ error: LuaError) -> Place? {
    guard let found = place(error.place) else { return nil }
    if let name = error.message.quoted(behind: "'"), error.message.hasPrefix("'\(name)' is not defined") {
      return self.place(ofGlobal: name, readAt: found) ?? found
    }
    if error.message == lua.lastMisuse, let spokenOf = place(spokenOf: error.message, near: found) { return spokenOf }
    if let (_, column) = strangeLetter(error.message, error.place) {
      return Place(file: found.file, line: found.line, column: column)
    }
    guard found.column == nil, let name = lastMissed?.name, missed(error) != nil else { return found }
    var argument = place(of: "(\"\(name)\")", from: found, lines: 1)
    argument.column = argument.column.map { $0 + 1 }
    return argument.column == nil ? place(of: "\"\(name)\"", from: found, lines: 1) : argument
  }

  /// Returns the message of an error, with a hint about its most likely cause.
  func hinted(_ error: LuaError) -> String {
    if case .tooLong(let bytes, let limit) = error.kind { return tooLong(bytes, limit) }
    // Lua has no article for the type 'object' of the program's objects.
    let message = error.message.replacing(" a object value", with: " an object value")
    let ofWords: String? =
      hiddenName(message) ?? missingComma(message) ?? misplacedColon(message, error.place)
      ?? wordOfLua(message, error.place) ?? ofProgram(message) ?? notAMethod(message) ?? fromZero(message, error.place)
    let hint: String? =
      ofWords ?? misspelt(message, error.place) ?? missed(error)
      ?? misread(message, error.place) ?? unquoted(message, error.place)
      ?? strangeText(message, error.place)
    guard let hint else { return message }
    return "\(message)\(hint)"
  }

  /// The message about a source that is too long. A reader of files stops at the most that any limit allows.
  private func tooLong(_ bytes: Int, _ limit: Int) -> String {
    let most = 1 << 20
    return bytes > most
      ? "the script has more than \(most) bytes, and can have \(limit) at most"
      : "the script has \(bytes) bytes, and can have \(limit) at most; 'menuctl --source KB' allows more"
  }

  /// Hints about a variable that hides a word of the language.
  private func hiddenName(_ message: String) -> String? {
    guard message.hasPrefix("attempt to "), !message.contains(" a nil value") else { return nil }
    if message == "attempt to call a userdata value (global 'pass')" {
      return "; write it without parentheses: return pass"
    }
    for kind in ["local", "upvalue"] {
      guard let name = message.quoted(behind: "attempt to index a function value (\(kind) '"),
        !constructors.contains(name)
      else { continue }
      return "; '\(name)' is a function: call it, as in \(name)(…)"
    }
    for name in constructors {
      if message.hasSuffix("(local '\(name)')") || message.hasSuffix("(upvalue '\(name)')") {
        return ": rename this local, it hides the host's '\(name)'"
      }
      if message.hasSuffix("(global '\(name)')") {
        return message.contains(" a function value")
          ? ": '\(name)' is a function of the host; call it: \(name) { … }"
          : ": this script assigns '\(name)', a name of the host: use another name"
      }
    }
    return nil
  }

  /// Hints about a missing comma in a table, before an element, a field or a text.
  private func missingComma(_ message: String) -> String? {
    guard message.hasPrefix("'}' expected"), message.hasSuffix("'"), let near = message.firstRange(of: " near '") else {
      return nil
    }
    let found = String(message[near.upperBound...].dropLast())
    let isText = found.hasPrefix("\"") || found.hasPrefix("'")
    let isName = (try? Reference.parse(found))?.id == found && !String.luaWords.contains(found)
    return isText || isName ? "; put a comma before it" : nil
  }

  /// Hints about a colon before a table of handlers instead of before the action.
  private func misplacedColon(_ message: String, _ place: LuaError.Place?) -> String? {
    guard let line = place?.text, let sign = [".", ":"].first(where: { message == "'(' expected near '\($0)'" })
    else { return nil }
    let table = ObjectTable.allCases.first { line.contains(":\($0.name)\(sign)") }
    return table.map { "; did you mean '\($0.declaration)'?" }
  }

  /// Hints about brackets for an action whose name is a keyword of Lua.
  private func wordOfLua(_ message: String, _ place: LuaError.Place?) -> String? {
    guard let word = message.quoted(behind: "<name> expected near '"), String.luaWords.contains(word) else {
      return nil
    }
    for table in ObjectTable.allCases {
      let parts = place?.text?.split(separator: ".\(table.name):\(word)", maxSplits: 1) ?? []
      guard parts.count == 2, let holder = parts[0].split(separator: " ").last else { continue }
      return "; Lua reserves that word, so write \(holder).\(table.name)[\"\(word)\"] = function(self, ctx) … end"
    }
    return nil
  }

  /// Hints about a list whose places are counted from 0.
  private func fromZero(_ message: String, _ place: LuaError.Place?) -> String? {
    guard message == "attempt to index a nil value (field 'integer index')", place?.text?.contains("[0]") ?? false
    else {
      return nil
    }
    return "; a list begins at 1: [1]"
  }

  /// Hints about functions and objects of the program that are used as something else.
  private func ofProgram(_ message: String) -> String? {
    guard let natives = natives?.natives else { return nil }
    if message.hasSuffix("(table expected, got object)") {
      return "; this is an object of the program: read its fields by their names"
    }
    if message.hasPrefix("attempt to concatenate an object value") { return "; use one of its fields, or tostring(…)" }
    if let name = message.quoted(behind: "attempt to call a table value (global '"), natives.roots.contains(name) {
      let first = natives.functions.keys.filter { $0.hasPrefix(name + ".") }.min { $0.precedesByBytes($1) }
      return "; '\(name)' is a table of functions: call one of them, as in \(first ?? name)(…)"
    }
    if let name = message.quoted(behind: "attempt to index a function value (field '"),
      let function = natives.functions.keys.filter({ $0.hasSuffix("." + name) }).min(by: { $0.precedesByBytes($1) })
    {
      return "; '\(function)' is a function: call it first, as in \(function)(…)"
    }
    for kind in ["string", "number", "boolean"] {
      for use in ["field", "method"] {
        guard let name = message.quoted(behind: "attempt to call a \(kind) value (\(use) '"),
          let type = natives.types.values.filter({ $0.properties[name] != nil }).min(by: { $0.name < $1.name })
        else { continue }
        return "; '\(name)' is a field of \(type.described): write .\(name) without parentheses"
      }
    }
    return nil
  }

  /// Hints about a word, a hook or an action that is called as a method.
  private func notAMethod(_ message: String) -> String? {
    guard let name = message.quoted(behind: "attempt to call a nil value (method '") else { return nil }
    if let hook = Hook(rawValue: name), ![.claims, .acceptsFocus, .worksWhenModal, .counts].contains(hook) {
      return "; scripts define '\(name)' and the host calls it: function RESPONDER:\(name)(…) … end"
    }
    if Self.scriptNames.contains(where: { $0.name == name }) {
      return "; '\(name)' is a function, not a method: \(name)(…)"
    }
    guard host.isAnswered(name) else { return nil }
    return "; '\(name)' is an action; to perform it, call app:perform(\"\(name)\")"
  }

  /// Hints about an undefined name in the place of a value: a text without its quotes, such as an action's name.
  private func unquoted(_ message: String, _ place: LuaError.Place?) -> String? {
    guard message.hasSuffix("' is not defined"), let name = message.quoted(behind: "'"),
      message == "'\(name)' is not defined", place?.text?.hasValue(name) ?? false
    else { return nil }
    return "; put a text or an action's name in quotes: \"\(name)\""
  }

  /// Returns a letter that Lua doesn't accept in a name, and its column.
  private func strangeLetter(_ message: String, _ place: LuaError.Place?) -> (letter: Unicode.Scalar, column: Int)? {
    guard let start = message.firstRange(of: " near '<\\")?.upperBound, let line = place?.text?.unicodeScalars,
      let byte = UInt8(message[start...].prefix { $0 != ">" })
    else { return nil }
    return line.enumerated().first { $0.element.value > 0x7F && Character($0.element).utf8.first == byte }
      .map { ($0.element, $0.offset + 1) }
  }

  /// Hints about the correct spelling instead of a strange letter.
  private func strangeText(_ message: String, _ place: LuaError.Place?) -> String? {
    guard let letter = strangeLetter(message, place)?.letter else { return nil }
    if letter.properties.isWhitespace { return "; replace this character by an ordinary blank" }
    if "“”„‟‘’‚‛«»".unicodeScalars.contains(letter) { return "; use straight quotes: \"…\"" }
    return "; use the letters a to z, digits and '_' in names"
  }

  /// Hints about a host method or a table of handlers with a similar name.
  private func misspelt(_ message: String, _ place: LuaError.Place?) -> String? {
    let meant: String?
    if let name = message.quoted(behind: "attempt to call a nil value (method '") {
      if name == "get", place?.text?.contains("ctx:get(") ?? false { return "; read it as a field: ctx.NAME" }
      let ofText = functions(ofLibrary: "string") ?? []
      let ofHost = ForeignNames.methods[name] ?? nearest(to: name, among: Self.methods).first
      let isOfText = place?.text?.callsOnText(name) ?? false
      meant = (isOfText ? nil : ofHost) ?? nearest(to: name, among: ofText).first
    } else if let name = message.quoted(behind: "attempt to index a nil value (field '"),
      place?.text?.takesHandlers(in: name) ?? false
    {
      meant = nearest(to: name, among: ObjectTable.allCases.map(\.name)).first
    } else {
      return nil
    }
    return meant.map { "; did you mean '\($0)'?" }
  }

  /// Hints about a field that no code writes: probably the script meant a similar field.
  private func misread(_ message: String, _ place: LuaError.Place?) -> String? {
    guard message.hasPrefix("attempt to "), let start = message.firstRange(of: " a nil value (field '") else {
      return nil
    }
    let name = String(message[start.upperBound...].prefix { $0 != "'" })
    let holder = place?.text?.holder(ofField: name)
    if holder == "app", message.hasPrefix("attempt to call "), AppField(rawValue: name) != nil {
      return "; assign it: app.\(name) = …"
    }
    if holder == "ctx", name == "row" || name == "rows" {
      return host.menuTrees.panes.all.contains { $0.element.area?.responder != nil }
        ? "; no row is current: check it first, or write needs.ACTION = { \(name) = \"choose a row first\" }"
        : "; only a pane with a responder supplies it: pane \"…\" { responder = …, … }"
    }
    if let holder, let functions = functions(ofLibrary: holder) {
      let meant = ForeignNames.functions[holder]?[name].flatMap { functions.contains($0) ? $0 : nil }
      return (meant ?? nearest(to: name, among: functions).first).map { "; did you mean '\(holder).\($0)'?" }
    }
    let words = codeWords
    guard name.utf8.count > 3, !words.has(name, [.assigned, .stored]) else { return nil }
    if words.has("exec", .global), let meant = ForeignNames.programResults[name] {
      return "; exec returns 'status', 'out' and 'err': did you mean '\(meant)'?"
    }
    var steps = 1 << 18
    let known = Set(words.all([.assigned, .stored])).union(Self.hostFields).union(TestRun.facts)
    let meant = nearest(to: name, among: known, within: &steps).first { field in
      guard holder == "self", let place else { return true }
      return !isOthers(field, at: place)
    }
    return meant.map { "; did you mean '\($0)'?" }
  }

  /// Returns the names in a library table of the host or Lua; nil if there is no table of that name.
  private func functions(ofLibrary name: String) -> [String]? {
    guard let script = owners.last, case .table(let table)? = try? scriptName(name, of: script),
      (try? isHostTable(table)) == false
    else { return nil }
    return host.names(behind: [name])
  }

  /// True if only other responders have a field: no responder whose handler contains the line has it.
  private func isOthers(_ field: String, at place: LuaError.Place) -> Bool {
    // Scripts can make thousands of responders, and each failure searches them.
    guard host.responders.count < 256, host.responders.contains(where: { hasField(field, $0) }) else { return false }
    let own = host.responders.filter { hasHandler($0, at: place) }
    return !own.isEmpty && !own.contains { hasField(field, $0) }
  }

  private func hasHandler(_ responder: Responder, at place: LuaError.Place) -> Bool {
    responder.stack.contains { behaviour in
      [behaviour.on, behaviour.can, behaviour.look].contains { handlers in
        handlers.values.contains { entry in
          guard let start = entry.content.place, start.file == place.source else { return false }
          return start.line <= place.line && place.line < start.line + entry.content.lineCount
        }
      }
    }
  }

  private func hasField(_ name: String, _ responder: Responder) -> Bool {
    if hostFieldNames(of: responder).contains(name) { return true }
    return owners.contains { script in
      let fields = LuaTable(reference: object(responder, for: script).reference)
      if case .nil? = try? lua.rawGet(.text(name), of: fields) { return false } else { return true }
    }
  }

  /// The methods of all objects that the host passes to scripts.
  private static let methods: Set<String> =
    Set((appCalls + windowCalls + jobCalls).map(\.name)).union(HostNames.calls)

  /// Hints about a call that found nothing, if the error uses its result in the same line or through a variable.
  private func missed(_ error: LuaError) -> String? {
    guard let missed = lastMissed, let place = missed.place, place.source == error.place?.source,
      error.message.hasPrefix("attempt to index a nil value")
    else { return nil }
    if error.message == "attempt to index a nil value" {
      return place.line == error.place?.line ? ": \(missed.sentence)" : nil
    }
    for kind in ["local", "upvalue", "global"] {
      guard let name = error.message.quoted(behind: "attempt to index a nil value (\(kind) '") else { continue }
      return lua.line(place.line, of: place.source)?.gives(name) ?? false ? ": \(missed.sentence)" : nil
    }
    return nil
  }
}

extension Collection {
  /// True if two neighbouring elements satisfy a condition.
  fileprivate func adjacent(_ areSuch: (Element, Element) -> Bool) -> Bool {
    zip(self, dropFirst()).contains(where: areSuch)
  }
}

extension String {
  /// Returns the text between a beginning that ends with a quote and the next quote.
  fileprivate func quoted(behind beginning: String) -> String? {
    guard hasPrefix(beginning) else { return nil }
    let rest = dropFirst(beginning.count)
    return rest.firstIndex(of: "'").map { String(rest[..<$0]) }
  }

  /// True if a line writes handlers into a field of that name: `page.onn:save`, `page.onn.save =`.
  fileprivate func takesHandlers(in field: String) -> Bool {
    contains("function ") && (contains(".\(field):") || contains(".\(field)."))
  }

  /// True if a line uses a name as a whole value: the text after it ends a value.
  fileprivate func hasValue(_ name: String) -> Bool { hasName(name, before: ",)}") }

  /// True if a line has a name, not as a part of another or a field, and behind it one of these letters.
  func hasName(_ name: String, before letters: String) -> Bool {
    // An empty name would match forever.
    guard !name.isEmpty else { return false }
    var rest = self[...]
    while let found = rest.firstRange(of: name) {
      let after = rest[found.upperBound...].first { $0 != " " }
      let before = rest[..<found.lowerBound].last
      rest = rest[found.upperBound...]
      let isWhole = before.map { !($0 == "_" || $0 == "." || $0 == ":" || $0.isLetter || $0.isNumber) } ?? true
      if isWhole, let after, letters.contains(after) { return true }
    }
    return false
  }

  /// Returns the name before a field where a line first reads it: `self` in `self.text`; nil if there is none.
  fileprivate func holder(ofField name: String) -> String? {
    guard let dot = firstRange(of: ".\(name)") else { return nil }
    let holder = self[..<dot.lowerBound].reversed().prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    let before = self[..<dot.lowerBound].dropLast(holder.count).last
    return holder.isEmpty || before == "." || before == ":" ? nil : String(holder.reversed())
  }

  /// True if a line calls a method on a text in brackets, as in `("x"):upper()`.
  fileprivate func callsOnText(_ name: String) -> Bool {
    guard let colon = firstRange(of: "):\(name)"), let open = self[..<colon.lowerBound].lastIndex(of: "(") else {
      return false
    }
    let isCall = self[..<open].last.map { (character: Character) in character == "_" || character.isLetter } ?? false
    let inner = self[index(after: open)..<colon.lowerBound]
    return !isCall && (inner.hasPrefix("\"") || inner.hasPrefix("'"))
  }

  /// True if a line assigns a variable.
  fileprivate func gives(_ name: String) -> Bool {
    split { !($0 == "_" || $0 == "=" || $0.isLetter || $0.isNumber) }.adjacent { $0 == name && $1 == "=" }
  }
}
