import Expectations
import Testing

@testable import Terminal

/// Overlays on the screen, as text.
@Suite("Palette, pages, questions and the status line") struct OverlayViewTests {
  private static let palette = Palette([
    Palette.Entry(id: "a", path: ["Image", "★★★★★"], action: "applyRating(rating: 5)", key: "5"),
    Palette.Entry(id: "b", path: ["Image", "Export", "As JPEG…"], action: "export(format: jpeg)", key: "ctrl+e"),
    Palette.Entry(id: "c", path: ["Image", "Crop…"], action: "crop", reason: "select a photo first"),
    Palette.Entry(id: "d", path: ["Image", "Delete for good"], action: "delete", key: "delete", isDestructive: true),
    Palette.Entry(id: "e", path: ["Edit", "Undo Rating"], action: "undo", key: "ctrl+z"),
    Palette.Entry(
      id: "f", path: ["purge"], action: "purge", reason: "there is nothing that is old enough to be purged"),
  ])

  private func picture(columns: Int = 60, rows: Int = 14, _ draw: (inout Canvas, Area) -> Void) -> String {
    var canvas = Canvas(columns: columns, rows: rows)
    draw(&canvas, canvas.frame)
    var text = canvas.text
    while text.last == "\n" { text.removeLast() }
    return text
  }

  private func palette(_ typed: String, current: Int = 1, columns: Int = 60, rows: Int = 12) -> String {
    picture(columns: columns, rows: rows) { canvas, screen in
      PaletteOverlay(Self.palette, typed, current: current).drawn(on: &canvas, screen)
    }
  }

  @Test("A text that you type whole comes before longer texts, even disabled and before recent ones")
  func whole() {
    let entries = [
      Palette.Entry(id: "all", path: ["M", "Release All"]),
      Palette.Entry(id: "rel", path: ["M", "Release"], reason: "no"),
    ]
    let palette = Palette(entries)
    expect(palette.found("release", latest: ["all"]), is: [1, 0])
    expect(palette.found("rele", latest: ["all"]), is: [0, 1])
  }

  @Test(
    "A thumb shows which part of a list is visible; it is at an end only if the first or last row is",
    arguments: [
      (0, 0, "·····"), (0, 5, "▐▐···"), (1, 5, "·▐▐··"), (4, 5, "··▐▐·"), (5, 5, "···▐▐"), (0, 95, "▐····"),
      (1, 95, "·▐···"), (94, 95, "···▐·"), (95, 95, "····▐"), (1, 1, "·▐▐▐▐"), (0, 1, "▐▐▐▐·"),
    ])
  func thumb(top: Int, lastTop: Int, shown: String) {
    let text = picture(columns: 2, rows: 5) { canvas, area in
      for row in 0..<5 { canvas.put("·", row: row, column: 1, style: Style()) }
      Frame.drawThumb(top: top, lastTop: lastTop, on: &canvas, in: area, column: 1, theme: Theme())
    }
    expect(text.filter { $0 != " " && $0 != "\n" }, is: shown)
  }

  @Test("The palette shows titles, menus, reasons and keys; disabled entries come last")
  func all() {
    expect(
      palette(""),
      is: """

            ┌──────────────────────────────────────────────────┐
            │ ›                                         6 of 6 │
            ├──────────────────────────────────────────────────┤
            │ ★★★★★  Image                                   5 │
            │ As JPEG…  Image › Export                  ctrl+e │
            │ ! Delete for good  Image                  delete │
            │ Undo Rating  Edit                         ctrl+z │
            │ Crop…  Image                select a photo first │
            │ purge  there is nothing that is old enough to b… │
            └──────────────────────────────────────────────────┘
        """)
    expect(
      palette("pu", current: 0),
      is: """

            ┌──────────────────────────────────────────────────┐
            │ › pu                                      1 of 6 │
            ├──────────────────────────────────────────────────┤
            │ purge  there is nothing that is old enough to b… │
            │                                                  │
            │                                                  │
            │                                                  │
            │                                                  │
            │                                                  │
            └──────────────────────────────────────────────────┘
        """)
  }

