/// The part of an owner that its scripts need: their environment.
final class ScriptOwner {
  let life: ScriptLife
  let owner: Owner
  let index: Int
  /// The globals that its scripts defined.
  let environment: LuaTable
  /// The names of the language for its scripts.
  let language: LuaTable
  /// The globals of files that run with its rights.
  var environments: [LuaTable]
  /// The names that its scripts defined, including those that are nil now.
  var defined: Set<String> = []
  var isLoading = false
  /// The table `app.keep`, which survives a reload.
  var keep: LuaTable?
  /// The table `app.store`, once it was read, and the content that the previous version had written.
  var store: ScriptStore?
  var storedBefore: Literal?
  /// The number of its scripts' timers, and the timers that begin when loading ends.
  var timerCount = 0
  var newTimers: [Timing] = []
  /// The number of its scripts' watches.
  var watchCount = 0
  /// The tables of responders that it first met after the owner had left, by the responders' numbers.
  var lateObjects: [Int: ScriptObject] = [:]
  /// Its plugin; nil for the app's script.
  var plugin: PluginFile?
  /// Whether it is the user's keymap.
  var isKeymap = false
  /// The folder of its files; nil if it was not read from a file.
  var folder: String?
  /// The names of the files, or texts, that were loaded as its own.
  var sources: Set<String> = []
  /// The module folders of files from another folder, by file name: a test's subject, and its modules.
  var moduleFolders: [String: String] = [:]
  /// The values that its modules returned, by name, or by folder and name for another folder.
  var modules: [String: LuaReference] = [:]
  /// The modules that are being loaded, each by the previous module.
  var loadingModules: [String] = []
  /// The value of `app.settings`, once it was read.
  var settings: LuaReference?
  /// The bytes that it may still print and log.
  var ration = Ration()
  /// The bytes that the host keeps for its scripts' declarations.
  let kept = KeptBytes()
  /// Its grants outside of the host.
  var grants: [Grant] = []

  /// Grants capabilities for scripts of a folder, if it has one.
  func grant(_ capabilities: [Capability], folder: String?) {
    self.folder = folder
    grants = capabilities.map { Grant($0, folder: folder, relativeTo: nil) }
  }
  /// Matches texts with the patterns that its scripts declare; made for the first pattern.
  var matching: LuaFunction?
  /// The globals of evaluated lines, once there was a line.
  var lineGlobals: LuaTable?

  init(owner: Owner, index: Int, environment: LuaTable, language: LuaTable, lives: Register<ScriptLife>) {
    life = ScriptLife(owner, index: index, register: lives)
    self.owner = owner
    self.index = index
    self.environment = environment
    environments = [environment]
    self.language = language
    life.script = self
  }

  deinit { life.script = nil }
}

/// The *life* of an owner's script is the part that the functions of its language hold, since they may outlive it. A
/// weak reference would slow down all other references to the script.
final class ScriptLife {
  unowned fileprivate(set) var script: ScriptOwner?
  let owner: Owner
  private let index: Int64
  private let register: Register<ScriptLife>

  fileprivate init(_ owner: Owner, index: Int, register: Register<ScriptLife>) {
    self.owner = owner
    self.index = Int64(index)
    self.register = register
    register[self.index] = self
  }

  deinit { register[index] = nil }
}

/// The tables of a responder in all owners' scripts. They live as long as the responder.
final class ScriptObjects {
  let number: Int64
  /// The table of each owner that met the responder: rarely more than a few.
  private var objects: [(owner: Int, object: ScriptObject)] = [] {
    didSet { first = objects.first.map { ($0.owner, $0.object.reference.id, $0.object.number) } ?? Self.none }
  }
  /// The first of them, usually that of the only owner: each call of a function passes it.
  private(set) var first = ScriptObjects.none
  private static let none = (owner: -1, reference: Int32(0), number: Int64(0))
  private let register: Register<Responder>

  /// The numbers by which the tables are found: the responder's own, and those of responders that it replaced.
  private var numbers: [Int64]

  init(number: Int64, register: Register<Responder>) {
    self.number = number
    self.register = register
    numbers = [number]
  }

  deinit { for number in numbers { register[number] = nil } }

  /// The table in the scripts of an owner, by its index.
  subscript(owner: Int) -> ScriptObject? {
    get { objects.first { $0.owner == owner }?.object }
    set {
      // Not in place: each read would be checked for exclusivity.
      objects = objects.filter { $0.owner != owner } + (newValue.map { [(owner, $0)] } ?? [])
    }
  }

  /// Takes over the tables of another responder in the scripts of all owners but its maker.
  func adopt(_ other: ScriptObjects, except maker: ScriptOwner, for responder: Responder) {
    for (index, object) in other.objects where index != maker.index && self[index] == nil {
      self[index] = object
      other[index] = nil
      other.numbers.removeAll { $0 == object.number }
      if !numbers.contains(object.number) { numbers.append(object.number) }
      register[object.number] = responder
    }
  }
}

/// The table of a responder in the scripts of one owner.
final class ScriptObject {
  let reference: LuaReference
  /// The number of the responder for which it was made.
  let number: Int64
  /// The tables `on`, `can` … of the responder, made when first read.
  var tables = ByTable<LuaReference>()
  /// The fields of `app` that the host reads.
  var fields: LuaTable?

  init(reference: LuaReference, number: Int64) {
    self.reference = reference
    self.number = number
  }
}
