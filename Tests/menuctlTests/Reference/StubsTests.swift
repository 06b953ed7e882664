import Testing

@testable import menuctl

@Suite("Stubs for editors")
struct StubsTests {
  private let stubs = Annotations(Stubs().text)

  @Test("Nothing in them is strange, and Lua reads them")
  func readable() throws {
    #expect(stubs.strange == [])
    let run = try Program.menuctl(["stubs"])
    #expect(run == Run(status: 0, out: Stubs().text, err: ""))
    // As a script: all that it does is to define.
    let loaded = try Program.menuctl(["load", "-"], stdin: run.out)
    #expect(loaded.status == 0 && loaded.err == "", "\(loaded)")
  }

  @Test("Every name of the reference stands in them, with its types and its sentence")
  func complete() {
    for group in LanguageReference.groups {
      for entry in group.entries {
        switch (entry.shape, group.receiver) {
        case (.lua, _): #expect(stubs.functions[entry.name] == nil && stubs.globals[entry.name] == nil)
        case (.call(let parameters, let returns), _):
          let name = group.type.map { "\($0):\(entry.name)" } ?? group.name(of: entry)
          let function = stubs.functions[name]
          #expect(
            function?.parameters == parameters.map { Annotations.Parameter(name: $0.name, type: $0.type) }, "\(name)")
          #expect(function?.names == parameters.map { $0.name.filter { $0 != "?" } }, "\(name)")
          #expect(function?.returns == returns.map(\.type), "\(name)")
          #expect(function?.says.contains(entry.says) == true, "\(name)")
        case (.value(let type), .none): #expect(stubs.globals[entry.name] == type, "\(entry.name)")
        case (.value(let type), _):
          #expect(stubs.classes[group.type ?? ""]?.fields[entry.name] == type, "\(group.name(of: entry))")
        case (.hook, .library): #expect(stubs.aliases["HostEvent"]?.first?.contains("\"\(entry.name)\"") == true)
        case (.hook, _):
          #expect(stubs.classes[group.type ?? ""]?.fields["\(entry.name)?"] != nil, "\(group.name(of: entry))")
        }
      }
    }
  }

  @Test("Every type that is named is defined")
  func types() {
    let basic: Set<String> = [
      "any", "boolean", "string", "integer", "number", "table", "function", "nil", "fun", "self", "false",
    ]
    let defined = basic.union(stubs.classes.keys).union(stubs.aliases.keys)
    var named: [String] = stubs.classes.values.compactMap(\.base) + stubs.globals.values
    named += stubs.classes.values.flatMap(\.fields.values) + stubs.functions.values.flatMap(\.returns)
    named += stubs.functions.values.flatMap { $0.parameters.map(\.type) } + stubs.functions.values.flatMap(\.overloads)
    for type in named {
      let plain = type.replacing(/"[^"]*"/, with: "").replacing(/\w+\??:/, with: "")
      for word in plain.matches(of: /[A-Za-z_]\w*/).map({ String($0.output) }) {
        #expect(defined.contains(word), "\(word) in \(type)")
      }
    }
  }

  @Test("What is called with a table takes the fields of such a table")
  func tables() {
    #expect(stubs.classes["Responder"]?.operators == ["call(ResponderFields): Responder"])
    #expect(stubs.classes["Element"]?.operators.count == 3)
    let fields = stubs.classes["ClassFields"]?.fields ?? [:]
    for hook in ["provide?", "claims?", "on?", "undo?", "works_when_modal?", "class?"] {
      #expect(fields[hook] != nil, "\(hook)")
    }
    #expect(stubs.classes["ResponderFields"]?.fields["next?"] == "Responder|string|nil")
    #expect(stubs.classes["WindowFields"]?.base == "ResponderFields")
    #expect(stubs.classes["Context"]?.fields["[string]"] == "any")
  }

  @Test("With an app they have its own actions, elements, responders and context keys")
  func app() throws {
    let run = try Program.menuctl(["stubs", "scripts/photos"])
    #expect(run.status == 0 && run.err == "")
    let own = Annotations(run.out)
    #expect(own.strange == [])
    #expect(own.aliases["Reference"]?.contains("\"rate\"") == true)
    #expect(own.aliases["ElementID"]?.contains("\"Image/★★★★★\"") == true)
    #expect(own.classes["Responder.grid"]?.base == "Responder")
    #expect(own.classes["Responder.grid"]?.fields == ["order": "string", "recent": "table"])
    #expect(own.classes["Responder.main"]?.base == "Window")
    #expect(own.classes["Context"]?.fields["photo"] == "any")
    #expect(own.classes["Context"]?.fields["recent"] == "table?")
    #expect(own.functions["App:find"]?.overloads.contains("fun(self: App, name: \"grid\"): Responder.grid") == true)
    #expect(run.out.contains("---| \"export\" # answered by grid\n"))
    #expect(run.out.contains("---@field photo any from grid\n"))
  }

  @Test("Names that are no words are written so that they can be read back")
  func strangeNames() throws {
    let script = """
      local r = responder "a \\"b\\" ★" { ["field with blanks"] = 1, plain = true }
      responder "a _b_ _"
      r.on["file.open"] = function() end
      function r:provide(ctx) ctx["a key"] = "x" end
      focus(r)
      """
    let run = try Program.menuctl(["stubs", "-"], stdin: script)
    #expect(run.status == 0 && run.err == "")
    let own = Annotations(run.out)
    #expect(own.strange == [])
    #expect(own.aliases["Reference"]?.contains("\"file.open\"") == true)
    let classes = own.classes.keys.filter { $0.hasPrefix("Responder.") }
    #expect(classes.count == 2)
    #expect(own.classes.values.contains { $0.fields == ["[\"field with blanks\"]": "integer", "plain": "boolean"] })
    #expect(own.classes["Context"]?.fields["[\"a key\"]"] == "string?")
  }

  @Test("An app that doesn't load has none")
  func broken() throws {
    try ToolCase(
      name: "broken", words: ["stubs", "-"], script: "x = = 1", status: 65,
      err: """
        stdin:1: error: unexpected symbol near '='
          x = = 1

        """
    ).check()
  }
}