  @Test("The palette is as high as its entries need and the screen allows, and shows that there is more")
  func largePalette() {
    let many = Palette((1...28).map { Palette.Entry(id: "\($0)", path: ["Menu", "Entry \($0)"]) })
    func view(_ current: Int = 0) -> PaletteOverlay { PaletteOverlay(many, current: current) }
    func size(_ columns: Int, _ rows: Int) -> [Int] {
      let area = view().area(on: Area(row: 1, column: 0, rows: rows - 2, columns: columns))
      return [area.columns, area.rows]
    }
    expect(size(80, 24) == [72, 16] && size(120, 40) == [100, 32] && size(500, 200) == [100, 32])
    expect(size(40, 12), is: [40, 10])
    let first = picture(columns: 60, rows: 20) { view().drawn(on: &$0, $1) }
    expect(first.contains("┌" + String(repeating: "─", count: 50) + "┐") && first.contains("─▾─┘"), "\(first)")
    let middle = picture(columns: 60, rows: 20) { view(14).drawn(on: &$0, $1) }
    expect(middle.contains("─▴─┐") && middle.contains("─▾─┘"), "\(middle)")
    let last = picture(columns: 60, rows: 20) { view(27).drawn(on: &$0, $1) }
    expect(last.contains("─▴─┐") && !last.contains("▾") && last.contains("Entry 28"), "\(last)")
  }

  @Test("On a small screen the palette scrolls to its current row")
  func smallPalette() {
    expect(
      picture(columns: 40, rows: 8) { canvas, screen in
        PaletteOverlay(Self.palette, current: 5).drawn(on: &canvas, screen)
      },
      is: """
        ┌────────────────────────────────────▴─┐
        │ ›                             6 of 6 │
        ├──────────────────────────────────────┤
        │ ! Delete for good  Image      delete │
        │ Undo Rating  Edit             ctrl+z │
        │ Crop…  Image    select a photo first │
        │ purge  there is nothing that is old… │
        └──────────────────────────────────────┘
        """)
    expect(palette("zzz").contains("│ no command has these letters in this order"))
  }

  @Test("The last picked entry comes first, then beginnings of words, then enabled entries")
  func order() {
    func titles(_ typed: String, _ latest: [String] = []) -> [String] {
      Self.palette.found(typed, latest: latest).map { Self.palette.entries[$0].title }
    }
    expect(titles(""), is: ["★★★★★", "As JPEG…", "Delete for good", "Undo Rating", "Crop…", "purge"])
    expect(titles("", ["e", "d"]).prefix(2), is: ["Undo Rating", "Delete for good"])
    expect(titles("", ["c"]).first, is: "★★★★★", "what was used last and can't be done is not looked for")
    expect(titles("rat").first, is: "Undo Rating")
    expect(
      titles("r", ["b"]).first, is: "Undo Rating",
      "where something is typed, what begins with it goes before what was used last")
    expect(titles("ctrl+e"), is: ["As JPEG…"])
    expect(titles("export").first, is: "As JPEG…")
  }

  @Test(
    "An entry without a title comes after those with one, and an entry found by its action shows the action")
  func untitled() {
    let palette = Palette([
      Palette.Entry(id: "a", path: ["rate"], action: "rate", isUntitled: true),
      Palette.Entry(id: "b", path: ["Image", "★"], action: "rate(rating: 1)"),
      Palette.Entry(id: "c", path: ["Rate"], action: "rating"),
    ])
    expect(palette.found("").map { palette.entries[$0].id }, is: ["b", "c", "a"])
    expect(palette.found("rat").map { palette.entries[$0].id }, is: ["c", "a", "b"])
    let shown = picture { canvas, screen in PaletteOverlay(palette, "rat").drawn(on: &canvas, screen) }
    expect(shown.contains("★  Image  rate(rating: 1)") && !shown.contains("rating  ") && !shown.contains("rate  rate"))
  }

  private let why = Page(
    "Why Image/Crop…",
    [
      PageLine("disabled by 'grid': select a photo first"),
      PageLine("  grid: on crop → takes it (photos/app.lua:31)"),
      PageLine("  key 'photo': missing; could come from 'grid'"),
    ])

