/// The *home* of a responder is the part of its chain that it knows: counts that it changes.
final class Home {
  /// Counts changes of what walks are made of; C reads it too.
  let shapeChanges = Cell(0)
  /// Counts changes after which another responder may answer an action, those of the shape included.
  let answerChanges = Cell(0)
  /// Steps taken over declarations that nobody was charged for yet.
  var work = 0

  deinit {
    shapeChanges.free()
    answerChanges.free()
  }

  func changeShape() {
    shapeChanges.value &+= 1
    answerChanges.value &+= 1
  }
}
