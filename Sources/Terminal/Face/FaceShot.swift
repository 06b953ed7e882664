import Glibc
import LiveHost
import ScriptHost

/// A *shot* is what a face shows after some keys, without a terminal: for documents and tests, drawn by the same code.
package struct FaceShot: Sendable {
  package let columns: Int
  package let rows: Int
  package let strokes: [Stroke]

  /// Nil where a screen can't be so large.
  package init?(columns: Int, rows: Int, strokes: [Stroke]) {
    guard (1...1000).contains(columns), (1...1000).contains(rows) else { return nil }
    self.columns = columns
    self.rows = rows
    self.strokes = strokes
  }

  /// How it is written.
  package enum Form: Sendable {
    case text, svg
  }

  /// Presses the keys, each when the app has answered the one before, and draws.
  package func taken(of client: LiveClient, _ settings: FaceSettings, as form: Form) throws(Unanswered) -> String {
    var failure: Unanswered?
    var isOver = false
    let face = Face(settings, wish: { if $0 == .quit { isOver = true } }) { method, parameters in
      do throws(Unanswered) { return try client.send(method, parameters) } catch {
        failure = error
        return 0
      }
    }
    (face.columns, face.rows) = (columns, rows)
    face.begin()
    face.isNow(.zero)
    try settle(face, client, .zero)
    _ = face.draw()
    var now = Duration.zero
    for stroke in strokes where !isOver {
      now += .milliseconds(100)
      face.take(.key(stroke, text: stroke.typed), at: now)
      try settle(face, client, now)
      if let failure { throw failure }
      // Where things are is known when they were drawn.
      _ = face.draw()
    }
    // What waits a moment to be shown is to be seen.
    face.isNow(now + Face.hintDelay)
    let canvas = face.draw()
    return form == .svg ? canvas.svg : canvas.text + "\n"
  }

  /// Waits until all that was asked is answered.
  private func settle(_ face: Face, _ client: LiveClient, _ now: Duration) throws(Unanswered) {
    face.wasDrawn()
    while !face.awaited.isEmpty {
      var polled = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, -1) < 0 { continue }
      for message in try client.received() { face.told(message, at: now) }
    }
  }
}

extension Stroke {
  /// What it types, where it types anything.
  fileprivate var typed: String? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    if key == "space" { return " " }
    guard key.unicodeScalars.count == 1 else { return nil }
    return modifiers.contains(.shift) ? key.uppercased() : key
  }
}
