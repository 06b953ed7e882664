// Fills sections with rows when a tree is made. If a section fails, it keeps the rows of the old tree.

/// The diagnostics from making a tree.
struct BuildReport {
  var diagnostics: [Diagnostic] = []

  mutating func warn(_ code: String, _ message: String, at place: Place?) {
    diagnostics.append(Diagnostic(.warning, code, message, place: place))
  }

  mutating func fail(_ code: String, _ message: String, at place: Place?) {
    diagnostics.append(Diagnostic(.error, code, message, place: place))
  }
}

extension MenuTree {
  /// A section's result when the host calls it for rows.
  typealias Answer = Result<SectionRows, Failure>

  /// Calls and fills the sections at and below registered nodes. Skips sections that have children.
  func fillSections(
    _ nodes: [MenuNode], asking dispatcher: Dispatcher, in context: Context, old: MenuTree?, _ report: inout BuildReport
  ) {
    var sections: [MenuNode] = []
    for node in nodes { node.forEach { if $0.element.section != nil, $0.children.isEmpty { sections.append($0) } } }
    for section in sections {
      fill(section, with: ask(section, by: dispatcher, in: context), by: dispatcher, in: context, old: old, &report)
    }
  }

  /// Calls the declared sections for their rows, in order.
  func askSections(by dispatcher: Dispatcher, in context: Context) -> [Answer] {
    sections.map { ask($0, by: dispatcher, in: context) }
  }

  /// Fills the declared sections with the results of `askSections`.
  func fillSections(
    with answers: [Answer], by dispatcher: Dispatcher, in context: Context, old: MenuTree?, _ report: inout BuildReport
  ) {
    for (section, answer) in zip(sections, answers) {
      fill(section, with: answer, by: dispatcher, in: context, old: old, &report)
    }
  }

  private func ask(_ section: MenuNode, by dispatcher: Dispatcher, in context: Context) -> Answer {
    guard let part = section.element.section else { return .success(SectionRows([])) }
    return dispatcher.whileAsking {
      dispatcher.engine?.beginQuestion()
      defer { dispatcher.engine?.endQuestion() }
      if part.source.isCounted { return part.source.count(in: context).map(RowCount.init) }
      return part.source.rows(in: context)
    }
  }

  /// Counts the rows again for sections whose rows are requested by number.
  func renewCounted(with answers: [Answer], in context: Context) {
    for (section, answer) in zip(sections, answers) {
      guard case .success(let rows as RowCount) = answer, let counted = section.counted else { continue }
      counted.renew(rows.count, in: context, of: section, in: self)
      section.counted = counted
    }
  }

  /// Returns true if the declared sections already have these rows.
  func holds(_ answers: [Answer]) -> Bool {
    zip(sections, answers).allSatisfy { section, answer in
      switch answer {
      case .success(let rows as RowCount): section.counted.map { ($0.count == 0) == (rows.count == 0) } ?? false
      case .success(let rows): section.rows === rows
      case .failure: false
      }
    }
  }

  private func fill(
    _ section: MenuNode, with answer: Answer, by dispatcher: Dispatcher, in context: Context, old: MenuTree?,
    _ report: inout BuildReport
  ) {
    if let source = section.element.section?.source, source.isCounted {
      // The rows of the old tree stay, so that earlier findings remain.
      let known = old?[section.id]?.counted
      let counted = known ?? CountedRows(source, asking: dispatcher)
      counted.take(source)
      counted.renew(known?.count ?? 0, in: context, of: section, in: self)
      section.counted = counted
    }
    switch answer {
    case .failure(let failure):
      var diagnostic = Diagnostic(failure)
      diagnostic.message = "\(Self.unusable(section, old)): \(failure.message)"
      report.diagnostics.append(diagnostic)
      keepOldRows(of: section, from: old, &report)
    case .success(let rows as RowCount):
      guard let counted = section.counted else { return }
      guard section.paneID != nil else {
        return report.fail(
          "section", "\(section.element.described) has 'count', so it must be in a pane",
          at: section.element.place)
      }
      counted.renew(rows.count, in: context, of: section, in: self)
      section.counted = counted
      try? set(rows: [], of: section)
    case .success(let rows):
      do throws(TreeConflict) {
        try set(rows, of: section, &report)
        fillInner(of: section, by: dispatcher, in: context, old: old, &report)
      } catch {
        report.fail("section", "\(Self.unusable(section, old)): \(error.description)", at: error.place)
        keepOldRows(of: section, from: old, &report)
      }
    }
  }

