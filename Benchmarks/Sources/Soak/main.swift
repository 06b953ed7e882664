import Glibc
@_spi(Measuring) import ScriptHost

// So many operations on one host, a million where no number is given; exits 1 where something becomes more with time.

/// Prints a line for each of twenty parts, then what became more.
func soak(_ operations: Int) throws -> Bool {
  let path = "/tmp/menuctl-soak-\(getpid()).lua"
  guard let file = fopen(path, "w") else { throw Misuse(.notNow, "can't write \(path)") }
  fputs(SoakScript.plugin, file)
  fclose(file)
  defer { unlink(path) }
  var soak = try Soak(plugin: path)
  var all: [Measured] = []
  print("operations " + Measured.figures.map(\.name).joined(separator: " "))
  for part in 1...20 {
    try soak.work(operations / 20)
    let measured = try soak.measure()
    all.append(measured)
    print("\(operations / 20 * part) " + Measured.figures.map { "\($0.of(measured))" }.joined(separator: " "))
    fflush(nil)
  }
  print(soak.counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  // The first parts warm up; of some the middle counts, because memory is given and taken in steps.
  return Measured.figures.map { figure in
    func middle(_ part: ArraySlice<Measured>) -> Int { part.map(figure.of).sorted()[part.count / 2] }
    let growth = middle(all[15...]) - middle(all[3..<8])
    print("\(figure.name): grew by \(growth), \(growth <= figure.slack ? "flat" : "NOT FLAT")")
    return growth <= figure.slack
  }.allSatisfy { $0 }
}

do {
  let isFlat = try soak(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
  exit(isFlat ? 0 : 1)
} catch {
  fputs("soak: \(error)\n", fdopen(2, "w"))
  exit(2)
}
