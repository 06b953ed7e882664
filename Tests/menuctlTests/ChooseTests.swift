import Expectations
import Testing

@Suite("--choose makes a row of the panel current first")
struct ChooseTests {
  private static let app = """
    panel {
      section "birds" {
        items = { "gull", "tern" }, id = function(name) return name end, current = "show",
        row = function(name) return item(name) { "ring", args = { name = name } } end,
      },
      label "end",
    }
    app.keys = { r = "ring" }
    local shown
    function app.on:show(ctx) if ctx.name == "tern" and not shown then shown = "gull" end shown = ctx.name end
    function app.can:ring(ctx) return shown ~= nil, "no bird is current" end
    function app.on:ring() return shown end
    """

  private func run(_ words: [String]) throws -> Run { try Program.menuctl(words, stdin: Self.app) }

  @Test("perform, press and why use the app with that current row, load shows the outcome")
  func verbs() throws {
    try expect(run(["perform", "-", "ring"]).out, is: "disabled by app: no bird is current\n")
    try expect(
      run(["perform", "-", "ring", "--choose", "tern"]), is: Run(status: 0, out: "handled by app → \"tern\"\n", err: "")
    )
    try expect(run(["press", "-", "r", "--choose", "tern", "--choose", "gull"]).out, is: "handled by app → \"gull\"\n")
    try expect(run(["why", "-", "ring"]).out.hasPrefix("disabled by 'app': no bird is current\n"))
    try expect(run(["why", "-", "ring", "--choose", "gull"]).out.hasPrefix("enabled: "))
    let load = try run(["load", "-", "--perform", "ring", "--choose", "gull", "--perform", "ring"])
    expect(load.status, is: 1)
    expect(
      load.out.hasPrefix(
        """
        ring: disabled by app: no bird is current
        gull: handled by app
        ring: handled by app → "gull"

        """), "\(load)")
  }

  @Test("A missing row, or one that can't be current, is an error, and nothing is done", arguments: ["owl", "end"])
  func wrong(_ row: String) throws {
    for words in [["perform", "-", "ring"], ["press", "-", "r"], ["why", "-", "ring"]] {
      let run = try run(words + ["--choose", row])
      expect(run.status == (row == "owl" ? 64 : 70) && run.out == "", "\(run)")
      expect(run.err.contains("can't choose '\(row)': ") && run.err.contains("shows the rows of the panel"), "\(run)")
    }
    try expect(run(["load", "-", "--choose", row]).status, is: (row == "owl" ? 64 : 70))
  }
}

@Test("The reason for a text that is too long says '3 or fewer characters'")
func fewerCharacters() throws {
  let run = try Program.menuctl(
    ["perform", "-", "say(text: long)"],
    stdin: "function app.on:say() end app.takes.say = { text = { 'string', to = 3 } }")
  expect(run.out, is: "disabled by app: 'text' must be a string of 3 or fewer characters, not 'long'\n", "\(run)")
}
