import Expectations
import ScriptHost
import Testing

@testable import Terminal

/// Menus on the screen, as text.
@Suite("The bar, and open menus") struct MenuViewTests {
  private static let image: [MenuRow] = [
    MenuRow(kind: .item, mark: "✓", title: "★★★★★", key: "5"),
    MenuRow(kind: .item, title: "★★★", key: "3"),
    MenuRow(kind: .item, title: "Clear", key: "0", mnemonic: 0),
    MenuRow(kind: .separator),
    MenuRow(kind: .menu, title: "Export", key: "▸", mnemonic: 0),
    MenuRow(kind: .item, title: "Crop…", reason: "select a photo first", isEnabled: false),
    MenuRow(kind: .label, title: "Danger"),
    MenuRow(kind: .item, title: "Delete for good", key: "delete", isDestructive: true, mnemonic: 0),
  ]

  private func picture(
    columns: Int = 60, rows: Int = 12, anchor: PulldownView.Anchor = .init(row: 1, column: 0),
    _ view: PulldownView
  ) -> String {
    var canvas = Canvas(columns: columns, rows: rows)
    BarView(titles: ["Image", "Edit", "View"], appTitle: "Photos", open: 0).draw(on: &canvas)
    let screen = Area(row: 1, column: 0, rows: rows - 1, columns: columns)
    let area = view.area(at: anchor, on: screen)
    view.scrolled(in: area).draw(on: &canvas, in: area)
    return canvas.text
  }

  @Test("A menu has ticks, titles, reasons and keys in separate columns")
  func menu() {
    expect(
      picture(PulldownView(rows: Self.image, current: 1)),
      is: """
         Image  Edit  View                                Photos  ≡
        ┌─────────────────────────────────────────────────┐
        │ ✓ ★★★★★                                       5 │
        │   ★★★                                         3 │
        │   Clear                                       0 │
        ├─────────────────────────────────────────────────┤
        │   Export                                      ▸ │
        │   Crop…            select a photo first         │
        │   Danger                                        │
        │ ! Delete for good                        delete │
        └─────────────────────────────────────────────────┘

        """)
  }

  @Test(
    "With little room a menu scrolls, shows that there is more, and shows the current row; reasons give way")
  func small() {
    expect(
      picture(columns: 30, rows: 6, PulldownView(rows: Self.image, current: 5)),
      is: """
         Image  Edit  View          ≡
        ┌─────────────────────────▴─┐
        ├───────────────────────────┤
        │   Export                ▸ │
        │   Crop…                   │
        └─────────────────────────▾─┘
        """)
  }

  @Test("A short reason has room as well")
  func shortReason() {
    var row = MenuRow(kind: .item, title: "Print", key: "p")
    (row.reason, row.isEnabled) = ("running", false)
    expect(picture(columns: 40, rows: 5, PulldownView(rows: [row])).contains("│   Print  running  p │"))
  }

  @Test("A submenu is beside its menu, and on its other side at the screen's edge")
  func beside() {
    let view = PulldownView(rows: [MenuRow(kind: .item, title: "As JPEG…", key: "ctrl+e")])
    let screen = Area(row: 1, column: 0, rows: 11, columns: 60)
    let room = view.area(at: .init(row: 3, column: 20, isBeside: true, other: 2), on: screen)
    expect(room, is: Area(row: 3, column: 20, rows: 3, columns: 22))
    let none = view.area(at: .init(row: 3, column: 50, isBeside: true, other: 30), on: screen)
    expect(none, is: Area(row: 3, column: 8, rows: 3, columns: 22))
    expect(view.area(at: .init(row: 11, column: 50), on: screen), is: Area(row: 9, column: 38, rows: 3, columns: 22))
  }

  @Test(
    "X5: A move in an open menu writes at most 150 bytes",
    arguments: ["terminal", "dark", "light"],
    ["long title ", "日本語の長い題", "👩‍👩‍👧‍👦 family ", "z̷̨a̶̡lgo ", "длинное название "])
  func move(theme: String, title: String) throws {
    let theme = try require(Theme(named: theme))
    var writer = FrameWriter(depth: .all)
    writer.isSynchronized = true
    var canvas = Canvas(columns: 80, rows: 24)
    let wide =
      Self.image
      + [false, true].flatMap { isEnabled in
        [false, true].map { isDestructive in
          MenuRow(
            kind: .item, mark: isDestructive ? "✓" : "", title: String(repeating: title, count: 6),
            reason: isEnabled ? "" : "not here",
            key: "ctrl+shift+x", isEnabled: isEnabled, isDestructive: isDestructive, mnemonic: isEnabled ? 0 : nil)
        }
      }
    var most = 0
    for current in wide.indices + wide.indices.reversed() where wide[current].canBeCurrent {
      let view = PulldownView(rows: wide, current: current, bytesOfColour: theme.bytesOfColour)
      let area = view.area(at: .init(row: 10, column: 0), on: Area(row: 1, column: 0, rows: 23, columns: 80))
      view.draw(on: &canvas, in: area, theme: theme)
      let bytes = writer.write(canvas).count
      if bytes < 1000 { most = max(most, bytes) }
    }
    expect((1...150).contains(most), "\(most) bytes")
  }

