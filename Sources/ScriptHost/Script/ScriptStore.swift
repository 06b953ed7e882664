/// The *store* of an owner: the table that its scripts have, and what of it was written last.
final class ScriptStore {
  let table: LuaTable
  let place: HostStorage.Place
  var written: Literal
  /// Why it can't be written, as it was told last.
  var trouble: String?
  /// Whether what lies there could not be read: it is not written over.
  let isUnreadable: Bool

  init(_ table: LuaTable, at place: HostStorage.Place, written: Literal, isUnreadable: Bool) {
    self.table = table
    self.place = place
    self.written = written
    self.isUnreadable = isUnreadable
  }
}
