/// References to the names of what scripts read of a request.
struct RequestKeys {
  let action, raw, prefix, args, modifiers, subject, taker, sender: Int32

  init(_ key: (String) -> Int32) {
    action = key("action")
    raw = key("raw")
    prefix = key("prefix")
    args = key("args")
    modifiers = key("modifiers")
    subject = key("subject")
    taker = key("taker")
    sender = key("sender")
  }
}

/// References to the names of what scripts read of an outcome, as far as most have it.
struct OutcomeKeys {
  let status, by, via, result: Int32

  init(_ key: (String) -> Int32) {
    status = key("status")
    by = key("by")
    via = key("via")
    result = key("result")
  }
}
