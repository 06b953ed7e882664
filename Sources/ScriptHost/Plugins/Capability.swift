import Glibc

/// A *capability* is an access outside of the host that you grant to a script: `fs.read`, `exec=git`, `env=HOME`.
public struct Capability: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of capabilities.
  public enum Kind: String, Sendable, CaseIterable {
    case readFiles = "fs.read"
    case writeFiles = "fs.write"
    case exec, env, clipboard, notify, open
    /// A capability of the embedding program, whose name is the subject.
    case program

    /// The kinds that scripts and people name. `program` has the names that the program declares.
    public static let allCases: [Kind] = [.readFiles, .writeFiles, .exec, .env, .clipboard, .notify, .open]

    /// The meaning of a subject of this kind, for messages; nil if the kind has no subject.
    var subject: String? {
      switch self {
      case .readFiles, .writeFiles: "a path"
      case .exec: "a program"
      case .env: "the name of a variable"
      case .clipboard, .notify, .open, .program: nil
      }
    }

    /// Whether a subject is required, so that nobody grants every program or every variable by mistake.
    var needsSubject: Bool { self == .exec || self == .env }

    /// Returns the words of a consent question for this capability.
    func sentence(_ subject: String?) -> String {
      switch self {
      case .readFiles: "read files below \(subject ?? "its own folder")"
      case .writeFiles: "write and remove files below \(subject ?? "its own folder")"
      case .exec: "run the program \(subject ?? "")"
      case .env: "read the environment variable \(subject ?? "")"
      case .clipboard: "read and write the clipboard"
      case .notify: "show notifications"
      case .open: "open addresses in other programs"
      case .program: "use '\(subject ?? "")'"
      }
    }
  }

  /// The kind of access.
  public let kind: Kind
  /// A folder, a program or a variable; nil for a script's own folder, and for kinds without a subject.
  public let subject: String?
  /// The words of a consent question for a capability of the program.
  private var ownSentence: String?

  init(_ kind: Kind, _ subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }

  /// Creates a capability of the embedding program.
  init(native name: String, _ sentence: String) {
    self.init(.program, name)
    ownSentence = sentence
  }

  public static func == (left: Capability, right: Capability) -> Bool {
    left.kind == right.kind && left.subject == right.subject
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(subject)
  }

  /// True if the subject is a path. The system looks up a program without a '/' by its name.
  var hasPath: Bool {
    switch kind {
    case .readFiles, .writeFiles: true
    case .exec: subject?.utf8.contains(UInt8(ascii: "/")) ?? false
    case .env, .clipboard, .notify, .open, .program: false
    }
  }

  /// Parses a capability, `KIND` or `KIND=SUBJECT`.
  public static func parse(_ text: String) throws(Misuse) -> Capability { try parse(text, among: []) }

  /// Parses a capability for a program that declares capabilities of these names.
  static func parse(_ text: String, among own: [String]) throws(Misuse) -> Capability {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]), kind != .program else {
      let known = Kind.allCases.map(\.rawValue) + own
      let near = nearest(to: parts[0], among: known).first.map { "; did you mean '\($0)'?" }
      throw Misuse(
        .unknownName, "there is no capability '\(parts[0])'\(near ?? ": they are \(known.joined(separator: ", "))")")
    }
    let subject = parts.count > 1 ? parts[1] : nil
    if subject != nil, kind.subject == nil {
      throw Misuse(.badName, "'\(kind.rawValue)' is granted as a whole: leave out '=\(subject ?? "")'")
    }
    if let what = kind.subject, subject?.isEmpty ?? kind.needsSubject {
      throw Misuse(.badName, "'\(kind.rawValue)' needs \(what): \(kind.rawValue)=…")
    }
    if let subject, subject.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Misuse(.badName, "'\(kind.rawValue)' can't have a name with control characters")
    }
    let capability = Capability(kind, subject)
    try capability.checkVariable()
    return capability
  }

  public var description: String {
    kind == .program ? subject ?? "" : subject.map { "\(kind.rawValue)=\($0)" } ?? kind.rawValue
  }

  /// The words of a consent question for this capability.
  public var sentence: String { ownSentence ?? kind.sentence(subject) }
}

// Subjects that depend on the caller of the tool: `exec=$EDITOR`, `exec=$PAGER`, `fs.read=$PWD`.

extension Capability {
  private static let programs = ["$EDITOR", "$PAGER"]
  static let workingFolder = "$PWD"

  /// The variable that names the program; nil if the subject is the program itself.
  var programVariable: String? {
    guard kind == .exec, let subject, Self.programs.contains(where: subject.hasSameBytes) else { return nil }
    return subject
  }

  /// True if the path is the folder where the tool was called, or is below it.
  var isBelowWorkingFolder: Bool { hasPath && Self.belowWorkingFolder(subject ?? "") != nil }

  /// Returns the rest of a path that begins with `$PWD`; nil for any other path.
  static func belowWorkingFolder(_ path: String) -> Substring? {
    guard path.utf8.starts(with: workingFolder.utf8) else { return nil }
    let rest = path.dropFirst(workingFolder.count)
    return rest.isEmpty || rest.utf8.first == UInt8(ascii: "/") ? rest : nil
  }

  fileprivate func checkVariable() throws(Misuse) {
    guard let subject, subject.utf8.first == UInt8(ascii: "$"), kind != .env else { return }
    if kind == .exec, programVariable == nil {
      let known = Self.programs.joined(separator: " and ")
      throw Misuse(.badName, "'\(self)': the variables that name a program are \(known)")
    }
    if kind != .exec, !isBelowWorkingFolder {
      throw Misuse(
        .badName,
        "'\(self)': a path can't begin with a variable other than \(Self.workingFolder), the folder in which you call the tool"
      )
    }
  }
}

