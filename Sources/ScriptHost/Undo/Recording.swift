/// A *recording* is what performs under way have registered so far, in order.
///
/// A perform that waits takes its recording with it, so that others have their own meanwhile.
struct Recording {
  /// The purpose of a recording: what becomes of the reversals in it.
  enum Purpose {
    /// A top-level perform that ends well places it on the stacks of its owners.
    case doing
    /// All of it is the other side of one stack's.
    case reversing(UndoStack)
    /// Nothing is kept: what failed is being taken back.
    case takingBack
  }

  struct Entry {
    let reversal: Reversal
    /// The number of the responder to whose history it belongs.
    let owner: Int
    /// How deep the perform is nested that would take it back if it failed.
    var depth: Int
    /// How deep the one was that registered it: of two titles that of the outer perform counts.
    var level: Int
  }

  var purpose = Purpose.doing
  /// The depth of performs that are top-level here.
  var base = 1
  var entries: ContiguousArray<Entry> = []
  /// What the top-level perform is called that has ended; nil where it is simply what its plan says.
  var title: String?
}
