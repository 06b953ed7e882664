import ScriptHost

extension Verb {
  static let replay = Verb(
    name: "replay",
    operands: [Operand(name: "FILE", kind: .file), Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "do again what a recording says, with the same app or another, and show the first difference",
    options: Option.loading
  ) { session in
    let file = try Source(file: session.invocation.operands[0], most: Recording.longest)
    let recording = try Recording(file)
    try session.useTestClock(settings: recording.settings)
    if let app = session.invocation.operands.dropFirst().first ?? recording.source {
      // What goes wrong went wrong before, or is the difference.
      try session.load(app, quietly: true)
    } else {
      try session.loadNothing()
    }
    let replay = Replay(recording, on: session, file: file.name)
    return Reply(answer: .replay(replay), status: replay.status)
  }
}
