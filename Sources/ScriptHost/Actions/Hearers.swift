/// Those who hear of something, in the order in which they came.
package final class Hearers<Heard> {
  private var all: [(number: Int, hear: (Heard) -> Void)] = []
  private var last = 0
  /// Called when the first one came, or the last one went.
  var onChange: (() -> Void)?

  package var isEmpty: Bool { all.isEmpty }

  /// Adds one, until what is returned is called.
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
