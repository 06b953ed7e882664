import Testing

@Test("perform --trace shows the walk before the outcome", arguments: traces)
func trace(_ toolCase: ToolCase) throws { try toolCase.check() }

private let script = """
  local grid = responder "grid"
  function grid:provide(ctx) ctx.photo = "sea\\27" end
  function grid.on:go(ctx) app:perform("inner") return "gone" end
  function app.on:inner() end
  focus(grid)

  """

private let traces: [ToolCase] = [
  ToolCase(
    name: "text", words: ["perform", "-", "go", "--trace"], script: script,
    out: """
      app: perform go → handled by grid
        grid: on go → takes it (stdin:3)
        grid: provide → photo (stdin:2)
        grid: do go → done (stdin:3)
        app: perform inner → handled by app
          grid: on inner → doesn't answer
          app: on inner → takes it (stdin:4)
          grid: provide → photo (stdin:2)
          app: do inner → done (stdin:4)

      handled by grid → "gone"

      """),
  ToolCase(
    name: "JSON", words: ["perform", "-", "inner", "--trace", "--json"], script: script,
    out: """
      {"menuctl": 1, "ok": true, "action": "inner", "status": "handled", "by": "app", "via": "on", "changes": [], "trace": [\
      {"level": 0, "node": "app", "asked": "perform inner", "answer": "handled by app"}, \
      {"level": 1, "node": "grid", "asked": "on inner", "answer": "doesn't answer"}, \
      {"level": 1, "node": "app", "asked": "on inner", "answer": "takes it", "file": "stdin", "line": 4}, \
      {"level": 1, "node": "grid", "asked": "provide", "answer": "photo", "file": "stdin", "line": 2}, \
      {"level": 1, "node": "app", "asked": "do inner", "answer": "done", "file": "stdin", "line": 4}]}

      """),
  ToolCase(
    name: "nobody", words: ["perform", "-", "nosuch", "--trace"], script: script, status: 69,
    out: """
      app: perform nosuch → unhandled: nobody handles 'nosuch'
        grid: on nosuch → doesn't answer
        app: on nosuch → doesn't answer

      unhandled: nobody handles 'nosuch'

      """),
]
