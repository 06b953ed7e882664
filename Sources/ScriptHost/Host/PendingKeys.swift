/// The *pending keys* of somebody who presses: the strokes of a sequence that was begun, and the count before them.
package final class PendingKeys {
  /// What was pressed of a sequence so far; nil where nothing was begun.
  // Exclusivity isn't checked, here and for `known`: both are read with each press, and no change to them runs other code.
  package internal(set) var begun: KeySequence?
  /// The count that was typed before the next stroke; nil where none was.
  package internal(set) var count: Int?
  /// What the begun strokes do alone after a time, and what waits for that time.
  private var waiting: (binding: KeyBinding, later: Later)?
  /// The time of the host's clock at which they do it; nil where they don't wait.
  private(set) var deadline: Int64?
  /// Called with the keys and the outcome of a binding that acted alone after its time, or at a stroke that fits no sequence.
  package var onActedAlone: ((KeySequence, Outcome) -> Void)?

  /// The most that digits can count.
  static let mostCounted = 999_999_999

  /// The sequences that were read lately, by their texts, because most keys are pressed again.
  private var known: [ByteText: KeySequence] = [:]
  private static let mostKnown = 256

  /// The pending keys of someone who has pressed nothing yet.
  package init() {}

  deinit { waiting?.later.stop() }

  func read(_ text: String) throws(KeyError) -> KeySequence {
    if let known = known[ByteText(text)] { return known }
    let keys = try KeySequence.parse(text)
    if known.count >= Self.mostKnown { known = [:] }
    known[ByteText(text)] = keys
    return keys
  }

  /// Waits for the time after which the begun strokes act alone.
  func wait(for binding: KeyBinding, _ later: Later, _ nanoseconds: Int64) {
    waiting = (binding, later)
    later.begin(in: nanoseconds)
    // Read afterwards, so that the clock has come to the time of `later` when it has come to this one.
    deadline = later.scheduler.now.addingTime(nanoseconds)
  }

  /// Whether the begun strokes act alone after a time.
  package var isWaiting: Bool { deadline != nil }

  /// Ends waiting, and returns what the strokes would have done alone.
  func endWaiting() -> KeyBinding? {
    guard let known = waiting else { return nil }
    (waiting, deadline) = (nil, nil)
    known.later.stop()
    return known.binding
  }

  /// Gives up what was begun.
  func clear() {
    _ = endWaiting()
    (begun, count) = (nil, nil)
  }

  /// Forgets the count, unless the outcome is that more is waited for.
  func ended(_ outcome: Outcome) -> Outcome {
    if outcome.status != .pending { count = nil }
    return outcome
  }

  func tell(_ acted: (keys: KeySequence, outcome: Outcome)?) {
    if let acted { onActedAlone?(acted.keys, acted.outcome) }
  }

  /// The options of what is performed after the count, with more that is known.
  func options(_ info: Arguments = Arguments()) -> PerformOptions {
    var options = PerformOptions()
    options.info = info
    if let count { options.info["count"] = .integer(count) }
    return options
  }

  /// The options with which an item is found whose keys are pressed.
  var optionsOfItem: PerformOptions { count == nil ? PerformOptions() : options() }
}
