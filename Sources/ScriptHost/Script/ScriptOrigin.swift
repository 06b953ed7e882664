/// Leads from a table of Lua's back to what it is the context of, as long as that lives.
final class ScriptOrigin {
  /// Cleared by the target when it goes; a weak reference would make each perform that uses it slower.
  unowned var target: AnyObject?
}
