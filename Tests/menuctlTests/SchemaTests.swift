import Expectations
import Testing

// docs/schema.json accepts the tool's answers and the documentation's examples, and rejects wrong ones.

private let script = """
  app.title = "Everything"
  menubar {
    menu "All" {
      item "★" { "rate(rating: 5)", key = "5", subtitle = "five", icon = "star", destructive = true, keeps_open = true,
        confirm = "Sure?", args = { place = { 1, "a", true } }, alternates = { alt = item "None" { "rate(rating: 0)" } } },
      separator,
      label "to read",
      menu "Inner" { item "Wait" { "wait" }, item "Nobody" { "nobody" } },
      section "rows" { items = function() return rows end, id = function(r) return r end,
        row = function(r) return item(r) { "rate" } end, empty = "none" },
    },
  }
  rows = { "a", "b" }
  local grid = responder "grid"
  grid.keys = { ["g g"] = "rate", ["5"] = "rate(rating: 1)", g = "rate" }
  function grid:provide(ctx) ctx.photo = "sea" ctx.odd = { print, 0/0, "\\255", {}, { a = 1 } } ctx.action = 1 end
  function grid.on:rate(ctx) rows = { "b", "c" } ctx:undo("Rate", function() end) return { ctx.odd, ctx.rating, grid } end
  function grid.can:rate(ctx) return ctx.photo ~= nil and ctx.rating ~= 9, "nine is too much" end
  function grid.look:rate(ctx) return { state = ctx.rating == 5, title = "Rated" } end
  function grid.on:wait() sleep(0.01) return app:perform("rate") end
  function grid.on:boom() error("boom") end
  function grid.on:spin() while true do end end
  focus(grid)
  """

/// A call, and the definition of its answer.
private let calls: [(definition: String, words: [String])] = [
  ("load", ["load", "-"]),
  (
    "load",
    [
      "load", "-", "--perform", "rate", "--eval", "grid", "--eval", "nosuch", "--pick", "All/Inner/Wait", "--press",
      "g g",
    ]
  ),
  ("perform", ["perform", "-", "rate"]), ("perform", ["perform", "-", "rate(rating: 9)"]),
  ("perform", ["perform", "-", "nobody"]), ("perform", ["perform", "-", "boom"]),
  ("perform", ["perform", "-", "spin", "--timeout", "0.05"]), ("perform", ["perform", "-", "wait", "--trace"]),
  ("perform", ["press", "-", "g", "g"]), ("perform", ["press", "-", "q"]), ("perform", ["press", "-", "5"]),
  ("perform", ["pick", "-", "All/★", "--yes"]), ("perform", ["pick", "-", "All/★"]),
  ("menu", ["menu", "-"]), ("menu", ["menu", "-", "All/Inner"]),
  ("validate", ["validate", "-"]), ("validate", ["validate", "-", "rate", "All/★", "nobody"]),
  ("why", ["why", "-", "rate"]), ("why", ["why", "-", "nobody"]), ("why", ["why", "-", "All/★"]),
  ("why", ["why", "-", "5"]),
  ("chain", ["chain", "-"]), ("chain", ["chain", "-", "rate"]), ("context", ["context", "-"]),
  ("context", ["context", "-", "rate(rating: 1)"]), ("actions", ["actions", "-"]),
  ("actions", ["actions", "-", "rate"]),
  ("keys", ["keys", "-"]), ("check", ["check", "-"]),
  ("replay", ["replay", "Tests/Apps/hello.jsonl"]),
  ("replay", ["replay", "Tests/Apps/hello.jsonl", "Tests/Apps/rude.lua"]),
  ("version", ["version"]), ("stubs", ["stubs"]), ("stubs", ["stubs", "-"]),
  ("problem", ["load", "nosuch.lua"]), ("problem", ["perform", "-", "a("]), ("problem", ["load", "-", "--set", "x"]),
  ("problem", ["pick", "-", "nosuch"]), ("problem", ["load", "-", "--eval", "x = = 1"]),
  ("test", ["test", "scripts", "--coverage", "--shuffle"]),
  ("test", ["test", "Tests/Apps"]), ("test", ["test", "nosuch_test.lua"]),
]

@Test("Every answer is valid by the schema, under its verb's name and as a whole", arguments: calls.indices)
func answersAreByTheSchema(_ index: Int) throws {
  let (definition, words) = calls[index]
  let schema = try Schema.inDocs()
  let run = try Program.menuctl(words + ["--json"], stdin: script)
  let answer = try StrictJSON(run.out)
  try expect(schema.problems(of: answer, as: definition), is: [], "\(words): \(run.out)")
  try expect(schema.problems(of: answer), is: [], "\(words)")
}

