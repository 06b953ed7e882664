/// The rows of a section that are requested by number (P12): only those that are seen, found or chosen. They move from
/// tree to tree. Each new tree counts them again and drops the rows, but keeps the place of each id for searches.
final class CountedRows: NumberedRows {
  private var source: SectionSource
  private unowned let dispatcher: Dispatcher
  private weak var tree: MenuTree?
  private weak var section: MenuNode?
  private var context: Context?
  override var count: Int { rowCount }
  private var rowCount = 0
  /// Incremented when the rows are counted again, which makes earlier rows invalid.
  private(set) var making = 0
  /// The rows requested since the last count, by their places from 0.
  private var rows: [Int: MenuNode] = [:]
  /// The places where ids were found, also before the last count.
  private var places: [ByteText: Int] = [:]
  private var isAsking = false
  /// Whether a failure has been reported since the last count.
  private var hasFailed = false

  /// The most rows to keep: twice as many as can be marked.
  private static let mostKept = 2 * RowList.mostMarked
  /// The most rows that a section can have.
  static let mostRows = 1_000_000_000

  init(_ source: SectionSource, asking dispatcher: Dispatcher) {
    self.source = source
    self.dispatcher = dispatcher
  }

  /// Replaces the functions after the section was declared again.
  func take(_ source: SectionSource) { self.source = source }

  /// Sets a new count, for a section of a tree that may be new.
  func renew(_ count: Int, in context: Context, of section: MenuNode, in tree: MenuTree) {
    forgetRows()
    rowCount = count
    self.context = context
    self.section = section
    self.tree = tree
    hasFailed = false
  }

  private func forgetRows() {
    making += 1
    tree?.unregister(rows.values.filter(\.isLoneRow))
    rows = [:]
    if places.count > 2 * Self.mostKept { places = [:] }
  }

  /// The node around its rows.
  var parent: MenuNode? { section }

  /// The requested rows, in order.
  var asked: [MenuNode] { rows.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the row at a place, and calls the script for it if needed; nil while another row is being made.
  subscript(place: Int) -> MenuNode? {
    if let row = rows[place] { return row }
    guard 0..<count ~= place, let context, let section, let tree else { return nil }
    guard let answer = ask({ source.row(place + 1, in: context) }) else { return nil }
    if rows.count >= Self.mostKept { forgetRows() }
    var row = row(of: answer, at: place)
    (row.parent, row.rowPlace) = (section, Int32(truncatingIfNeeded: place))
    if row.isLoneRow {
      do throws(TreeConflict) {
        try tree.register([row])
        places[ByteText(row.id)] = place
      } catch {
        row = failed(place, error.description)
      }
    }
    rows[place] = row
    return row
  }

  private func ask<Answer>(_ body: () -> Answer) -> Answer? {
    // Stops the recursion of a function that reads `row` while the host makes the current row.
    if isAsking { return nil }
    isAsking = true
    defer { isAsking = false }
    return dispatcher.allowingRows {
      dispatcher.whileAsking {
        dispatcher.engine?.beginQuestion()
        defer { dispatcher.engine?.endQuestion() }
        return body()
      }
    }
  }

  private func row(of answer: Result<SectionRows, Failure>, at place: Int) -> MenuNode {
    switch answer {
    case .success(let rows):
      guard let row = rows.rows.first else { return empty(place, "row \(place + 1) is missing") }
      guard row.element.kind == .item else {
        return failed(place, "rows of 'count' must be items, not \(row.element.described)")
      }
      let node = MenuNode(wholly: row.element, rowID: row.id ?? "\(place + 1)")
      node.rows = rows
      return node
    case .failure(let failure):
      report(Diagnostic(failure))
      return empty(place, failure.asReason)
    }
  }

  /// Returns a row that shows why the row at a place is missing.
  private func failed(_ place: Int, _ message: String) -> MenuNode {
    let row = empty(place, message)
    let described = section?.element.described ?? "a section"
    report(
      Diagnostic(.error, "section", "row \(place + 1) of \(described): \(message)", place: section?.element.place))
    return row
  }

  private func empty(_ place: Int, _ message: String) -> MenuNode {
    let facts = Facts(.label, styled: StyledText(message.cut(toBytes: 200)))
    let row = MenuNode(Element(facts, place: section?.element.place))
    row.id = "\(section?.id ?? "")/#\(place + 1)"
    row.parent = section
    row.rowPlace = Int32(truncatingIfNeeded: place)
    return row
  }

  private func report(_ diagnostic: Diagnostic) {
    if !hasFailed { dispatcher.report(diagnostic) }
    hasFailed = true
  }

  // MARK: Finding

  /// Returns the place of the row with an id; nil if it can't be found.
  func place(of id: String) -> Int? {
    let known = places[ByteText(id)]
    if let known, rows[known]?.id.hasSameBytes(as: id) == true { return known }
    guard let section, let pane = section.paneID, id.utf8.starts(with: "\(pane)/".utf8), let context else { return nil }
    let own = String(decoding: id.utf8.dropFirst(pane.utf8.count + 1), as: UTF8.self)
    var place = known
    switch ask({ source.number(of: own, in: context) }) {
    case .success(let number?)?: place = number - 1
    case .failure(let failure)?: report(Diagnostic(failure))
    case .success(nil)?, nil: break
    }
    guard let place, self[place]?.id.hasSameBytes(as: id) == true else { return nil }
    return place
  }

  /// The most rows on either side that are looked for when the current row is gone: each is a call of the script.
  private static let mostNear = 32

  /// Returns the ids of rows that were after a place and before it, if the section can find them elsewhere now.
  func near(_ place: Int) -> RowList.Neighbours {
    guard source.findsRows else { return RowList.Neighbours() }
    let known = Dictionary(grouping: places.keys) { places[$0] ?? 0 }
    // Rows in a gap are nearer than those behind it, but the host has no ids of them.
    let after = (place + 1...place + Self.mostNear).prefix { known[$0] != nil }
    let before = (place - Self.mostNear..<place).reversed().prefix { known[$0] != nil }
    return RowList.Neighbours(
      after: after.flatMap { known[$0] ?? [] }, before: before.flatMap { known[$0] ?? [] })
  }

  /// Returns true if the row at a place has been requested.
  func isAsked(_ place: Int) -> Bool { rows[place] != nil }

  /// Returns true if a row with an id may exist. It doesn't request rows.
  func mayHave(_ id: ByteText) -> Bool { places[id] != nil }

  /// Returns the places of the rows that match a filter, in order. If the section can't search, only its first rows
  /// count.
  func places(with text: String, isLeft: (Element) -> Bool) -> [Int] {
    guard let context else { return [] }
    switch ask({ source.numbers(with: text, in: context) }) {
    case .success(let numbers?)?: return Set(numbers.map { $0 - 1 }.filter((0..<count).contains)).sorted()
    case .failure(let failure)?:
      report(Diagnostic(failure))
      return []
    case .success(nil)?, nil:
      return (0..<min(count, RowList.mostMarked)).filter { self[$0].map { isLeft($0.element) } ?? false }
    }
  }
}

extension MenuNode {
  /// The rows of a section that are requested by number.
  var counted: CountedRows? {
    get { numbered as? CountedRows }
    set { numbered = newValue }
  }
}

extension MenuTree {
  /// Returns the node with an id, which may be a row requested by number.
  func node(of id: String) -> MenuNode? {
    if let node = self[id] { return node }
    for case let counted? in sections.lazy.map(\.counted) {
      if let place = counted.place(of: id) { return counted[place] }
    }
    return nil
  }
}

/// The number of rows, as a section with `count` returns it.
final class RowCount: SectionRows {
  let count: Int

