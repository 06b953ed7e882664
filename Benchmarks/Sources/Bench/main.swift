import Glibc

// The rows are in Rows/, a file for each group; this runs them.

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let rows = allRows().filter { options.row == nil || options.row == $0.name }
  let measuresMemory = options.row == nil || options.row == MemoryRow.name
  let runsProcesses = options.row.map(ProcessRows.names.contains) ?? true
  guard !rows.isEmpty || measuresMemory || runsProcesses else {
    let names = allRows().map(\.name) + [MemoryRow.name] + ProcessRows.names
    throw BenchError("no row \(options.row ?? ""); there are \(names.joined(separator: ", "))")
  }
  if let side = options.counted {
    for row in rows { try row.runCounted(side) }
  } else {
    let holds = try rows.isEmpty || Run(options).run(rows)
    let isFlat = try !measuresMemory || MemoryRow().run()
    let processesHold = try !runsProcesses || ProcessRows().run(options.row)
    exit(holds && isFlat && processesHold ? 0 : 1)
  }
} catch {
  writeError("bench: \(error)\n")
  exit(2)
}
