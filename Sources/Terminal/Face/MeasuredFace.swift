import LiveHost
import ScriptHost

/// A face without an app and without a terminal, for benchmarks: from the bytes of a key to those of the frame.
@_spi(Measuring) public final class MeasuredFace {
  private let face: Face
  private var decoder = InputDecoder()
  private var writer = FrameWriter(depth: .sixteen)
  private var now = Duration.zero

  /// - Parameters:
  ///   - rows: how many items the menu has that is opened.
  ///   - items: how many others there are.
  public init(rows: Int, items: Int) throws {
    face = Face(FaceSettings(), wish: { _ in }) { _, _ in 0 }
    let host = ScriptHost()
    try host.load(
      text: """
        local function many(name, count)
          local all = {}
          for n = 1, count do all[n] = item(name .. " number " .. n) { "go", args = { n = n } } end
          return menu(name)(all)
        end
        menubar { many("First", \(rows)), many("Second", 20), many("Others", \(items)) }
        function app.on:go() end
        """, name: "app.lua")
    face.menus.replace(host.menus().children)
    _ = frame()
  }

  /// Types bytes as a terminal sends them; how many the frame has that follows.
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
