/// Keeps what scripts store from one run of an app to the next.
///
/// Without one each run begins with nothing stored.
public struct HostStorage {
  /// Whose storage it is: an app's with a name, or a plugin's.
  public struct Place: Sendable, Hashable {
    /// The app's name.
    public let app: String
    /// The app's folder, all links followed; nil where it was not read from a file. Another app may call itself the same.
    public let folder: String?
    /// The plugin's name and folder; nil for the app's own.
    public let plugin: String?
    public let pluginFolder: String?
    /// The responder whose undo history it is; nil for what `app.store` has.
    public internal(set) var history: String?

    init(app: String, folder: String?, plugin: String?, pluginFolder: String?) {
      self.app = app
      self.folder = folder
      self.plugin = plugin
      self.pluginFolder = pluginFolder
    }

    /// The place of the app itself.
    var ofApp: Place { Place(app: app, folder: folder, plugin: nil, pluginFolder: nil) }

    /// A digest that differs for each place.
    public var digest: String {
      let names = [app, folder, plugin, pluginFolder] + (history == nil ? [] : [history])
      let parts = names.map { $0.map { "\($0.utf8.count):\($0);" } ?? "-;" }
      return Digest.of(Array(parts.joined().utf8))
    }
  }

  /// Reads what is stored at a place; nil if nothing is.
  public var read: (Place) throws -> [UInt8]?
  /// Replaces what is stored at a place, wholly or not at all.
  public var write: (Place, [UInt8]) throws -> Void
  /// Locks what an app and its plugins store against other processes, and returns what unlocks it; nil if another process holds it for too long.
  /// It is called with the app's place. It is locked while scripts run, and never while they wait.
  public var lock: (Place) throws -> (() -> Void)?

  /// A storage with these closures. Without `lock` no other process may write to it while this one runs.
  public init(
    read: @escaping (Place) throws -> [UInt8]?, write: @escaping (Place, [UInt8]) throws -> Void,
    lock: @escaping (Place) throws -> (() -> Void)? = { _ in {} }
  ) {
    self.read = read
    self.write = write
    self.lock = lock
  }
}
