import ScriptHost

/// A *component* is a part of the screen in one place: its state, its keys, its mouse and its drawing.
protocol Component: AnyObject {
  /// The area in which it is drawn.
  var area: Area { get set }

  /// Updates the component's content from the face, before drawing.
  func refresh(from face: Face)
  func draw(on canvas: inout Canvas, theme: Theme)

  /// Handles a key. Returns false if the key has no effect here, so that the next component gets it.
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

/// The parts of a face's screen that other parts don't use.
struct FaceParts {
  let body, hints, status: any Component
}

/// An *area tree* divides the screen among components.
indirect enum AreaTree {
  case blank
  case area(any Component)
  /// Areas below each other, each with its number of rows; nil for the area with the rest.
  case stack([(rows: Int?, child: AreaTree)])
  /// Areas beside or below each other, by share. A thin rule separates columns, a blank line separates rows.
  case split(isBeside: Bool, [Part])

  /// A part of a split: its share relative to its neighbours, and the fewest and most cells that it needs.
  struct Part {
    let share: Double
    let least: Int?
    /// The most cells that it can use below or above others; nil if it can use all.
    let most: Int?
    let child: AreaTree

    fileprivate func least(_ isBeside: Bool) -> Int {
      least ?? (isBeside ? leastColumns : min(leastRows, most ?? leastRows))
    }
  }

  /// Assigns each component its area. If the rows are too few, the last areas are still at the end.
  func place(in area: Area) {
    switch self {
    case .blank: break
    case .area(let component): component.area = area
    case .stack(let children):
      for ((_, child), area) in zip(children, Self.areas(of: children.map(\.rows), in: area)) { child.place(in: area) }
    case .split(let isBeside, let parts):
      for (part, area) in zip(parts, Self.areas(of: parts, isBeside, in: area)) { part.child.place(in: area) }
    }
  }

  private static func areas(of heights: [Int?], in area: Area) -> [Area] {
    let fixed = heights.reduce(0) { $0 + ($1 ?? 0) }
    var (row, needed) = (area.row, fixed)
    return heights.map { rows in
      let height = rows ?? max(0, area.rows - fixed)
      let first = max(area.row, min(row, area.endRow - needed))
      row += height
      needed -= rows ?? 0
      return Area(row: first, column: area.column, rows: height, columns: area.columns)
    }
  }

  /// The default fewest columns and rows of a part, and the fewest columns for parts beside each other.
  private static let leastColumns = 16, leastRows = 3, leastBeside = 90

  private static func areas(of parts: [Part], _ isBeside: Bool, in area: Area) -> [Area] {
    let total = (isBeside ? area.columns : area.rows) - (parts.count - 1)
    var sizes = parts.map { $0.least(isBeside) }
    var (sharing, room) = (Array(parts.indices), total)
    while true {
      let shares = sharing.reduce(0) { $0 + parts[$1].share }
      for index in sharing {
        sizes[index] = max(
          parts[index].least(isBeside), Int(Double(room) * parts[index].share / max(shares, 0.001)))
      }
      // A part that needs less than its share leaves the rest to the others.
      let satisfied = isBeside ? [] : sharing.filter { parts[$0].most ?? .max < sizes[$0] }
      if satisfied.isEmpty || satisfied.count == sharing.count { break }
      for index in satisfied {
        sizes[index] = max(parts[index].least(isBeside), parts[index].most ?? 0)
        room -= sizes[index]
      }
      sharing.removeAll(where: satisfied.contains)
    }
    // The last sharing part gets the remaining cells; missing cells are taken from the largest.
    let over = sizes.reduce(0, +) - total
    if over < 0, let last = sharing.last { sizes[last] -= over }
    for _ in 0..<max(0, over) {
      guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { break }
      sizes[largest] -= 1
    }
    var start = isBeside ? area.column : area.row
    return sizes.map { size in
      defer { start += size + 1 }
      return isBeside
        ? Area(row: area.row, column: start, rows: area.rows, columns: size)
        : Area(row: start, column: area.column, rows: size, columns: area.columns)
    }
  }

  /// Returns true if every part has the room that it needs (P6).
  func fits(in area: Area) -> Bool {
    if case .stack(let children) = self {
      return zip(children, Self.areas(of: children.map(\.rows), in: area)).allSatisfy { $0.child.fits(in: $1) }
    }
    guard case .split(let isBeside, let parts) = self else { return true }
    if isBeside, parts.count > 1, area.columns < Self.leastBeside { return false }
    return zip(parts, Self.areas(of: parts, isBeside, in: area)).allSatisfy { part, area in
      (isBeside ? area.columns : area.rows) >= part.least(isBeside) && part.child.fits(in: area)
    }
  }

  /// The components in the tree, in drawing order.
  var components: [any Component] {
    switch self {
    case .blank: []
    case .area(let component): [component]
    case .stack(let children): children.flatMap(\.child.components)
    case .split(_, let parts): parts.flatMap(\.child.components)
    }
  }

  /// Draws the thin rules between columns.
  func drawRules(on canvas: inout Canvas, in area: Area, theme: Theme) {
    if case .stack(let children) = self {
      for ((_, child), area) in zip(children, Self.areas(of: children.map(\.rows), in: area)) {
        child.drawRules(on: &canvas, in: area, theme: theme)
      }
    }
    guard case .split(let isBeside, let parts) = self else { return }
    for (part, own) in zip(parts, Self.areas(of: parts, isBeside, in: area)) {
      part.child.drawRules(on: &canvas, in: own, theme: theme)
      guard isBeside, own.endColumn < area.endColumn else { continue }
      for row in own.row..<own.endRow { canvas.put("│", row: row, column: own.endColumn, style: theme.frame) }
    }
  }

  /// Returns the component below the mouse.
  func component(at mouse: Mouse) -> (any Component)? {
    switch self {
    case .blank: nil
    case .area(let component): component.area.holds(mouse) ? component : nil
    case .stack(let children): children.lazy.compactMap { $0.child.component(at: mouse) }.first
    case .split(_, let parts): parts.lazy.compactMap { $0.child.component(at: mouse) }.first
    }
  }
}

/// An *overlay* is a component over the rest of the screen. While open, it gets keys and mouse first.
protocol Overlay: Component {
  /// Returns the area that the overlay needs on a screen.
  func area(on screen: Area) -> Area
  /// The overlay's keys, for the status line.
  var hint: String { get }
  /// Whether the person types or answers in it.
  var takesText: Bool { get }
  /// Whether it waits for an answer, so that the status line shows its keys instead of messages.
  var wantsAnswer: Bool { get }
  /// Whether it shows all items and all rows, so that the face requests all of them.
  var listsEverything: Bool { get }
  /// Whether a failed reload opened it, so that most keys are for the component below.
  var isOfReload: Bool { get }
}

extension Overlay {
  var takesText: Bool { wantsAnswer || listsEverything }
  var wantsAnswer: Bool { false }
  var listsEverything: Bool { false }
  var isOfReload: Bool { false }
}
