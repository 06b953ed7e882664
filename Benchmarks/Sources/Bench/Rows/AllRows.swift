/// Every row, in the order of the table.
func allRows() -> [Row] {
  callRows() + stateRows() + performRows() + wayRows() + [depthRow()] + churnRows() + nativeRows() + timeRows()
    + passRows() + menuRows()
}
