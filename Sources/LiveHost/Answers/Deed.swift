import ScriptHost

/// A *deed* is one thing that is done to an app, as a person would.
package enum Deed {
  case perform(String, Performing = Performing())
  case press(String)
  case pick(String, modifiers: [String] = [])
  /// An item by its number among those that a live app gave out at a revision.
  case pickNumber(Int, of: Int)
  /// A row of the panel becomes the current one.
  case choose(String)
  case focus(String)
  /// A URL is opened, by whoever answers 'openURL'.
  case open(String)
  /// A line of Lua; what errors call it.
  case evaluate(String, name: String? = nil)

  /// How an action is performed, where it is otherwise than usual.
  package struct Performing {
    /// What is given, which copies share: a deed is handed on from call to call. Nil where nothing is.
    private var given: Given?

    private final class Given {
      let from, to: String?
      let arguments: Arguments
      let skipsValidation: Bool

      init(_ from: String?, _ to: String?, _ arguments: Arguments, _ skipsValidation: Bool) {
        self.from = from
        self.to = to
        self.arguments = arguments
        self.skipsValidation = skipsValidation
      }
    }

    package init(
      from: String? = nil, to: String? = nil, arguments: Arguments = Arguments(), skipsValidation: Bool = false
    ) {
      if from == nil, to == nil, arguments.isEmpty, !skipsValidation { return }
      given = Given(from, to, arguments, skipsValidation)
    }

    package var from: String? { given?.from }
    package var to: String? { given?.to }
    package var skipsValidation: Bool { given?.skipsValidation ?? false }
    package var arguments: Arguments {
      get { given?.arguments ?? Arguments() }
      set { self = Performing(from: from, to: to, arguments: newValue, skipsValidation: skipsValidation) }
    }
  }
}

extension Deed {
  /// The arguments that are put over those of what is performed.
  package var arguments: Arguments {
    if case .perform(_, let performing) = self { performing.arguments } else { Arguments() }
  }
}

extension Deed {
  /// The deed as recordings have it.
  package func json(_ answered: Answered = Answered()) -> JSON {
    var members = members
    let arguments = arguments.merging(answered.arguments)
    if !arguments.isEmpty { members.append(("args", .object(arguments.members.map { ($0.key, JSON($0.value)) }))) }
    if let isConfirmed = answered.confirmed { members.append(("confirmed", .bool(isConfirmed))) }
    return .object(members)
  }

  private var members: [(String, JSON)] {
    switch self {
    case .perform(let reference, let performing):
      var members: [(String, JSON)] = [("perform", .text(reference))]
      if let from = performing.from { members.append(("from", .text(from))) }
      if let to = performing.to { members.append(("to", .text(to))) }
      if performing.skipsValidation { members.append(("skip_validation", .bool(true))) }
      return members
    case .press(let keys): return [("press", .text(keys))]
    case .pick(let id, let modifiers):
      return [("pick", .text(id))]
        + (modifiers.isEmpty ? [] : [("modifiers", .list(modifiers.map { .text($0) }))])
    case .pickNumber(let number, let revision): return [("number", .integer(number)), ("of", .integer(revision))]
    case .choose(let id): return [("choose", .text(id))]
    case .focus(let name): return [("focus", .text(name))]
    case .open(let url): return [("open", .text(url))]
    case .evaluate(let line, _): return [("eval", .text(line))]
    }
  }

  /// The deed as it is told and written down: without what is secret.
  package func masked(by host: ScriptHost) -> Deed {
    guard case .perform(let reference, var performing) = self else { return self }
    performing.arguments = host.masked(performing.arguments, of: reference)
    return .perform(host.masked(reference), performing)
  }

  /// The deed with what was answered to its questions, as clients are told of it.
  func described(_ answered: Answered, by host: ScriptHost) -> JSON {
    masked(by: host).json(answered.masked(of: self, by: host))
  }
}

extension Answered {
  /// The answers without what is secret.
  package func masked(of deed: Deed, by host: ScriptHost) -> Answered {
    let reference: String? = if case .perform(let reference, _) = deed { reference } else { nil }
    return Answered(confirmed: confirmed, arguments: host.masked(arguments, of: reference))
  }
}
