@testable import Terminal

/// The planted fault: everything stands a column farther to the right.
nonisolated(unsafe) let check =
  isPlanted
  ? LayoutCheck { tree, area in
    tree.place(in: Area(row: area.row, column: area.column + 1, rows: area.rows, columns: area.columns))
  } : LayoutCheck()
