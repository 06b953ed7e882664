import ScriptHost

/// A *component* is a part of the screen in one place: its state, its keys, its mouse and its drawing.
protocol Component: AnyObject {
  /// The area in which it is drawn.
  var area: Area { get set }

  /// Takes from the face what it shows, before it is drawn.
  func refresh(from face: Face)
  func draw(on canvas: inout Canvas, theme: Theme)

  /// Takes a key; returns false if it means nothing here, so that the next component gets it.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool
  func paste(_ text: String, of face: Face) -> Bool
  func mouse(_ mouse: Mouse, of face: Face) -> Bool
}

extension Component {
  func refresh(from face: Face) {}
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool { false }
  func paste(_ text: String, of face: Face) -> Bool { false }
  func mouse(_ mouse: Mouse, of face: Face) -> Bool { false }
}

/// The parts of a face's screen that other parts don't ask for anything.
struct FaceParts {
  let body, hints, status: any Component
}

/// An *area tree* divides the screen among components.
indirect enum AreaTree {
  case blank
  case area(any Component)
  /// Areas below each other, each with its number of rows; nil for one that has the rest.
  case stack([(rows: Int?, child: AreaTree)])

  /// Gives each component its area. Where the rows are too few, the last areas are at the end all the same.
  func place(in area: Area) {
    switch self {
    case .blank: break
    case .area(let component): component.area = area
    case .stack(let children):
      let fixed = children.reduce(0) { $0 + ($1.rows ?? 0) }
      var (row, needed) = (area.row, fixed)
      for (rows, child) in children {
        let height = rows ?? max(0, area.rows - fixed)
        let first = max(area.row, min(row, area.endRow - needed))
        child.place(in: Area(row: first, column: area.column, rows: height, columns: area.columns))
        row += height
        needed -= rows ?? 0
      }
    }
  }

  /// The component below the mouse.
  func component(at mouse: Mouse) -> (any Component)? {
    switch self {
    case .blank: nil
    case .area(let component): component.area.holds(mouse) ? component : nil
    case .stack(let children): children.lazy.compactMap { $0.child.component(at: mouse) }.first
    }
  }
}

/// An *overlay* is a component over the rest of the screen, which gets the keys and the mouse first while it is open.
protocol Overlay: Component {
  /// The area that it needs on a screen.
  func area(on screen: Area) -> Area
  /// Its keys, as the status line names them.
  var hint: String { get }
  /// Whether the person types or answers there.
  var takesText: Bool { get }
  /// Whether it waits for an answer, so that the status line names its keys instead of messages.
  var wantsAnswer: Bool { get }
  /// Whether it shows all items and all rows, so that the app is asked for all.
  var listsEverything: Bool { get }
  /// Whether it has opened by itself because of a failed reload, so that keys are meant for what lies below.
  var isOfReload: Bool { get }
}

extension Overlay {
  var takesText: Bool { wantsAnswer || listsEverything }
  var wantsAnswer: Bool { false }
  var listsEverything: Bool { false }
  var isOfReload: Bool { false }
}
