/// A call that looked for something that isn't there and answered nil.
struct MissedLookup {
  /// What it looked for.
  let name: String
  /// What it said.
  let sentence: String
  let place: LuaError.Place?
}
