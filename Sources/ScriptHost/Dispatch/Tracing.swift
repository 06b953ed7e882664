/// Who is told of traces, and the trace that goes on now.
struct Tracing {
  /// Told of each trace that is no part of another, when it ends.
  var deliver: ((Trace) -> Void)?
  /// That of the innermost perform; what is performed meanwhile is a part of it.
  var current: Trace?
}
