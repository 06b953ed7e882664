import Glibc

// The rows are in Rows/, a file for each group; this runs them.

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let rows = allRows().filter { options.row == nil || options.row == $0.name }
  guard !rows.isEmpty else {
    throw BenchError("no row \(options.row ?? ""); there are \(allRows().map(\.name).joined(separator: ", "))")
  }
  if let side = options.counted {
    for row in rows { try row.runCounted(side) }
  } else {
    exit(try Run(options).run(rows) ? 0 : 1)
  }
} catch {
  writeError("bench: \(error)\n")
  exit(2)
}
