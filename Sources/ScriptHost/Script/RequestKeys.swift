import CScript

/// References to the names of the fields that scripts read of a request.
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

/// References to the names of the fields that scripts read of an outcome, and to their most usual values.
struct OutcomeKeys {
  let fields: clua_OutcomeKeys
  private let handled, on: Int32

  init(_ key: (String) -> Int32) {
    fields = clua_OutcomeKeys(status: key("status"), by: key("by"), via: key("via"), result: key("result"))
    handled = key("handled")
    on = key("on")
  }

  func of(_ status: Outcome.Status) -> Int32? { status == .handled ? handled : nil }

  func of(_ via: Outcome.Via) -> Int32? { via == .on ? on : nil }
}

/// References to the names of the fields that scripts read of an event.
struct EventKeys {
  let stage, action, raw, args, sender, by, outcome, job, near: Int32

  init(_ key: (String) -> Int32) {
    stage = key("stage")
    action = key("action")
    raw = key("raw")
    args = key("args")
    sender = key("sender")
    by = key("by")
    outcome = key("outcome")
    job = key("job")
    near = key("near")
  }
}
