import Expectations
import Testing

@testable import ScriptHost

@Suite("Spans and cells of scripts")
struct SpanScriptTests {
  /// Spans as texts, each preceded by the words of its style.
  private func words(_ styled: StyledText?) -> String? {
    styled?.spans.map { $0.style.isPlain ? $0.text : "[\($0.style.words)]\($0.text)" }.joined(separator: "|")
  }

  private func items(_ script: String) throws -> [MenuElement] {
    try ScriptStage("function app.on:go() end\n" + script).host.menus().children[0].children
  }

  @Test(
    "P16: Titles, subtitles and icons can have spans; their plain texts are the same, and plain lists have no spans")
  func titles() throws {
    let items = try items(
      """
      menubar { menu({ "M", span("enu", "quiet") }) {
        item { "go", title = { "main ", span("↑2", "added"), { span(" ↓1", "changed"), "!" } }, id = "one" },
        item(span("whole", "strong")) {
          "go", subtitle = { "in ", span("colour", "accent") }, icon = span("●", "added") },
        item { "go", title = { span("titled", "link") }, id = "three" }, item { "go", title = { "a", "b" }, subtitle = { "c" } },
        label { "for ", span("reading", "heading") },
      } }
      """)
    expect(items.map(\.title), is: ["main ↑2 ↓1!", "whole", "titled", "ab", "for reading"])
    expect(
      items.map { words($0.spans) },
      is: [
        "main |[added]↑2|[changed] ↓1|!", "[strong]whole", "[link]titled", nil, "for |[heading]reading",
      ])
    expect(items.map(\.subtitle), is: [nil, "in colour", nil, "c", nil])
    expect(words(items[1].subtitleSpans) == "in |[accent]colour" && items[3].subtitleSpans == nil)
    expect(items[1].icon == "●" && items[1].iconStyle == TextStyle(.added))
    expect(items[1].id, is: "Menu/whole")
  }

  @Test("P16: A look can return spans too; its plain title drops the declared spans")
  func looks() throws {
    let stage = try ScriptStage(
      """
      function app.on:go() end
      local styled = { title = { "now ", span("so", "warning") } }
      function app.look:go(ctx) return ctx.plain and { title = "plain" } or styled end
      panel { pane "p" { title = { "Files", span("!", "error") },
        look = function() return { subtitle = span("3", "quiet") } end,
        item(span("a", "added")) { "go(plain: true)" }, item "b" { "go" } } }
      """)
    let pane = try require(stage.host.panel()?.children.first)
    expect(words(pane.spans) == "Files|[error]!" && words(pane.subtitleSpans) == "[quiet]3")
    expect(pane.children.map(\.title), is: ["plain", "now so"])
    expect(pane.children.map { words($0.spans) }, is: [nil, "now |[warning]so"])
  }

  @Test("P17: ansi returns the texts and spans of a program's output")
  func ansi() throws {
    let items = try items(
      #"""
      menubar { menu "M" {
        item { "go", title = ansi "\27[1;32m+\27[0m new\27[2J\27]0;x\7" }, item { "go", title = ansi "" } } }
      """#)
    expect(items[0].title == "+ new" && words(items[0].spans) == "[bold green]+| new")
    expect(items[1].title, is: "")
  }

  @Test(
    "P16: A wrong style, span or text is an error that names it",
    arguments: [
      (
        "span('x', 'qiet')",
        "the style of a span has no meaning or colour 'qiet'; did you mean 'quiet'?"
      ),
      ("span('x')", "the style of a span must be the name of a style, not nil"),
      ("span(1, 'quiet')", "span takes a text and a style, not a number as text"),
      ("ansi {}", "ansi takes a text, not a table"),
      ("item({ 'a', span('b', 'quiet') })", "put a title of several parts among the fields"),
      ("menu { 'a', 1 }", "the title of a menu must be a text or a list of texts and spans, but has a number in it"),
      ("label { text = 'a', style = 'loud' }", "a style in the text of a label has no meaning or colour 'loud'"),
      (
        "item 'a' { 'go', subtitle = { x = 1 } }",
        "'subtitle' of item 'a' must be a text or a list of texts and spans, not a table with the name 'x'"
      ),
      ("local l = {} l[1] = l label(l)", "the text of a label has lists in lists, more than 8 deep"),
      (
        "local l = {} for n = 1, 1001 do l[n] = '' end label(l)",
        "the text of a label can have 1000 texts and spans at most"
      ),
      ("item { 'go', cells = 'a' }", "'cells' of item 'go' must be a list of texts, not a string"),
      (
        "item { 'go', cells = { 'a', true } }",
        "cell 2 of item 'go' must be a text, a number, a list of texts and spans, or false for an empty cell, not a boolean"
      ),
      ("columns = { 1 }", "column 1 of section 's' must be a table, not a number"),
      ("columns = { { style = 'loud' } }", "'style' of column 1 of section 's' has no meaning or colour 'loud'"),
      ("columns = { { align = 'middle' } }", "'align' of column 1 of section 's' must be 'left' or 'right', not"),
      (
        "columns = { { least = 0 } }",
        "'least' of column 1 of section 's' must be a number of cells from 1 to 1000, not 0"
      ),
      (
        "columns = { { least = 5, most = 2 } }",
        "'least' of column 1 of section 's' must be at most its 'most', which is 2, not 5"
      ),
      ("columns = { grow = true }", "'columns' of section 's' must be a list of tables, not a table with the name"),
    ])
  func wrong(script: String, message: String) throws {
    let isOfSection = script.hasPrefix("columns")
    let found = try loadError(isOfSection ? "section 's' { items = {}, row = print, \(script) }" : script)
    expect(found.contains(message), "\(found)")
  }

  @Test("P16: A title of spans has 4 KiB at most and no control characters; the host reports a misspelt column field")
  func bounds() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "M" { item { "go", title = { ("a"):rep(3000), span(("b"):rep(3000), "quiet"), span("c", "added") } },
        item(span("x\\ty\\27[31m", "added")) { "go" } } }
      panel { section "s" { items = {}, row = print, columns = { { grwo = true } } } }
      """)
    let items = stage.host.menus().children[0].children
    expect(items[0].title.utf8.count == 4096 && items[0].spans?.spans.map(\.style.words) == ["", "quiet"])
    expect(items[1].title, is: "x\u{FFFD}y\u{FFFD}[31m")
    let messages = stage.takeMessages()
    expect(messages.contains("'title' of item 'go' is longer than 4096 bytes: the host cuts it"))
    expect(messages.contains("column 1 of section 's' has no field 'grwo'"))
  }

