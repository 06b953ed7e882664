import ScriptHost

/// The page of keys: the app's keys, then the face's. It follows changes of the keys and of the screen's size.
final class HelpPage: Page {
  init() { super.init("Keys", of: .help) }

  override func refresh(from face: Face) { lines = face.helpLines }
}

extension Face {
  func openHelp() {
    over.append(HelpPage())
    // For the titles of actions without an item.
    ask("actions", for: .actions)
  }

  /// The lines of the page of keys: the app's, then the face's, in as many columns as they need.
  fileprivate var helpLines: [PageLine] {
    let isOnRow = panel.currentNode != nil
    let isWhy = !isBound(.why) && (isOnRow || !menus.bar.isEmpty)
    // The stroke that explains a row doesn't open this page.
    let help = isOnRow && isWhy && !isBound(.help) ? .help : strokeOfHelp
    let isBoth = isWhy && help == .why
    let own = OwnCommand.allCases.compactMap { command -> (String, String)? in
      let stroke = command == .help ? help : strokeInUse(of: command)
      if command == .help, isBoth { return ("?", isOnRow ? "Keys; of a row, why" : "Keys; in a menu, why") }
      return stroke.map { ($0.text, command == .quit ? "Quit, twice" : command.title) }
    }
    let typing = keys.filter(\.isTyping)
    let letters = typing.filter(\.isLetter)
    let signs = typing.filter { !$0.isLetter }
    let hasManySigns = takesTyped || signs.count >= BoundKeys.many
    let typed = (letters.first ?? (hasManySigns ? signs.first : nil)).map { bound in
      HelpLine.key(hasManySigns ? "a character" : "a letter", bound.name)
    }
    // If the app has bound a key, it doesn't act on rows.
    let rows: [(Stroke?, String, String)] =
      !isOnRow
      ? []
      : [
        (.down, movesByLetters("jk") ? "↑ ↓ j k" : "↑ ↓", "another row"), (.enter, "enter", "do what the row does"),
        (.menuOfRow, ".", "the row's own menu"),
      ]
    let finding: [(Stroke?, String, String)] =
      isOnRow && findsTyped ? [(letters.first?.sequence.strokes.first, "a letter", "the row that begins so")] : []
    let others =
      (isWhy && !isBoth ? [("?", isOnRow ? "why, of any row" : "why, in a menu")] : [])
      + [
        ("alt+enter", "why, in Find a Command"),
        ("alt+letter", "a menu of the bar"),
        (strokeOfOwnMenu.text, "\(BarView.own), \(strokeInUse(of: .quit) == nil ? "with Quit" : "always")"),
        ("esc esc", "cancel what goes on"),
      ]
    let ofRows = (rows + finding + keysOfPane).filter { stroke, _, _ in stroke.map { !isBound($0) } ?? true }
      .map { ($1, $2) }
    let named = (hasManySigns ? [] : signs).map { HelpLine.key($0.sequence.text, titleOf($0)) }
    let groups = [
      (title.isEmpty ? "App" : title, linesOfApp + named + [typed].compactMap { $0 }),
      (panes.isEmpty ? "Rows" : "Panes and rows", ofRows.map(HelpLine.key)),
      ("Everywhere", (own + others).map(HelpLine.key)),
    ]
    let lines = groups.flatMap { title, lines in lines.isEmpty ? [] : [.empty, .header(title)] + lines }
    return HelpColumns.fitting(Array(lines.dropFirst()), on: overlayScreen).lines(settings.theme)
  }

  /// Returns true if these letters move as keys do.
  private func movesByLetters(_ letters: String) -> Bool {
    letters.allSatisfy { movingKey(Stroke(modifiers: [], key: String($0))).key != String($0) }
  }