  /// Fills the sections in the menus of a section's rows (M16). The depth limit of a tree limits their nesting. Rows
  /// with menus never equal earlier ones, so these sections are called whenever the rows are.
  private func fillInner(
    of section: MenuNode, by dispatcher: Dispatcher, in context: Context, old: MenuTree?, _ report: inout BuildReport
  ) {
    var inner: [MenuNode] = []
    for row in section.children where row.element.kind == .menu {
      row.forEach { if $0.element.section != nil, $0.children.isEmpty { inner.append($0) } }
    }
    for node in inner {
      if node.element.section?.source.isCounted ?? false {
        report.fail(
          "section", "\(node.element.described) has 'count', so it can't be in a menu that a row makes",
          at: node.element.place)
        continue
      }
      fill(node, with: ask(node, by: dispatcher, in: context), by: dispatcher, in: context, old: old, &report)
    }
  }

  private func set(_ rows: SectionRows, of section: MenuNode, _ report: inout BuildReport) throws(TreeConflict) {
    do throws(TreeConflict) {
      try set(rows, ids: rows.rows.map(\.id), of: section)
    } catch {
      // A person can work with the rows even if their ids are wrong.
      guard let (ids, renamed) = distinctIDs(of: rows, in: section) else { throw error }
      try set(rows, ids: ids, of: section)
      report.fail("section", "\(section.element.described) \(renamed)", at: section.element.place)
    }
    if let (row, failure) = rows.unnamed {
      var diagnostic = Diagnostic(failure)
      diagnostic.message += ": \(rows.describe(row)) has an id from its title instead"
      report.diagnostics.append(diagnostic)
    }
    section.rows = rows
  }

  private func set(_ rows: SectionRows, ids: [String?], of section: MenuNode) throws(TreeConflict) {
    let nodes = zip(rows.rows, ids).map { MenuNode(wholly: $0.element, rowID: $1) }
    for (place, node) in nodes.enumerated() { node.rowPlace = Int32(truncatingIfNeeded: place) }
    try set(rows: nodes, of: section)
  }

  /// The beginning of a message about a section whose answer can't be used: what becomes of its rows.
  private static func unusable(_ section: MenuNode, _ old: MenuTree?) -> String {
    let known = old?[section.id].flatMap { $0.element.section == nil ? nil : $0 }
    let hasRows = known.map { $0.counted?.count ?? 0 > 0 || $0.children.contains { $0.edge == nil } } ?? false
    return "\(section.element.described) \(hasRows ? "keeps its old rows" : "has no rows")"
  }

  private func keepOldRows(of section: MenuNode, from old: MenuTree?, _ report: inout BuildReport) {
    let known = old?[section.id].flatMap { $0.element.section == nil ? nil : $0 }
    let rows = known?.children.filter { $0.edge == nil }.map { $0.copy() } ?? []
    do throws(TreeConflict) {
      try set(rows: rows, of: section)
      section.rows = known?.rows
    } catch {
      report.fail("section", "\(section.element.described) has no rows now: \(error.description)", at: error.place)
      try? set(rows: [], of: section)
    }
  }