  init(_ count: Int) {
    self.count = count
    super.init([])
  }
}

/// A row that was requested alone, with its value.
final class LoneRow: SectionRows {
  private let value: Value

  init(_ row: Row, of value: Value) {
    self.value = value
    super.init([row])
  }

  override func value(of row: Row) -> Value { value }
}

/// The rows of a pane that can be chosen, in order. Rows with numbers are requested only when needed.
struct RowList {
  private enum Part {
    case made([MenuNode])
    case counted(CountedRows, making: Int)

    var count: Int {
      switch self {
      case .made(let rows): rows.count
      case .counted(let rows, _): rows.count
      }
    }

    /// Returns the ids after a place and those before it, the nearest first.
    func near(_ place: Int) -> Neighbours {
      switch self {
      case .made(let rows):
        let (start, end) = (min(max(0, place), rows.count), min(max(0, place + 1), rows.count))
        return Neighbours(
          after: rows[end...].map { ByteText($0.id) }, before: rows[..<start].reversed().map { ByteText($0.id) })
      case .counted(let rows, _): return rows.near(place)
      }
    }
  }

  /// The most rows that can be marked, and that a search visits if the section can't search.
  static let mostMarked = 10_000

  private var parts: [(start: Int, part: Part)] = []
  private(set) var count = 0
  /// The places of the rows that exist as nodes.
  private var places: [ByteText: Int] = [:]
  /// Whether the rows in closed branches are in the list, because a filter searches them.
  private let hasHidden: Bool
  /// Whether any row is a branch, and whether any branch is closed.
  private var (hasBranches, hasClosed) = (false, false)

  /// - Parameter hasHidden: true to include the rows in closed branches.
  init(of node: MenuNode?, hidden hasHidden: Bool = false) {
    self.hasHidden = hasHidden
    guard let node else { return }
    var made: [MenuNode] = []
    collect(node, &made)
    add(.made(made))
    for case (let start, .made(let rows)) in parts {
      for (index, row) in rows.enumerated() { places[ByteText(row.id), default: start + index] = start + index }
    }
  }

