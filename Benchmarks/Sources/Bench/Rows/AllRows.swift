/// Every row, in the order of the table.
func allRows() -> [Row] {
  performRows() + wayRows() + depthRows() + churnRows() + nativeRows() + functionRows() + timeRows()
    + useRows() + traceRows() + passRows() + menuRows() + nativePassRows("Benchmarks/Peers") + faceRows() + liveRows()
    + processRows() + paneRows() + gitRows()
}
