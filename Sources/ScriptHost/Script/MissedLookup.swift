/// A call that looked for something that isn't there and answered nil.
struct MissedLookup {
  /// The name that it looked for.
  let name: String
  /// The sentence that says what is missing.
  let sentence: String
  let place: LuaError.Place?
}
