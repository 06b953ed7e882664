import Glibc

/// Prints a line at once: a run takes minutes.
private func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// A run of the benchmark: measures rows, prints them, keeps what they gave.
struct Run {
  private let options: Options
  private let callgrind: Callgrind?
  private let earlier: Records?
  private let committed: Records
  private var records = Records()

  init(_ options: Options) throws {
    self.options = options
    callgrind = options.peers == nil ? Callgrind() : nil
    earlier = try options.compare.map { try Records(json: readFile($0)) }
    committed = try options.floors.map { try Records(json: readFile($0)) } ?? Records()
  }

  /// Whether everything holds.
  func run(_ rows: [Row], measuringMemory: Bool, idling: Bool) throws -> Bool {
    var run = self
    let rowsHold = try run.measure(rows)
    let isFlat = try !measuringMemory || run.measureMemory()
    let isIdle = try !idling || run.measureIdling()
    if let path = options.json { try writeFile(path, run.records.json) }
    if let folder = options.plots { try Plots(records: run.records).write(into: folder) }
    return rowsHold && isFlat && isIdle
  }

  private mutating func measure(_ rows: [Row]) throws -> Bool {
    if rows.isEmpty { return true }
    if options.peers != nil {
      for peer in Peer.all { say("\(peer.name): \((try? peer.found()) ?? peer.missing ?? "")") }
    } else if callgrind == nil {
      say("valgrind is not installed: instructions are not counted, and time judges every bound")
    }
    let table = Table(earlier: earlier, isOfPeers: options.peers != nil)
    say(table.header)
    var results: [Result] = []
    var wrong = false
    for row in rows {
      if let missing = row.missing() {
        say("\(row.name): \(missing), skipped")
        continue
      }
      do {
        let result = try measure(row)
        say(table.line(result))
        results.append(result)
        records[row.name] = result.numbers
      } catch {
        say("\(row.name): \(error)")
        wrong = true
      }
    }
    if options.record, let path = options.floors { try writeFile(path, floors(of: results).json) }
    return !wrong && results.allSatisfy { $0.holds && !$0.floorHasRisen }
  }

  private func measure(_ row: Row) throws -> Result {
    let ours = row.isCounted ? try callgrind?.count(row, .ours) : nil
    let floor = row.isCounted ? try callgrind?.count(row, .floor) : nil
    var timing = Timing()
    for _ in 0..<3 {
      // What seems to break a bound is looked at longer; all rounds count.
      try row.time(into: &timing)
      guard let bound = row.bound, timing.ratio > bound, !row.isTight || callgrind == nil else { break }
    }
    return Result(
      row: row, timing: timing, ours: ours, floor: floor,
      committed: options.record ? nil : committed[row.name, "instructions"])
  }

  private mutating func measureMemory() throws -> Bool {
    let figures = try MemoryRow().figures()
    for figure in figures {
      let before = earlier?[MemoryRow.name, figure.key].map { ", was \(fixed($0, 0))" } ?? ""
      let bound = figure.mayBe.map { ", ≤ \($0) " + (figure.holds ? "ok" : "BROKEN") } ?? ""
      say("\(MemoryRow.name): \(figure.what): \(figure.bytes) bytes\(bound)\(before)")
    }
    records[MemoryRow.name] = figures.map { ($0.key, Double($0.bytes)) }
    return figures.allSatisfy(\.holds)
  }

  private mutating func measureIdling() throws -> Bool {
    let row = try IdleRow()
    say(row.line)
    records[IdleRow.name] = [("nanoseconds", Double(row.taken))]
    return row.holds
  }

  /// The floors' own counts; of rows that were not measured, what is committed.
  private func floors(of results: [Result]) -> Records {
    var records = options.rows.isEmpty ? Records() : committed
    for result in results {
      guard case .floor = result.row.opponent, let count = result.floor else { continue }
      records[result.row.name] = [("instructions", count)]
    }
    return records
  }
}
