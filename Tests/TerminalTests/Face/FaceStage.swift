import Glibc
import LiveHost
import ScriptHost

@testable import Terminal

/// A face of an app in this process, with a person who types and looks.
/// Its clock advances only when a test calls for it.
final class FaceStage {
  let host: ScriptHost
  let live: LiveHost
  private(set) lazy var face = Face(settings, wish: { [unowned self] in wishes.append($0) }) {
    [unowned self] method, parameters in (try? client.send(method, parameters)) ?? 0
  }
  private let settings: FaceSettings
  private(set) var wishes: [Face.Wish] = []
  private let client: LiveClient
  private var now = Duration.zero
  /// Called with the face whenever a person would see it.
  var onSight: ((Face) -> Void)?

  init(
    _ script: String, columns: Int = 60, rows: Int = 14, settings: FaceSettings = FaceSettings(),
    clock: HostClock? = nil, limits: HostLimits = HostLimits(), before: (ScriptHost) -> Void = { _ in }
  ) throws {
    self.settings = settings
    host = clock.map { ScriptHost(clock: $0) } ?? ScriptHost(limits: limits)
    try host.load(text: script, name: "app.lua")
    before(host)
    live = LiveHost(host)
    client = LiveClient(at: try live.faceEnd())
    (face.columns, face.rows) = (columns, rows)
    face.begin()
    face.isNow(now)
    settle()
    _ = face.draw()
  }

  /// Runs the app until it has answered all requests.
  func settle() {
    for round in 0..<500 {
      _ = face.draw()
      onSight?(face)
      // The face may send the app its new current row.
      face.wasDrawn()
      if round > 0, face.awaited.isEmpty { break }
      live.turn()
      for message in (try? client.received()) ?? [] { face.told(message, at: now) }
    }
    // Also delivers messages that the app sends by itself.
    live.turn()
    for message in (try? client.received()) ?? [] { face.told(message, at: now) }
    _ = face.draw()
  }

  /// Presses keys, each after the app has answered the previous key and the screen was drawn.
  @discardableResult
  func press(_ keys: String) throws -> FaceStage {
    for input in try Self.inputs(keys) { take(input) }
    return self
  }

  /// Sends keys in one read: none waits for the effects of the previous key.
  @discardableResult
  func rush(_ keys: String) throws -> FaceStage {
    for input in try Self.inputs(keys) { face.take(input, at: now) }
    settle()
    return self
  }

  static func inputs(_ keys: String) throws -> [TerminalInput] {
    try KeySequence.parse(keys).strokes.map { stroke in
      let isTyped = stroke.modifiers.isSubset(of: .shift) && stroke.key.count == 1
      return .key(stroke, text: stroke.key == "space" ? " " : isTyped ? stroke.key : nil)
    }
  }

  func take(_ input: TerminalInput) {
    face.take(input, at: now)
    settle()
    _ = face.draw()
  }

  /// Another face of the same app, in its initial state.
  func otherFace() throws -> Face {
    let client = LiveClient(at: try live.faceEnd())
    let other = Face(settings, wish: { _ in }) { method, parameters in (try? client.send(method, parameters)) ?? 0 }
    (other.columns, other.rows) = (face.columns, face.rows)
    other.begin()
    for _ in 0..<20 where !other.awaited.isEmpty {
      live.turn()
      for message in (try? client.received()) ?? [] { other.told(message, at: now) }
    }
    _ = other.draw()
    return other
  }

  /// Reloads the app with a script.
  func reload(_ script: String) {
    _ = live.reload { [host] () throws(Failure) in
      do throws(LoadError) { try host.reload(text: script, name: "app.lua") } catch { throw error.failure }
    }
    settle()
  }

  /// Waits until the functions of texts have run.
  func linesCome() {
    for _ in 0..<3 {
      usleep(12_000)
      settle()
    }
  }

  func click(_ row: Int, _ column: Int) {
    take(.mouse(Mouse(deed: .press(.left), row: row, column: column)))
    take(.mouse(Mouse(deed: .release(.left), row: row, column: column)))
  }

  func passes(_ time: Duration) {
    now += time
    face.isNow(now)
    settle()
  }

  /// Runs a line of Lua, like another event in the app.
  func run(_ line: String) throws {
    try host.evaluate(line)
    _ = try client.send("focus", [("name", .text(host.focused.name))])
    settle()
  }

  /// The value of a Lua expression, as text.
  func value(_ line: String) throws -> String {
    try host.evaluate("return \(line)").map { host.tree(of: $0).text }.joined(separator: ", ")
  }

  /// The same, for an expression that can't fail.
  func told(_ line: String) -> String { (try? value(line)) ?? "" }

  /// The screen as text, without empty lines at its end.
  var picture: String {
    var text = face.draw().text
    while text.last == "\n" { text.removeLast() }
    return text
  }

  var lines: [String] { face.draw().text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  var bottom: String { lines.last ?? "" }
}
