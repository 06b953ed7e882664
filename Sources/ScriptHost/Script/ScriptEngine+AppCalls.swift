extension ScriptEngine {
  /// Those of the app: what each responder has, and what drives the host.
  static let appCalls: [(name: String, body: HostCalls.Body)] =
    responderCalls + controlCalls + drivingCalls + menuCalls + undoCalls + pluginCalls
}
