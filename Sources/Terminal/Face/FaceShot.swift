import Glibc
import LiveHost
import ScriptHost

/// A *shot* is a picture of a face after some keys, made without a terminal; for documents and tests.
package struct FaceShot: Sendable {
  package let columns: Int
  package let rows: Int
  package let strokes: [Stroke]

  /// Makes a shot of a size; nil if no screen has this size.
  package init?(columns: Int, rows: Int, strokes: [Stroke]) {
    guard (1...1000).contains(columns), (1...1000).contains(rows) else { return nil }
    self.columns = columns
    self.rows = rows
    self.strokes = strokes
  }

  /// The format of a shot.
  package enum Form: Sendable {
    case text, svg
  }

  /// Presses the keys, each after the app's answer to the previous key, and draws.
  package func taken(of client: LiveClient, _ settings: FaceSettings, as form: Form) throws(Unanswered) -> String {
    let line = FaceLine(client)
    var isOver = false
    let face = Face(settings, wish: { if $0 == .quit { isOver = true } }, post: line.post)
    (face.columns, face.rows) = (columns, rows)
    // A picture has all colours and a background, unless the person wants no colours.
    if form == .svg, settings.isThemeChosen, settings.theme.hasColour {
      face.isShown(on: PictureInks.ground(isLight: settings.theme.isLight))
    }
    face.begin()
    face.isNow(.zero)
    var patience = Self.patience
    try settle(face, line, .zero, &patience)
    _ = face.draw()
    var now = Duration.zero
    for stroke in strokes where !isOver {
      now += .milliseconds(100)
      face.take(.key(stroke, text: stroke.typed), at: now)
      try settle(face, line, now, &patience)
      // The effect of keys depends on the last drawing.
      _ = face.draw()
    }
    // The picture includes the hints of a sequence, which appear after a moment.
    face.isNow(now + Face.hintDelay)
    let canvas = face.draw()
    return form == .svg ? canvas.svg(with: settings.theme) : canvas.text + "\n"
  }

  /// Waits until all requests are answered and short jobs have ended.
  private func settle(
    _ face: Face, _ line: FaceLine, _ now: Duration, _ patience: inout Int32
  ) throws(Unanswered) {
    repeat {
      _ = face.draw()
      face.wasDrawn()
      while !face.awaited.isEmpty {
        try hear(face, line, now, -1)
        if face.awaited.isEmpty {
          _ = face.draw()
          face.wasDrawn()
        }
      }
    } while try waits(face, line, now, &patience)
  }

  private func hear(_ face: Face, _ line: FaceLine, _ now: Duration, _ patience: Int32) throws(Unanswered) {
    var polled = pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&polled, 1, patience) < 0 { return }
    line.listen(face, now)
    if let failure = line.failure { throw failure }
  }

  /// The total milliseconds to wait for jobs. A longer job is shown as it is then.
  private static let patience: Int32 = 3000
  private static let pause: Int32 = 20

  /// Waits a moment for running jobs and for lines of texts. Returns true to wait again.
  private func waits(
    _ face: Face, _ line: FaceLine, _ now: Duration, _ patience: inout Int32
  ) throws(Unanswered) -> Bool {
    face.ask("jobs", for: .jobs)
    while !face.awaited.isEmpty { try hear(face, line, now, -1) }
    // Messages may have made the face request lines.
    _ = face.draw()
    if !face.awaited.isEmpty { return true }
    guard face.jobs.contains(where: { !$0.isAsking }) || face.expectsLines, patience > 0 else { return false }
    try hear(face, line, now, Self.pause)
    patience -= Self.pause
    return true
  }
}

/// A face without an app and without a terminal, for benchmarks from the bytes of a key to those of the frame.
@_spi(Measuring) public final class MeasuredFace {
  private let face: Face
  private var decoder = InputDecoder()
  private var writer = FrameWriter(depth: .sixteen)
  private var now = Duration.zero

  /// - Parameters:
  ///   - rows: the number of items in the opened menu.
  ///   - items: the number of other items.
  ///   - panel: the number of rows in the panel; 0 for no panel.
  public init(rows: Int, items: Int, panel: Int = 0) throws {
    face = Face(FaceSettings(), wish: { _ in }) { _, _ in 0 }
    // Large limits, because a tool that counts instructions slows everything down a hundred times.
    let host = ScriptHost(limits: HostLimits(load: .milliseconds(600_000), perform: .milliseconds(600_000)))
    try host.load(
      text: """
        local function many(name, count)
          local all = {}
          for n = 1, count do all[n] = item(name .. " number " .. n) { "go", args = { n = n } } end
          return menu(name)(all)
        end
        menubar { many("First", \(rows)), many("Second", 20), many("Others", \(items)) }
        function app.on:go() end
        if \(panel) > 0 then
          panel { section "rows" {
            items = function() local all = {} for n = 1, \(panel) do all[n] = n end return all end, id = function(n) return "row " .. n end,
            row = function(n) return item("Row number " .. n) { "go", args = { n = n }, state = isOn and n == 5 } end,
          } }
        end
        isOn = false
        """, name: "app.lua")
    face.areKeysKnown = true
    face.menus.replace(host.menus().children)
    if let off = host.panel() {
      face.menus.replacePanel(off.children)
      try host.evaluate("isOn = true")
      if let on = host.panel() {
        changes = [MenuChanges(from: off, to: on).all, MenuChanges(from: on, to: off).all]
      }
    }
    _ = frame()
  }

  /// The changes that tick a visible row and untick it again.
  private var changes: [[MenuChange]] = []
  private var changed = 0

  /// Changes the look of a row of the panel, and returns the number of bytes of the next frame.
  public func change() -> Int {
    face.menus.apply(panel: changes[changed % 2])
    changed += 1
    return frame()
  }

  /// Feeds the bytes of a terminal, and returns the number of bytes of the next frame.
  public func type(_ bytes: [UInt8]) -> Int {
    now += .milliseconds(50)
    decoder.feed(bytes)
    while let input = decoder.next() { face.take(input, at: now) }
    return frame()
  }

  private func frame() -> Int {
    face.awaited = [:]
    return writer.write(face.draw()).count
  }
}
