import ScriptHost

extension Verb {
  static let replay = Verb(
    name: "replay",
    operands: [Operand(name: "FILE", kind: .file), Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "do again what a recording says, with the same app or another, and show the first difference",
    options: Option.loading
  )
}

extension VerbBody {
  static let replay = VerbBody(.replay) { session in
    try session.refuseSwapped()
    let file = try Source(named: session.invocation.operands[0], most: Recording.longest)
    let recording = try Recording(file)
    try session.useTestClock(settings: recording.settings)
    let givens = session.give(from: recording)
    if let app = session.invocation.operands.dropFirst().first {
      // Diagnostics aren't shown: they came when it was recorded too, or are the difference.
      try session.load(app, quietly: true)
    } else if let app = recording.source {
      try session.load(app, recordedIn: file)
    } else {
      try session.loadNothing()
    }
    let replay = session.replay(recording, with: givens, file: file.name)
    if replay.difference != nil { session.tellOfOrder() }
    return Reply(answer: .replay(replay), status: replay.status)
  }
}

extension Session {
  /// Refuses an app in the place of the recording.
  fileprivate func refuseSwapped() throws(Problem) {
    let names = invocation.operands
    guard Source.isScript(names[0]) else { return }
    let other = names.count > 1 ? names[1] : "FILE"
    throw Problem(
      .usage, "'\(names[0])' is an app, and the recording stands before it",
      help: "menuctl replay \(other.shellWord) \(names[0].shellWord)")
  }

  /// Loads the app that a recording names, if it is a script. A stranger's recording may name any file, and the error of one that is no script
  /// would show its first line.
  fileprivate func load(_ app: String, recordedIn file: Source) throws {
    guard Source.isScript(app) else {
      throw Problem(
        .unloadable, "'\(file.name)' names '\(app)' as its app, which is no folder and doesn't end in '.lua'",
        help: "name the app: menuctl replay \(file.name.shellWord) APP")
    }
    try load(try Source(file: Source.path(of: app)), quietly: true)
  }
}
