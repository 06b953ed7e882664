/// A *behaviour* is the tables and hooks that one owner gave to one responder or class.
final class Behaviour {
  let owner: Owner
  /// The class that this is the behaviour of, where it is one's.
  let className: String?

  private(set) var on: [Name: HandlerEntry] = [:]
  private(set) var can: [Name: HandlerEntry] = [:]
  private(set) var look: [Name: HandlerEntry] = [:]
  /// What is asked of a person before it is done.
  private(set) var confirm: [Name: HandlerEntry] = [:]
  var needs: [Name: Entry<[Need]>] = [:]
  var takes: [Name: Entry<Takes>] = [:]
  var about: [Name: Entry<About>] = [:]
  /// Builders of menus, by kind.
  private(set) var build: [Name: HandlerEntry] = [:]
  var provide: Handler?
  var resolve: Handler?
  var unknown: Handler?
  var failed: Handler?
  var redirect: Redirect?
  var claims: Claims?
  var undo: UndoSetting?
  var acceptsFocus: FocusAnswer?
  var become: Handler?
  /// Of the app: what is done once everything is loaded.
  var start: Handler?
  var resign: Handler?
  var worksWhenModal: Bool?
  private(set) var keys: [KeySequence: Entry<KeyBinding>] = [:]
  /// A bit for each name that `on` may hold, so that most walks pass by without looking.
  private(set) var mask: UInt64 = 0

  init(owner: Owner, className: String? = nil) {
    self.owner = owner
    self.className = className
  }
}

/// A handler that is registered. A later one for the same action takes its place in here: who is asked for the action stays the same.
final class HandlerEntry {
  private var known: Handler
  fileprivate(set) var number: Int

  init(_ content: Handler, number: Int) {
    known = content
    self.number = number
  }

  /// Who is asked now: another may have taken its place without a call of the host's.
  var content: Handler {
    follow()
    return known
  }

  /// Whether a handler is asked still.
  func holds(_ handler: Handler) -> Bool {
    follow()
    return known === handler
  }

  @inline(__always)
  private func follow() {
    // It is held here: to hold it once more takes as long as to ask it.
    let successor = Unmanaged.passUnretained(known)._withUnsafeGuaranteedRef { $0.successor }
    if let successor { known = successor }
  }

  fileprivate func take(_ handler: Handler, number: Int) {
    known.leave()
    known = handler
    self.number = number
  }

  /// Nobody is registered by it any more.
  fileprivate func close() { known.leave() }
}

/// Any other registration: a later one for the same action replaces it, and a handle removes only its own.
struct Entry<Content> {
  let content: Content
  let number: Int
}

/// To whom a responder hands actions that it doesn't answer.
enum Redirect {
  case to(String)
  case asked(Handler)
}

/// Which actions a responder's catch-all takes in its place in the chain.
enum Claims {
  /// Every action, by its last component.
  case all
  case these([String])
  case asked(Handler)
}

/// Whether a responder has an undo stack of its own, and of how many levels.
enum UndoSetting: Equatable {
  case none
  case levels(Int)

  static let defaultLevels = 100
}

/// Whether a responder takes the focus.
enum FocusAnswer {
  case always(Bool)
  case asked(Handler)
}

extension Behaviour {
  enum Table: String, CaseIterable {
    case on, can, look, confirm, build
  }

  static func bit(_ name: Name) -> UInt64 { 1 << UInt64(UInt32(bitPattern: name.index) & 63) }

  func entry(_ table: Table, _ name: Name) -> HandlerEntry? {
    switch table {
    case .on: on[name]
    case .can: can[name]
    case .look: look[name]
    case .confirm: confirm[name]
    case .build: build[name]
    }
  }

  /// Registers a handler, or takes out the one that is there; whether there was none, or is none now.
  func set(_ table: Table, _ name: Name, _ handler: Handler?, number: Int) -> Bool {
    guard let handler else {
      entry(table, name)?.close()
      put(table, name, nil)
      return true
    }
    if let known = entry(table, name) {
      known.take(handler, number: number)
      return false
    }
    put(table, name, HandlerEntry(handler, number: number))
    return true
  }

  private func put(_ table: Table, _ name: Name, _ entry: HandlerEntry?) {
    switch table {
    case .on:
      on[name] = entry
      mask |= Behaviour.bit(name)
    case .can: can[name] = entry
    case .look: look[name] = entry
    case .confirm: confirm[name] = entry
    case .build: build[name] = entry
    }
  }

  func set(_ keys: KeySequence, _ entry: Entry<KeyBinding>?) { self.keys[keys] = entry }

  var hasDynamicAnswers: Bool { resolve != nil || redirect != nil || claims != nil }
}
