import CLua
import CScript

// Small records that an engine keeps of its scripts.

/// A call that found nothing and returned nil.
struct MissedLookup {
  /// The name that it looked for.
  let name: String
  /// The sentence that names the missing thing.
  let sentence: String
  let place: LuaError.Place?
}

/// References to the field names of a request.
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

/// References to the field names of an event.
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

/// The field names of a kind of table, in the order of their bytes. Lua interns them, so addresses identify names.
final class KnownFields {
  let names: [String]
  /// The names in Lua.
  let keys: [Int32]
  private let identities: [UnsafeRawPointer?]

  /// - Parameter key: makes a reference to a name.
  init(_ names: [String], in lua: LuaState, key: (String) -> Int32) {
    self.names = names.sorted { $0.precedesByBytes($1) }
    keys = self.names.map(key)
    identities = keys.map { key in
      clua_pushReference(lua.L, key)
      defer { clua_pop(lua.L, 1) }
      return clua_identity(lua.L, -1)
    }
  }

  func place(of identity: UnsafeRawPointer?) -> Int? { identities.firstIndex(of: identity) }
}

/// The field names of all tables that declare menus.
final class ElementFieldNames {
  let item, menu, extend, section, column, panel, pane, text, layout, list, look, claims, menuLook,
    paneLook: KnownFields

  init(in lua: LuaState, key: (String) -> Int32) {
    func fields(_ names: String..., and others: [String] = []) -> KnownFields {
      KnownFields(names + others, in: lua, key: key)
    }
    item = fields(
      "id", "key", "args", "subtitle", "icon", "state", "hidden", "enabled", "alternates", "destructive",
      "can", "exact", "current", "look", "title", "cells", and: ItemFact.all.map(\.name))
    extend = fields("first", "last", "before", "after", "group", "order")
    menu = fields("id", "inline", "single", "hidden", "auto", "open", "cells", "look")
    section = fields(
      "items", "count", "value", "index", "find", "id", "row", "header", "footer", "empty", "current", "kind",
      "columns",
      "palette")
    column = fields("title", "grow", "align", "style", "least", "most", "cut")
    panel = fields("typing")
    pane = fields("title", "key", "responder", "filter", "marks", "share", "least", "fit", "look")
    text = fields(
      "title", "key", "responder", "lines", "of", "style", "ansi", "follow", "wrap", "share", "least", "fit", "look")
    layout = fields("share", "least")
    list = fields()
    look = fields("title", "subtitle", "icon", "hidden", "destructive", "state")
    claims = fields("title", "subtitle", "icon", "hidden", "destructive", "state", "reason")
    menuLook = fields("title", "hidden")
    paneLook = fields("title", "subtitle", "hidden")
  }

  /// Returns the names for a pane, a text, or a layout.
  func area(_ kind: MenuElement.Kind) -> KnownFields {
    switch kind {
    case .pane: pane
    case .text: text
    default: layout
    }
  }
}

/// A class that a script made.
final class ScriptClass {
  /// A bit of the number of each class's table.
  static let mark: Int64 = 1 << 62

  /// The definition retains this object.
  unowned let definition: ClassDefinition
  let owner: ScriptOwner
  /// The fields that responders of the class share.
  let fields: LuaTable
  let number: Int64
  /// The table of the class.
  let object: LuaReference
  var tables = ByTable<LuaReference>()
  private let register: Register<ScriptClass>

  init(
    definition: ClassDefinition, owner: ScriptOwner, fields: LuaTable, number: Int64, object: LuaReference,
    register: Register<ScriptClass>
  ) {
    self.definition = definition
    self.owner = owner
    self.fields = fields
    self.number = number
    self.object = object
    self.register = register
  }

  deinit { register[number] = nil }
}

/// The thing that a script's handler waits for, if not for a time.
enum Awaited {
  /// A job. If it is nested, the handler performed it, and both are cancelled together.
  case job(Job, isNested: Bool)
  /// The candidate that the handler forwarded its action to.
  case forwarded(Forwarding)
}

/// A request of a canceller to stop the interpreter.
final class ScriptInterruption: Interruption {
  private let canceller: LuaCanceller

  init(_ canceller: LuaCanceller) { self.canceller = canceller }

  override func take() -> Bool { canceller.takeCancel() }
}

/// A *register* finds objects by the number in their Lua table. It doesn't retain them: each removes itself.
final class Register<Object: AnyObject> {
  private var objects: [Int64: Unmanaged<Object>] = [:]

  var count: Int { objects.count }
  /// All objects. An object with several numbers appears several times.
  var all: [Object] { objects.values.map { $0.takeUnretainedValue() } }

  subscript(number: Int64) -> Object? {
    get { objects[number]?.takeUnretainedValue() }
    set { objects[number] = newValue.map(Unmanaged.passUnretained) }
  }
}

/// The *store* of an owner: its table `app.store`, and the state of the file behind it.
final class ScriptStore {
  let table: LuaTable
  let place: HostStorage.Place
  /// The stored data as it was last read or written.
  var written: Literal
  /// The bytes that were last read or written; nil before the first read, and if nothing is stored.
  var bytes: [UInt8]?
  /// The turn of the last read; a question reads once per turn.
  var turn: UInt64?
  /// Whether it is locked and up to date, until the stretch ends.
  var isClaimed = false
  /// Whether the recording of this run has it.
  var isNoted = false
  /// The last reported reason why it couldn't be read. While there is one, the store isn't overwritten.
  var whyUnread: String?
  /// The last reported reason why it couldn't be written, and the content, without the values that aren't plain data.
  var unwritten: (reason: String, content: Literal?)?
  /// The line that first read it in this stretch.
  var readAt: Place?

  init(_ table: LuaTable, at place: HostStorage.Place, written: Literal) {
    self.table = table
    self.place = place
    self.written = written
  }
}

/// The bytes that an owner's scripts may still print and log in one call from outside, with all nested calls.
struct Ration {
  enum Decision {
    case given
    /// The rest is too small; `first` marks the first refusal in the call.
    case refused(first: Bool)
  }

  private var turn: UInt64?
  private var began: Int64 = 0
  private var left = 0
  private var isRefused = false

  /// A job that goes on after a wait gets a new ration after this time.
  private static let renewal: Int64 = 1_000_000_000

  /// Subtracts bytes from the ration. After a refused line it refuses shorter lines too, so the output has no gaps.
  mutating func take(_ bytes: Int, of all: Int, in turn: UInt64, goesOn: Bool, at now: @autoclosure () -> Int64)
    -> Decision
  {
    if self.turn != turn, !goesOn || self.turn == nil || now() - began >= Self.renewal {
      (began, left, isRefused) = (now(), all, false)
    }
    self.turn = turn
    guard !isRefused, bytes <= left else {
      defer { isRefused = true }
      return .refused(first: !isRefused)
    }
    left -= bytes
    return .given
  }
}

/// A *kept history* outlives the responder of an undo history, which a reload replaces.
final class KeptHistory {
  let name: String
  /// The plugin of the responder; nil for the app's.
  let plugin: String?
  weak var stack: UndoStack?
  /// The history that was read or written last.
  var stored: StoredHistory?
  var isRead = false
  /// The reason why it couldn't be read. While there is one, the history isn't overwritten.
  var whyUnread: String?
  /// The last reported reason why it couldn't be written.
  var whyUnwritten: String?

  init(_ name: String, of plugin: String?) {
    self.name = name
    self.plugin = plugin
  }
}
