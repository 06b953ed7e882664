import Floor
@_spi(Measuring) import ScriptHost

/// What things hold, in bytes of the heap, and whether that stays flat. It is stated; what must stay flat is judged.
struct MemoryRow {
  static let name = "memory"

  /// Prints what was measured; whether what must stay flat does.
  func run() throws -> Bool {
    let count = 10_000
    let none = try heap { try patientHost("menubar { menu 'All' { } }").menus().children.count }
    let items = try heap { try patientHost(PassScript.host(count)) }
    let drawn = try heap {
      let host = try patientHost(PassScript.host(count))
      return (host, host.menus())
    }
    let responders = try heap {
      try patientHost(
        """
        for i = 1, 1000 do
          local r = responder("r" .. i)
          function r.on:act(ctx) return ctx.n end
          function r.can:act(ctx) return ctx.n ~= nil end
        end
        """)
    }
    print("memory  bytes of an item, declared: \((items - none) / count)")
    print("memory  bytes of an item, drawn: \((drawn - none) / count)")
    print("memory  bytes of a responder with on and can: \((responders - none) / 1000)")
    print("memory  resident with a host of \(count) items, drawn: \(floor_residentBytes() >> 20) MiB")
    return try resolutions() && performs()
  }

  private func resolutions() throws -> Bool {
    let host = try patientHost("function app.on:act(ctx) return ctx.n end")
    func perform(_ range: Range<Int>) { for n in range { _ = host.perform("act(n: \(n))") } }
    perform(0..<100)
    let before = Int(floor_heapBytes())
    perform(100..<1100)
    print("memory  bytes of a reference with its resolution and plan: \((Int(floor_heapBytes()) - before) / 1000)")
    return true
  }

  /// 100,000 performs and 1,000 rebuilds leave the heap where it was.
  private func performs() throws -> Bool {
    let host = try patientHost(
      """
      menubar { menu "All" { section "s" { items = function() return { 1, 2, 3 } end, row = function(v) return item(v) { "act" } end } } }
      function app.on:act(ctx) return ctx.n end
      """)
    func work(_ count: Int) {
      for n in 0..<count {
        _ = host.perform("act(n: \(n % 7))")
        if n % 100 == 0 { _ = host.menus() }
      }
    }
    work(50_000)
    let before = Int(floor_heapBytes())
    work(100_000)
    let growth = Int(floor_heapBytes()) - before
    let isFlat = growth < 256 << 10
    print("memory  growth over 100,000 performs and 1,000 rebuilds: \(growth) bytes, \(isFlat ? "ok" : "NOT FLAT")")
    return isFlat
  }

  /// The bytes that what is made holds.
  private func heap<Made>(_ make: () throws -> Made) rethrows -> Int {
    let before = Int(floor_heapBytes())
    let made = try make()
    return withExtendedLifetime(made) { Int(floor_heapBytes()) - before }
  }
}
