import Testing

@Test("load --eval evaluates lines of Lua, in order with the other steps", arguments: evals)
func eval(_ toolCase: ToolCase) throws { try toolCase.check() }

private let script = """
  count = 0
  function app.on:add(ctx) count = count + (ctx.n or 1) return count end
  function app.on:nap() sleep(0.01) return "rested" end
  menubar { menu "Count" { item "Add" { "add", key = "a" } } }
  function app.look:add() return { title = "Add to " .. count } end

  """

private let app = """

  stdin

  chain: app (focus)

  Count
    ✓   Add to 3  a  add  #Count/Add

  1 item, 1 can be done now

  """

private let evals: [ToolCase] = [
  ToolCase(
    name: "expressions are echoed, statements run, in order",
    words: [
      "load", "-", "--perform", "add", "--eval", "count", "--eval=count = count + 1", "--press", "a", "--eval",
      "_, 'x', { count = count }",
    ],
    script: script,
    out: """
      add: handled by app → 1
      count: → 1
      count = count + 1: done
      a: handled by app → 3
      _, 'x', { count = count }: → 1, "x", {count: 3}
      """ + "\n" + app),
  ToolCase(
    name: "one may wait", words: ["load", "-", "--eval", "app:perform('nap').result", "--eval", "count = 3"],
    script: script, out: "app:perform('nap').result: → \"rested\"\ncount = 3: done\n" + app),
  ToolCase(
    name: "what raises is shown with its line; the others are evaluated, and the highest status counts",
    words: ["load", "-", "--eval", "count = 3", "--eval", "conut + 1", "--eval", "count"], script: script, status: 70,
    out: """
      count = 3: done
      conut + 1: failed: 'conut' is not defined; did you mean 'count'?
      count: → 3
      """ + "\n" + app,
    err: """
      --eval 2:1:1: error: 'conut' is not defined; did you mean 'count'?
        conut + 1
        ^

      """),
  ToolCase(
    name: "a limit that is spent", words: ["load", "-", "--timeout", "0.05", "--eval", "while true do end"], status: 75,
    out: """
      while true do end: failed: the limit of 0.05 s is spent: does a loop never end?

      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """,
    err: """
      --eval:1: error: the limit of 0.05 s is spent: does a loop never end?
        while true do end
      help: '--timeout S', '--budget N' and '--memory MB' set other limits; 'menuctl help limits' has more

      """),
  ToolCase(
    name: "a line that can't be read is usage, before anything is run",
    words: ["load", "-", "--eval", "print('run')", "--eval", "x = = 1"], script: "print('loaded')", status: 64,
    err: """
      --eval:1: error: unexpected symbol near '='
        x = = 1

      """),
  ToolCase(
    name: "as JSON", words: ["load", "-", "--json", "--eval", "1, print"], script: "",
    out: """
      {"menuctl": 1, "ok": true, "app": {"source": "stdin"}, "focus": "app", \
      "chain": [{"name": "app", "owner": "host"}], "menus": [], \
      "outcomes": [{"eval": "1, print", "values": [1, {"$": "function"}], "changes": []}], "diagnostics": []}

      """),
]
