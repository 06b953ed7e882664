extension Verb {
  static let context = Verb(
    name: "context", operands: [.app, Operand(name: "REF", isOptional: true)],
    summary: "show the context and who supplied each key; with a reference, its arguments too",
    options: Option.loading
  ) { session in
    let reference = try session.references().first
    try session.load()
    var left = session.host.limits.output
    let entries = try session.host.context(reference).map { entry in
      Answer.Entry(key: entry.key, value: session.host.tree(of: entry.value, within: &left), by: entry.by)
    }
    return Reply(answer: .context(entries))
  }
}
