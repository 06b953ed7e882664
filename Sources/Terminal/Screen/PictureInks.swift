/// The colours of a picture, in place of the terminal's own, for a dark ground or a light one.
struct PictureInks {
  let ground: String
  let plain: String
  let faint: String
  /// The sixteen colours of a terminal.
  let own: [String]

  static let dark = PictureInks(
    ground: "#1b1f27", plain: "#d5dae3", faint: "#8b93a3",
    own: [
      "#3a404c", "#ff7b72", "#7ee08a", "#e9c46a", "#79b8ff", "#d2a8ff", "#76d7ea", "#d5dae3", "#6b7383", "#ff9a93",
      "#9be9a4", "#f2d591", "#9dcbff", "#dfc1ff", "#9be4f2", "#ffffff",
    ])

  static let light = PictureInks(
    ground: "#fbfbfa", plain: "#24292f", faint: "#6a717c",
    own: [
      "#24292f", "#b8142e", "#116329", "#8a5300", "#0057b8", "#7d3bbd", "#1b7c83", "#6e7781", "#57606a", "#a40e26",
      "#1a7f37", "#633c01", "#218bff", "#8250df", "#3192aa", "#8c959f",
    ])

  /// The colours of a style; `paper` is nil if the ground shows.
  func colours(of style: Style) -> (ink: String, paper: String?) {
    let ink = colour(style.ink) ?? (style.marks.contains(.dim) ? faint : plain)
    let paper = colour(style.paper)
    return style.marks.contains(.reverse) ? (paper ?? ground, ink) : (ink, paper)
  }

  private func colour(_ color: Color) -> String? {
    switch color {
    case .standard: return nil
    case .own(let index), .palette(let index): return own[Int(index) & 15]
    case .rgb(let red, let green, let blue):
      return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
