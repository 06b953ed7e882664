/// The *store* of an owner: its table `app.store`, and what was last written of it.
final class ScriptStore {
  let table: LuaTable
  let place: HostStorage.Place
  var written: Literal
  /// Why it couldn't be written, as last reported.
  var whyUnwritten: String?
  /// Whether the stored data couldn't be read; it is not overwritten then.
  let isUnreadable: Bool

  init(_ table: LuaTable, at place: HostStorage.Place, written: Literal, isUnreadable: Bool) {
    self.table = table
    self.place = place
    self.written = written
    self.isUnreadable = isUnreadable
  }
}
