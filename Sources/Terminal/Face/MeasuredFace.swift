import LiveHost
import ScriptHost

/// A face without an app and without a terminal, for benchmarks: from the bytes of a key to those of the frame.
@_spi(Measuring) public final class MeasuredFace {
  private let face: Face
  private var decoder = InputDecoder()
  private var writer = FrameWriter(depth: .sixteen)
  private var now = Duration.zero

  /// - Parameters:
  ///   - rows: the number of items in the menu that is opened.
  ///   - items: the number of other items.
  ///   - panel: the number of rows in the panel; 0 for no panel.
  public init(rows: Int, items: Int, panel: Int = 0) throws {
    face = Face(FaceSettings(), wish: { _ in }) { _, _ in 0 }
    // Large limits, because under a tool that counts instructions everything takes a hundred times as long.
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

  /// The changes that tick a visible row, and untick it again.
  private var changes: [[MenuChange]] = []
  private var changed = 0

  /// Changes the look of a row of the panel, and returns the number of bytes of the next frame.
  public func change() -> Int {
    face.menus.apply(panel: changes[changed % 2])
    changed += 1
    return frame()
  }

  /// Feeds bytes as a terminal sends them, and returns the number of bytes of the next frame.
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
