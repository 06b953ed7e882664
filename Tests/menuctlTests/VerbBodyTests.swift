import Expectations
import Testing

@testable import menuctl

@Test("Each verb has its own body")
func bodies() {
  for verb in Verb.all + [.complete, .overview] { expect(VerbBody.of(verb).verb.name, is: verb.name) }
}
