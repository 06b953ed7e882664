/// The visible part of an app's menus and panel. A snapshot validates and contains only that. The titles of the menu
/// bar are always visible. A closed menu has no children in the snapshot, or only those that keys perform.
public struct MenuView: Sendable, Equatable {
  /// The open menus; nil for all menus.
  private let menus: Set<ByteText>?
  /// The visible rows of each pane, from 0, including headers and separators; nil for all rows of all panes.
  public let panes: [String: Range<Int>]?
  /// Whether items that keys perform are included even if their menus are closed.
  public let keys: Bool
  /// The visible texts; nil for all texts.
  private let texts: Set<ByteText>?

  /// - Parameters:
  ///   - menus: the ids of the open menus, including submenus; nil for all menus.
  ///   - rows: the visible rows of the panel, from 0; nil for all rows.
  ///   - keys: true to include items that keys perform even if their menus are closed.
  public init(menus: [String]? = nil, rows: Range<Int>? = nil, keys: Bool = false) {
    self.init(menus: menus, panes: rows.map { [Self.panel: $0] }, keys: keys)
  }

  /// - Parameters:
  ///   - menus: the ids of the open menus, including submenus; nil for all menus.
  ///   - panes: the visible rows of each pane, from 0; nil for all rows of all panes.
  ///   - keys: true to include items that keys perform even if their menus are closed.
  ///   - texts: the ids of the visible texts; nil for all texts. Other texts' functions aren't called for lines.
  public init(menus: [String]? = nil, panes: [String: Range<Int>]?, keys: Bool = false, texts: [String]? = nil) {
    self.texts = texts.map { Set($0.map(ByteText.init)) }
    self.menus = menus.map { Set($0.map(ByteText.init)) }
    self.panes = panes
    self.keys = keys
  }

  /// The visible rows of a panel without panes, from 0; nil for all rows.
  public var rows: Range<Int>? { panes?[Self.panel] }

  /// Returns the visible rows of a pane; nil for all. A pane without an entry has those of `panel`, or none.
  func rows(of pane: String) -> Range<Int>? { panes.map { $0[pane] ?? $0[Self.panel] ?? 0..<0 } }

  /// The name of a panel without panes among panes: the id of its root.
  static let panel = "panel"

  /// The view of everything.
  public static let everything = MenuView()

  /// Returns true if a text is visible.
  func showsText(_ id: String) -> Bool { texts?.contains(ByteText(id)) ?? true }

  /// Returns true if a menu is open.
  func shows(_ id: String) -> Bool { menus?.contains(ByteText(id)) ?? true }
}

/// The previous snapshot of a view. The next snapshot reuses the menus that are closed in both.
package struct SeenMenus {
  let view: MenuView
  let menus: MenuElement

  package init(_ menus: MenuElement, in view: MenuView) {
    self.view = view
    self.menus = menus
  }

  /// Returns true if a snapshot of another view has as much of each closed menu.
  func tellsAsMuch(as other: MenuView) -> Bool { view.keys == other.keys }
}

extension [String] {
  /// Returns the index of a title that begins with typed letters, or has a word that does, searching from a place and
  /// around.
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
