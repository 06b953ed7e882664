/// The *store* of an owner: its table `app.store`, and what is known of the file behind it.
final class ScriptStore {
  let table: LuaTable
  let place: HostStorage.Place
  /// The stored data as it was last read or written.
  var written: Literal
  /// The bytes that were last read or written; nil before the first look, and if nothing is stored.
  var bytes: [UInt8]?
  /// The turn of the last look; a question looks once in each.
  var turn: UInt64?
  /// Whether it is locked and up to date, until the stretch ends.
  var isClaimed = false
  /// Whether the recording of this run has it.
  var isNoted = false
  /// Why it couldn't be read, as last reported; it is not overwritten then.
  var whyUnread: String?
  /// Why it couldn't be written, as last reported.
  var whyUnwritten: String?

  init(_ table: LuaTable, at place: HostStorage.Place, written: Literal) {
    self.table = table
    self.place = place
    self.written = written
  }
}
