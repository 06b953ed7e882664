@testable import ScriptHost

/// Checks reading a program's colours from any bytes; the tests and the fuzzer both use it.
struct ANSICheck {
  /// Reads a text; a test passes a faulty reader, to show that the check finds it.
  var read: (inout ANSIReader, String) -> StyledText = { $0.read($1) }

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    var reader = ANSIReader()
    let whole = read(&reader, text)
    return fault(of: whole) ?? fault(reading: whole, of: text, byLines: reader) ?? fault(returning: whole)
  }

  /// The only control characters left are tabs and ends of lines.
  /// Adjacent spans differ, and their styles' words name them.
  private func fault(of styled: StyledText) -> String? {
    for scalar in styled.text.unicodeScalars where scalar != "\t" && scalar != "\n" {
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { return "\(scalar.value) is left" }
    }
    if styled.spans.count > ANSIReader.mostSpans { return "there are \(styled.spans.count) spans" }
    for (left, right) in zip(styled.spans, styled.spans.dropFirst()) where left.style == right.style {
      return "two spans are both '\(left.style.words)'"
    }
    for span in styled.spans where TextStyle(words: span.style.words) != span.style {
      return "'\(span.style.words)' is another style"
    }
    return nil
  }

  /// Lines read one after the other give the same as all lines together.
  private func fault(reading whole: StyledText, of text: String, byLines last: ANSIReader) -> String? {
    if whole.spans.count == ANSIReader.mostSpans { return nil }
    var reader = ANSIReader()
    var cells: [Styled] = []
    for (index, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { cells.append(Styled("\n", nil)) }
      cells += Styled.scalars(of: read(&reader, String(line)))
    }
    return cells == Styled.scalars(of: whole) ? nil : "its lines by themselves are '\(cells)'"
  }

  /// A styled text survives writing with escapes and reading.
  private func fault(returning styled: StyledText) -> String? {
    let text = styled.spans.map { "\u{1B}[0;\($0.style.graphics)m\($0.text)" }.joined()
    var reader = ANSIReader()
    return read(&reader, text) == styled ? nil : "it doesn't come back from '\(text.debugDescription)'"
  }

  /// A scalar with its style; the end of a line has none.
  private struct Styled: Equatable {
    let scalar: Unicode.Scalar
    let style: TextStyle?

    init(_ scalar: Unicode.Scalar, _ style: TextStyle?) {
      self.scalar = scalar
      self.style = scalar == "\n" ? nil : style
    }

    static func scalars(of styled: StyledText) -> [Styled] {
      styled.spans.flatMap { span in span.text.unicodeScalars.map { Styled($0, span.style) } }
    }
  }
}

extension TextStyle {
  /// The numbers of the escape that turns the style on.
  fileprivate var graphics: String {
    var numbers = [(Marks.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7)]
      .filter { marks.contains($0.0) }.map { "\($0.1)" }
    if let ink { numbers.append(ink.graphics(38)) }
    if let paper { numbers.append(paper.graphics(48)) }
    return numbers.joined(separator: ";")
  }
}

extension TextStyle.Colour {
  fileprivate func graphics(_ first: Int) -> String {
    switch self {
    case .palette(let number): "\(first);5;\(number)"
    case .rgb(let red, let green, let blue): "\(first);2;\(red);\(green);\(blue)"
    }
  }
}
