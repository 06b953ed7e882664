/// Every row, in the order of the table.
func allRows() -> [Row] {
  callRows() + stateRows() + performRows() + wayRows() + churnRows() + nativeRows() + passRows()
}
