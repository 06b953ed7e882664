import Glibc
import LiveHost
import ScriptHost
import Terminal

/// A picture of a face that the command line asks for.
struct FacePicture: Sendable {
  private let shot: FaceShot
  /// Nil for stdout.
  private let file: String?

  /// The picture asked for; nil where none is.
  init?(_ invocation: Invocation) throws(Problem) {
    file = invocation.values(.screenshotTo).last
    guard let word = invocation.values(.screenshot).last ?? (file == nil ? nil : "80x24") else { return nil }
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    var strokes: [Stroke] = []
    if parts.count > 1, !parts[1].isEmpty {
      do throws(KeyError) { strokes = try KeySequence.parse(parts[1]).strokes } catch {
        throw Problem(.usage, "'--screenshot \(word)': \(error.message)")
      }
    }
    guard size.count == 2, let columns = size[0], let rows = size[1],
      let shot = FaceShot(columns: columns, rows: rows, strokes: strokes)
    else {
      throw Problem(
        .usage, "'--screenshot \(word)' is no size", help: "as in 80x24, or 80x24:ctrl+p; 1000 of each at most")
    }
    self.shot = shot
  }

  /// Takes the picture, and writes it to the file or to stdout.
  func show(_ client: LiveClient, _ settings: FaceSettings) throws(Problem) {
    let isPicture = file?.hasSuffix(".svg") ?? false
    let text: String
    do throws(Unanswered) { text = try shot.taken(of: client, settings, as: isPicture ? .svg : .text) } catch {
      throw Problem(error)
    }
    if let file { return try AtomicFile.write(Array(text.utf8), to: file, permissions: 0o644) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Problem(.no, "can't write to stdout: \(systemMessage(errno))") }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension Invocation {
  /// Whether a picture of a face is asked for.
  var isOfPicture: Bool { has(.screenshot) || has(.screenshotTo) }
}
