import Glibc

/// A *grant* is a capability that an owner has, with its path looked up when it was given: what is called so later doesn't count.
struct Grant {
  let capability: Capability
  /// The folder or file, all links followed; nil for what has no path.
  let path: String?

  /// What a capability grants to scripts of a folder; a path that is not there grants nothing.
  init(_ capability: Capability, folder: String?, relativeTo base: String?) {
    self.capability = capability
    switch capability.kind {
    case .readFiles, .writeFiles:
      guard let subject = capability.subject else {
        path = folder.flatMap(Self.real)
        return
      }
      let whole = subject.utf8.first == UInt8(ascii: "/") ? subject : base.map { "\($0)/\(subject)" } ?? subject
      path = Self.real(whole) ?? Self.place(whole)
    case .exec, .env, .clipboard, .open: path = nil
    }
  }

  /// Where a path leads, all links followed.
  static func real(_ path: String) -> String? {
    guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(validatingCString: found)
  }

  /// Where something would stand that is not there yet.
  private static func place(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != "..", name != "." else { return nil }
    let folder = (path.utf8.first == UInt8(ascii: "/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    return real(folder).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }

  /// Whether whoever has this may do what another grants.
  func includes(_ other: Grant) -> Bool {
    guard capability.kind == other.capability.kind else { return false }
    switch capability.kind {
    case .readFiles, .writeFiles: return other.path.map(covers) ?? false
    case .exec, .env, .clipboard, .open:
      return (capability.subject ?? "").hasSameBytes(as: other.capability.subject ?? "")
    }
  }

  /// The capability for the path that was found.
  var real: Capability { Capability(capability.kind, path ?? capability.subject) }

  /// Whether a path, all its links followed, is the granted one or below it.
  func covers(_ real: String) -> Bool {
    guard let path else { return false }
    let below = path == "/" ? path : path + "/"
    return real.hasSameBytes(as: path) || real.utf8.starts(with: below.utf8)
  }
}
