/// The areas in which a face drew its parts last, by which it finds what the mouse points at.
struct FaceLayout {
  var bar: [Area] = []
  var menus: [Area] = []
  var body = Area(row: 0, column: 0, rows: 0, columns: 0)
  /// The area of the top overlay.
  var over = Area(row: 0, column: 0, rows: 0, columns: 0)
}
