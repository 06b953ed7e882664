/// The *tracing* state: who is told of traces, and the trace that is under way.
struct Tracing {
  /// Told of each trace that is no part of another, when it ends.
  var deliver: ((Trace) -> Void)?
  /// The trace of the innermost perform; what is performed meanwhile becomes a part of it.
  var current: Trace?
}
