import Expectations
import Testing

@testable import menuctl

@Suite("Stubs for editors")
struct StubsTests {
  private static let read = Annotations(Stubs().text)
  private var stubs: Annotations { Self.read }

  @Test("Stubs have no unknown annotations, and Lua reads them")
  func readable() throws {
    expect(stubs.strange, is: [])
    let run = try Program.menuctl(["stubs"])
    expect(run, is: Run(status: 0, out: Stubs().text, err: ""))
    // As a script: the stubs only define names, some of them the host's.
    let loaded = try Program.menuctl(["load", "-"], stdin: run.out)
    let said = loaded.err.matches(of: /(error|warning): [^\n]*/).map { String($0.output.0) }
    expect(loaded.status == 0 && said.allSatisfy { $0.contains("is a name of the host") }, "\(loaded)")
  }

  @Test("Stubs have every name of the reference, with its types and its sentence")
  func complete() {
    for group in LanguageReference.groups {
      for entry in group.entries {
        switch (entry.shape, group.receiver) {
        case (.lua, _):
          // Editors know Lua's libraries already. 'os' has less here.
          let isThere = stubs.functions[entry.name] != nil || stubs.globals[entry.name] != nil
          let isMeant = group.title == "Lua's own functions" && entry.name != "collectgarbage"
          expect(isThere, is: isMeant, "\(entry.name)")
        case (.call(let parameters, let returns), _):
          let name = group.type.map { "\($0):\(entry.name)" } ?? group.name(of: entry)
          let function = stubs.functions[name]
          let types = parameters.map { name == "App:find" ? "ResponderName" : told($0.type) }
          expect(function?.parameters.map(\.name), is: parameters.map(\.name), "\(name)")
          expect(function?.parameters.map(\.type), is: types, "\(name)")
          expect(function?.names, is: parameters.map { $0.name.filter { $0 != "?" } }, "\(name)")
          let made = [
            "item": "Item", "menu": "Menu", "group": "Menu", "section": "Section", "pane": "Pane", "text": "Text",
            "beside": "Layout",
            "stack": "Layout",
            "tabs": "Layout",
          ][name].map { [$0] }
          expect(function?.returns.map(plain), is: made ?? returns.map { plain($0.type) }, "\(name)")
          expect(function?.says.contains(entry.says), is: true, "\(name)")
        case (.value(let type), .none): expect(stubs.globals[entry.name], is: type, "\(entry.name)")
        case (.value(let type), _):
          let table = [
            "on": "Handlers", "can": "Conditions", "look": "Looks", "confirm": "Questions", "build": "Builders",
          ][entry.name]
          let found = stubs.classes[group.type ?? ""]?.fields[entry.name]
          expect(
            found.map(plain), is: (group.type == "Responder" ? table : nil) ?? plain(told(type)),
            "\(group.name(of: entry))")
        case (.hook, .library): expect(stubs.aliases["HostEvent"]?.first?.contains("\"\(entry.name)\""), is: true)
        case (.hook, _):
          expect(stubs.classes[group.type ?? ""]?.fields["\(entry.name)?"] != nil, "\(group.name(of: entry))")
        }
      }
    }
  }

  private func told(_ type: String) -> String { type.replacing("Responder|string", with: "Responder|ResponderName") }

  /// A type without its nil.
  private func plain(_ type: String) -> String { type.hasSuffix("?") ? String(type.dropLast()) : type }

