/// A *recording* is what performs under way have registered so far, in order.
///
/// A perform that waits takes its own recording with it, so that other performs don't add to it meanwhile.
struct Recording {
  /// The purpose of a recording: what becomes of the reversals in it.
  enum Purpose {
    /// A top-level perform that succeeds places the reversals on their owners' stacks.
    case doing
    /// A group of this stack is being reversed: all reversals make up the group for the other direction.
    case reversing(UndoStack)
    /// Nothing is kept: what failed is being taken back.
    case takingBack
  }

  struct Entry {
    let reversal: Reversal
    /// The number of the responder to whose history it belongs; `nobody` if it only counts where the perform fails.
    let owner: Int
    /// The depth of the perform that takes it back if it fails.
    var depth: Int
    /// The depth of the perform that registered it: of two titles, that of the outer perform counts.
    var level: Int
  }

  /// The number of no responder.
  static let nobody = -1

  var purpose = Purpose.doing
  /// The depth at which a perform counts as top-level in this recording.
  var base = 1
  var entries: ContiguousArray<Entry> = []
  /// The title of the top-level perform that just ended; nil means its plan's.
  var title: String?
}