  @Test("A page is as large as its text, and on a small screen its lines wrap between words and scroll")
  func page() {
    expect(
      picture(columns: 60, rows: 7) { canvas, screen in why.drawn(on: &canvas, screen) },
      is: """

             ┌─ Why Image/Crop… ──────────────────────────────┐
             │ disabled by 'grid': select a photo first       │
             │   grid: on crop → takes it (photos/app.lua:31) │
             │   key 'photo': missing; could come from 'grid' │
             └────────────────────────────────────────────────┘
        """)
    expect(
      picture(columns: 40, rows: 6) { canvas, screen in
        why.area = why.area(on: screen)
        why.scroll(by: 99)
        why.drawn(on: &canvas, screen)
      },
      is: """
        ┌─ Why Image/Crop… ──────────────────▴─┐
        │   grid: on crop → takes it           │
        │   (photos/app.lua:31)                │
        │   key 'photo': missing; could come   │
        │   from 'grid'                        │
        └──────────────────────────────────────┘
        """)
  }

  @Test(
    "X2: The first and the last hint are visible on any width, as long as there is a line for each",
    arguments: [
      (60, false, ["enter does it   alt+enter why   esc closes"]), (40, false, ["enter does it   esc closes"]),
      (20, false, ["enter does it", "esc closes"]), (20, true, ["above", "enter does it"]),
      (10, true, ["above", "enter d…"]),
    ])
  func hints(columns: Int, isFull: Bool, shown: [String]) {
    let lines = picture(columns: columns, rows: 2) { canvas, _ in
      if isFull { canvas.put("above", row: 0, column: 1) }
      StatusLine.draw(.hint("enter does it   alt+enter why   esc closes"), on: &canvas)
    }
    expect(lines.split(separator: "\n").map(String.init), is: shown.map { " " + $0 })
  }

  @Test(
    "A line breaks between words, or in a word if it must, and loses nothing",
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("  in dented", 6, ["  in", "  dent", "  ed"]),
      ("           far in", 17, ["           far in"]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
      ("日本語", 4, ["日本", "語"]), ("", 9, [""]), ("a\n\nb", 9, ["a", "", "b"]),
    ] as [(String, Int, [String])])
  func broken(text: String, columns: Int, lines: [String]) {
    expect(text.broken(toColumns: columns), is: lines)
  }

  @Test("The question of a destructive action is marked without colours too")
  func destructiveQuestion() {
    let question = Question("Delete it?", FaceDeed(kind: .perform("delete"), title: "Delete"), isDestructive: true)
    expect(
      picture(rows: 9) { canvas, screen in question.drawn(on: &canvas, screen) }
        .contains("[ Cancel ]  [ ! Delete ]"))
  }

  @Test("A long message uses the empty lines above, and otherwise is cut")
  func longStatus() {
    let text = "the market is closed on Sundays and on all holidays"
    for (drawn, lines) in [
      (0, [" ✗ the market is closed on", "   Sundays and on all", "   holidays"]),
      (2, ["above", " ✗ the market is closed on", "   Sundays and on all holida…"]),
      (3, ["above", " ✗ the market is closed on S…"]),
    ] {
      var canvas = Canvas(columns: 30, rows: drawn == 0 ? 3 : 4)
      if drawn > 0 { canvas.put("above", row: drawn - 1, column: 0) }
      StatusLine.draw(.refused(text), on: &canvas)
      let shown = canvas.text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
      expect(shown.filter { !$0.allSatisfy { $0 == " " } }, is: lines, "\(shown)")
    }
  }

  @Test("A question has the safe answer first, and the item's title as the other")
  func question() {
    let deed = FaceDeed(kind: .perform("delete"), title: "Delete for good")
    let question = Question("Delete “Lake at dawn” for good?", deed)
    expect(
      picture(rows: 9) { canvas, screen in question.drawn(on: &canvas, screen) },
      is: """

                   ┌───────────────────────────────────┐
                   │                                   │
                   │  Delete “Lake at dawn” for good?  │
                   │                                   │
                   │  [ Cancel ]  [ Delete for good ]  │
                   │                                   │
                   └───────────────────────────────────┘
        """)
    var canvas = Canvas(columns: 60, rows: 9)
    question.drawn(on: &canvas, canvas.frame)
    let buttons = question.buttons
    expect(canvas[buttons.safe.row, buttons.safe.column].style.marks, is: .reverse)
    expect(canvas[buttons.deed.row, buttons.deed.column].style.marks, is: [])
  }

