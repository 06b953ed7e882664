/// Where a face drew its parts last, so that it can tell what the mouse points at.
struct FaceLayout {
  var bar: [Area] = []
  var menus: [Area] = []
  var body = Area(row: 0, column: 0, rows: 0, columns: 0)
  /// What lies over everything.
  var over = Area(row: 0, column: 0, rows: 0, columns: 0)
}
