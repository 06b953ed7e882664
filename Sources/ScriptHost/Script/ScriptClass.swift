/// A class that a script made.
final class ScriptClass {
  /// Set in the number of a table that stands for a class.
  static let mark: Int64 = 1 << 62

  /// It keeps this.
  unowned let definition: ClassDefinition
  let owner: ScriptOwner
  /// The fields that responders of the class share.
  let fields: LuaTable
  let number: Int64
  /// The table that stands for it.
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
