import CLua

/// A function of a script's that watches actions.
final class ScriptObserver: Observer {
  /// Unowned and unchecked: the engine lives as long as the host, which alone calls observers.
  private unowned(unsafe) let engine: ScriptEngine
  private let lua: LuaState
  private let function: LuaFunction
  /// The number of its reference.
  private let functionNumber: Int32
  private let script: ScriptOwner
  private let fields: EventFields
  private let share: KeptBytes.Share

  init(
    _ pattern: ActionPattern, _ function: LuaFunction, of script: ScriptOwner, told fields: EventFields,
    engine: ScriptEngine
  ) {
    self.engine = engine
    lua = engine.lua
    self.function = function
    functionNumber = function.reference.id
    self.script = script
    self.fields = fields
    share = script.kept.share(pattern.keptBytes)
    super.init(pattern, owner: script.owner)
  }

  override func notify(_ event: ActionEvent) -> Failure? {
    let failed = lua.notify(functionNumber, of: owner, count: 1) { L in
      // Without fields, the event looks the same to all owners.
      if fields.isEmpty {
        clua_newTable(L, 0, 0)
      } else {
        engine.speaking(to: script) { engine.push(event, fields, on: L) }
      }
    }
    return failed.map { engine.takeFailure($0, owner) }
  }
}

extension LuaState {
  /// Calls an observer with what a body pushes; the failure's status, if it failed.
  @inline(__always)
  fileprivate func notify(
    _ function: Int32, of owner: Owner, count: Int32, _ push: (OpaquePointer) -> Void
  ) -> Int32? {
    guard owner.whySetAside == nil, clua_room(L, 8) else { return nil }
    clua_pushReference(L, function)
    push(L)
    let status = inPhase(CLUA_IDLE) { clua_call(L, count, 0) }
    return status == CLUA_OK.rawValue ? nil : status
  }
}

extension ScriptEngine {
  /// Why an observer failed, which affects nobody else.
  fileprivate func takeFailure(_ status: Int32, _ owner: Owner) -> Failure {
    failure(lua.takeError(status, on: lua.L), owner: owner)
  }

  /// Calls an observer with what a body pushes as its script sees it.
  func notify(
    _ function: LuaFunction, of script: ScriptOwner, count: Int = 1, _ push: (OpaquePointer) -> Void
  ) -> Failure? {
    let failed = lua.notify(function.reference.id, of: script.owner, count: Int32(count)) { L in
      speaking(to: script) { push(L) }
    }
    return failed.map { takeFailure($0, script.owner) }
  }

  func notify(_ function: LuaFunction, of script: ScriptOwner, _ arguments: [Value]) -> Failure? {
    notify(function, of: script, count: arguments.count) { L in for argument in arguments { push(argument, on: L) } }
  }

  /// Pushes an event for an observer; if its code tells which fields it reads, only those.
  func push(_ event: ActionEvent, _ fields: EventFields = .all, near: [String]? = nil, on L: OpaquePointer) {
    guard clua_room(L, 8) else { return clua_pushNil(L) }
    clua_newTable(L, 0, fields.count)
    let keys = eventKeys
    func add(_ field: EventFields, _ key: Int32, _ value: @autoclosure () -> Value?) {
      if fields.contains(field), let value = value() { set(key, value, on: L) }
    }
    add(.stage, keys.stage, .text(event.stage.rawValue))
    add(.action, keys.action, .text(event.action))
    add(.raw, keys.raw, .text(event.raw))
    add(.args, keys.args, .object(event.arguments.given))
    add(.sender, keys.sender, sender(event.sender))
    add(.by, keys.by, event.by.map { .text($0) })
    add(.outcome, keys.outcome, event.outcome.map { .opaque(ScriptOutcome($0)) })
    add(.job, keys.job, event.job.map { .opaque($0) })
    add(.near, keys.near, near.map { .list($0.map { .text($0) }) })
  }
}

/// The fields of what an observer is told.
struct EventFields: OptionSet {
  let rawValue: UInt16

  static let stage = EventFields(rawValue: 1 << 0)
  static let action = EventFields(rawValue: 1 << 1)
  static let raw = EventFields(rawValue: 1 << 2)
  static let args = EventFields(rawValue: 1 << 3)
  static let sender = EventFields(rawValue: 1 << 4)
  static let by = EventFields(rawValue: 1 << 5)
  static let outcome = EventFields(rawValue: 1 << 6)
  static let job = EventFields(rawValue: 1 << 7)
  static let near = EventFields(rawValue: 1 << 8)
  static let all = EventFields(rawValue: .max)

  private static let names: KeyValuePairs<String, EventFields> = [
    "stage": .stage, "action": .action, "raw": .raw, "args": .args, "sender": .sender, "by": .by,
    "outcome": .outcome, "job": .job, "near": .near,
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// How many there are.
  var count: Int32 { Int32(min(rawValue.nonzeroBitCount, EventFields.names.count)) }

  /// The fields that code reads; all of them where that can't be told.
  init(read names: Set<String>?) {
    guard let names else {
      self = .all
      return
    }
    self = []
    for (name, field) in EventFields.names where names.contains(name) { insert(field) }
  }
}
