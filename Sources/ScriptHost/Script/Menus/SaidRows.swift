import CLua

/// What the functions of a section said of its values: plain data as it lies in C, and what is made of it.
///
/// It is kept, so that next time what is said again need not be made again.
final class SaidRows {
  var rows: clua_SectionRows
  /// Elements and ids that are nothing plain, by the row that they belong to.
  private var elements: [Int: Element] = [:]
  private var ids: [Int: String] = [:]
  private(set) var list: [SectionRows.Row] = []
  /// The rows as they were handed out.
  var made: ScriptRows?

  init(row: ElementFunction, id: ElementFunction?, context: ScriptContext, count: UInt64) {
    rows = clua_SectionRows()
    rows.row = row.function.reference.id
    rows.id = id?.function.reference.id ?? 0
    rows.context = context.reference.id
    rows.count = Int64(clamping: count)
    rows.index = 1
    rows.most = Int32(MenuTree.limit)
  }

  deinit { clua_freeRows(&rows) }

  /// Whether something was said that has to be taken from the stack.
  var isStopped: Bool { rows.isOddRow || rows.isOddID }

  /// Takes what the last row is, where it is no plain item.
  func add(_ element: Element) { elements[Int(rows.rowCount) - 1] = element }

  /// Takes the id of the last row, and goes on behind it.
  func add(id: String) {
    ids[Int(rows.rowCount) - 1] = id
    rows.isIdentifying = false
    rows.index += 1
  }

  /// Whether the same plain data was said.
  func isSame(as other: SaidRows) -> Bool {
    guard elements.isEmpty, ids.isEmpty, other.elements.isEmpty, other.ids.isEmpty else { return false }
    return withUnsafePointer(to: rows) { mine in
      withUnsafePointer(to: other.rows) { clua_areSameRows(mine, $0) }
    }
  }

  /// Makes the rows. Where the same is said as of one that follows those that were found so far in what was said before, its element
  /// is taken: few rows come, go or move at once.
  func makeRows(of before: SaidRows?, by engine: ScriptEngine) {
    list.reserveCapacity(Int(rows.rowCount))
    var next = 0
    for number in 0..<Int(rows.rowCount) {
      let row = rows.rows[number]
      var id = ids[number]
      var element = elements[number]
      if let known = before?.row(like: row, in: self, from: next) {
        next = known + 1
        (id, element) = (before?.list[known].id, before?.list[known].element)
      }
      if row.id.at >= 0, id == nil { id = String(decoding: bytes(row.id), as: UTF8.self) }
      if row.item.at >= 0, element == nil {
        element = bytes(row.item).baseAddress.map { engine.element(PlainItem(at: $0)) }
      }
      if let element { list.append(SectionRows.Row(id: id, element: element, index: Int(row.index))) }
    }
  }

  private func bytes(_ span: clua_Span) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(start: rows.texts.bytes.map { $0 + Int(span.at) }, count: Int(span.count))
      .assumingMemoryBound(to: UInt8.self)
  }

  /// A row of which the same was said, id included: one of the next two.
  private func row(like other: clua_SectionRow, in others: SaidRows, from first: Int) -> Int? {
    guard other.item.at >= 0 else { return nil }
    let item = others.bytes(other.item)
    let id = other.id.at < 0 ? nil : others.bytes(other.id)
    for number in first..<min(first + 2, list.count) where list.count == Int(rows.rowCount) {
      let row = rows.rows[number]
      guard row.item.at >= 0, item.hasSameBytes(as: bytes(row.item)) else { continue }
      if row.id.at < 0 ? id == nil : id?.hasSameBytes(as: bytes(row.id)) ?? false { return number }
    }
    return nil
  }
}
