extension Verb {
  static let versionNumber = "0.1.0"

  static let version = Verb(name: "version", operands: [], summary: "show the version", options: [.help])
}

extension VerbBody {
  static let version = VerbBody(.version) { _ in
    Reply(answer: .text("menuctl \(Verb.versionNumber)"))
  }
}
