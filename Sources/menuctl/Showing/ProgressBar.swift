import LiveHost
import ScriptHost

/// How far an action is, as one line of a terminal that is written over again and again.
enum ProgressBar {
  private static let cells = 24
  /// Takes the line away.
  static let gone = "\r\u{1B}[K"

  /// The line, as wide as the terminal lets it be.
  static func line(_ progress: Job.Progress, columns: Int) -> String {
    let filled = Int((progress.fraction * Double(cells)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
    let percent = "\(Int((progress.fraction * 100).rounded()))%"
    let text = progress.text.map { "  " + $0.visible } ?? ""
    return gone + "\(bar) \(percent)\(text)".cut(to: max(columns - 1, cells))
  }
}
