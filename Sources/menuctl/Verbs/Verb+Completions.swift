extension Verb {
  static let completions = Verb(
    name: "completions", operands: [Operand(name: "SHELL", kind: .oneOf(Shell.allCases.map(\.rawValue)))],
    summary: "write the completions of a shell: bash, zsh or fish", options: [.help]
  )
}

extension VerbBody {
  static let completions = VerbBody(.completions) { session in
    let word = session.invocation.operands[0]
    guard let shell = Shell(rawValue: word) else {
      let near = didYouMean(word, among: Shell.allCases.map(\.rawValue))
      throw Problem(.usage, "there are no completions for '\(word)'\(near)", help: "bash, zsh or fish")
    }
    return Reply(answer: .text(shell.completions))
  }
}
