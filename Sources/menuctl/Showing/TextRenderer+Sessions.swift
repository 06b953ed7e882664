import Glibc
import LiveHost

extension TextRenderer {
  func text(_ sessions: [LiveSession]) -> String {
    if sessions.isEmpty { return "no live app runs" }
    let rows = sessions.map { session in
      guard let told = session.told else {
        return ["@\(session.name)", "", "", "process \(session.process)", "doesn't answer", ""]
      }
      return [
        "@\(session.name)", told.app?.visible ?? "", told.source.visible, "process \(session.process)",
        "\(told.clients) client\(told.clients == 1 ? "" : "s")", "since \(Self.time(told.since))",
      ]
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).filter { $1 > 0 }.map { $0.padded(to: $1) }.joined(separator: "  ").withoutTrailingBlanks
    }.joined(separator: "\n")
  }

  /// A moment as local time.
  private static func time(_ seconds: Int) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A note of the tool, on a line of its own.
  func note(_ text: String) -> String { "menuctl: \(palette("note", .note)): \(text.visible)" }
}

extension JSONRenderer {
  static func json(_ session: LiveSession) -> JSON {
    guard let told = session.told else {
      return .object([
        ("name", .text(session.name)), ("pid", .integer(session.process)), ("answers", .bool(false)),
      ])
    }
    return .object(
      [("name", .text(session.name))] + (told.app.map { [("app", .text($0))] } ?? [])
        + [
          ("source", .text(told.source)), ("pid", .integer(session.process)), ("clients", .integer(told.clients)),
          ("since", .integer(told.since)),
        ])
  }
}
