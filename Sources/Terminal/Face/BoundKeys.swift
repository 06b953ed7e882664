import ScriptHost

/// Keys that the app has bound.
struct BoundKeys {
  let sequence: KeySequence
  let entry: KeyEntry
}

/// An action that goes on.
struct RunningJob {
  let number: Int
  var title: String
  var fraction: Double?
  var text = ""
}

/// The strokes of a sequence that was begun, and from when on it is shown how it may go on.
struct PendingStrokes {
  var begun: [Stroke] = []
  var hintsFrom: Duration?
}
