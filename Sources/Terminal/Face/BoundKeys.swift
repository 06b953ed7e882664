import ScriptHost

/// A binding of the app: keys and their action.
struct BoundKeys {
  let sequence: KeySequence
  let entry: KeyEntry
  /// The character of the key, if the action gets that character as an argument.
  let typed: String?
  /// Whether the key types its own character. These keys are too many to list, and their effect is visible.
  private(set) var isTyping = false

  init(sequence: KeySequence, entry: KeyEntry) {
    self.sequence = sequence
    self.entry = entry
    typed = Self.typed(sequence, entry)
  }

  /// The number of keys from which the keys of one action are listed together.
  static let many = 6

  /// Returns the bindings with `isTyping` set for keys of an action with many characters; a single one is ordinary.
  static func all(_ bound: [BoundKeys]) -> [BoundKeys] {
    let counts = Dictionary(
      bound.filter { $0.typed != nil && $0.isEffective }.map { ($0.name, 1) }, uniquingKeysWith: +)
    return bound.map { one in
      var one = one
      one.isTyping = one.isText || one.typed != nil && counts[one.name] ?? 0 >= many
      return one
    }
  }

  private static func typed(_ sequence: KeySequence, _ entry: KeyEntry) -> String? {
    guard !entry.isItem, sequence.strokes.count == 1,
      let typed = sequence.strokes[0].typed ?? (sequence.strokes[0] == .enter ? "\n" : nil)
    else { return nil }
    let arguments = (try? Reference.parse(entry.reference))?.arguments?.members ?? []
    return arguments.contains { $0.value == .text(typed) } ? typed : nil
  }

  /// Whether its responder is in the chain, and no other binding removes it or comes before it.
  var isEffective: Bool { entry.isReached && entry.conflict == nil }

  /// Whether it is bound to every character without another binding.
  var isText: Bool { sequence == .text }

  /// The name of the action, without arguments.
  var name: String { (try? Reference.parse(entry.reference))?.name ?? entry.reference }

  /// The words for a binding without a title: the action's name and its arguments.
  var words: String {
    guard let reference = try? Reference.parse(entry.reference) else { return entry.reference }
    let given = reference.arguments?.members.map { member -> String in
      switch member.value {
      case .bool(true): member.key
      case .bool(false): "no \(member.key)"
      default: Value(member.value).spelling
      }
    }
    return ([reference.name] + (given ?? [])).joined(separator: " ")
  }
}

extension BoundKeys {
  /// Whether the first key is a letter or a digit.
  var isLetter: Bool { sequence.strokes.first?.key.allSatisfy { $0.isLetter || $0.isNumber } ?? false }
}

/// A running job, as a face shows it.
struct RunningJob {
  let number: Int
  var title: String
  /// Whether the job was running before the face requested the jobs.
  var wasThere = false
  /// Whether it is the `start` of the app or of a plugin.
  var isOfStart = false
  /// Whether it is the action of a row that became current.
  var isOfChoice = false
  /// Whether the person leaves when the job ends.
  var quits = false
  /// Whether the job waits for an answer.
  var isAsking = false
  /// The time from which the face shows the job; a shorter job would only flicker.
  var shownFrom = Duration.zero
  /// Returns true if the face shows the job.
  func isShown(at now: Duration) -> Bool { wasThere || fraction != nil || !text.isEmpty || now >= shownFrom }

  /// The time that a job may run before the face shows it.
  static let patience = Duration.milliseconds(200)

  /// The title, or general words if there is none.
  var named: String { title.isEmpty ? "An action" : title }
  /// The progress between 0 and 1; nil if unknown.
  var fraction: Double?
  var text = ""
}

extension [RunningJob] {
  /// The latest job that a person has begun, else of a row that became current, or of a start.
  var mostWanted: RunningJob? { last { !$0.isOfChoice && !$0.isOfStart } ?? last }
}

/// The strokes of an unfinished sequence, and the time from which its hints are shown.
struct PendingStrokes {
  var begun: [Stroke] = []
  /// The number of leading strokes that are the digits of a count.
  var counted = 0
  var hintsFrom: Duration?

  /// The strokes after the count.
  var sequence: [Stroke] { Array(begun.dropFirst(counted)) }

  /// The typed text: the count, then the strokes.
  var text: String {
    let count = begun.prefix(counted).map(\.text).joined()
    return ((count.isEmpty ? [] : [count]) + sequence.map(\.text)).joined(separator: " ")
  }
}

/// An action without an item, as an entry of the palette.
struct ListedAction {
  let entry: ActionEntry

  /// Nil for an action that has an item, that no responder handles, or that needs an argument no person can type.
  init?(_ entry: ActionEntry) {
    guard entry.items.isEmpty, entry.by != nil else { return nil }
    // An action that needs a value of any kind is for scripts and for rows of a panel.
    guard !entry.takes.contains(where: { $0.isRequired && $0.kind == .any }) else { return nil }
    self.entry = entry
  }

  var title: String { entry.title }
  /// The reason why the action is disabled; nil if it is enabled.
  var reason: String? { entry.isEnabled ? nil : entry.reason ?? "not now" }

  /// The action's id among those of items; no id of an item begins with this character.
  var entryID: String { Self.id(entry.name) }

  static func id(_ name: String) -> String { "\u{1}\(name)" }
}

/// A command of the face, which every app has.
enum OwnCommand: String, CaseIterable {
  case menus, palette, help, inspector, log, mouse, suspend, quit

  /// The default stroke of the command. Settings may change it, and the app may bind it.
  var usualStroke: Stroke? {
    switch self {
    case .menus: Stroke(modifiers: [], key: "f10")
    case .palette: Stroke(modifiers: .ctrl, key: "p")
    case .help: Stroke(modifiers: [], key: "?")
    case .inspector: Stroke(modifiers: [], key: "f12")
    case .log: Stroke(modifiers: .ctrl, key: "l")
    case .suspend: Stroke(modifiers: .ctrl, key: "z")
    case .quit: Stroke(modifiers: .ctrl, key: "c")
    case .mouse: nil
    }
  }

  var title: String {
    switch self {
    case .menus: "Menus"
    case .palette: "Find a Command"
    case .help: "Keys and Help"
    case .inspector: "Inspector"
    case .log: "Log"
    case .mouse: "Mouse"
    case .suspend: "Suspend"
    case .quit: "Quit"
    }
  }

  /// The commands in the menu at the bar's right end, which the app can't remove.
  static let menu: [OwnCommand?] = [.palette, .help, .inspector, .log, nil, .mouse, nil, .suspend, .quit]

  /// The command's id among those of items; no id of an item begins with this character.
  var id: String { "\u{0}\(rawValue)" }

  init?(id: String) {
    guard id.first == "\u{0}" else { return nil }
    self.init(rawValue: String(id.dropFirst()))
  }
}
