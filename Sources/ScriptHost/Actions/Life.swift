/// The *life* of an object: who may outlive the object holds this, and finds it here as long as it lives.
///
/// Who was held weakly once is retained and released three times as slowly from then on, which every perform would pay for.
package final class Life<Object: AnyObject> {
  private unowned(unsafe) var found: Object?

  package init() {}

  /// What it is of; nil once that is gone.
  package var object: Object? { found }

  package func begin(_ object: Object) { found = object }

  package func end() { found = nil }
}
