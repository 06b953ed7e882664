import Glibc
import ScriptHost

extension HostStorage {
  /// The storage in the user's state folder, one file for each owner. If there is no such folder, a write says how to name one.
  static var files: HostStorage {
    guard let folder = StateFolder.path.map({ "\($0)/stores" }) else {
      return HostStorage(
        read: { _ in nil },
        write: { _, _ in
          throw Problem(
            .no,
            "it would be kept in '~/.local/state/menuctl/stores', but neither HOME nor XDG_STATE_HOME is set; set one of them to a folder"
          )
        })
    }
    return HostStorage(
      read: { place in
        let path = path(of: place, in: folder, place.ending)
        return access(path, F_OK) == 0 ? try Source(file: path, most: most).bytes : nil
      },
      write: { place, bytes in
        AtomicFile.makeFolder(folder)
        try AtomicFile.write(bytes, to: path(of: place, in: folder, place.ending), permissions: 0o600)
      },
      lock: { place in
        AtomicFile.makeFolder(folder)
        return try FileLock(path(of: place, in: folder, "lock")).map { lock in { lock.release() } }
      })
  }

  /// The same storage, for reading only: what is written to it is forgotten with this process.
  var unwritten: HostStorage {
    let kept = Kept()
    return HostStorage(
      read: { [read] in try kept.bytes[$0] ?? read($0) }, write: { kept.bytes[$0] = $1 })
  }

  private final class Kept { var bytes: [Place: [UInt8]] = [:] }

  /// The most bytes that are read of a stored file; the host never writes more.
  private static let most = 1 << 20

  private static func path(of place: Place, in folder: String, _ ending: String) -> String {
    let name = [place.app, place.plugin, place.history].compactMap { $0 }.joined(separator: "-")
    let known = name.utf8.prefix(40).map { byte -> Character in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20)
      return isPlain ? Character(Unicode.Scalar(byte)) : "_"
    }
    return "\(folder)/\(String(known))-\(place.digest.prefix(16)).\(ending)"
  }
}

extension HostStorage.Place {
  /// How the name of its file ends.
  fileprivate var ending: String { history == nil ? "json" : "undo" }
}

/// The user's folder for stores and the history: `$XDG_STATE_HOME/menuctl`, else `~/.local/state/menuctl`.
enum StateFolder {
  static var path: String? {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/menuctl" }
    return environment("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state/menuctl" : nil }
  }

  private static func environment(_ name: String) -> String? { getenv(name).flatMap { String(validatingCString: $0) } }
}

extension Problem: CustomStringConvertible {
  var description: String { sentence }
}
