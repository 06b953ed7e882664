import CScript

/// The answers of a section's functions about its values: plain data as C has it, and the rows made of it.
///
/// They are kept, so that rows with the same answers need not be made again.
final class SaidRows {
  var rows: clua_SectionRows
  /// The elements and ids that are not plain data, by row.
  private var elements: [Int: Element] = [:]
  private var ids: [Int: String] = [:]
  private(set) var list: [SectionRows.Row] = []
  /// The rows as they were last handed out.
  var made: ScriptRows?

  init(row: ElementFunction, id: ElementFunction?, context: Int32, count: UInt64) {
    rows = clua_SectionRows()
    rows.row = row.function.reference.id
    rows.id = id?.function.reference.id ?? 0
    rows.context = context
    rows.count = Int64(clamping: count)
    rows.index = 1
    rows.most = Int32(MenuTree.limit)
  }

  deinit { clua_freeRows(&rows) }

  /// Whether C stopped at an answer that has to be taken from the stack.
  var isStopped: Bool { rows.isOddRow || rows.isOddID }

  /// Takes the last row's element, if it is no plain item.
  func add(_ element: Element) { elements[Int(rows.rowCount) - 1] = element }

  /// Takes the last row's id, and goes on with the next row.
  func add(id: String) {
    ids[Int(rows.rowCount) - 1] = id
    rows.isIdentifying = false
    rows.index += 1
  }

  /// Whether the answers were the same plain data.
  func isSame(as other: SaidRows) -> Bool {
    guard isPlain, other.isPlain else { return false }
    return withUnsafePointer(to: rows) { mine in
      withUnsafePointer(to: other.rows) { clua_areSameRows(mine, $0) }
    }
  }

  /// Makes the rows. A row whose answers equal one of the next two old rows takes that one's element: few rows come, go or move at once. Returns the
  /// old row of each new one, or nil unless all are plain items with ids.
  func makeRows(of before: SaidRows?, by engine: ScriptEngine) -> [Int32]? {
    // Copies, because each access to a variable of a class is checked.
    let (said, known) = (rows, before?.rows ?? clua_SectionRows())
    let (elements, ids, knownList) = (elements, ids, before?.list ?? [])
    let knownCount = min(known.rowCount, Int32(knownList.count))
    var made: [SectionRows.Row] = []
    made.reserveCapacity(Int(said.rowCount))
    var sources: [Int32] = []
    sources.reserveCapacity(Int(said.rowCount))
    var next: Int32 = 0
    for number in 0..<Int(said.rowCount) {
      let row = said.rows[number]
      let source = Self.find(row, said, in: known, next..<max(next, min(next + 2, knownCount)))
      sources.append(source)
      if source >= 0 {
        next = source + 1
        let (row, index) = (knownList[Int(source)], Int(row.index))
        made.append(SectionRows.Row(id: row.id, element: row.element, index: index))
      } else if let element = elements[number] ?? Self.item(of: row, in: said).map({ engine.element($0) }) {
        let id = ids[number] ?? (row.id.at < 0 ? nil : String(decoding: Self.bytes(row.id, said), as: UTF8.self))
        made.append(SectionRows.Row(id: id, element: element, index: Int(row.index)))
      }
    }
    list = made
    let arePlain = isPlain && before?.isPlain ?? false
    return arePlain && said.id != 0 ? sources : nil
  }

  /// Whether all rows are plain items, and their ids plain.
  private var isPlain: Bool { elements.isEmpty && ids.isEmpty }

  private static func bytes(_ span: clua_Span, _ rows: clua_SectionRows) -> UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(start: rows.texts.bytes.map { $0 + Int(span.at) }, count: Int(span.count))
      .assumingMemoryBound(to: UInt8.self)
  }

  private static func item(of row: clua_SectionRow, in rows: clua_SectionRows) -> PlainItem? {
    guard row.item.at >= 0 else { return nil }
    return bytes(row.item, rows).baseAddress.map { PlainItem(at: UnsafeRawPointer($0)) }
  }

  /// The number of the old row, one of the next two, with the same answers, id included; -1 if there is none.
  private static func find(
    _ row: clua_SectionRow, _ rows: clua_SectionRows, in others: clua_SectionRows, _ numbers: Range<Int32>
  ) -> Int32 {
    guard row.item.at >= 0 else { return -1 }
    for number in numbers {
      let other = others.rows[Int(number)]
      if isSame(row.item, rows, other.item, others), isSame(row.id, rows, other.id, others) { return number }
    }
    return -1
  }

  private static func isSame(
    _ span: clua_Span, _ rows: clua_SectionRows, _ other: clua_Span, _ others: clua_SectionRows
  ) -> Bool {
    if span.at < 0 || other.at < 0 { return span.at < 0 && other.at < 0 }
    return bytes(span, rows).hasSameBytes(as: bytes(other, others))
  }
}
