import Glibc

/// Prints a line at once: a run takes minutes.
private func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// A run of the benchmark: measures rows, prints them, keeps what they gave.
struct Run {
  private let options: Options
  private let callgrind = Callgrind()
  private let earlier: Records?
  private let committed: Records

  init(_ options: Options) throws {
    self.options = options
    earlier = try options.compare.map { try Records(json: readFile($0)) }
    committed = try options.floors.map { try Records(json: readFile($0)) } ?? Records()
  }

  /// Whether everything holds.
  func run(_ rows: [Row]) throws -> Bool {
    let table = Table(earlier: earlier)
    if callgrind == nil {
      say("valgrind is not installed: instructions are not counted, and time judges every bound")
    }
    say(table.header)
    var results: [Result] = []
    var wrong = false
    for row in rows {
      do {
        let result = try measure(row)
        say(table.line(result))
        results.append(result)
      } catch {
        say("\(row.name): \(error)")
        wrong = true
      }
    }
    try keep(results)
    return !wrong && results.allSatisfy { $0.holds && !$0.floorHasRisen }
  }

  private func measure(_ row: Row) throws -> Result {
    let ours = try callgrind?.count(row, .ours)
    let floor = try callgrind?.count(row, .floor)
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

  private func keep(_ results: [Result]) throws {
    if let path = options.json {
      var records = Records()
      for result in results { records[result.row.name] = result.numbers }
      try writeFile(path, records.json)
    }
    if options.record, let path = options.floors { try writeFile(path, floors(of: results).json) }
  }

  /// The floors' own counts, of the rows that were measured anew.
  private func floors(of results: [Result]) -> Records {
    var records = committed
    for result in results {
      guard case .floor = result.row.opponent, let count = result.floor else { continue }
      records[result.row.name] = [("instructions", count)]
    }
    return records
  }
}
