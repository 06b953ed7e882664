/// A *kept history* is what is known of a responder's history beyond the responder, which a reload replaces.
final class KeptHistory {
  let name: String
  /// The plugin to which the responder belongs; nil for the app's.
  let plugin: String?
  weak var stack: UndoStack?
  /// What was read or written last.
  var stored: StoredHistory?
  var isRead = false
  /// Why it couldn't be read; it is not written over then.
  var whyUnread: String?
  /// Why it couldn't be written, as last reported.
  var whyUnwritten: String?

  init(_ name: String, of plugin: String?) {
    self.name = name
    self.plugin = plugin
  }
}
