import Floor
@_spi(Measuring) import ScriptHost

/// What things hold, and whether what is done again and again leaves the heap as it was. Sizes are stated, growth is judged.
struct MemoryRow {
  static let name = "memory"

  /// Something that was measured, in bytes.
  struct Figure {
    let key: String
    let what: String
    let bytes: Int
    var mayBe: Int?

    var holds: Bool { mayBe.map { bytes <= $0 } ?? true }
  }

  func figures() throws -> [Figure] { try sizes() + [resident()] + growth() }

  // MARK: Sizes

  private func sizes() throws -> [Figure] {
    let count = 10_000
    let none = try heap {
      try patientHost("menubar { menu 'All' { } }")
    } then: {
      _ = $0.menus()
    }
    let items = try heap { try patientHost(PassScript.host(count)) }
    let drawn = try heap {
      try patientHost(PassScript.host(count))
    } then: {
      _ = $0.menus()
    }
    let responders = try heap { try patientHost(MemoryRow.responders) }
    let few = try heap { try performed(100) }
    let many = try heap { try performed(1100) }
    return [
      Figure(key: "item", what: "an item, declared", bytes: (items - none) / count),
      Figure(key: "drawnItem", what: "an item that was drawn", bytes: (drawn - none) / count),
      Figure(key: "responder", what: "a responder with on and can", bytes: (responders - none) / 1000),
      Figure(key: "resolution", what: "a reference with its resolution and plan", bytes: (many - few) / 1000),
    ]
  }

  private static let responders = """
    for i = 1, 1000 do
      local r = responder("m" .. i)
      function r.on:act(ctx) return ctx.n end
      function r.can:act(ctx) return ctx.n ~= nil end
    end
    """

  /// A host that has performed so many references.
  private func performed(_ count: Int) throws -> ScriptHost {
    let host = try patientHost("function app.on:act(ctx) return ctx.n end")
    for n in 0..<count { _ = host.perform("act(n: \(n))") }
    return host
  }

  /// The bytes that a host holds, without garbage.
  private func heap(
    _ make: () throws -> ScriptHost, then use: (ScriptHost) -> Void = { _ in }
  ) throws -> Int {
    let before = Int(floor_heapBytes())
    let host = try make()
    use(host)
    return try withExtendedLifetime(host) { try inUse(by: host) - before }
  }

  /// What a process of its own has in memory with 10,000 items and 1,000 responders.
  private func resident() throws -> Figure {
    let answer = try Program(at: CommandLine.arguments[0]).run(["--resident"])
    guard let bytes = Int(answer.filter(\.isNumber)) else { throw BenchError("--resident told no bytes") }
    return Figure(key: "resident", what: "resident with 10,000 items, drawn, and 1,000 responders", bytes: bytes)
  }

  /// What that process prints.
  static func printResident() throws {
    let host = try patientHost(PassScript.host(10_000) + "\n" + responders)
    _ = host.menus()
    withExtendedLifetime(host) { print(floor_residentBytes()) }
  }

  // MARK: Growth

  private static let script = """
    menubar { menu "All" { section "s" { items = function() return { 1, 2, 3 } end, row = function(v) return item(v) { "act" } end } } }
    r = responder "r"
    function r.on:act(ctx) return ctx.n end
    focus(r)
    """

  private func growth() throws -> [Figure] {
    let host = try patientHost(MemoryRow.script)
    let works: [(key: String, what: String, count: Int, () throws -> Void)] = [
      ("performs", "performs", 100_000, { _ = host.perform("act(n: 1)") }),
      ("rebuilds", "rebuilds of a menu", 100_000, { _ = host.remakeMenus() }),
      ("reloads", "reloads of a script", 5000, { try host.reload(text: MemoryRow.script, name: "bench.lua") }),
    ]
    return try works.map { key, what, count, work in
      // Blocks are kept to be used again: how many that are is known after as much again.
      for _ in 0..<count { try work() }
      let before = try inUse(by: host)
      for _ in 0..<count { try work() }
      return Figure(
        key: key, what: "more after \(count) \(what)", bytes: try inUse(by: host) - before, mayBe: 16 << 10)
    }
  }

  /// Bytes of the heap, without garbage and without what is kept to be used again, of which there is more the more garbage there once was.
  private func inUse(by host: ScriptHost) throws -> Int {
    try host.collectGarbage()
    return Int(floor_heapBytes()) - (try host.sparedBytes)
  }
}
