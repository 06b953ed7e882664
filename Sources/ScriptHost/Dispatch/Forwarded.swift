/// The candidates that a perform has asked by `ctx:forward()`, so that a `pass` afterwards asks none of them again.
final class Forwarded {
  /// The candidate that ended the last forwarding, and its reply; nil if all have passed.
  var last: (candidate: Candidate, reply: Reply)?
  /// The candidates that passed.
  private var passed: [(responder: Int, action: String)] = []

  func notePass(of candidate: Candidate) { passed.append((candidate.responder.number, candidate.action)) }

  func hasPassed(_ candidate: Candidate) -> Bool {
    passed.contains { $0.responder == candidate.responder.number && $0.action.hasSameBytes(as: candidate.action) }
  }
}

extension Context {
  var forwarded: Forwarded? {
    get { forwardedObject as? Forwarded }
    set { forwardedObject = newValue }
  }
}
