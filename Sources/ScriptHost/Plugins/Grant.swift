import Glibc

/// A *grant* is a capability that an owner has. Its path is resolved when it is given, so links that are changed later don't count.
struct Grant {
  let capability: Capability
  /// The folder, file or program, all links followed; nil for what has no path, and for one that leads nowhere.
  let path: String?

  /// The grant of a capability to scripts of a folder; a path that is not there grants nothing.
  init(_ capability: Capability, folder: String?, relativeTo base: String?) {
    self.capability = capability
    guard capability.hasPath else {
      path = nil
      return
    }
    guard let subject = capability.subject else {
      path = folder.flatMap(Self.real)
      return
    }
    let whole = subject.utf8.first == UInt8(ascii: "/") ? subject : base.map { "\($0)/\(subject)" } ?? subject
    path = Self.real(whole) ?? Self.place(whole)
  }

  /// The path with all links followed; nil if it doesn't exist.
  static func real(_ path: String) -> String? {
    guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(validatingCString: found)
  }

  /// The resolved path of a file that doesn't exist yet, in a folder that does.
  private static func place(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != "..", name != "." else { return nil }
    let folder = (path.utf8.first == UInt8(ascii: "/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    return real(folder).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }

  /// Whether this grant allows everything that another one allows.
  func includes(_ other: Grant) -> Bool {
    guard capability.kind == other.capability.kind, capability.hasPath == other.capability.hasPath else { return false }
    if capability.hasPath { return other.path.map(covers) ?? false }
    return (capability.subject ?? "").hasSameBytes(as: other.capability.subject ?? "")
  }

  /// The capability for the path that was found.
  var real: Capability { Capability(capability.kind, path ?? capability.subject) }

  /// Whether a resolved path is the granted one or, for files, below it. Programs are granted one by one.
  func covers(_ real: String) -> Bool {
    guard let path else { return false }
    if real.hasSameBytes(as: path) { return true }
    let below = path == "/" ? path : path + "/"
    return capability.kind != .exec && real.utf8.starts(with: below.utf8)
  }
}
