/// An outcome on its way into Lua.
final class ScriptOutcome {
  let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }
}
