/// Listeners, in the order in which they were added.
package final class Hearers<Heard> {
  private var all: [(number: Int, hear: (Heard) -> Void)] = []
  private var last = 0
  /// Called after the first listener is added, or the last one is removed.
  var onChange: (() -> Void)?

  package var isEmpty: Bool { all.isEmpty }

  /// Adds a listener. The returned function removes it.
  @discardableResult
  package func add(_ hear: @escaping (Heard) -> Void) -> () -> Void {
    last += 1
    all.append((last, hear))
    if all.count == 1 { onChange?() }
    return { [weak self, last] in self?.remove(last) }
  }

  private func remove(_ number: Int) {
    all.removeAll { $0.number == number }
    if all.isEmpty { onChange?() }
  }

  func tell(_ heard: Heard) {
    for one in all { one.hear(heard) }
  }
}