  private func set(rows: [MenuNode], of section: MenuNode) throws(TreeConflict) {
    guard let part = section.element.section else { return }
    let room = Element.depthLimit - section.depth
    if let deep = rows.first(where: { $0.height > room }) {
      throw TreeConflict(
        message: "\(deep.element.described) would be more than \(Element.depthLimit) deep",
        place: deep.element.place,
        other: nil)
    }
    if let area = rows.lazy.compactMap(\.element.firstArea).first { throw MenuTree.strayArea(area) }
    var children = rows
    if rows.isEmpty, section.counted?.count ?? 0 == 0, let empty = part.empty {
      children.append(MenuNode(empty, edge: "empty"))
    }
    if let header = part.header { children.insert(MenuNode(header, edge: "header"), at: 0) }
    if let footer = part.footer { children.append(MenuNode(footer, edge: "footer")) }
    for child in children { child.parent = section }
    try register(children)
    section.children = children
  }

  /// Returns ids for rows of which some have the same id: later ones get a number behind it, as equal paths do. Also
  /// returns a message about the first such row, with the values of both rows. Nil if no two rows have the same id.
  private func distinctIDs(of rows: SectionRows, in section: MenuNode) -> (ids: [String?], message: String)? {
    var met: [ByteText: String] = [:]
    var message: String?
    let taken = Set(rows.rows.compactMap { $0.id.map(ByteText.init) })
    let ids = rows.rows.map { row -> String? in
      guard let given = row.id else { return nil }
      let other = met[ByteText(given)] ?? rowInPane(of: section, with: given)
      guard let other else {
        met[ByteText(given)] = rows.describe(row)
        return given
      }
      var (id, number) = ("\(given)#2", 2)
      while met[ByteText(id)] != nil || taken.contains(ByteText(id)) || rowInPane(of: section, with: id) != nil {
        number += 1
        id = "\(given)#\(number)"
      }
      met[ByteText(id)] = rows.describe(row)
      let both = "of \(other) and of \(rows.describe(row))"
      message = message ?? "has two rows with the id '\(given)', \(both): the second is '\(id)'"
      return id
    }
    return message.map { (ids, $0) }
  }

  /// Describes the element of another section of the pane that has a row's id; nil if there is none.
  private func rowInPane(of section: MenuNode, with id: String) -> String? {
    guard let pane = section.paneID, let other = self["\(pane)/\(id)"], other.givenID != nil else { return nil }
    return other.element.described
  }
}

/// The keys that pick items of one tree, in the order of the menus, depth first.
final class MenuKeys {
  struct Entry {
    let keys: KeySequence
    let node: MenuNode
  }

  private(set) var entries: [Entry] = []
  // Never changed after `init`.
  private var first: [KeySequence: MenuNode] = [:]

  /// Collects the keys below the roots of a tree.
  init(below roots: [MenuNode]) {
    for root in roots { add(root) }
  }

  /// Returns the first item with these keys.
  subscript(keys: KeySequence) -> MenuNode? { first[keys] }

  private func add(_ node: MenuNode) {
    node.element.forEachKeys { keys, element in
      let node = element === node.element ? node : node.alternates.first { $0.element === element } ?? node
      entries.append(Entry(keys: keys, node: node))
      if first[keys] == nil { first[keys] = node }
    }
    for child in node.children { add(child) }
  }
}

extension Element {
  /// Visits the keys of an item and its alternates. An alternate has its own keys, and the item's keys with its
  /// modifiers.
  func forEachKeys(_ visit: (KeySequence, Element) -> Void) {
    // A pane's key comes after those of the menus, so it isn't among them (P10).
    if let keys, !kind.isArea { visit(keys, self) }
    for alternate in alternates {
      if let keys { visit(keys.holding(alternate.modifiers), alternate.element) }
      alternate.element.forEachKeys(visit)
    }
  }
}

extension KeySequence {
  /// Returns the same keys with more modifiers held at the last stroke.
  fileprivate func holding(_ modifiers: [String]) -> KeySequence {
    guard let last = strokes.last else { return self }
    let held = modifiers.compactMap(Modifiers.init(name:)).reduce(last.modifiers) { $0.union($1) }
    return KeySequence(strokes: strokes.dropLast() + [last.with(held)])
  }
}
