/// Where something is found as long as it lives, by who may outlive it.
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
