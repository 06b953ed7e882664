extension Verb {
  static let version = Verb(name: "version", operands: [], summary: "show the version", options: [.help]) { _ in
    Reply(answer: .text("menuctl 0.1.0"))
  }
}