  /// The keys that move between panes, and those of the focused pane.
  private var keysOfPane: [(Stroke?, String, String)] {
    func key(_ key: String, _ modifiers: Modifiers = []) -> Stroke { Stroke(modifiers: modifiers, key: key) }
    var all: [(Stroke?, String, String)] = []
    if panes.count > 1 {
      all += [(key("tab"), "tab", "another pane"), (key("enter", .alt), "alt+enter", "this pane alone, and back")]
    }
    if tabsAroundPane.count > 1 { all.append((key("["), "[ ]", "another tab")) }
    if movesByLetters("g") { all.append((key("g", .shift), "g G", "the first row, the last")) }
    if let row = panel.currentNode?.element, row.isOpen != nil || row.level > 0, movesByLetters("hl") {
      all.append((nil, "h l", "close or open the branch"))
    }
    if panes.contains(where: { pane in panel.id.map { pane.isAbout($0, in: menus) } ?? false }) {
      all.append((key("down", .shift), "shift+↑ ↓", "scroll the text about it"))
    }
    guard let area = panel.id.flatMap({ menus[$0] })?.element.area else { return all }
    if area.hasFilter { all.append((.filter, "/", "only rows with some letters")) }
    if area.hasMarks {
      all += [
        (key("space"), "space", "mark the row"), (key("v"), "v", "mark several rows"),
        (key("a", .ctrl), "ctrl+a", "mark all rows"),
      ]
    }
    if area.text != nil {
      if movesByLetters("hl") { all.append((nil, "h l", "the rest of long lines")) }
      all.append((.filter, "/", "search, and n goes on"))
    }
    if area.text?.selected != nil { all.append((key("v"), "v", "select lines")) }
    return all
  }

  /// The app's keys: keys with a title, then the others by action name. Many keys of one action share lines.
  private var linesOfApp: [HelpLine] {
    let reached = keys.filter { $0.isEffective && !$0.isTyping }
    let untitled = Dictionary(grouping: reached.filter { !hasTitle($0) }, by: \.name)
    // A key may be bound by a responder and shown by an item that does the same.
    var shown: Set<[String]> = []
    var lines = reached.filter { hasTitle($0) && shown.insert([$0.sequence.text, titleOf($0)]).inserted }
      .map { HelpLine.key($0.sequence.text, titleOf($0)) }
    var named: Set<String> = []
    for bound in reached where !hasTitle(bound) {
      let all = untitled[bound.name] ?? []
      if all.count < BoundKeys.many {
        lines.append(.key(bound.sequence.text, titleOf(bound)))
      } else if named.insert(bound.name).inserted {
        lines += HelpLine.lines(of: all.map(\.sequence), titlesOfActions[bound.name] ?? bound.name)
      }
    }
    return lines
  }

  private func hasTitle(_ bound: BoundKeys) -> Bool {
    bound.entry.isItem || bound.entry.isPane || menus.title(of: bound.entry.reference) != nil
  }
}

/// A line of the page of keys, before it is assigned to a column.
private enum HelpLine {
  case header(String)
  /// A key and its effect.
  case key(String, String)
  case empty

  var isHeader: Bool { if case .header = self { true } else { false } }
  var isEmpty: Bool { if case .empty = self { true } else { false } }
  var keyColumns: Int { if case .key(let key, _) = self { key.columns } else { 0 } }

  /// Returns the lines of many keys with one effect. Each line has a few keys with the same modifiers, arrows first.
  static func lines(of keys: [KeySequence], _ what: String) -> [HelpLine] {
    let single = keys.compactMap { $0.strokes.count == 1 ? $0.strokes[0] : nil }
    let inOrder = single.enumerated().sorted {
      (arrows.firstIndex(of: $0.element.key) ?? arrows.count, $0.offset)
        < (arrows.firstIndex(of: $1.element.key) ?? arrows.count, $1.offset)
    }
    let groups = Dictionary(grouping: inOrder.map(\.element)) { $0.text.dropLast($0.key.count) }
    var lines: [String] = []
    for (modifiers, strokes) in groups.sorted(by: { ($0.key.count, $0.key) < ($1.key.count, $1.key) }) {
      var line = ""
      for stroke in strokes {
        let key = signs[stroke.key] ?? stroke.key
        if line.isEmpty || line.columns + 1 + key.columns > 16 {
          if !line.isEmpty { lines.append(line) }
          line = modifiers + key
        } else {
          line += " \(key)"
        }
      }
      lines.append(line)
    }
    return (lines + keys.filter { $0.strokes.count > 1 }.map(\.text)).map { .key($0, what) }
  }

