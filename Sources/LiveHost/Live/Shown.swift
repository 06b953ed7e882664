import ScriptHost

/// What clients are shown: a view, its last snapshot, and the number of times that a snapshot differed from the one before.
///
/// Clients that name no view share one of everything. A client that names one has one of its own, and so its own revisions.
final class Shown {
  var view: MenuView { didSet { hasMoved = view.rows != oldValue.rows } }
  /// Whether other rows came into sight since the last snapshot.
  private var hasMoved = false
  private(set) var menus = MenuElement.nothing
  /// The number of rows in the panel, in sight or not.
  private(set) var rowCount = 0
  private(set) var revision = 0
  /// Whether something happened since the last snapshot.
  var isStale = true

  init(_ view: MenuView) { self.view = view }

  /// A view of what another one showed, which goes on from there.
  init(_ view: MenuView, from other: Shown) {
    self.view = view
    (menus, rowCount, revision) = (other.menus, other.rowCount, other.revision)
  }

  /// The differences between two snapshots.
  struct Changes {
    var menus: [MenuChange] = []
    var panel: [MenuChange] = []
    /// Whether the panel has more rows than before, or fewer, or others are in sight.
    var isLonger = false

    var isEmpty: Bool { menus.isEmpty && panel.isEmpty && !isLonger }
  }

  /// Makes a snapshot. The revision goes up if it differs from the one before. The changes are computed only if somebody wants them.
  func draw(_ host: ScriptHost, wantsChanges: Bool) -> Changes {
    let before = (menus: menus, rowCount: rowCount)
    let isWhole = view == .everything
    menus = isWhole ? host.menus() : host.menus(in: view)
    if view.rows != nil { rowCount = host.panelRowCount }
    isStale = false
    var changes = Changes(isLonger: before.rowCount != rowCount || hasMoved)
    hasMoved = false
    if wantsChanges {
      changes.menus = MenuChanges(from: before.menus.withoutPanel, to: menus.withoutPanel).all
      changes.panel = MenuChanges(from: before.menus.panel ?? .emptyPanel, to: menus.panel ?? .emptyPanel).all
    } else {
      changes.isLonger = changes.isLonger || before.menus.withPanel != menus.withPanel
    }
    if !changes.isEmpty { revision += 1 }
    return changes
  }

  /// The number of the first row in the snapshot, and how many there are, where only those in sight are in it.
  var rows: [(String, JSON)] {
    view.rows.map { [("first", .integer($0.lowerBound + 1)), ("rows", .integer(rowCount))] } ?? []
  }
}

extension MenuView {
  /// Reads the view that a client names: `{menus: [ids], rows: {panel: [from, to]}}`, with rows counted from 1.
  init(_ json: JSON) throws(CallError) {
    let members = json.members ?? []
    for (name, _) in members where name != "menus" && name != "rows" {
      throw CallError(.parameters, "'view' has 'menus' and 'rows', and no '\(name)'")
    }
    let menus = json["menus"]
    if let menus, menus.list?.allSatisfy({ $0.text != nil }) != true {
      throw CallError(.parameters, "'menus' of 'view' is a list of ids")
    }
    let rows = try json["rows"].map { rows throws(CallError) in try Self.rows(rows) }
    self.init(menus: menus?.list?.compactMap(\.text), rows: rows)
  }

  private static func rows(_ json: JSON) throws(CallError) -> Range<Int> {
    guard let members = json.members, members.count == 1, members[0].0 == "panel", let ends = members[0].1.list,
      ends.count == 2, let from = ends[0].integer, let to = ends[1].integer, from > 0, to >= from - 1
    else {
      throw CallError(.parameters, "'rows' of 'view' is {\"panel\": [from, to]}, with rows counted from 1")
    }
    return from - 1..<to
  }
}