/// A *grant* is a capability that an owner has. Its path is resolved at once, so later changes of links don't matter.
struct Grant {
  let capability: Capability
  /// The folder, file or program, all links followed; nil without a path, or for a path that leads nowhere.
  let path: String?
  /// The program's content at the consent; nil if it was granted by name, or is no program in the script's folder.
  var seal: ProgramSeal?

  /// Creates a grant for scripts of a folder. A missing path grants nothing.
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
    let whole: String
    if capability.isBelowWorkingFolder, let rest = Capability.belowWorkingFolder(subject) {
      whole = (Self.real(".") ?? "") + rest
    } else {
      whole = subject.utf8.first == UInt8(ascii: "/") ? subject : base.map { "\($0)/\(subject)" } ?? subject
    }
    path = Self.real(whole) ?? Self.place(whole)
  }

  /// Returns the path with all links followed; nil if it doesn't exist.
  static func real(_ path: String) -> String? {
    guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(validatingCString: found)
  }

  /// Returns the resolved path of a missing file in an existing folder.
  private static func place(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != "..", name != "." else { return nil }
    let folder = (path.utf8.first == UInt8(ascii: "/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    return real(folder).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }

  /// Returns true if this grant allows everything that another grant allows.
  func includes(_ other: Grant) -> Bool {
    guard capability.kind == other.capability.kind, capability.hasPath == other.capability.hasPath else { return false }
    if capability.hasPath { return other.path.map(covers) ?? false }
    return (capability.subject ?? "").hasSameBytes(as: other.capability.subject ?? "")
  }

  /// The capability with the resolved path.
  var real: Capability { capability.hasPath ? Capability(capability.kind, path ?? capability.subject) : capability }

  /// Returns true if a resolved path is the granted path or, for files, below it. Programs are granted one by one.
  func covers(_ real: String) -> Bool {
    guard let path else { return false }
    if real.hasSameBytes(as: path) { return true }
    let below = path == "/" ? path : path + "/"
    return capability.kind != .exec && real.utf8.starts(with: below.utf8)
  }
}

// Resolves paths whose last parts may not exist. The refusal doesn't reveal whether a path outside of a grant exists.

extension Grant {
  /// The most links to follow: as many as the system follows.
  private static let linkLimit = 40
  /// The most bytes of a path, with its terminator.
  private static let pathLimit = 4096

  /// Resolves a path: follows all links, and keeps missing parts as they are written. For a circle of links it returns
  /// one of them, and for an overlong path a path that is too long. Nil if a link's target isn't UTF-8.
  static func lead(_ path: String) -> String? {
    if let real = real(path) { return real }
    guard let start = real(path.utf8.first == UInt8(ascii: "/") ? "/" : ".") else { return nil }
    var place = start == "/" ? "" : start
    var rest = Array(path.split(separator: "/").reversed())
    var links = 0
    while let part = rest.popLast() {
      if part == "." { continue }
      if part == ".." {
        place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        continue
      }
      let next = "\(place)/\(part)"
      if next.utf8.count >= pathLimit { return next }
      guard let bytes = target(next) else {
        place = next
        continue
      }
      guard let target = String(validating: bytes, as: UTF8.self) else { return nil }
      links += 1
      if links > linkLimit { return next }
      if target.utf8.first == UInt8(ascii: "/") { place = "" }
      rest += target.split(separator: "/").reversed()
    }
    return place.isEmpty ? "/" : place
  }

  /// Returns true if there is a link at a path.
  static func isLink(_ path: String) -> Bool { target(path) != nil }

  /// Returns the target of a link; nil if the path is no link.
  private static func target(_ path: String) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: pathLimit)
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? bytes.prefix(count) : nil
  }

  /// Removes each part that a '..' follows, in the text alone: it doesn't reveal whether the part exists.
  static func withoutDetours(_ path: String) -> String {
    let isWhole = path.utf8.first == UInt8(ascii: "/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." || (parts.last ?? "..") == ".." && !isWhole {
        parts.append(part)
      } else {
        _ = parts.popLast()
      }
    }
    let inside = parts.joined(separator: "/")
    return isWhole ? "/\(inside)" : inside.isEmpty ? "." : inside
  }
}

/// A *seal* records a program in a script's folder when a person consents to it. The host runs only this program.
package struct ProgramSeal: Sendable {
  /// A file that the system reads to start the program.
  struct File: Sendable {
    let path: String
    let digest: String
    /// Nil if the file was written so recently that another write may leave the stamp unchanged.
    let stamp: Stamp?
  }

  /// The system's facts about a file. Comparing them avoids reading most files again.
  struct Stamp: Sendable, Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let written: Moment
    let changed: Moment
  }

  /// A time of the file system.
  struct Moment: Sendable, Equatable {
    let seconds: Int
    let nanoseconds: Int
  }

  /// The program first, then its interpreters; empty for a program elsewhere.
  let files: [File]
  /// The folder of the files, all links followed.
  let folder: String

  /// The words of the variable that names the program; nil if none does.
  let words: [String]?

  /// A digest that differs for each seal.
  var digest: String {
    (files.map(\.digest) + (words.map { ["$"] + $0 } ?? [])).joined(separator: ",")
  }
}
