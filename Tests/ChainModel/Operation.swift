/// An *operation* is one change of a host, as a value that the model and a real host both understand.
indirect enum Operation {
  /// What can be registered for an action.
  enum Table {
    case on(Reaction)
    case can(Permit)
    case needs([String])
  }

  /// What a responder or class has one of.
  enum Hook {
    case provide(Provider?)
    case resolve(Resolve?)
    case redirect(Redirection?)
    case claims(Claiming?)
    case unknown(Reaction?)
    case worksWhenModal(Bool?)
  }

  case add(String, isWindow: Bool, next: String?)
  case remove(String)
  case next(String, of: String)
  case delegate(String?, of: String)
  case focus(String)
  case makeKey(String)
  case makeMain(String)
  case set(Table, String, Where)
  case setHook(Hook, Where)
  case native(String, Reaction)
  /// Takes back a registration of those so far.
  case takeBack(Int)
  case derive(String, String)
  case ancestor(String?, of: String)
  case removeLayer(Int, of: String)
  case hostValue(Int?)
  case focusAnswers(accepts: Bool, becomes: Bool, resigns: Bool, of: String)
  case modal(String, isDismissable: Bool)
  /// Closes a session of those that are open.
  case close(Int)
  /// To the background and back.
  case background
  case nothing
}

/// Where something is registered: an owner's layer on a responder, or a class.
struct Where {
  var owner: Int
  var name: String

  var isClass: Bool { name.hasPrefix("C") }
}

/// What a handler does: writes into its context, changes the host, performs, and ends.
struct Reaction {
  enum End {
    case pass
    case value(Int)
    case refuse(String)
    case raise
  }

  /// No other reaction has it.
  var id = 0
  var writes: [Write] = []
  /// What it changes every second time that it runs, so that others have been asked before.
  var operation: Operation?
  var nested: Ask?
  var end = End.pass
}

enum Permit {
  case yes
  case no(String)
  case pass
  case raise
}

/// One writing into a context.
struct Write {
  enum How {
    case set(Int?)
    case append(Int)
  }

  static let keys = ["k", "l"]
  var key: String
  var how: How

  var isSet: Bool {
    if case .set = how { true } else { false }
  }
}

struct Provider {
  var writes: [Write]
  var raises = false
}

enum Resolve {
  /// Adds handlers that give a value, for these actions.
  case adds([String], Int)
  case raises
}

enum Redirection {
  case to(String)
  case asked([String: String])
  case raises
}

enum Claiming {
  case all
  case these([String])
  case asked([String])
  case raises
}

/// What is performed and validated.
struct Ask {
  var id: String
  var arguments: [Write] = []
  var info: [Write] = []
  var to: String?
  var from: String?
  var skips = false
}

/// What came of it.
struct Answer: Equatable, CustomStringConvertible {
  var status: String
  var by: String?
  var via: String?
  var result: String?
  var reason: String?
  var error: String?

  func by(_ name: String, _ via: String) -> Answer {
    var answer = self
    answer.by = name
    answer.via = via
    return answer
  }

  var description: String {
    [status, by, via, result, reason, error].map { $0 ?? "-" }.joined(separator: " | ")
  }
}
