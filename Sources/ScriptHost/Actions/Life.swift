/// The *life* of an object: whatever may outlive the object retains this instead, and finds the object here as long as it lives.
///
/// It replaces a weak reference, because an object that was once referenced weakly is retained and released three times as slowly from
/// then on, which every perform would pay for.
package final class Life<Object: AnyObject> {
  private unowned(unsafe) var found: Object?

  package init() {}

  /// The object; nil once it is gone.
  package var object: Object? { found }

  package func begin(_ object: Object) { found = object }

  package func end() { found = nil }
}
