import Glibc
@_spi(Measuring) import ScriptHost

// So many operations on one host, then so many requests of twenty clients to a live one, a million each where no number is given; exits 1
// where something becomes more with time.

/// A day's work, in twenty parts: prints a line for each, then what became more.
func soak(
  _ operations: Int, _ work: (Int) throws -> Void, _ measure: () throws -> Measured, counts: () -> [String: Int]
) throws -> Bool {
  var all: [Measured] = []
  print("operations " + Measured.figures.map(\.name).joined(separator: " "))
  for part in 1...20 {
    try work(operations / 20)
    let measured = try measure()
    all.append(measured)
    print("\(operations / 20 * part) " + Measured.figures.map { "\($0.of(measured))" }.joined(separator: " "))
    fflush(nil)
  }
  print(counts().sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  // The first parts warm up; of some the middle counts, because memory is given and taken in steps.
  return Measured.figures.map { figure in
    func middle(_ part: ArraySlice<Measured>) -> Int { part.map(figure.of).sorted()[part.count / 2] }
    let growth = middle(all[15...]) - middle(all[3..<8])
    print("\(figure.name): grew by \(growth), \(growth <= figure.slack ? "flat" : "NOT FLAT")")
    return growth <= figure.slack
  }.allSatisfy { $0 }
}

/// Writes the plugin, and has it for as long as something is done.
func withPlugin<Result>(_ body: (String) throws -> Result) throws -> Result {
  let path = "/tmp/menuctl-soak-\(getpid()).lua"
  guard let file = fopen(path, "w") else { throw Misuse(.notNow, "can't write \(path)") }
  fputs(SoakScript.plugin, file)
  fclose(file)
  defer { unlink(path) }
  return try body(path)
}

do {
  let operations = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
  let isFlat = try withPlugin { path in
    var host = try Soak(plugin: path)
    return try soak(operations, { try host.work($0) }, { try host.measure() }, counts: { host.counts })
  }
  print("\na live app with twenty clients")
  let isLiveFlat = try withPlugin { path in
    var live = try LiveSoak(plugin: path)
    defer { live.end() }
    return try soak(operations, { try live.work($0) }, { try live.measure() }, counts: { live.counts })
  }
  exit(isFlat && isLiveFlat ? 0 : 1)
} catch {
  fputs("soak: \(error)\n", fdopen(2, "w"))
  exit(2)
}
