/// Who watches a perform, as that was when it began.
struct Watching {
  var observers: [Observer] = []
  var trace: Trace?
  /// The last modal session that was opened before; 0 where none was open.
  var lastSession = 0

  /// Nobody.
  init() {}

  init(_ observers: [Observer], _ chain: Chain, _ trace: Trace? = nil) {
    self.observers = observers
    self.trace = trace
    lastSession = chain.lastSession
  }
}
