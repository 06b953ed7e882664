@_spi(Measuring) import Terminal

// What a key costs in the face, from its bytes to those of the frame, at 80×24: the same however much there is.

func faceRows() -> [Row] { [moveRow(), openRow(), typeRow(), panelRow()] }

private let down = Array("\u{1B}[B".utf8)
private let up = Array("\u{1B}[A".utf8)
private let first = Array("\u{1B}f".utf8)
private let second = Array("\u{1B}s".utf8)
private let escape = Array("\u{1B}[27u".utf8)
private let palette: [UInt8] = [0x10]
private let backspace: [UInt8] = [0x7F]

/// Down and up in an open menu of 10,000 rows, without its scrolling, against one of 100; never more than 150 bytes.
private func moveRow() -> Row {
  faceRow("ui-move", bound: 1.1, against: "ui-move in 100 rows", bytes: 150, of: (10_000, 10), and: (100, 10)) { face in
    _ = face.type(first)
    return [down, up]
  }
}

/// A menu of twenty opened beside one with 10,000 items, against one with 100; never more than 1,200 bytes.
private func openRow() -> Row {
  faceRow("ui-open", bound: 1.1, against: "ui-open beside 100", bytes: 1200, of: (10, 10_000), and: (10, 100)) { _ in
    [second, escape]
  }
}

/// A letter in the palette over 10,000 entries and its taking back, against 1,000; never more than 2,000 bytes.
private func typeRow() -> Row {
  faceRow("ui-type", bound: 11, against: "ui-type over 1,000", bytes: 2000, of: (10, 10_000), and: (10, 1000)) { face in
    _ = face.type(palette)
    return [Array("n".utf8), backspace]
  }
}

/// A letter in the palette over 10,000 entries and its taking back, with the frames, against a program that finds the same letter in as many
/// lines, beginning and end of its process with it.
func findRow() -> Row {
  Row(
    name: "fzf", bound: 1, opponent: .program(Peer.fzf.name), rounds: 11, iterations: 5, answer: { $0 },
    missing: { Peer.fzf.missing }
  ) {
    let folder = try TemporaryFolder("fzf")
    let lines = (1...10_000).map { "Others number \($0)" }.joined(separator: "\n")
    let list = try folder.write("lines", lines)
    guard let shell = Program("sh") else { throw BenchError("there is no sh") }
    let face = try MeasuredFace(rows: 10, items: 10_000)
    _ = face.type(palette)
    return Sides(
      ours: { count in
        var found = 0
        for _ in 0..<count {
          if face.type(Array("7".utf8)) > 0 { found += 1 }
          _ = face.type(backspace)
        }
        return found
      },
      floor: { count in
        var found = 0
        for _ in 0..<count where try shell.run(["-c", "exec fzf --filter 7 <'\(list)'"]).contains("number 7") {
          found += 1
        }
        return withExtendedLifetime(folder) { found }
      }, clocks: (threadTime, programTime))
  }
}

/// A change of one row in sight of a panel of 10,000, against one of 100.
private func panelRow() -> Row {
  Row(
    name: "ui-panel", bound: 1.1, opponent: .ours("ui-panel in 100 rows"), rounds: 7, iterations: 60, interpreters: 2,
    answer: { $0 }
  ) {
    func body(_ rows: Int) throws -> Body {
      let face = try MeasuredFace(rows: 10, items: 10, panel: rows)
      return { count in
        var small = 0
        for _ in 0..<count where (1...150).contains(face.change()) { small += 1 }
        return small
      }
    }
    return Sides(ours: try body(10_000), floor: try body(100))
  }
}

/// Keys in one face and in another that has less. What they answer is how many of the frames had no more bytes than they may.
private func faceRow(
  _ name: String, bound: Double, against other: String, bytes most: Int, of ours: (rows: Int, items: Int),
  and theirs: (rows: Int, items: Int), keys: @escaping (MeasuredFace) -> [[UInt8]]
) -> Row {
  Row(name: name, bound: bound, opponent: .ours(other), rounds: 7, iterations: 60, interpreters: 2, answer: { $0 }) {
    func body(_ size: (rows: Int, items: Int)) throws -> Body {
      let face = try MeasuredFace(rows: size.rows, items: size.items)
      let keys = keys(face)
      // The first time everything is drawn that is not there yet.
      for key in keys { _ = face.type(key) }
      return { count in
        var small = 0
        for index in 0..<count where face.type(keys[index % keys.count]) <= most { small += 1 }
        return small
      }
    }
    return Sides(ours: try body(ours), floor: try body(theirs))
  }
}
