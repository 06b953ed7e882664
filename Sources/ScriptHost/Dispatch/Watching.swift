/// Those who watch a perform, as they were when it began.
struct Watching {
  var observers: [Observer] = []
  var trace: Trace?
  /// The number of the last modal session opened before; 0 if nobody watches, because none is open then.
  var lastSession = 0

  /// Nobody.
  init() {}

  init(_ observers: [Observer], _ chain: Chain, _ trace: Trace? = nil) {
    self.observers = observers
    self.trace = trace
    lastSession = chain.lastSession
  }
}
