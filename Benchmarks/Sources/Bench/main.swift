import Glibc

// The rows are in Rows/, a file for each group; this runs them.

/// Does what the command line asks for; whether everything holds. Files that rows have made are gone when it returns.
func run() throws -> Bool {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let all = options.peers.map(peerRows) ?? allRows()
  let rows = all.filter { options.wants($0.name) }
  let measuresMemory = options.peers == nil && options.wants(MemoryRow.name)
  let idles = options.peers == nil && options.wants(IdleRow.name)
  guard !rows.isEmpty || measuresMemory || idles else {
    let names = all.map(\.name) + (options.peers == nil ? [MemoryRow.name, IdleRow.name] : [])
    throw BenchError("no row \(options.rows.joined(separator: " ")); there are \(names.joined(separator: ", "))")
  }
  if options.resident {
    try MemoryRow.printResident()
  } else if let side = options.counted {
    for row in rows { try row.runCounted(side) }
  } else {
    return try Run(options).run(rows, measuringMemory: measuresMemory, idling: idles)
  }
  return true
}

do {
  exit(try run() ? 0 : 1)
} catch {
  writeError("bench: \(error)\n")
  exit(2)
}
