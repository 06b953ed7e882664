import Glibc

/// A *plot* shows cost over size on two logarithmic axes, as SVG that reads well on light and on dark.
struct Plot {
  struct Series {
    let name: String
    let points: [(size: Double, nanoseconds: Double)]
  }

  let title: String
  /// What the sizes are of.
  let sizes: String
  let series: [Series]

  private static let width = 560.0
  private static let height = 320.0
  private static let left = 70.0
  private static let right = 110.0
  private static let top = 36.0
  private static let bottom = 44.0

  var svg: String {
    let points = series.flatMap(\.points)
    let x = Axis(points.map(\.size), from: Plot.left, to: Plot.width - Plot.right)
    let y = Axis(points.map(\.nanoseconds), from: Plot.height - Plot.bottom, to: Plot.top)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(fixed(Plot.width, 0)) \(fixed(Plot.height, 0))" \
      role="img" aria-label="\(title)">
      """,
      Plot.style, text(Plot.left, 20, "start", title, "title"),
      text((x.start + x.end) / 2, Plot.height - 8, "middle", sizes),
    ]
    for decade in x.decades {
      lines.append(line(x[decade], y.start, x[decade], y.end))
      lines.append(text(x[decade], Plot.height - Plot.bottom + 16, "middle", Plot.count(decade)))
    }
    for decade in y.decades {
      lines.append(line(x.start, y[decade], x.end, y[decade]))
      lines.append(text(x.start - 8, y[decade] + 4, "end", Plot.time(decade)))
    }
    for (index, series) in series.enumerated() { lines += draw(series, index, x, y) }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static let style = """
    <style>
    text { font: 12px sans-serif; fill: #57606a } .title { font-weight: bold } line { stroke: #8c959f; stroke-opacity: .35 }
    polyline { fill: none; stroke-width: 2 } .s0 { stroke: #0969da } .s1 { stroke: #bc4c00; stroke-dasharray: 5 4 }
    circle.s0 { fill: #0969da } circle.s1 { fill: #bc4c00 }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1 } .s0 { stroke: #4493f8 } .s1 { stroke: #f0883e } circle.s0 { fill: #4493f8 } circle.s1 { fill: #f0883e }
    }
    </style>
    """

  private func draw(_ series: Series, _ index: Int, _ x: Axis, _ y: Axis) -> [String] {
    let places = series.points.map { (x: x[$0.size], y: y[$0.nanoseconds]) }
    guard let last = places.last else { return [] }
    let way = places.map { "\(fixed($0.x, 1)),\(fixed($0.y, 1))" }.joined(separator: " ")
    let dots = places.map { "<circle class=\"s\(index)\" cx=\"\(fixed($0.x, 1))\" cy=\"\(fixed($0.y, 1))\" r=\"3\"/>" }
    // Names of lines that end close together stand one above the other.
    let name = text(last.x + 10, last.y + (index == 0 ? -4 : 14), "start", series.name)
    return ["<polyline class=\"s\(index)\" points=\"\(way)\"/>"] + dots + [name]
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line x1=\"\(fixed(x1, 1))\" y1=\"\(fixed(y1, 1))\" x2=\"\(fixed(x2, 1))\" y2=\"\(fixed(y2, 1))\"/>"
  }

  private func text(_ x: Double, _ y: Double, _ anchor: String, _ text: String, _ kind: String? = nil) -> String {
    let kind = kind.map { " class=\"\($0)\"" } ?? ""
    return "<text\(kind) x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\" text-anchor=\"\(anchor)\">\(text)</text>"
  }

  private static func count(_ value: Double) -> String {
    value < 1000 ? fixed(value, 0) : "\(fixed(value / 1000, 0)),000"
  }

  private static func time(_ nanoseconds: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let unit = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
    return "\(fixed(nanoseconds / unit.0, 0)) \(unit.1)"
  }
}

/// A logarithmic axis over whole decades.
private struct Axis {
  let start: Double
  let end: Double
  private let first: Int
  private let last: Int

  init(_ values: [Double], from start: Double, to end: Double) {
    self.start = start
    self.end = end
    let logarithms = values.map { log10(max($0, 1e-9)) }
    first = Int((logarithms.min() ?? 0).rounded(.down))
    last = max(first + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  var decades: [Double] { (first...last).map { pow(10, Double($0)) } }

  subscript(value: Double) -> Double {
    start + (end - start) * (log10(value) - Double(first)) / Double(last - first)
  }
}
