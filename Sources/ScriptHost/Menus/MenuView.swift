/// A *view* says what of an app's menus and panel somebody looks at: only that is validated, and only that stands in the snapshot.
///
/// The titles of the menu bar are always in view. A closed menu has no children in the snapshot, or only those that keys perform.
public struct MenuView: Sendable, Equatable {
  /// The menus that are open; nil for all menus.
  private let menus: Set<ByteText>?
  /// The rows in sight of each pane, counted from 0, headers and separators included; nil for all rows of all panes.
  public let panes: [String: Range<Int>]?
  /// Whether the items that keys perform are in view even if their menus are closed.
  public let keys: Bool
  /// The texts that are seen; nil for all texts.
  private let texts: Set<ByteText>?

  /// - Parameters:
  ///   - menus: the ids of the menus that are open, submenus included; nil for all menus.
  ///   - rows: the rows of the panel that are in sight, counted from 0; nil for all rows.
  ///   - keys: whether the items that keys perform are in view even if their menus are closed.
  public init(menus: [String]? = nil, rows: Range<Int>? = nil, keys: Bool = false) {
    self.init(menus: menus, panes: rows.map { [Self.panel: $0] }, keys: keys)
  }

  /// - Parameters:
  ///   - menus: the ids of the menus that are open, submenus included; nil for all menus.
  ///   - panes: the rows in sight of each pane, counted from 0; nil for all rows of all panes.
  ///   - keys: whether the items that keys perform are in view even if their menus are closed.
  ///   - texts: the ids of the texts that are seen; nil for all texts. The functions of others aren't asked for lines.
  public init(menus: [String]? = nil, panes: [String: Range<Int>]?, keys: Bool = false, texts: [String]? = nil) {
    self.texts = texts.map { Set($0.map(ByteText.init)) }
    self.menus = menus.map { Set($0.map(ByteText.init)) }
    self.panes = panes
    self.keys = keys
  }

  /// The rows in sight of a panel without panes, counted from 0; nil for all rows.
  public var rows: Range<Int>? { panes?[Self.panel] }

  /// The rows in sight of a pane; nil for all. A pane that isn't named has those of `panel`, or none.
  func rows(of pane: String) -> Range<Int>? { panes.map { $0[pane] ?? $0[Self.panel] ?? 0..<0 } }

  /// What a panel without panes is called among panes: the id of its root.
  static let panel = "panel"

  /// The view of everything there is.
  public static let everything = MenuView()

  /// Whether a text is seen.
  func showsText(_ id: String) -> Bool { texts?.contains(ByteText(id)) ?? true }

  /// Whether a menu is open.
  func shows(_ id: String) -> Bool { menus?.contains(ByteText(id)) ?? true }
}

/// What somebody saw of the menus in a view, for the next snapshot to leave alone what is closed in both.
package struct SeenMenus {
  let view: MenuView
  let menus: MenuElement

  package init(_ menus: MenuElement, in view: MenuView) {
    self.view = view
    self.menus = menus
  }

  /// Whether a snapshot of another view tells as much of each closed menu.
  func tellsAsMuch(as other: MenuView) -> Bool { view.keys == other.keys }
}

extension [String] {
  /// The index of the first title that begins with typed letters, or else of the first with a word that does: from a place on, then from the start.
  package func first(beginningWith typed: String, from place: Int) -> Int? {
    let letters = typed.lowercased()
    let place = Swift.min(Swift.max(0, place), count)
    let order = Array<Int>(place..<count) + Array<Int>(0..<place)
    return order.first { self[$0].lowercased().hasPrefix(letters) }
      ?? order.first { index in
        self[index].lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(letters) }
      }
  }
}