  @Test(
    "The status line shows the outcome of the last action, with a mark that needs no colour",
    arguments: [
      (StatusContent.hint("F10 menus"), " F10 menus"), (.done("rated ★★★"), " ✓ rated ★★★"),
      (.refused("select a photo first"), " ✗ select a photo first"), (.failed("app.lua:31: no"), " ! app.lua:31: no"),
      (.failed("app.lua:2: one line\n"), " ! app.lua:2: one line"), (.refused("one\r\n\ntwo"), " ✗ one two"),
      (.pending("g"), " … g"), (.note("you said no"), " · you said no"),
      (
        .progress(title: "Export", fraction: nil, text: "3 of 7"),
        " Export goes on  3 of 7                           esc esc cancels"
      ),
      (
        .progress(title: "Export", fraction: 0.42, text: "3 of 7"),
        " Export ████████░░░░░░░░░░░░  42 %  3 of 7        esc esc cancels"
      ),
      (
        .progress(title: "Export", fraction: 0, text: ""),
        " Export ░░░░░░░░░░░░░░░░░░░░   0 %                esc esc cancels"
      ),
      (
        .progress(title: "Export", fraction: 1, text: ""),
        " Export ████████████████████ 100 %                esc esc cancels"
      ),
      (
        .progress(title: "Export", fraction: 0.42, text: "3 of 7", others: 2),
        " Export █████░░░░░░░░░  42 %  3 of 7  and 2 more  esc esc cancels"
      ),
    ] as [(StatusContent, String)])
  func status(content: StatusContent, line: String) {
    expect(picture(columns: 66, rows: 1) { canvas, _ in StatusLine.draw(content, on: &canvas) }, is: line)
  }

  @Test("A long message breaks before the hint to cancel the blocking action, and loses no part of a word")
  func inTheWay() {
    let reason = "Undo Set: 'slowset' has made changes and is waiting"
    let shown = picture(columns: 60, rows: 4) { canvas, _ in
      StatusLine.draw(.inTheWay(reason, job: "SlowSet"), on: &canvas)
    }
    expect(
      shown,
      is: """


         ✗ Undo Set: 'slowset' has made
           changes and is waiting           esc esc cancels SlowSet
        """, "\(shown)")
  }

  @Test("At any size the overlays draw only inside the screen and don't trap")
  func anySize() {
    for columns in 0..<70 {
      for rows in 0..<12 {
        var canvas = Canvas(columns: columns, rows: rows)
        let screen = canvas.frame
        PaletteOverlay(Self.palette, "r", current: 3).drawn(on: &canvas, screen)
        why.drawn(on: &canvas, screen)
        let deed = FaceDeed(kind: .perform("delete"), title: "Delete for good")
        Question("Really, and for good?", deed, does: true).drawn(on: &canvas, screen)
        StatusLine.draw(.progress(title: "Export", fraction: 0.5, text: "3 of 7"), on: &canvas)
        BarView(titles: ["Image", "Edit"], appTitle: "Photos", open: 1).draw(on: &canvas)
        let menu = PulldownView(rows: [MenuRow(kind: .item, title: "As JPEG…", key: "ctrl+e")], current: 0)
        let area = menu.area(at: .init(row: 1, column: 3), on: screen)
        menu.scrolled(in: area).draw(on: &canvas, in: area)
        expect(canvas.cells.count, is: columns * rows)
      }
    }
  }
}

extension Overlay {
  fileprivate func drawn(on canvas: inout Canvas, _ screen: Area) {
    area = area(on: screen)
    draw(on: &canvas, theme: Theme())
  }
}

extension StatusLine {
  fileprivate static func draw(_ content: StatusContent, on canvas: inout Canvas) {
    let line = StatusLine(content)
    line.area = Area(row: canvas.rows - 1, column: 0, rows: 1, columns: canvas.columns)
    line.draw(on: &canvas, theme: Theme())
  }
}
