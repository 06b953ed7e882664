/// The fields of a context that differ from call to call of a plan.
struct RequestFields: OptionSet {
  let rawValue: UInt8

  static let args = RequestFields(rawValue: 1)
  static let modifiers = RequestFields(rawValue: 2)
  static let subject = RequestFields(rawValue: 4)
  static let sender = RequestFields(rawValue: 8)

  private static let names: KeyValuePairs<String, RequestFields> = [
    "args": .args, "modifiers": .modifiers, "subject": .subject, "sender": .sender,
  ]

  /// The number of fields.
  var count: Int { rawValue.nonzeroBitCount }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The fields that functions of scripts may read; nil where that can't be told, or one may hand the context on.
  init?(readBy handlers: [Handler?]) {
    self = []
    for handler in handlers {
      guard let handler else { continue }
      guard let use = (handler as? ScriptHandler)?.fieldUse, use.isComplete,
        !use.calls.contains(where: { $0 == "super" || $0 == "forward" })
      else { return nil }
      for (name, field) in RequestFields.names where use.reads.contains(name) { insert(field) }
    }
  }
}