  private static let files = """
    function app.on:open() end
    function app.look:open() return { title = "Open" } end
    panel { pane "files" { filter = true, section "changed" {
      items = { { "M", "Sources/main.c" }, { "?", "notes.txt", "new" } }, id = function(f) return f[2] end,
      columns = { {}, { grow = true, cut = "middle", least = 4 }, { style = "quiet", align = "right", most = 9 } },
      row = function(f)
        return item { "open", cells = { { span("  ", "added"), span(f[1], "changed") }, f[2], f[3] or false } }
      end } } }
    """

  @Test("P11: Cells belong to the columns of their section, and joined by blanks they are the title of the row")
  func cells() throws {
    let host = try ScriptStage(Self.files).host
    let rows = try require(host.panel()?.find("files")).children
    expect(rows.map(\.title), is: ["M Sources/main.c", "? notes.txt new"])
    let cells = try require(rows[1].cells)
    expect(cells.section, is: "changed")
    expect(cells.all.map { words($0.text) }, is: ["[added]  |[changed]?", "notes.txt", "[quiet]new"])
    expect(rows[0].cells?.all[2].text.text, is: "")
    let columns = cells.all.map(\.column)
    expect(columns.map(\.grow) == [false, true, false] && columns.map(\.isRight) == [false, false, true])
    expect(columns.map(\.cut), is: [.end, .middle, .end])
    expect(columns.map(\.least) == [nil, 4, nil] && columns.map(\.most) == [nil, nil, 9])
    expect(rows[0].id, is: "files/Sources/main.c")
    try host.filter("files", by: "nots")
    expect(host.panel()?.find("files")?.children.map(\.title), is: ["? notes.txt new"])
  }

  @Test("P11: A title comes before cells, and cells without columns stay as they are")
  func cellsAlone() throws {
    let items = try items(
      """
      menubar { menu "M" { item "Titled" { "go", cells = { "a", "b" } }, item { "go", cells = { "a", false, span("b", "added") } },
        item { "go", title = "Other", cells = { "c" }, id = "x" } } }
      """)
    expect(items.map(\.title), is: ["Titled", "a b", "Other"])
    expect(items.map { $0.cells?.all.count }, is: [2, 3, 1])
    expect(items[1].cells?.all[2], is: RowCell(StyledText([.init("b", TextStyle(.added))])))
  }

  @Test("P22: Spans and cells survive JSON, and a change of a style alone is a change")
  func json() throws {
    let stage = try ScriptStage(
      Self.files + """

        state = "added"
        menubar { menu(span("M", "heading")) {
          item "a" { "open", icon = span("●", "added"), subtitle = span("s", "quiet") },
          label(span("l", "strong")) } }
        function app.look:open() return { title = { "a", span("b", state) } } end
        """)
    let host = stage.host
    let (menus, pane) = (host.menus(), try require(host.panel()?.find("files")))
    for element in [menus.children[0], pane] {
      let read = try MenuElement(read: JSONReader.literal(element.json.utf8), at: "0")
      expect(read.children.map(\.spans), is: element.children.map(\.spans))
      expect(read.children.map(\.cells), is: element.children.map(\.cells))
    }
    let row = try require(pane.children.first)
    expect(
      row.json.contains(
        #""cells": [{"text": "  M", "spans": [{"text": "  ", "style": "added"}, {"text": "M", "style": "changed"}]}, "#
          + #"{"text": "Sources/main.c", "grow": true, "least": 4, "cut": "middle"}, "#
          + #"{"text": "", "align": "right", "most": 9}]"#
      ), "\(row.json)")
    try host.evaluate("state = 'removed'")
    host.rebuild()
    let changes = MenuChanges(from: menus, to: host.menus()).all
    expect(changes.map(\.id), is: ["M/a"])
  }

  @Test("P16: Scripts read spans and cells of snapshots as JSON has them")
  func read() throws {
    let stage = try ScriptStage(
      Self.files + """

        local row = app:panel().children[1].children[2]
        local part = row.cells[1].spans[2]
        print(row.title, row.spans == nil, row.section, part.text, part.style, row.cells[2].grow)
        """)
    expect(stage.printed.last, is: "? notes.txt new\ttrue\tchanged\t?\tchanged\ttrue")
  }
}
