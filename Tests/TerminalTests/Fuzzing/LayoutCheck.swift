@testable import Terminal

/// What must hold for whatever layout of panes on whatever screen (P5, P6); the tests and the fuzzer both ask it.
///
/// The first two bytes are the size of the screen; each further one begins a pane or a layout, or says what share and how much room it wants.
struct LayoutCheck {
  /// Gives the panes their areas; another way than the product's shows that a fault would be found.
  var place: (AreaTree, Area) -> Void = { $0.place(in: $1) }

  /// Says what does not hold for these bytes, or nil when all does.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count > 2 else { return nil }
    let screen = Area(row: 1, column: 0, rows: Int(bytes[0]), columns: 2 * Int(bytes[1]))
    var rest = bytes.dropFirst(2)
    var panes: [Pane] = []
    let tree = Self.layout(&rest, depth: 0, least: nil, &panes)
    let fits = tree.fits(in: screen)
    place(tree, screen)
    if tree.components.count != panes.count { return "\(panes.count) panes, and \(tree.components.count) components" }
    return fits ? fault(of: panes, on: screen, tree) : nil
  }

  /// Where everything fits, each pane lies on the screen with the room that it needs, beside the others, and the mouse finds it.
  private func fault(of panes: [Pane], on screen: Area, _ tree: AreaTree) -> String? {
    for (number, pane) in panes.enumerated() {
      let area = pane.area
      if area.common(with: screen) != area { return "pane \(number) at \(area) isn't on the screen" }
      if let least = pane.least, (least.isBeside ? area.columns : area.rows) < least.cells {
        return "pane \(number) at \(area) has less than \(least.cells) cells"
      }
      for other in panes[..<number] where !area.common(with: other.area).isEmpty {
        return "pane \(number) at \(area) lies over one at \(other.area)"
      }
      for (row, column) in [(area.row, area.column), (area.endRow - 1, area.endColumn - 1)] where !area.isEmpty {
        let mouse = Mouse(deed: .press(.left), row: row, column: column)
        if tree.component(at: mouse) !== pane { return "the mouse doesn't find pane \(number) at \(area)" }
      }
    }
    let covered = panes.reduce(0) { $0 + $1.area.rows * $1.area.columns }
    return panes.count == 1 && covered != screen.rows * screen.columns ? "one pane doesn't fill the screen" : nil
  }

  /// A pane, with the room that it needs in the direction of the layout around it.
  private final class Pane: Component {
    var area = Area.nowhere
    let least: (cells: Int, isBeside: Bool)?
    init(_ least: (cells: Int, isBeside: Bool)?) { self.least = least }
    func draw(on canvas: inout Canvas, theme: Theme) {}
  }

  private static let shares = [1, 1, 2, 0.001, 0.3, 1000, 3, 7.5]
  private static let leasts: [Int?] = [nil, nil, nil, 1, 2, 20, 40, 1000]

  private static func layout(
    _ bytes: inout Slice<UnsafeBufferPointer<UInt8>>, depth: Int, least: (cells: Int, isBeside: Bool)?,
    _ panes: inout [Pane]
  ) -> AreaTree {
    guard depth < 8, panes.count < 32, let kind = bytes.popFirst(), kind & 3 > 0 else {
      let pane = Pane(least)
      panes.append(pane)
      return .area(pane)
    }
    let isBeside = kind & 1 == 0
    var parts: [AreaTree.Part] = []
    repeat {
      let wants = bytes.popFirst() ?? 0
      let cells = leasts[Int(wants >> 3) % leasts.count]
      let child = layout(&bytes, depth: depth + 1, least: cells.map { ($0, isBeside) }, &panes)
      let most = wants & 128 == 0 ? nil : Int(wants & 7) + 1
      parts.append(AreaTree.Part(share: shares[Int(wants) % shares.count], least: cells, most: most, child: child))
    } while parts.count < Int(kind >> 2) % 8 + 1 && panes.count < 32
    return .split(isBeside: isBeside, parts)
  }
}
