/// An *item question* is the question of an item before its action, with the arguments that the item gives the action.
///
/// An assistant performs actions without their items. The host asks its person the question of an item that does the
/// same.
package struct ItemQuestion {
  let text: String
  let arguments: Arguments
  /// Whether it is a row of many that the host makes only when needed, so that another row may have other arguments.
  let isOfMany: Bool

  /// Whether a perform does what an item does.
  enum Likeness {
    case same, other
    /// Nobody knows: an argument is missing, or is an object, or a text that reads like a number.
    case perhaps
  }

  /// Compares the item with a perform whose arguments were compared with what the action takes.
  fileprivate func likeness(to request: Request, _ takes: Takes?, in context: Context) -> Likeness {
    var likeness = Likeness.same
    for (key, value) in arguments.given where key != Arguments.skipping {
      // The default of a declared argument is in the context. For others, the handler decides what a missing one means.
      let given = request.given[key]?.orNone ?? (takes?.argument(key) == nil ? nil : context[key].orNone)
      guard let given, !given.isSame(as: value) else {
        if given == nil { likeness = .perhaps }
        continue
      }
      guard given.mayBeTaken(for: value) else { return isOfMany ? .perhaps : .other }
      likeness = .perhaps
    }
    return likeness
  }
}

extension [ItemQuestion] {
  /// Returns the question of an item that does the same as a perform, and that of an item that perhaps does.
  func questions(before request: Request, _ takes: Takes?, in context: Context) -> (same: String?, perhaps: String?) {
    var perhaps: String?
    for question in self {
      switch question.likeness(to: request, takes, in: context) {
      case .same: return (question.text, perhaps)
      case .perhaps: perhaps = perhaps ?? question.text
      case .other: break
      }
    }
    return (nil, perhaps)
  }
}

extension Value {
  /// Returns true if a script may take this value for another. They are equal, or their texts are, or one is an object:
  /// nobody can compare objects.
  fileprivate func mayBeTaken(for other: Value) -> Bool {
    switch (self, other) {
    case (.opaque, _), (_, .opaque): true
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.mayBeTaken(for: $1) }
    case (.object(let one), .object(let other)):
      one.allSatisfy { key, value in
        other.first { $0.key.hasSameBytes(as: key) }?.value.mayBeTaken(for: value) ?? true
      }
    case (.text(let text), let value), (let value, .text(let text)): value.reads(as: text)
    case (.bool(let isSet), let value), (let value, .bool(let isSet)): value.isOn == isSet
    default: isSame(as: other)
    }
  }

  private func reads(as text: String) -> Bool {
    switch self {
    case .text(let own): own.hasSameBytes(as: text)
    case .bool: isOn == Value.text(text).isOn
    case .integer, .number: Double(text.filter { $0 != " " }).map { isSame(as: .number($0)) } ?? false
    default: false
    }
  }
}

/// A name that a resolution looks for along a walk.
struct Query {
  let action: String
  /// Nil if the name was never declared; then only hooks can answer.
  let name: Name?
  let prefix: String
  /// Whether this is the reference's last component, which `claims = true` claims.
  let isLast: Bool
}

/// The progress of a resolution on a walk.
struct WalkPosition {
  var query = 0
  /// The index of the next node.
  var node = 0
  /// Responders that redirections of this query have reached.
  var asked: Set<Int> = []
}

/// Gives a resolution access to the host's native actions and script functions.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// Returns the native action of the program or the host, which comes after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Runs a body as a question, during which nothing may change.
  func whileAsking<Result>(_ body: () -> Result) -> Result
}