  @Test("Every named type is defined")
  func types() {
    let basic: Set<String> = [
      "any", "boolean", "string", "integer", "number", "table", "function", "nil", "fun", "self", "false", "true", "K",
      "V",
      "T",
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

  @Test("A function that takes a table knows the table's fields")
  func tables() {
    #expect(stubs.classes["Responder"]?.calls == ["fun(fields: ResponderFields): Responder"])
    #expect(stubs.classes["Item"]?.calls == ["fun(fields: ItemFields|Reference[]): Item"])
    #expect(stubs.classes["Menu"]?.calls == ["fun(fields: MenuFields|Element[]): Menu"])
    #expect(stubs.classes["Section"]?.calls == ["fun(fields: SectionFields): Section"])
    #expect(["Item", "Menu", "Section"].allSatisfy { stubs.classes[$0]?.base == "Element" })
    let fields = stubs.classes["ClassFields"]?.fields ?? [:]
    for hook in ["provide?", "claims?", "on?", "undo?", "works_when_modal?", "class?"] {
      #expect(fields[hook] != nil, "\(hook)")
    }
    #expect(stubs.classes["ResponderFields"]?.fields["next?"] == "Responder|ResponderName|nil")
    #expect(stubs.classes["WindowFields"]?.base == "ResponderFields")
    #expect(stubs.classes["Context"]?.fields["[string]"] == "any")
  }

  @Test("With an app, stubs have its actions, elements, responders and context keys")
  func app() throws {
    let run = try Program.menuctl(["stubs", "scripts/photos"])
    #expect(run.status == 0 && run.err == "")
    let own = Annotations(run.out)
    #expect(own.strange == [])
    #expect(own.aliases["Reference"]?.contains("\"rate\"") == true)
    expect(own.aliases["ElementID"]?.contains("\"Image/★★★★★\""), is: true)
    expect(own.classes["Responder.grid"]?.base, is: "Responder")
    let tables = ["on", "can", "look", "confirm", "build"].map { ($0, "Responder.grid.\($0)") }
    let fields = ["order": "string", "recent": "table", "selects": "boolean"].merging(tables) { $1 }
    expect(own.classes["Responder.grid"]?.fields, is: fields)
    expect(own.classes["Responder.grid"]?.calls, is: ["fun(fields: ResponderFields): Responder.grid"])
    expect(own.aliases["ResponderName"]?.contains("\"grid\""), is: true)
    expect(own.functions["responder"]?.overloads.contains("fun(name: \"grid\"): Responder.grid"), is: true)
    expect(own.functions["window"]?.overloads, is: ["fun(name: \"main\"): Responder.main"])
    expect(own.classes["Responder.main"]?.base, is: "Window")
    expect(own.classes["Context"]?.fields["photo"], is: "any")
    expect(own.classes["Context"]?.fields["recent"], is: "table?")
    expect(own.functions["App:find"]?.overloads.contains("fun(self: App, name: \"grid\"): Responder.grid"), is: true)
    expect(run.out.contains("---| \"export\" # answered by grid\n"))
    expect(run.out.contains("---@field photo any from grid\n"))
  }

  @Test("Names that aren't identifiers are written in a form that reads back")
  func strangeNames() throws {
    let script = """
      local r = responder "a \\"b\\" ★" { ["field with blanks"] = 1, plain = true }
      responder "a _b_ _"
      r.on["file.open"] = function() end
      function r:provide(ctx) ctx["a key"] = "x" end
      focus(r)
      """
    let run = try Program.menuctl(["stubs", "-"], stdin: script)
    expect(run.status == 0 && run.err == "")
    let own = Annotations(run.out)
    expect(own.strange, is: [])
    expect(own.aliases["Reference"]?.contains("\"file.open\""), is: true)
    let classes = own.classes.filter { $0.key.hasPrefix("Responder.") && $0.value.base == "Responder" }
    expect(classes.count, is: 2)
    expect(
      own.classes.values.contains {
        $0.fields["[\"field with blanks\"]"] == "integer" && $0.fields["plain"] == "boolean"
      })
    expect(own.classes["Context"]?.fields["[\"a key\"]"], is: "string?")
  }

  /// The language server types 'self' in 'function page.on:save(ctx)' by 'page.on', and 'ctx' by the assigned field's
  /// type. These rules come from its source, since it isn't installed everywhere. Where it is, 'tools/editors' runs it.
  @Test(
    "In every handler of the examples 'self' is the responder with its fields, and 'ctx' the context",
    arguments: ["scripts/photos", "scripts/files", "scripts/editor", "scripts/hello.lua", "scripts/tour.lua"])
  func handlers(_ app: String) throws {
    let own = Annotations(try Program.menuctl(["stubs", app]).out)
    let script = try Project.text(app.hasSuffix(".lua") ? app : "\(app)/app.lua")
    var count = 0
    for match in script.matches(of: /function (\w+)\.(on|can|look|confirm|build):(\w+)\((\w*)/) {
      count += 1
      let (local, table, action) = (String(match.output.1), String(match.output.2), String(match.output.3))
      let node = own.classes["Responder.\(local)"] != nil ? "Responder.\(local)" : "Responder"
      let type = own.type(of: table, in: node) ?? ""
      expect(own.isSub(type, of: "Responder") && (node == "Responder" || own.isSub(type, of: node)), "\(type)")
      // The assigned field's type has the context, for an action on the responder or elsewhere.
      let assigned = own.type(of: action, in: type) ?? ""
      let context = own.classes["\(node).ctx.\(action)"] == nil ? "Context" : "\(node).ctx.\(action)"
      expect(assigned.contains(table == "build" ? "m: Builder" : "ctx: \(context)"), "\(local).\(table):\(action)")
      let body = script[match.range.upperBound...].prefix { $0 != "\n" }
      for field in body.matches(of: /self\.(\w+)/).map({ String($0.output.1) }) {
        let type = own.type(of: field, in: type) ?? ""
        // A script's field may be anything, also callable.
        expect(type.contains("any") || own.classes[node]?.fields[field] != nil || own.isHostField(field), "\(field)")
      }
    }
    expect(count > 0)
  }

  @Test("A8: In the functions of an action 'ctx' has the action's arguments, with their types")
  func taken() throws {
    let script = """
      local list = responder "list"
      list.takes.add = {
        count = { "integer", from = 1, title = "How many" }, name = { "string", optional = true },
        tags = { "string", many = true }, size = { one_of = { "small", "large" } }, at = { one_of = { 1, 2 }, default = 1 },
        loud = "boolean", ["a key"] = "number", what = "any", where = { "folder", default = "." },
      }
      list.takes["file.open"] = { path = "file" }
      function list.on:add(ctx) end
      function list.confirm:add(ctx) return "Sure?" end
      list.on["file.open"] = function(self, ctx) end
      function list.on:other(ctx) end
      focus(list)
      """
    let run = try Program.menuctl(["stubs", "-"], stdin: script)
    let own = Annotations(run.out)
    expect(run.status == 0 && own.strange == [])
    let add = try require(own.classes["Responder.list.ctx.add"])
    expect(add.base, is: "Context")
    expect(
      add.fields,
      is: [
        "count": "integer", "name": "string|nil", "tags": "string[]", "size": "\"small\"|\"large\"", "at": "any",
        "loud": "boolean", "[\"a key\"]": "number", "what": "any", "where": "string",
      ])
    expect(own.classes["Responder.list.ctx.file_open"]?.fields, is: ["path": "string"])
    for table in ["on", "can", "look", "confirm"] {
      let type = try require(own.type(of: table, in: "Responder.list"))
      expect(own.type(of: "add", in: type)?.contains("ctx: Responder.list.ctx.add"), is: true, "\(table)")
      expect(own.type(of: "other", in: type)?.contains("ctx: Context"), is: true, "\(table)")
    }
    expect(run.out.contains("---@field count integer How many\n"))
  }

  @Test("Fields that the app sets are known on 'self', and the host's calls too")
  func fieldsOfSelf() throws {
    let script = "local list = responder 'list' { entries = {}, count = 1 } function list.on:add(ctx) end focus(list)"
    let own = Annotations(try Program.menuctl(["stubs", "-"], stdin: script).out)
    for table in ["on", "can", "look", "build"] {
      let type = try require(own.type(of: table, in: "Responder.list"))
      expect(own.names(in: type).isSuperset(of: ["entries", "count", "name", "on", "can"]), "\(type)")
      expect(own.functions["Responder:perform"] != nil)
      let written = try require(own.classes[type]?.fields["[string]"])
      expect(written.hasPrefix("any|Own|(fun(self: any, "), "\(written)")
    }
    // Stubs offer nothing of Lua that scripts don't have.
    for name in ["dofile", "loadfile", "collectgarbage", "warn", "io", "debug", "package"] {
      expect(own.functions[name] == nil && own.globals[name] == nil)
    }
    expect(
      own.functions.keys.filter { $0.hasPrefix("os.") }.sorted(), is: ["os.clock", "os.date", "os.difftime", "os.time"])
  }

  @Test("An app that doesn't load has no stubs")
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
