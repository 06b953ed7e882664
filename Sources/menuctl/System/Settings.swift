import Glibc
import LiveHost
import ScriptHost

/// The user's *settings*: the grants of plugins and apps, in a JSON file, which is replaced as a whole.
struct Settings {
  private(set) var members: [LiteralObject.Member] = []

  /// The path of the settings file; nil if neither XDG_CONFIG_HOME nor HOME is set.
  static var path: String? { UserFolder.path("XDG_CONFIG_HOME", else: ".config").map { "\($0)/settings.json" } }

  /// The folder of the user's plugins; empty if neither XDG_DATA_HOME nor HOME is set.
  static var pluginFolders: [String] {
    UserFolder.path("XDG_DATA_HOME", else: ".local/share").map { ["\($0)/plugins"] } ?? []
  }

  /// Reads the settings; a missing file has none. An unreadable file is an error, so that it isn't overwritten.
  static func read() throws(Problem) -> Settings {
    guard let path, access(path, F_OK) == 0 else { return Settings() }
    let bytes = try Source(file: path).bytes
    guard let text = String(validating: bytes, as: UTF8.self),
      let literal = (try? Reference.parse("settings(all: \(text))"))?.arguments?["all"],
      case .object(let object) = literal
    else { throw Problem(.no, "'\(path)' is not what menuctl wrote: it can't be read as JSON") }
    var settings = Settings()
    settings.members = object.members
    return settings
  }

  private var text: String { JSONText.text(.object(members.map { ($0.key, JSON($0.value)) })) + "\n" }

  subscript(key: String) -> Literal? {
    get { members.first { $0.key == key }?.value }
    set {
      let place = members.firstIndex { $0.key == key }
      if let place { members.remove(at: place) }
      if let newValue {
        members.insert(LiteralObject.Member(key: key, value: newValue), at: place ?? members.count)
      }
    }
  }

  /// Throws if the settings are too long for `read`.
  func checkLength() throws(Problem) {
    guard text.utf8.count > Source.most else { return }
    throw Problem(
      .no, "'\(Self.path ?? "")' would have \(text.utf8.count) bytes, and settings can have \(Source.most) at most",
      help: "'menuctl plugin forget NAME' withdraws what was consented to, and makes room")
  }

  /// Reads the settings under the file lock, changes and writes them. Another process may have changed them since.
  static func change(_ body: (inout Settings) -> Void) throws(Problem) {
    guard let path, let folder = UserFolder.path("XDG_CONFIG_HOME", else: ".config") else {
      throw Problem(.no, "there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")
    }
    AtomicFile.makeFolder(folder)
    guard let lock = try FileLock("\(folder)/settings.lock") else {
      throw Problem(.no, "another process holds '\(folder)/settings.lock'", help: "end that process, and try again")
    }
    defer { lock.release() }
    var settings = try read()
    body(&settings)
    try settings.checkLength()
    try AtomicFile.write(Array(settings.text.utf8), to: path, permissions: 0o600)
  }
}
