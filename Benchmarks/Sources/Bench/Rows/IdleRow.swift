@_spi(Measuring) import LiveHost

/// What a live app costs that idles while many look at it: nothing, and that is judged.
struct IdleRow {
  static let name = "live-idle"
  private static let seconds = 60
  private static let clients = 100
  /// What the system counts a process's time in.
  private static let tick = 10_000_000

  /// Nanoseconds of the processor.
  let taken: Int
  var ticks: Int { taken / Self.tick }
  var holds: Bool { ticks == 0 }

  init() throws {
    let live = try MeasuredLive(
      "menubar { menu 'M' { item 'Go' { 'go' } } } function app.on:go() end", clients: Self.clients, asking: "hello",
      "{}")
    let before = threadTime()
    live.idle(for: Self.seconds)
    taken = threadTime() - before
  }

  var line: String {
    "\(Self.name): \(Self.clients) clients, \(Self.seconds) s: \(ticks) ticks (\(taken / 1000) µs), ≤ 0 \(holds ? "ok" : "BROKEN")"
  }
}
