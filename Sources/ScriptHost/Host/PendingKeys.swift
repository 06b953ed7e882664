/// The *pending keys* of a user or client: the strokes of an unfinished sequence, and the count before them.
package final class PendingKeys {
  /// The strokes of the unfinished sequence; nil if there is none.
  // Swift doesn't check exclusivity here and for `known`: each press reads both, and changing them runs no other code.
  package internal(set) var begun: KeySequence?
  /// The count that was typed before the next stroke; nil if there was none.
  package internal(set) var count: Int?
  /// The binding that the strokes perform alone after a time, and the timer for it.
  private var waiting: (binding: KeyBinding, later: Later)?
  /// The time of the host's clock at which the strokes act alone; nil if they don't wait.
  private(set) var deadline: Int64?
  /// Called after a binding acted alone, at its time or at a stroke that fits no sequence.
  package var onActedAlone: ((KeySequence, Outcome) -> Void)?

  /// The greatest count.
  static let mostCounted = 999_999_999

  /// The sequences that were read lately, by their texts, because most keys are pressed again.
  private var known: [ByteText: KeySequence] = [:]
  private static let mostKnown = 256

  /// Creates empty pending keys.
  package init() {}

  deinit { waiting?.later.stop() }

  func read(_ text: String) throws(KeyError) -> KeySequence {
    if let known = known[ByteText(text)] { return known }
    let keys = try KeySequence.parse(text)
    if known.count >= Self.mostKnown { known = [:] }
    known[ByteText(text)] = keys
    return keys
  }

  /// Waits for the time after which the strokes act alone.
  func wait(for binding: KeyBinding, _ later: Later, _ nanoseconds: Int64) {
    waiting = (binding, later)
    later.begin(in: nanoseconds)
    // The clock is read after `begin`: so the timer's time has come whenever this deadline has.
    deadline = later.scheduler.now.addingTime(nanoseconds)
  }

  /// True if the strokes act alone after a time.
  package var isWaiting: Bool { deadline != nil }

  /// Ends waiting, and returns the binding that the strokes would have performed alone.
  func endWaiting() -> KeyBinding? {
    guard let known = waiting else { return nil }
    (waiting, deadline) = (nil, nil)
    known.later.stop()
    return known.binding
  }

  /// Drops the unfinished sequence and the count.
  func clear() {
    _ = endWaiting()
    (begun, count) = (nil, nil)
  }

  /// Forgets the count, unless the outcome waits for more strokes.
  func ended(_ outcome: Outcome) -> Outcome {
    if outcome.status != .pending { count = nil }
    return outcome
  }

  func tell(_ acted: (keys: KeySequence, outcome: Outcome)?) {
    if let acted { onActedAlone?(acted.keys, acted.outcome) }
  }

  /// Returns the options of a perform after the count, with more context.
  func options(_ info: Arguments = Arguments()) -> PerformOptions {
    var options = PerformOptions()
    options.info = info
    if let count { options.info["count"] = .integer(count) }
    return options
  }

  /// The options for finding an item whose keys are pressed.
  var optionsOfItem: PerformOptions { count == nil ? PerformOptions() : options() }
}
