extension Verb {
  /// The verb's page in the help, made from the table of verbs and options.
  var page: Page {
    let own = options.filter { !Option.loading.contains($0) }
    let common = options.filter(Option.loading.contains)
    let tables = [own, common].filter { !$0.isEmpty }
    return Page(
      title: "usage: \(usage) [OPTIONS]",
      blocks: [.paragraph(summary)] + (legend.isEmpty ? [] : [.rows(legend.map { ($0.sign, $0.meaning) })])
        + tables.map { .rows($0.map { ($0.usage, $0.summary) }) })
  }
}
