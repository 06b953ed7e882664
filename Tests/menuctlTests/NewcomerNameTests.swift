import Expectations
import Testing

// What a newcomer types that means nothing, and what is said of what was meant.

@Suite("What a newcomer types")
struct NewcomerNameTests {
  @Test("A name on the command line that means nothing says what was meant", arguments: meantNames)
  func meantName(_ toolCase: ToolCase) throws { try toolCase.check() }

  @Test("An item's path stands for its action where the chain, the context or the actions are asked for")
  func pathsOfItems() throws {
    let done = try Program.menuctl(["chain", "-", "Todo/Done"], stdin: todo)
    expect(done, is: Run(status: 0, out: "▸ list  on: takes it\n  app\n", err: ""))
    let context = try Program.menuctl(["context", "-", "Todo/Milk"], stdin: todo)
    expect(context, is: Run(status: 0, out: "text: \"milk\"  from arguments\n", err: ""))
    try expect(Program.menuctl(["actions", "-", "Todo/Done"], stdin: todo).out.hasPrefix("✗ done  by list"))
  }

  @Test("What is given to the wrong verb is named, with the call that was meant")
  func wrongVerbs() throws {
    let folder = try ScriptFolder([
      "app.lua": todo, "app_test.lua": "subject 'app.lua'\n", "r.jsonl": "", "lone_test.lua": lone,
      "split_test.lua": "test 'a' (function() end)\n",
    ])
    func run(_ words: String...) throws -> Run { try Program.menuctl(words, folder: folder.path) }
    try expect(
      run("replay", "app.lua", "r.jsonl"),
      is: Run(
        status: 64, out: "",
        err:
          "menuctl: error: 'app.lua' is an app: name the recording before it\nmenuctl replay r.jsonl app.lua\n"
      ))
    try expect(
      run("load", "app_test.lua").err.hasSuffix("\nhelp: to run a file of tests: menuctl test app_test.lua\n"))
    let missing =
      "no app is loaded here; before the tests, write subject(\"app.lua\") with the script beside this file"
    let alone = try run("test", "lone_test.lua").out
    expect(alone.contains("attempt to index a nil value: there is no element 'Todo/Done'; \(missing)\n"), "\(alone)")
    expect(alone.contains("found nil; \(missing)\n") && !alone.contains("found 2; "), "\(alone)")
    let split = try run("test", "split_test.lua")
    expect(
      split.err.hasPrefix("split_test.lua:1: error: put the test's function into the same parentheses as its name"))
    let nothing = try run("record", "app.lua")
    expect(
      nothing.status == 0 && nothing.err.hasPrefix("help: nothing is recorded without actions: add --perform REF"))
  }
}

private let lone = """
  test("item", function(app) expect(app:item("Todo/Done").reason):is("x") end)
  test("outcome", function(app) expect(app:perform("add(text: x)").result):is("x") end)
  test("of its own", function(app) expect(1 + 1):is(3) end)
  """

private let todo = """
  menubar { menu "Todo" {
    item "Done" { "done", key = "d" }, item "Clear All" { "clear", key = "ctrl+k" }, item "Milk" { "add(text: milk)" },
  } }
  local list = responder "list" { items = {} }
  function list.can:done() return #self.items > 0, "there is nothing to do" end
  function list.on:done() end
  function list.on:clear() end
  function list.on:add(ctx) return ctx.text end
  focus(list)
  """

private let keyed = """
  local r = responder "r" { keys = { ["g g"] = "a", g = "b", ["v 0"] = "a", ["v 1"] = "b", ["ctrl+x s"] = "a" } }
  local draft = responder "draft" { keys = { ["ctrl+enter"] = "a" } }
  function r.on:a() end function r.on:b() end focus(r)
  """

private func usage(_ name: String, _ words: [String], _ err: String) -> ToolCase {
  ToolCase(name: name, words: words, script: todo, status: 64, err: err)
}