  @Test("A wide reason uses the room beside its title and key; the bar over a disabled row is dim")
  func wideReasons() {
    let rows = [
      MenuRow(kind: .item, title: "As JPEG", reason: "choose a photo", key: "ctrl+e", isEnabled: false),
      MenuRow(kind: .item, title: "No recent places"),
      MenuRow(kind: .item, title: "As PNG", reason: "choose a photo first", isEnabled: false),
    ]
    let view = PulldownView(rows: rows, current: 0)
    var canvas = Canvas(columns: 40, rows: 5)
    let area = view.area(at: .init(row: 0, column: 0), on: canvas.frame)
    view.draw(on: &canvas, in: area)
    expect(
      canvas.text,
      is: """
        ┌──────────────────────────────────────┐
        │   As JPEG     choose a photo  ctrl+e │
        │   No recent places                   │
        │   As PNG        choose a photo first │
        └──────────────────────────────────────┘
        """)
    expect(rows.allSatisfy { view.showsReason(of: $0, in: area) })
    expect(canvas[1, 4].style.marks == [.reverse, .dim] && canvas[1, 15].style.marks == [])
  }

  @Test("A title is whole if there is room, and reasons don't widen a menu beyond a readable width")
  func widths() {
    let long = "As Table With A Very Long Title That Goes On And On And On"
    let titled = PulldownView(rows: [
      MenuRow(kind: .item, title: long), MenuRow(kind: .item, title: "As List", key: "l"),
    ])
    expect(picture(columns: 80, titled).contains("│   \(long)    │"), "\(picture(columns: 80, titled))")
    let reason = String(repeating: "this can never be done, ", count: 4) + "for no reason at all"
    let rows = [
      MenuRow(kind: .item, title: "Print", key: "p"),
      MenuRow(kind: .item, title: "Never", reason: reason, isEnabled: false),
    ]
    let view = PulldownView(rows: rows, current: 1)
    let area = view.area(at: .init(row: 1, column: 0), on: Area(row: 1, column: 0, rows: 30, columns: 120))
    expect(area.columns == 80 && !view.showsReason(of: rows[1], in: area))
    let both = PulldownView(rows: rows + [MenuRow(kind: .item, title: long, reason: "not now", isEnabled: false)])
    let shown = picture(columns: 70, both)
    expect(shown.contains("As Table With A Very") && shown.contains("not now"), "\(shown)")
  }

  @Test("A long title is whole if its row has no more text, and so is a reason beside a short title")
  func ownRoom() {
    let long = "Smells Like Teen Spirit (remastered 2021 deluxe edition)"
    let reason = "this one can't be done before a photo is selected"
    let view = PulldownView(rows: [
      MenuRow(kind: .item, title: long), MenuRow(kind: .item, title: "Gulls", reason: reason, isEnabled: false),
    ])
    let picture = picture(columns: 70, rows: 6, view)
    expect(picture.contains(long) && picture.contains(reason), "\(picture)")
  }

  @Test("A place on the screen belongs to the row that is drawn there")
  func hits() {
    let view = PulldownView(rows: Self.image, current: 7)
    let area = Area(row: 1, column: 2, rows: 5, columns: 30)
    let scrolled = view.scrolled(in: area)
    expect((2...4).map { scrolled.row(at: $0, column: 5, in: area) } == [5, 6, 7])
    expect([(1, 5), (5, 5), (3, 2), (3, 31)].allSatisfy { scrolled.row(at: $0.0, column: $0.1, in: area) == nil })
  }

  @Test(
    "Mnemonics are distinct, and first letters where possible",
    arguments: [
      (["Image", "Edit", "View"], [0, 0, 0]), (["Save", "Save as", "Select"], [0, 1, 1]),
      (["aa", "aa", ""], [0, nil, nil]),
      (["★★", "1 a", "É"], [nil, 0, 0]), (["Save", "Avoid"], [0, 0]),
    ] as [([String], [Int?])])
  func mnemonics(titles: [String], expected: [Int?]) {
    expect(Mnemonics.chosen(for: titles), is: expected)
  }

  @Test("Declared letters go first; a letter that is in no title, or taken, is replaced")
  func declared() {
    expect(Mnemonics.chosen(for: ["Save", "Exit", "Edit"], declared: [nil, "x", "E"]), is: [0, 1, 0])
    expect(Mnemonics.chosen(for: ["Save", "Set", "Sow"], declared: ["z", "S", "s"]), is: [1, 0, 1])
  }

  @Test("If not all menus fit, the bar shows on which side there are more, and shows the open menu")
  func narrowBar() {
    for (open, line) in [
      (nil, " Image  Edit  View  › ≡"), (0, " Image  Edit  View  › ≡"), (3, "‹ View  Windows       ≡"),
      (2, " Image  Edit  View  › ≡"), (4, " Image  Edit  View  › ≡"),
    ] as [(Int?, String)] {
      var canvas = Canvas(columns: 24, rows: 1)
      BarView(titles: ["Image", "Edit", "View", "Windows"], appTitle: "Photos", open: open).draw(on: &canvas)
      expect(canvas.text, is: line)
    }
  }

  @Test("Rows come from the visible elements of a snapshot")
  func rows() throws {
    let host = ScriptHost()
    try host.load(
      text: """
        menubar { menu "M" {
          item "On" { "on", key = "ctrl+o", state = true, destructive = true }, item "Off" { "off", hidden = true },
          item "No" { "none", subtitle = "never" }, separator, label "L", menu "Sub" { item "x" { "on" } },
        } }
        app.on.on = function() end
        """, name: "app.lua")
    let rows = MenuRow.rows(of: host.menus().children[0].children)
    expect(
      rows,
      is: [
        MenuRow(kind: .item, mark: "✓", title: "On", key: "ctrl+o", isDestructive: true, mnemonic: 0),
        MenuRow(
          kind: .item, title: "No", subtitle: "never", reason: "nobody handles 'none'", isEnabled: false, mnemonic: 0),
        MenuRow(kind: .separator), MenuRow(kind: .label, title: "L"),
        MenuRow(kind: .menu, title: "Sub", key: "▸", mnemonic: 0),
      ])
  }
}
