/// The *home* of a responder is the part of its chain that it knows: counts that it changes.
final class Home {
  /// Counts changes of what walks are made of; C reads it too.
  let shapeChanges = Cell(0)
  /// Steps taken over declarations that nobody was charged for yet.
  var work = 0

  deinit { shapeChanges.free() }
}
