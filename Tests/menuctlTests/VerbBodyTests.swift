import Testing

@testable import menuctl

@Test("Each verb has a body of its own")
func bodies() {
  for verb in Verb.all + [.complete, .overview] { #expect(VerbBody.of(verb).verb.name == verb.name) }
}
