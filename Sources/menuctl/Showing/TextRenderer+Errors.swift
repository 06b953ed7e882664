import LiveHost
import ScriptHost

extension TextRenderer {
  /// `file:line:column: error: message`, the line, and a caret below the place.
  func text(_ diagnostic: Diagnostic, in sources: [Source], withCode: Bool = false) -> String {
    let place = diagnostic.place?.visible.description ?? sources.first?.name.visible ?? "menuctl"
    let severity = palette(diagnostic.severity.rawValue, role(diagnostic.severity))
    var text = "\(place): \(severity): \(diagnostic.message.visibleBlock())"
    if withCode { text += " [\(diagnostic.code)]" }
    if let excerpt = excerpt(diagnostic.place, in: sources) { text += "\n\(excerpt)" }
    if let help = diagnostic.help { text += "\n\(palette("help", .strong)): \(help.visible)" }
    return text
  }

  /// The findings of `check`, and their number.
  func text(_ findings: [Diagnostic], in sources: [Source]) -> String {
    if findings.isEmpty { return "nothing was found" }
    let counts = [
      (findings.count { $0.severity == .error }, "error"), (findings.count { $0.severity == .warning }, "warning"),
      (findings.count { $0.severity == .note }, "note"),
    ]
    let summary = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    return (findings.map { "\(text($0, in: sources, withCode: true))\n" } + [summary]).joined(separator: "\n")
  }

  private func role(_ severity: Diagnostic.Severity) -> Palette.Role {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }

  private func excerpt(_ place: Place?, in sources: [Source]) -> String? {
    guard let place, let source = sources.last(where: { $0.name == place.file }), let line = source.line(place.line)
    else { return nil }
    return excerpt(of: line, column: place.column)
  }

  /// A line with a caret below a column; without a column, the line alone.
  func excerpt(of line: [UInt8], column: Int?) -> String? {
    let offset = column.map { self.offset(of: $0, in: line) } ?? line.prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard offset <= line.count, String(validating: line[..<offset], as: UTF8.self) != nil else { return nil }
    let excerpt = line.withUnsafeBufferPointer { Excerpt(of: $0, at: offset) }
    return column == nil ? "  \(excerpt.line)" : excerpt.render()
  }

  /// The number of bytes before a column; columns count characters from 1.
  private func offset(of column: Int, in line: [UInt8]) -> Int {
    var characters = 0
    for (offset, byte) in line.enumerated() where byte & 0xC0 != 0x80 {
      characters += 1
      if characters == column { return offset }
    }
    return line.count
  }

  /// The error of a reference on the command line that can't be read.
  func text(_ error: ReferenceError) -> String {
    "reference:1:\(error.column): \(palette("error", .error)): \(error.render())"
  }

  func problem(_ sentence: String, help: String?) -> String {
    "menuctl: \(palette("error", .error)): \(sentence.visible)" + (help.map { "\n\($0)" } ?? "")
  }

  func text(_ entry: LogEntry) -> String {
    "\(entry.place.map(\.visible.description) ?? entry.owner.visible): \(entry.level.rawValue): \(entry.text.visible)"
  }
}

extension TextRenderer {
  /// The failure of an entry of Lua, at a place as the REPL counts it, with the failing line and a caret.
  func text(_ failure: Failure, at place: Place?) -> String {
    let heading = place.map { "\($0.visible): " } ?? ""
    let text = "\(heading)\(palette("error", .error)): \(failure.message.visibleBlock())"
    guard let line = failure.text, let excerpt = excerpt(of: Array(line.utf8), column: place?.column) else {
      return text
    }
    return text + "\n\(excerpt)"
  }
}
