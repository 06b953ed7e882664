import Expectations
import Testing

/// The layers of the library, lowest first: each uses only earlier ones.
private let order = [
  "Lua", "Actions", "Keys", "Context", "Responders", "Undo", "Time", "Dispatch", "Validation", "Menus",
  "Plugins", "Program", "Host", "Script",
]
/// The layers that know nothing of Lua.
private let core = [
  "Actions", "Keys", "Context", "Responders", "Undo", "Time", "Dispatch", "Validation", "Menus", "Plugins",
  "Program",
]

/// The layers of the live host, the face and the tool. Two files of the tool are above all layers.
private let live = ["JSON", "Socket", "Answers", "Protocol", "Live", "Client"]
private let face = ["Input", "Screen", "State", "Views", "Device", "Face", "Areas", "Plain"]
private let assistant = ["Messages", "Tools", "Server"]
private let tool = [
  "Reference", "System", "Stubs", "CommandLine", "New", "Topics", "Testing", "Recording", "Showing", "Running", "Repl",
  "Verbs", "Tool.swift", "main.swift",
]

private func files(of room: String, in target: String = "ScriptHost") throws -> [SwiftText] {
  let path = "Sources/\(target)/\(room)"
  return try (room.hasSuffix(".swift") ? [path] : Project.files(below: path, ending: ".swift")).map(SwiftText.init)
}

@Test(
  "Every file is in a layer, and every layer in the order",
  arguments: [
    ("ScriptHost", order), ("LiveHost", live), ("Assistant", assistant), ("Terminal", face), ("menuctl", tool),
  ])
func rooms(target: String, order: [String]) {
  for path in Project.files(below: "Sources/\(target)", ending: ".swift") {
    let room = String(path.split(separator: "/")[2])
    expect(order.contains(room), "\(path)")
  }
}

@Test(
  "A layer uses only those below it",
  arguments: [
    ("ScriptHost", order, ("LuaState", "Lua")), ("LiveHost", live, ("CallError", "Protocol")),
    ("Assistant", assistant, ("Tool", "Tools")), ("Terminal", face, ("Canvas", "Screen")),
    ("menuctl", tool, ("Session", "Running")),
  ])
func layering(target: String, order: [String], known: (name: String, room: String)) throws {
  var homes: [String: Set<String>] = [:]
  for room in order {
    for file in try files(of: room, in: target) {
      for name in file.declared { homes[name, default: []].insert(room) }
    }
  }
  // A name that two layers declare proves no use.
  let home = homes.compactMapValues { $0.count == 1 ? $0.first : nil }
  for (floor, room) in order.enumerated() {
    let above = Set(order[(floor + 1)...])
    for file in try files(of: room, in: target) {
      for name in file.named.sorted() where above.contains(home[name] ?? "") {
        Issue.record("\(file.path) names \(name), which stands above it in \(home[name] ?? "")")
      }
    }
  }
  expect(home[known.name], is: known.room, "the names are found at all")
}

@Test("No circle of more than four Swift files")
func circles() throws {
  var smaller = 0
  for target in ["ScriptHost", "LiveHost", "Assistant", "Terminal", "menuctl"] {
    var (declared, named): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for file in try Project.files(below: "Sources/\(target)", ending: ".swift").map(SwiftText.init) {
      declared[file.path] = Set(file.declared)
      named[file.path] = file.mentioned
    }
    for circle in Leaning(declared: declared, named: named).circles {
      expect(circle.count <= 4, "\(circle)")
      smaller += 1
    }
  }
  expect(smaller > 0, "circles are found at all")
}

@Test("The core does not know Lua")
func coreWithoutLua() throws {
  var lua: Set<String> = []
  for file in try files(of: "Lua") {
    lua.formUnion(file.declared.filter { $0.hasPrefix("Lua") })
    expect(!file.imports.contains("CScript"), "\(file.path) is a safe Lua alone")
  }
  for file in try core.flatMap({ try files(of: $0) }) {
    expect(!file.imports.contains("CLua") && !file.imports.contains("CScript"), "\(file.path)")
    let named = lua.intersection(file.named).sorted()
    expect(named.isEmpty, "\(file.path) names \(named)")
    expect(!file.code.contains("clua_"), "\(file.path)")
  }
}

@Test("Each type for embedding programs is named in a document for them, or in an example")
func publicTypes() throws {
  let examples = [
    "EmbeddingExample", "EmbeddingMenus", "EmbeddingActions", "EmbeddingFunctions", "LiveExample", "OwnLoopExample",
  ]
  let read = try
    (["docs/embedding.md", "docs/live.md", "docs/testing.md", "README.md"]
    + examples.flatMap { Project.files(below: "Tests/\($0)", ending: ".swift") }).map(Project.text)
  let named = Set(read.flatMap { $0.matches(of: /\b[A-Z]\w*/.wordBoundaryKind(.simple)).map { String($0.output) } })
  let types = try order.flatMap { try files(of: $0) }.flatMap(\.embedders)
  for type in types where !named.contains(type) {
    Issue.record("\(type) is public, and no document or example names it")
  }
  expect(types.contains("ScriptHost"), "types are found at all")
}

@Test("No public declaration mentions Lua, or is in Lua's layer")
func publicLua() throws {
  for file in try files(of: "Lua") { expect(!file.code.contains("public "), "\(file.path)") }
  for type in try order.flatMap({ try files(of: $0) }).flatMap(\.embedders) {
    expect(!type.hasPrefix("Lua"), "\(type)")
  }
}

@Test("No code traps on purpose, and none imports Foundation")
func habits() throws {
  for path in Project.files(below: "Sources", ending: ".swift") {
    let file = try SwiftText(path: path)
    for word in ["try!", "fatalError(", "as!", "preconditionFailure(", "precondition(", "assertionFailure("] {
      expect(!file.code.contains(word), "\(path) has \(word)")
    }
    expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(path)")
  }
}

@Test("Names of other layers are found in code, and not in comments, strings or members")
func names() {
  let code = SwiftText(
    path: "x", text: "// A\nlet b: B = C.D() /* E */ + \"F\"\nfunc g<G>(_ g: G) -> \"\"\"\nH\n\"\"\" enum I {}")
  expect(code.named, is: ["B", "C", "I"])
  expect(code.declared, is: ["I"])
}
