/// Finds the `ScriptContext` or `FusedPlan` behind a context table, for `super` and `forward`, as long as that lives.
final class ScriptOrigin {
  /// Cleared by the target's `deinit`; a weak reference would make each perform that uses it slower.
  unowned var target: AnyObject?
}
