// Fields that were probably meant to be the host's, and words of the host that scripts assign.

extension ScriptEngine {
  func misspeltFields(_ words: CodeWords) -> [MisspeltField] {
    var found: [MisspeltField] = []
    // Scripts can give a responder any number of fields, so the search is limited.
    var steps = 1 << 22
    for script in owners {
      for responder in host.responders where responder.owner === script.owner || responder.kind == .app {
        let fields = LuaTable(reference: object(responder, for: script).reference)
        found += misspelt(in: fields, hostFieldNames(of: responder), "'\(responder.name)'", words, &steps)
      }
    }
    for made in chain.classes.compactMap({ $0.scriptObject as? ScriptClass }) {
      found += misspelt(
        in: made.fields, Set(Self.hostFields).union(Hook.allCases.map(\.rawValue)), "class '\(made.definition.name)'",
        words, &steps)
    }
    return found
  }

  func functions(named names: Set<String>) -> [(name: String, responder: Responder, place: Place?)] {
    var found: [(name: String, responder: Responder, place: Place?)] = []
    let sorted = names.sorted()
    if sorted.isEmpty { return [] }
    var steps = 1 << 16
    for script in owners {
      for responder in host.responders where responder.owner === script.owner || responder.kind == .app {
        if steps <= 0 { return found }
        let fields = LuaTable(reference: object(responder, for: script).reference)
        for name in sorted {
          steps -= 1
          guard steps > 0, case .function(let function)? = try? lua.rawGet(.text(name), of: fields) else { continue }
          found.append((name, responder, place(of: .function(function), assignedTo: name)))
        }
      }
    }
    return found
  }

  /// `hostFields` is computed only for a field that nobody reads, because most fields are read.
  private func misspelt(
    in fields: LuaTable, _ hostFields: @autoclosure () -> Set<String>, _ holder: String, _ words: CodeWords,
    _ steps: inout Int
  ) -> [MisspeltField] {
    var found: [MisspeltField] = []
    lazy var known = hostFields()
    try? lua.forEach(in: fields) { key, value in
      guard found.count < 16, steps > 0 else { return false }
      guard case .text(let name) = key, name.utf8.count <= 64, !words.has(name, [.read, .text]),
        !known.contains(name),
        let meant = nearest(to: name, among: known, within: &steps).first(where: { Self.takes($0, value) })
      else { return true }
      found.append(
        MisspeltField(
          name: name, meant: meant, holder: holder, place: place(of: value, assignedTo: name)))
      return true
    }
    return found.sorted { $0.name.precedesByBytes($1.name) }
  }

  /// Returns true if a field of the host could have this value. If not, the script didn't mean that field.
  private static func takes(_ field: String, _ value: LuaValue) -> Bool {
    switch AppField(rawValue: field) {
    case .name?: return false
    case .title?, .version?: if case .text = value { return true } else { return false }
    case .exact?: if case .bool = value { return true } else { return false }
    case .allow?, .allowWarnings?: if case .table = value { return true } else { return false }
    case nil: break
    }
    switch (Hook(rawValue: field), value) {
    case (.redirect?, .text), (.claims?, .text), (.claims?, .bool), (.claims?, .table), (.redirect?, .table):
      return true
    case (.acceptsFocus?, .bool), (.worksWhenModal?, .bool), (.counts?, .bool): return true
    case (.worksWhenModal?, _), (.counts?, _): return false
    case (_?, .function): return true
    case (nil, .table): return ["next", "before", "delegate", "class"].contains(field) || isTable(field)
    case (nil, .text): return field == "class"
    default: return false
    }
  }

  private static func isTable(_ field: String) -> Bool {
    ["undo", "keep"].contains(field) || ObjectTable.allCases.contains { $0.name == field }
  }

  /// Returns the place of a function, or else of the name's first assignment.
  private func place(of value: LuaValue, assignedTo name: String) -> Place? {
    if case .function(let function) = value, let start = place(lua.place(of: function)) {
      return place(of: name, from: start, lines: 1)
    }
    return place(ofField: name)
  }

