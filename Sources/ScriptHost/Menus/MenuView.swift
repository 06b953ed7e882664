/// A *view* says what of an app's menus and panel somebody looks at: only that is validated, and only that stands in the snapshot.
///
/// The titles of the menu bar are always in view. A closed menu has no children in the snapshot, or only those that keys perform.
public struct MenuView: Sendable, Equatable {
  /// The menus that are open; nil for all menus.
  private let menus: Set<ByteText>?
  /// The rows of the panel that are in sight, counted from 0, headers and separators included; nil for all rows.
  public let rows: Range<Int>?
  /// Whether the items that keys perform are in view even if their menus are closed.
  public let keys: Bool

  /// - Parameters:
  ///   - menus: the ids of the menus that are open, submenus included; nil for all menus.
  ///   - rows: the rows of the panel that are in sight, counted from 0; nil for all rows.
  ///   - keys: whether the items that keys perform are in view even if their menus are closed.
  public init(menus: [String]? = nil, rows: Range<Int>? = nil, keys: Bool = false) {
    self.menus = menus.map { Set($0.map(ByteText.init)) }
    self.rows = rows
    self.keys = keys
  }

  /// The view of everything there is.
  public static let everything = MenuView()

  /// Whether a menu is open.
  func shows(_ id: String) -> Bool { menus?.contains(ByteText(id)) ?? true }
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