  private mutating func collect(_ node: MenuNode, _ made: inout [MenuNode]) {
    switch node.element.kind {
    case .label, .separator: return
    case .item: if node.canBePicked { made.append(node) }
    case .menu where !node.element.isInline:
      if node.canBePicked { made.append(node) }
      hasBranches = true
      if !node.isOpen { hasClosed = true }
      if node.isOpen || hasHidden { for child in node.children { collect(child, &made) } }
    case .menu, .section, .pane, .text, .beside, .stack, .tabs:
      var children = node.children[...]
      if let counted = node.counted {
        while let edge = children.first, edge.edge == "header" { children = children.dropFirst() }
        add(.made(made))
        made = []
        add(.counted(counted, making: counted.making))
      }
      for child in children { collect(child, &made) }
    }
  }

  private mutating func add(_ part: Part) {
    if part.count == 0 { return }
    parts.append((count, part))
    count += part.count
  }

  /// Returns true if a list with the rows in closed branches, or without them, is the same as this list.
  func suits(hidden: Bool) -> Bool { hidden == hasHidden || !hasClosed }

  /// Whether no rows have been counted again since.
  var isCurrent: Bool {
    parts.allSatisfy { if case .counted(let rows, let making) = $1 { rows.making == making } else { true } }
  }

  subscript(place: Int) -> MenuNode? {
    guard let (start, part) = parts.last(where: { $0.start <= place }), place < start + part.count else { return nil }
    return switch part {
    case .made(let rows): rows[place - start]
    case .counted(let rows, _): rows[place - start]
    }
  }

  /// Returns true if the row at a place exists without a request.
  func isMade(_ place: Int) -> Bool {
    guard case (let start, .counted(let rows, _))? = parts.last(where: { $0.start <= place }) else { return true }
    return rows.isAsked(place - start)
  }

  /// Whether some rows are requested by number.
  var isCounted: Bool { parts.contains { if case .counted = $1 { true } else { false } } }

  func place(of id: String) -> Int? {
    if let place = places[ByteText(id)] { return place }
    for case (let start, .counted(let rows, _)) in parts {
      if let place = rows.place(of: id) { return start + place }
    }
    return nil
  }

  /// Returns the places of the rows with these ids, in order.
  func places(of ids: Set<ByteText>) -> [Int] { ids.compactMap { place(of: $0.text) }.sorted() }

  /// The ids of the rows after a place and of those before it, the nearest first.
  struct Neighbours {
    fileprivate var after: [ByteText] = []
    fileprivate var before: [ByteText] = []
  }

  /// Returns the rows around a place. Of rows that are requested by number, these are some that can be found by id.
  func neighbours(of place: Int) -> Neighbours {
    var neighbours = Neighbours()
    for (start, part) in parts {
      let near = part.near(place - start)
      neighbours.after += near.after
      neighbours.before = near.before + neighbours.before
    }
    return neighbours
  }

  /// Returns the place of the next row that is still there, or else the place after the last one before; nil if neither
  /// is there.
  func place(after neighbours: Neighbours) -> Int? {
    if let next = neighbours.after.lazy.compactMap({ place(of: $0.text) }).first { return next }
    return neighbours.before.lazy.compactMap { place(of: $0.text) }.first.map { $0 + 1 }
  }

  /// Returns true if a row with an id may be in the list. It doesn't request rows.
  func mayHave(_ id: ByteText) -> Bool {
    places[id] != nil || parts.contains { if case .counted(let rows, _) = $1 { rows.mayHave(id) } else { false } }
  }

  /// Returns the places of rows and of the branches around them, in order.
  func withBranches(around found: [Int]) -> [Int] {
    guard hasBranches else { return found }
    var all = Set(found)
    for place in found {
      var around = parent(of: place)
      while let node = around {
        if let branch = places[ByteText(node.id)], !all.insert(branch).inserted { break }
        around = node.parent
      }
    }
    return all.sorted()
  }

  /// Returns the id and the place of the nearest branch in the list around a node; nil if there is none.
  func branch(around node: MenuNode?) -> (id: String, place: Int)? {
    var around = node?.parent
    while let node = around {
      if let place = places[ByteText(node.id)] { return (node.id, place) }
      around = node.parent
    }
    return nil
  }

  private func parent(of place: Int) -> MenuNode? {
    guard let (start, part) = parts.last(where: { $0.start <= place }) else { return nil }
    return switch part {
    case .made(let rows): rows[place - start].parent
    case .counted(let rows, _): rows.parent
    }
  }

  /// Returns the places of the rows that match a filter.
  func places(with filter: String) -> [Int] {
    let query = FuzzyText.Query(filter)
    func isLeft(_ element: Element) -> Bool { FuzzyText(element.searched).has(query) }
    return parts.flatMap { start, part in
      switch part {
      case .made(let rows): rows.indices.filter { isLeft(rows[$0].element) }.map { start + $0 }
      case .counted(let rows, _): rows.places(with: filter, isLeft: isLeft).map { start + $0 }
      }
    }
  }
}

extension Element {
  /// The text that a filter searches.
  fileprivate var searched: String { facts.details?.subtitle.map { "\(title) \($0)" } ?? title }
}
