import LiveHost
import ScriptHost

/// The progress of an action as one line of a terminal, which each update overwrites.
enum ProgressBar {
  private static let cells = 24
  /// Erases the line.
  static let gone = "\r\u{1B}[K"

  /// The line, cut to the width of the terminal.
  static func line(_ progress: Job.Progress, columns: Int) -> String {
    let filled = Int((progress.fraction * Double(cells)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
    let percent = "\(Int((progress.fraction * 100).rounded()))%"
    let text = progress.text.map { "  " + $0.visible } ?? ""
    return gone + "\(bar) \(percent)\(text)".cut(to: max(columns - 1, cells))
  }
}
