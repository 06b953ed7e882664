import Expectations
import Testing

@testable import ScriptHost

@Suite("Arguments with texts of several lines")
struct TakesLinesTests {
  @Test("P19: An asked argument has the number of lines that a form shows, and the width of the first")
  func asked() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        app.takes.commit = { message = { "string", lines = 10, wide = 72 } }
        function app.on:commit(ctx) return ctx.message end
        """, name: "app.lua")
    let argument = try require(host.perform("commit").asks?.arguments.first)
    expect(argument.lines == 10 && argument.wide == 72)
    let value = "\(argument.value)"
    expect(value.contains("lines") && value.contains("wide"))
    expect(host.perform(#"commit(message: "one\n\ntwo")"#).result.shown, is: "one\n\ntwo")
    let page = try host.responder("page")
    page.takes("note", .string("text").lines(4, wide: 20))
    page.on("note") { _ in .null }
    try host.focus(page)
    let note = try require(host.perform("note").asks?.arguments.first)
    expect(note.lines == 4 && note.wide == 20)
  }

  @Test(
    "P19: Only a single visible text has lines, a whole number",
    arguments: [
      ("\"integer\", lines = 2", "has 'lines', but only strings can have them"),
      ("\"string\", lines = 2, many = true", "has 'lines' and is a list: remove one of the two"),
      ("\"string\", lines = 2, secret = true", "has 'lines' and is secret: remove 'lines', a secret has one line"),
      ("\"string\", wide = 72", "has 'wide' without 'lines': add how many lines a form shows"),
      ("\"string\", lines = 0", ".lines must be a whole number from 1 to 100, not 0"),
      ("\"string\", lines = 2, wide = 1.5", ".wide must be a whole number from 1 to 1000, not 1.5"),
      ("\"string\", multiline = 2", "has no field 'multiline'; did you mean 'lines'?"),
    ])
  func refused(type: String, message: String) throws {
    let error = #expect(throws: LoadError.self) {
      try ScriptHost().load(text: "app.takes.x = { t = { \(type) } }", name: "app.lua")
    }
    expect(error?.failure.message.contains(message), is: true, "\(error?.failure.message ?? "")")
  }
}
