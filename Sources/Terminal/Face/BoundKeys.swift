import ScriptHost

/// Keys that the app has bound.
struct BoundKeys {
  let sequence: KeySequence
  let entry: KeyEntry
}

/// An action that goes on.
struct RunningJob {
  let number: Int
  let title: String
  /// What it is called where nobody has said that.
  var named: String { title.isEmpty ? "An action" : title }
  var fraction: Double?
  var text = ""
}

/// The strokes of a sequence that was begun, and from when on it is shown how it may go on.
struct PendingStrokes {
  var begun: [Stroke] = []
  var hintsFrom: Duration?
}