private let meantNames: [ToolCase] = [
  ToolCase(
    name: "an item near which a separator stands", words: ["why", "-", "Todo/Ad"],
    script: "menubar { menu 'Todo' { item 'Add…' { 'add' }, separator, item 'Zap' { 'zap' } } }", status: 64,
    err: "menuctl: error: there is no element 'Todo/Ad'; did you mean 'Todo/Add…'?\n"),
  ToolCase(
    name: "a live app without its sign", words: ["stop", "todo"], status: 64,
    err: "menuctl: error: 'todo' is no live app\na live app is named with '@': @todo\n"),
  ToolCase(
    name: "what is to be done before the app", words: ["perform", "rate(rating: 5)", "Tests/Apps/photos.lua"],
    status: 64,
    err: """
      menuctl: error: 'Tests/Apps/photos.lua' is no action: names of actions have no '/'
      APP comes first: menuctl perform Tests/Apps/photos.lua 'rate(rating: 5)'

      """),
  ToolCase(
    name: "an item before the app", words: ["pick", "Image/Rate", "Tests/Apps/photos.lua", "--yes"], status: 66,
    err: """
      menuctl: error: can't read 'Image/Rate': No such file or directory
      APP comes first: menuctl pick Tests/Apps/photos.lua Image/Rate …

      """),
  ToolCase(
    name: "a key before the app", words: ["press", "ctrl+r", "Tests/Apps/photos.lua"], status: 64,
    err: """
      menuctl: error: 'Tests/Apps/photos.lua': there is no key 'Tests/Apps/photos.lua'
      APP comes first: menuctl press Tests/Apps/photos.lua ctrl+r

      """),
  ToolCase(
    name: "the sign of a live app, and no name", words: ["stop", "@"], status: 64,
    err: "menuctl: error: '@' is no live app\na live app is named with '@': @NAME\n"),
  ToolCase(
    name: "chain of an action that nobody answers", words: ["chain", "-", "claer"], script: todo,
    out: "▸ list\n  app\n", err: "help: nobody handles 'claer'; did you mean 'clear'?\n"),
  ToolCase(
    name: "context of an action that nobody answers", words: ["context", "-", "ad"], script: todo,
    out: "nothing supplies context\n", err: "help: nobody handles 'ad'; did you mean 'add'?\n"),
  usage(
    "why of a path that isn't there", ["why", "-", "Todo/Donee"],
    "menuctl: error: there is no element 'Todo/Donee'; did you mean 'Todo/Done'?\n"),
  usage(
    "validate of a path that isn't there", ["validate", "-", "Todo/Donee"],
    "menuctl: error: there is no element 'Todo/Donee'; did you mean 'Todo/Done'?\n"),
  usage(
    "chain of a path that isn't there", ["chain", "-", "Todo/Donee"],
    "menuctl: error: there is no element 'Todo/Donee'; did you mean 'Todo/Done'?\n"),
  usage("a path with nothing near", ["why", "-", "A/B"], "menuctl: error: there is no element 'A/B'\n"),
  ToolCase(
    name: "why of a title", words: ["why", "-", "milk"], script: todo,
    out: """
      disabled: nobody handles 'milk'
        list: on milk → doesn't answer
        app: on milk → doesn't answer

      """, err: "help: 'milk' is the title of an item: menuctl why - Todo/Milk\n"),
  ToolCase(
    name: "why of a letter", words: ["why", "-", "z"], script: todo,
    out: """
      disabled: nobody handles 'z'
        list: on z → doesn't answer
        app: on z → doesn't answer

      """, err: "help: nothing is bound to 'z' as a key; 'menuctl keys -' lists those that are\n"),
  ToolCase(
    name: "why of a key", words: ["why", "-", "ctrl+q"], script: todo, out: "disabled: nothing is bound to 'ctrl+q'\n",
    err: "help: nothing is bound to 'ctrl+q' as a key; 'menuctl keys -' lists those that are\n"),
  ToolCase(
    name: "why of a row whose pane has no responder", words: ["why", "-", "M/Go"],
    script: """
      menubar { menu "M" { item "Go" { "go" } } }
      panel { pane "p" { item "a" { "open" } } }
      app.needs.go = { row = "choose first" }
      function app.on:go(ctx) end
      function app.on:open() end
      """,
    out: """
      disabled by 'app': choose first
        app: on go → takes it (stdin:4)
        app: needs go → no: choose first
        key 'row': missing; a pane with a responder supplies it from its current row

      """),
  ToolCase(
    name: "why of keys that are never reached", words: ["why", "-", "g g"], script: keyed,
    out: """
      disabled: 'g g' never works: 'g' alone is bound by 'r'
        r: key g g → performs a, but 'g' alone is bound by 'r' (stdin:1)

      """),
  ToolCase(
    name: "why of a key of a responder outside the chain", words: ["why", "-", "ctrl+enter"], script: keyed,
    out: """
      disabled: 'ctrl+enter' is bound by 'draft', but that is not in the chain
        draft: key ctrl+enter → performs a, but 'draft' is not in the chain (stdin:2)

      """),
  ToolCase(
    name: "why of a letter that begins keys", words: ["why", "-", "v"], script: keyed,
    out: """
      disabled: nobody handles 'v'
        r: on v → doesn't answer
        app: on v → doesn't answer

      """, err: "help: as a key, 'v' is only the beginning of 'v 0', 'v 1'\n"),
  ToolCase(
    name: "why of a key that begins others", words: ["why", "-", "ctrl+x"], script: keyed,
    out: "disabled: 'ctrl+x' is only the beginning of 'ctrl+x s'\n"),
  ToolCase(
    name: "load picks what isn't there", words: ["load", "-", "--pick", "Todo/Don"], script: "", status: 64,
    out: """
      Todo/Don: failed: there is no element 'Todo/Don'

      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """),
  usage(
    "help of a name", ["help", "takess"],
    """
    menuctl: error: there is no verb, topic, code or name 'takess'; did you mean 'takes'?
    'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language

    """),
  usage(
    "an argument as a word of its own", ["perform", "-", "add", "milk"],
    "menuctl: error: 'milk' is one argument too many\narguments have names and stand in parentheses: menuctl perform - 'add(NAME: milk)'\n"
  ),
  usage(
    "an argument with its name as words", ["perform", "-", "add", "text:", "milk"],
    "menuctl: error: 'text:' is one argument too many\narguments have names and stand in parentheses: menuctl perform - 'add(text: milk)'\n"
  ),
  usage(
    "an argument with '=' as a word", ["perform", "-", "add", "text=milk"],
    "menuctl: error: 'text=milk' is one argument too many\narguments have names and stand in parentheses: menuctl perform - 'add(text: milk)'\n"
  ),
  usage(
    "'=' for ':'", ["perform", "-", "add(text=milk)"],
    """
    reference:1:9: error: put a colon between a key and its value: text: milk
      add(text=milk)
              ^

    """),
  usage(
    "no parentheses", ["perform", "-", "add text: milk"],
    """
    reference:1:5: error: a name can't have blanks; put arguments in parentheses: add(text: milk)
      add text: milk
          ^

    """),
  usage(
    "a colon for parentheses", ["perform", "-", "add: milk"],
    """
    reference:1:4: error: put arguments in parentheses: add(name: milk)
      add: milk
         ^

    """),
  usage(
    "who is to do it", ["perform", "-", "list:add"],
    """
    reference:1:5: error: write the action alone, without a responder: add
      list:add
          ^

    """),
  usage(
    "a path for an action", ["perform", "-", "Todo/Done"],
    """
    menuctl: error: 'Todo/Done' is no action: names of actions have no '/'
    to pick an item by its path: menuctl pick APP Todo/Done

    """),
]
