@testable import Terminal

/// Checks input from any bytes, and any drawing; the tests and the fuzzer both use it.
///
/// The bytes are first input from a terminal, and then a list of drawings on a canvas, frame after frame.
struct TerminalCheck {
  /// Writes a frame; a test passes a faulty writer, to show that the check finds it.
  var write: (inout FrameWriter, Canvas) -> [UInt8] = { $0.write($1) }

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    faultOfReading(Array(bytes)) ?? faultOfDrawing(Array(bytes))
  }

  // MARK: - Reading

  /// The bytes give the same input with any cuts, and no input hides a later key.
  private func faultOfReading(_ bytes: [UInt8]) -> String? {
    let whole = Self.decode([bytes[...]])
    if whole.inputs != Self.decode(bytes.indices.map { bytes[$0...$0] }).inputs {
      return "cut, the bytes say something else"
    }
    var decoder = whole.decoder
    decoder.feed([0x71])
    let key = decoder.next()
    if key != .key(.init(modifiers: [], key: "q"), text: "q") {
      return "a key is lost behind them: \(String(describing: key))"
    }
    for case .key(let stroke, let text) in whole.inputs {
      if stroke.key.isEmpty { return "a key without a name" }
      if let text, text.unicodeScalars.count != 1 { return "a key types '\(text)'" }
    }
    return nil
  }

  private static func decode(_ pieces: [ArraySlice<UInt8>]) -> (inputs: [TerminalInput], decoder: InputDecoder) {
    var decoder = InputDecoder()
    var inputs: [TerminalInput] = []
    for piece in pieces {
      decoder.feed(piece)
      while let input = decoder.next() { inputs.append(input) }
    }
    return (inputs + decoder.endOfWait(), decoder)
  }

  // MARK: - Drawing

  private static let styles: [Style] = [
    .plain, Style(marks: .reverse), Style(marks: [.bold, .underline]), Style(ink: .own(1)),
    Style(ink: .rgb(10, 200, 30), paper: .palette(200), marks: .dim),
  ]

  /// After each frame a terminal shows the canvas.
  /// A terminal with other widths for doubtful glyphs shows all other glyphs in their places.
  private func faultOfDrawing(_ bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    func number(_ bound: Int) -> Int { Int(rest.popFirst() ?? 0) % bound }
    let (columns, rows) = (1 + number(24), 1 + number(5))
    var canvas = Canvas(columns: columns, rows: rows)
    var writer = FrameWriter(depth: ColorDepth(rawValue: number(4)) ?? .all)
    var models = [
      TerminalModel(columns: columns, rows: rows),
      TerminalModel(columns: columns, rows: rows) { $0.isDoubtful ? 1 : $0.width },
      TerminalModel(columns: columns, rows: rows) { $0.isDoubtful ? 2 : $0.width },
    ]
    var frame = 0
    repeat {
      for _ in 0...number(3) {
        let style = Self.styles[number(Self.styles.count)]
        let (row, column) = (number(rows + 2) - 1, number(columns + 4) - 2)
        switch number(4) {
        case 0: canvas.fill(Area(row: row, column: column, rows: number(4), columns: number(20)), style: style)
        case 1: canvas.restyle(Area(row: row, column: column, rows: number(4), columns: number(20))) { $0 = style }
        default:
          let text = String(decoding: rest.prefix(number(24)), as: UTF8.self)
          rest = rest.dropFirst(text.utf8.count)
          canvas.put(text, row: row, column: column, style: style)
        }
      }
      let written = write(&writer, canvas)
      for index in models.indices {
        models[index].feed(written)
        if let fault = Self.difference(models[index], canvas, writer.depth, exactly: index == 0) {
          return "frame \(frame): \(fault)"
        }
      }
      frame += 1
    } while !rest.isEmpty && frame < 8
    return nil
  }

  private static func difference(_ model: TerminalModel, _ canvas: Canvas, _ depth: ColorDepth, exactly: Bool)
    -> String?
  {
    if let unknown = model.unknown.first { return "'\(unknown)' was written" }
    for (index, wanted) in TerminalModel.showing(canvas, depth: depth).enumerated() {
      let (cell, place) = (canvas.cells[index], model.places[index])
      if cell.isCovered || !exactly && cell.glyph.isDoubtful { continue }
      if place.text != wanted.text { return "'\(place.text)' stands at \(index) where '\(wanted.text)' should" }
      if exactly, place.parameters != wanted.parameters {
        return "\(place.parameters) at \(index), not \(wanted.parameters)"
      }
    }
    return nil
  }
}
