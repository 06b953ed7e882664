/// The *home* of a responder is what it knows of the chain that it stands in: what it counts there.
final class Home {
  /// Counts the changes of what walks are made of; C looks at it too.
  let shapeChanges = Cell(0)
  /// The steps that walks took and nobody was charged for yet.
  var work = 0

  deinit { shapeChanges.free() }
}
