/// How the results of tests are written.
enum TestForm: String, CaseIterable {
  case pretty, tap, junit, json
}
