extension Verb {
  static let versionNumber = "0.1.0"

  static let version = Verb(name: "version", operands: [], summary: "show the version", options: [.help]) { _ in
    Reply(answer: .text("menuctl \(versionNumber)"))
  }
}
