/// The *focus moves* are the moves that are under way, nested because one may cause another.
final class FocusMoves {
  /// How many moves are under way, one within the other.
  var depth = 0
  /// The responder that is asked to give up the focus; nobody else moves it meanwhile.
  var resigning: Responder?
  /// The responder that listeners were last told has the focus.
  var told: Responder?
  /// Whether listeners are not told of moves for now.
  var isHeld = false
  /// Told of every move that happened, with the responder that has the focus and the one that had it.
  var onMove: ((_ new: Responder, _ old: Responder) -> Void)?
  /// Whether no move is under way and nobody listens.
  var isUnheard: Bool { depth == 0 && onMove == nil && onSettled == nil }
  /// Told when the outermost move has ended.
  var onSettled: (() -> Void)?
}
