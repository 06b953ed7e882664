extension ScriptEngine {
  /// The calls on `app`: those of every responder, and those that drive the host.
  static let appCalls: [(name: String, body: HostCalls.Body)] =
    responderCalls + controlCalls + drivingCalls + menuCalls + undoCalls + pluginCalls
}
