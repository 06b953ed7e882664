import Glibc
import LiveHost

extension TextRenderer {
  func text(_ sessions: [LiveSession]) -> String {
    if sessions.isEmpty { return "no live app runs" }
    let rows = sessions.map { session in
      [
        "@\(session.name)", session.app?.visible ?? "", session.source.visible, "process \(session.process)",
        "\(session.clients) client\(session.clients == 1 ? "" : "s")", "since \(Self.time(session.since))",
      ]
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).filter { $1 > 0 }.map { $0.padded(to: $1) }.joined(separator: "  ").withoutTrailingBlanks
    }.joined(separator: "\n")
  }

  /// A moment as people say it here.
  private static func time(_ seconds: Int) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Something that is worth knowing.
  func note(_ text: String) -> String { "menuctl: \(palette("note", .note)): \(text.visible)" }
}

extension JSONRenderer {
  static func json(_ session: LiveSession) -> JSON {
    .object(
      [("name", .text(session.name))] + (session.app.map { [("app", .text($0))] } ?? [])
        + [
          ("source", .text(session.source)), ("pid", .integer(session.process)),
          ("clients", .integer(session.clients)), ("since", .integer(session.since)),
        ])
  }
}
