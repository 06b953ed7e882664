/// A *behaviour* is the tables and hooks that a single owner gave to a responder or class.
final class Behaviour {
  let owner: Owner
  /// The name of the class that has this behaviour; nil for a responder's.
  let className: String?

  private(set) var on: [Name: HandlerEntry] = [:]
  private(set) var can: [Name: HandlerEntry] = [:]
  private(set) var look: [Name: HandlerEntry] = [:]
  /// Handlers that return the question to confirm before an action is done.
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
  /// Runs once everything is loaded. Only the app has it.
  var start: Handler?
  var resign: Handler?
  /// Runs when the responder or its owner is removed.
  var stop: Handler?
  var worksWhenModal: Bool?
  /// Whether digits before a stroke are a count.
  var counts: Bool?
  /// The shares of the bytes that the host keeps for the owner, by table and action.
  var kept: [String: KeptBytes.Share] = [:]
  private(set) var keys: [KeySequence: Entry<KeyBinding>] = [:]
  /// A bit for each name that `on` may hold, so that most walks skip it without a look-up.
  private(set) var mask: UInt64 = 0

  init(owner: Owner, className: String? = nil) {
    self.owner = owner
    self.className = className
  }
}

/// A *handler entry* holds a handler. A later handler of the action replaces it in place, so that candidates stay
/// valid.
final class HandlerEntry {
  private(set) var content: Handler
  fileprivate(set) var number: Int

  init(_ content: Handler, number: Int) {
    self.content = content
    self.number = number
  }

  fileprivate func take(_ handler: Handler, number: Int) {
    content = handler
    self.number = number
  }
}

/// Any other registration. A later registration of the action replaces it, and a handle removes only its own.
struct Entry<Content> {
  let content: Content
  let number: Int
}

/// The responder to which another hands actions that it doesn't handle.
enum Redirect {
  case to(String)
  case asked(Handler)
}

/// The actions that a responder's catch-all takes at its place in the chain.
enum Claims {
  /// Every action, by its last component.
  case all
  case these([String])
  case asked(Handler)
}

/// Whether a responder has an undo stack, the number of its levels, and whether it survives a reload.
enum UndoSetting: Equatable {
  case none
  case levels(Int, isKept: Bool = false)

  static let defaultLevels = 100
}

/// Whether a responder accepts the focus.
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

  /// Registers a handler, or removes the present one. Returns false if it only replaced another handler.
  func set(_ table: Table, _ name: Name, _ handler: Handler?, number: Int) -> Bool {
    guard let handler else {
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

  /// The names in its tables.
  var names: Set<Name> {
    var names = Set(on.keys).union(can.keys).union(look.keys).union(confirm.keys).union(build.keys)
    names.formUnion(Array(needs.keys) + Array(takes.keys) + Array(about.keys))
    return names
  }

  var hasDynamicAnswers: Bool { resolve != nil || redirect != nil || claims != nil }
}