@Test("The answer for a script that doesn't load is a problem")
func loadErrorsAreByTheSchema() throws {
  for script in ["error('no')", "x = ", "menubar { menu 'a' { item 'b' { 'c(' } } }"] {
    let run = try Program.menuctl(["load", "-", "--json"], stdin: script)
    try expect(Schema.inDocs().problems(of: StrictJSON(run.out), as: "problem"), is: [], "\(run.out)")
    expect(run.status, is: 65)
  }
}

@Test("The answer of a failing test is valid by the schema too, with its differences")
func failedTestsAreByTheSchema() throws {
  let folder = try ScriptFolder([
    "a_test.lua": """
    test("fails", function(app)
      print("said")
      expect({ a = 1 }):is({ a = 2 })
    end)
    test("raises", function() error("no") end)
    test("is skipped", function() skip("not today") end)
    """,
    "b_test.lua": "x = ",
  ])
  let run = try Program.menuctl(["test", "--json", "--fail-fast", "--jobs", "1"], folder: folder.path)
  try expect(Schema.inDocs().problems(of: StrictJSON(run.out), as: "test"), is: [], "\(run.out)")
  let whole = try Program.menuctl(["test", "--json"], folder: folder.path)
  try expect(Schema.inDocs().problems(of: StrictJSON(whole.out), as: "test"), is: [], "\(whole.out)")
}

@Test("Every verb that answers as JSON has a definition")
func everyVerbHasADefinition() throws {
  let schema = try Schema.inDocs()
  let help = try Program.menuctl(["help"])
  let verbs = help.out.matches(of: #/(?m)^[ ]{2}([a-z]+)[ ]/#).map { String($0.output.1) }
  expect(verbs.count > 10)
  for verb in verbs {
    let text = try Program.menuctl(["help", verb]).out
    guard text.contains("--json") else { continue }
    let name = ["press", "pick"].contains(verb) ? "perform" : verb
    expect(schema.definitions.contains(name), "\(verb)")
  }
}

@Test("Every JSON in the documents is valid by the schema")
func documentsAreByTheSchema() throws {
  let schema = try Schema.inDocs()
  var count = 0
  for path in ["README.md"] + Project.files(below: "docs", ending: ".md") {
    let blocks = CodeBlock.all(in: try Project.text(path))
    let lines = blocks.flatMap { $0.text.split(separator: "\n") }
    // A recording begins like an answer. docs/recording.md describes its lines.
    for line in lines where line.hasPrefix(#"{"menuctl": 1, "#) && !line.hasPrefix(#"{"menuctl": 1, "recording""#) {
      count += 1
      try expect(schema.problems(of: StrictJSON(String(line))), is: [], "\(path): \(line)")
    }
    for block in blocks where block.language == "json" { _ = try StrictJSON(block.text) }
  }
  expect(count > 0, "the documents show JSON")
}

@Test("An answer with any change is invalid by the schema")
func wrongAnswersAreNotByTheSchema() throws {
  let schema = try Schema.inDocs()
  let run = try Program.menuctl(
    ["load", "-", "--json", "--perform", "rate", "--perform", "boom", "--eval", "1"], stdin: script)
  let answer = try StrictJSON(run.out)
  var count = 0
  for wrong in answer.variants(isFree: false) {
    count += 1
    try expect(!schema.problems(of: wrong, as: "load").isEmpty, "\(wrong)")
  }
  expect(count > 150, "\(count)")
}

extension StrictJSON {
  /// The same value with one mistake: each member unknown or of another type. Values from scripts may be anything.
  fileprivate func variants(isFree: Bool) -> [StrictJSON] {
    switch self {
    case .object(let members):
      if isFree { return [] }
      var variants = [StrictJSON.object(members + [Member(key: "unknown to all", value: .null)])]
      for (index, member) in members.enumerated() {
        let isFree = ["result", "values", "args"].contains(member.key)
        if !isFree { variants.append(replacing(members, index, .list([.list([])]))) }
        variants += member.value.variants(isFree: isFree).map { replacing(members, index, $0) }
      }
      return variants
    case .list(let values):
      if isFree { return [] }
      return values.indices.flatMap { index in
        values[index].variants(isFree: false).map { variant in
          var changed = values
          changed[index] = variant
          return StrictJSON.list(changed)
        }
      }
    default: return []
    }
  }

  private func replacing(_ members: [Member], _ index: Int, _ value: StrictJSON) -> StrictJSON {
    var changed = members
    changed[index] = Member(key: members[index].key, value: value)
    return .object(changed)
  }
}
