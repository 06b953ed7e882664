import LiveHost

/// An *era* describes a client's Model Context Protocol: the revision, and whether it can ask the person.
struct Era: Equatable {
  /// The revision, as a date.
  var revision: String
  /// Whether the client can show the person a form (an *elicitation*).
  var canAsk: Bool

  /// The revision without a session: each request names its client.
  static let stateless = "2026-07-28"
  /// The revisions that begin with `initialize`, newest first.
  static let withSession = ["2025-11-25", "2025-06-18"]
  static let supported = [stateless] + withSession

  /// The era of a client that has not introduced itself.
  static let unknown = Era(revision: withSession[0], canAsk: false)

  var isStateless: Bool { revision == Self.stateless }

  /// Reads the era from the `_meta` of a request; nil without a revision.
  static func said(in parameters: JSON) throws(RPCError) -> Era? {
    guard let meta = parameters["_meta"], let word = meta["\(prefix)protocolVersion"] else { return nil }
    guard let revision = word.text, revision == stateless else {
      throw RPCError(
        .version, "this server doesn't speak the protocol's revision \(JSONText.text(word))",
        data: .object([("supported", .list(supported.map { .text($0) })), ("requested", word)]))
    }
    return Era(revision: revision, canAsk: canAsk(meta["\(prefix)clientCapabilities"]))
  }

  /// Returns true if a client with these capabilities can show a form; `{}` means forms, as in the older revisions.
  static func canAsk(_ capabilities: JSON?) -> Bool {
    guard let members = capabilities?["elicitation"]?.members else { return false }
    return members.isEmpty || members.contains { $0.0 == "form" }
  }

  /// The beginning of the protocol's names in `_meta`.
  static let prefix = "io.modelcontextprotocol/"
}