  func hiddenWords() -> [(word: String, place: Place?)] {
    var found: [(word: String, place: Place?)] = []
    for script in owners {
      for word in constructors + ["sleep", "progress", "pass", "null"] {
        guard let value = try? lua.rawGet(.text(word), of: script.environment) else { continue }
        if case .nil = value { continue }
        found.append((word, place(ofGlobal: word, [.made, .changed])))
      }
    }
    return found
  }

  func undefinedNames(among names: [String]) -> [(name: String, place: Place?, help: String?)] {
    undefined(names, .global)
  }

  func undefinedNames(assigned names: [String]) -> [(name: String, place: Place?, help: String?)] {
    undefined(names, .changed).map { name, place, help in
      (name, place, help ?? "did you mean 'local \(name)'?")
    }
  }

  private func undefined(
    _ names: [String], _ role: CodeWords.Roles
  ) -> [(name: String, place: Place?, help: String?)] {
    if names.isEmpty { return [] }
    // A look-up of these names raises its own error, which explains more.
    var known: Set<String> = ["io", "plugin"]
    for script in owners { known.formUnion((try? knownNames(of: script)) ?? []) }
    return names.filter { !known.contains($0) }.prefix(16).map { name in
      let place = place(ofGlobal: name, role)
      return (name, place, place.flatMap { guess(of: name, at: $0, among: known) })
    }
  }

  /// Returns the first line that sets a field: by `name =`, or as a function.
  private func place(ofField name: String) -> Place? {
    for file in lua.sources.keys.sorted() {
      guard let text = lua.sources[file].map({ String(decoding: $0.bytes, as: UTF8.self) }), text.contains(name) else {
        continue
      }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      where line.assigns(name) {
        return place(of: name, from: Place(file: file, line: index + 1), lines: 1)
      }
    }
    return nil
  }
}

extension Substring {
  /// True if a line has the name with a single `=` after it, or `function` before it.
  fileprivate func assigns(_ name: String) -> Bool {
    var rest = self[...]
    while let found = rest.firstRange(of: name) {
      let (before, behind) = (self[..<found.lowerBound], self[found.upperBound...])
      let next = behind.drop { $0 == " " || $0 == "\t" }
      if next.first == "=", next.dropFirst().first != "=" { return true }
      if before.hasSuffix("function ") { return true }
      rest = behind
    }
    return false
  }
}

/// Names in other programs for the names of the host. Errors suggest the right name.
enum ForeignNames {
  /// The methods of the host's objects.
  static let methods = [
    "click": "pick", "choose": "pick", "select": "pick", "type": "press", "key": "press", "send": "perform",
    "run": "perform", "execute": "perform", "call": "perform", "dispatch": "perform", "get": "find",
    "next": "forward", "tick": "advance", "refresh": "rebuild", "redraw": "rebuild", "render": "rebuild",
    "update": "rebuild",
  ]

  /// The functions of the tables among the globals.
  static let functions = [
    "json": [
      "encode": "write", "stringify": "write", "dump": "write", "dumps": "write", "decode": "read", "parse": "read",
      "load": "read", "loads": "read",
    ],
    "fs": [
      "exists": "stat", "size": "stat", "open": "read", "load": "read", "save": "write", "mkdir": "make",
      "delete": "remove", "unlink": "remove", "rm": "remove", "move": "rename", "dir": "list", "ls": "list",
      "readdir": "list",
    ],
    "clipboard": ["read": "get", "paste": "get", "write": "set", "copy": "set"],
  ]

  /// The options of `exec`.
  static let programOptions = [
    "cwd": "folder", "dir": "folder", "directory": "folder", "path": "folder", "stdin": "input", "tty": "terminal",
    "on_line": "line", "stdout": "line",
  ]

  /// The fields of the result of `exec`.
  static let programResults = [
    "stdout": "out", "output": "out", "text": "out", "stderr": "err", "error": "err", "code": "status",
    "exitcode": "status", "exit_code": "status",
  ]
}
