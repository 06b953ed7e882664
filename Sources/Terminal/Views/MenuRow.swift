import ScriptHost

/// A *menu row* is one line of an open menu: what stands in each of its columns.
struct MenuRow: Equatable {
  enum Kind: Equatable {
    case item, menu, label, separator
  }

  var kind: Kind
  /// The tick of what is on, a bar for what is partly.
  var mark = ""
  var title = ""
  var subtitle = ""
  /// Why it can't be done now.
  var reason = ""
  var key = ""
  var isEnabled = true
  var isDestructive = false
  /// The place of the letter in the title by which it is picked.
  var mnemonic: Int?

  /// What is said of it: why it can't be done goes before what else there is.
  var note: String { reason.isEmpty ? subtitle : reason }

  /// Whether it can be the current one: what is disabled can, since its reason is worth reading.
  var canBeCurrent: Bool { kind == .item || kind == .menu }
}

extension MenuRow {
  /// The rows of a menu, without what is hidden.
  static func rows(of elements: [MenuElement]) -> [MenuRow] {
    let shown = elements.filter { !$0.isHidden }
    let mnemonics = Mnemonics.chosen(
      for: shown.map { $0.kind == .item || $0.kind == .menu ? $0.title : "" }, declared: shown.map(\.mnemonic))
    return zip(shown, mnemonics).map { MenuRow($0, mnemonic: $1) }
  }

  /// A row of a panel; of a label of several lines one of these.
  static func row(of element: MenuElement, line: Int = 0) -> MenuRow {
    var row = MenuRow(element, mnemonic: nil)
    if row.kind == .label {
      let lines = element.titleLines
      row.title = line < lines.count ? String(lines[line]) : ""
    }
    return row
  }

  private init(_ element: MenuElement, mnemonic: Int?) {
    switch element.kind {
    case .separator: kind = .separator
    case .label, .section: kind = .label
    case .menu: kind = .menu
    case .item: kind = .item
    }
    title = kind == .label ? element.titleLines.joined(separator: " ") : element.title
    guard kind != .separator, kind != .label else { return }
    mark = element.stateMark
    subtitle = element.subtitle ?? ""
    isEnabled = element.isEnabled
    reason = element.isEnabled ? "" : (element.reason ?? "").onOneLine
    key = kind == .menu ? "▸" : element.key ?? ""
    isDestructive = element.isDestructive
    self.mnemonic = mnemonic
    guard let icon = element.icon, icon.isShownAsIcon else { return }
    title = "\(icon) \(title)"
    self.mnemonic = mnemonic.map { $0 + icon.count + 1 }
  }
}

extension MenuElement {
  /// What stands before the title of what is on, or partly: a tick, or a dot where it is one of several.
  var stateMark: String {
    switch state {
    case .on: mark == .radio ? "•" : "✓"
    case .mixed: "–"
    case .off: ""
    }
  }
}

extension String {
  /// Whether an icon is a sign that a terminal draws, and not the name of a picture.
  fileprivate var isShownAsIcon: Bool {
    guard count == 1, let first = unicodeScalars.first else { return false }
    return first.value > 0x7F && (1...2).contains(columns)
  }
}

/// Letters by which rows are picked: each has another one, as near to its title's beginning as may be.
enum Mnemonics {
  /// For each title the place of its letter; nil where all of its letters are taken.
  ///
  /// - Parameter declared: those that the app says, which go first; one that is in no title, or taken, counts as none.
  static func chosen(for titles: [String], declared: [String?] = []) -> [Int?] {
    var taken: Set<Character> = []
    var chosen = [Int?](repeating: nil, count: titles.count)
    for (index, mnemonic) in declared.enumerated() {
      guard let small = mnemonic?.lowercased().first,
        let place = titles[index].enumerated().first(where: { $0.element.lowercased().first == small })?.offset,
        taken.insert(small).inserted
      else { continue }
      chosen[index] = place
    }
    // First letters go first, so that one that is free is never lost to a letter inside of another title.
    for wantsFirst in [true, false] {
      for (index, title) in titles.enumerated() where chosen[index] == nil {
        for (place, letter) in title.enumerated() {
          if wantsFirst, place > 0 { break }
          guard letter.isLetter || letter.isNumber, let small = letter.lowercased().first, taken.insert(small).inserted
          else { continue }
          chosen[index] = place
          break
        }
      }
    }
    return chosen
  }
}