  private static let arrows = ["up", "down", "left", "right", "home", "end", "pageup", "pagedown"]
  private static let signs = ["up": "↑", "down": "↓", "left": "←", "right": "→"]
}

/// The lines of the page arranged in columns, each as wide as its content.
private struct HelpColumns {
  private let columns: [[HelpLine]]
  private let height: Int
  /// The columns between two columns of the page, and the columns for all of them.
  private static let gap = 3
  private let room: Int

  /// Returns the lines in the fewest columns that fit. Keys are never cut; if not all fit, the page scrolls.
  static func fitting(_ lines: [HelpLine], on screen: Area) -> HelpColumns {
    let room = max(1, min(screen.columns, 100) - 4)
    func layouts(_ keepsGroups: Bool) -> [HelpColumns] {
      (1...4).map { HelpColumns(lines, count: $0, keepsGroups, room) }
        .filter { $0.columns.count == 1 || $0.width <= room }
    }
    let split = layouts(false)
    let best = (layouts(true) + split).first { $0.height <= max(1, screen.rows - 2) } ?? split.last
    return best ?? HelpColumns(lines, count: 1, false, room)
  }

  /// Makes columns of the least height, without a header at the end or an empty line at the beginning.
  ///
  /// - Parameter keepsGroups: whether the lines below a header stay in one column.
  private init(_ lines: [HelpLine], count: Int, _ keepsGroups: Bool, _ room: Int) {
    var height = max(1, (lines.count + count - 1) / count)
    var columns = Self.columns(lines, height, keepsGroups)
    while columns.count > count {
      height += 1
      columns = Self.columns(lines, height, keepsGroups)
    }
    self.columns = columns
    self.height = columns.map(\.count).max() ?? 0
    self.room = room
  }

  private static func columns(_ lines: [HelpLine], _ height: Int, _ keepsGroups: Bool) -> [[HelpLine]] {
    var columns: [[HelpLine]] = [[]]
    for (index, line) in lines.enumerated() {
      var column = columns.removeLast()
      let isLone = line.isHeader && column.count + 1 == height && index + 1 < lines.count && height > 1
      let group = keepsGroups && line.isHeader ? lines[index...].prefix { !$0.isEmpty }.count : 0
      if column.count == height || isLone || column.count + group > height && !column.isEmpty {
        columns.append(column)
        // The rest of a group has an empty line next to a header, because the header doesn't name it.
        column = line.isHeader || line.isEmpty || height < 4 ? [] : [.empty]
      }
      if !line.isEmpty || !column.isEmpty { column.append(line) }
      columns.append(column)
    }
    return columns
  }

  private func keyColumns(_ column: [HelpLine]) -> Int { column.map(\.keyColumns).max() ?? 0 }

  private func width(of column: [HelpLine]) -> Int {
    let keys = keyColumns(column)
    let widths = column.map { line in
      switch line {
      case .header(let text): text.columns
      case .key(_, let what): keys + 2 + what.columns
      case .empty: 0
      }
    }
    return widths.max() ?? 0
  }

  private var width: Int { columns.map(width).reduce(Self.gap * (columns.count - 1), +) }

  func lines(_ theme: Theme) -> [PageLine] {
    let widths = columns.map { min(room, width(of: $0)) }
    return (0..<height).map { row in
      var line = PageLine("", theme.row)
      var end = 0
      for (index, column) in columns.enumerated() {
        if row < column.count {
          line.text += String(repeating: " ", count: max(0, end - line.text.columns))
          let text = text(column[row], keyColumns(column), widths[index])
          if column[row].isHeader { line.headers.append(end..<(end + text.columns)) }
          line.text += text
        }
        end += widths[index] + Self.gap
      }
      return line
    }
  }

  private func text(_ line: HelpLine, _ keys: Int, _ width: Int) -> String {
    switch line {
    case .empty: return ""
    case .header(let text): return text.cut(toColumns: width).map(\.text).joined()
    case .key(let key, let what):
      let padded = key + String(repeating: " ", count: max(0, keys - key.columns))
      return "\(padded)  \(what)".cut(toColumns: width).map(\.text).joined()
    }
  }
}
