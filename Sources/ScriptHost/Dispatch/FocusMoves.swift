/// The *focus moves* that are under way: one may lead to another.
final class FocusMoves {
  /// How many moves are under way, one within the other.
  var depth = 0
  /// Who is giving the focus up, and must not be disturbed.
  var resigning: Responder?
  /// Who had the focus when it was last told.
  var told: Responder?
  /// Whether nothing is told of moves for now.
  var isHeld = false
  /// Told of every move that came about: who has the focus, and who had it.
  var onMove: ((_ new: Responder, _ old: Responder) -> Void)?
  /// Whether none is under way and nobody is told of one.
  var isUnheard: Bool { depth == 0 && onMove == nil && onSettled == nil }
  /// Told when no move is under way any more.
  var onSettled: (() -> Void)?
}
