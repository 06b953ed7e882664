/// A *capability* is something outside of the host that a script may do when it is granted: `fs.read`, `exec=git`, `env=HOME`.
public struct Capability: Sendable, Hashable, CustomStringConvertible {
  /// What can be granted.
  public enum Kind: String, Sendable, CaseIterable {
    case readFiles = "fs.read"
    case writeFiles = "fs.write"
    case exec, env, clipboard, notify, open

    /// What a subject of this kind is, for messages; nil if it is granted as a whole.
    var subject: String? {
      switch self {
      case .readFiles, .writeFiles: "a path"
      case .exec: "a program"
      case .env: "the name of a variable"
      case .clipboard, .notify, .open: nil
      }
    }

    /// Whether a subject is required, so that nobody grants every program, or every variable with its secrets, by mistake.
    var needsSubject: Bool { self == .exec || self == .env }

    /// What a person is asked whether it may be done.
    func sentence(_ subject: String?) -> String {
      switch self {
      case .readFiles: "read files below \(subject ?? "its own folder")"
      case .writeFiles: "write and remove files below \(subject ?? "its own folder")"
      case .exec: "run the program \(subject ?? "")"
      case .env: "read the environment variable \(subject ?? "")"
      case .clipboard: "read and write the clipboard"
      case .notify: "show notifications"
      case .open: "open addresses in other programs"
      }
    }
  }

  /// What may be done.
  public let kind: Kind
  /// A folder, a program or a variable; nil for a script's own folder, and for what is granted as a whole.
  public let subject: String?

  init(_ kind: Kind, _ subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }

  /// Whether it is for something at a path. A program without a '/' is looked up by the system by its name.
  var hasPath: Bool {
    switch kind {
    case .readFiles, .writeFiles: true
    case .exec: subject?.utf8.contains(UInt8(ascii: "/")) ?? false
    case .env, .clipboard, .notify, .open: false
    }
  }

  /// The capability that a text names, `KIND` or `KIND=SUBJECT`.
  public static func parse(_ text: String) throws(Misuse) -> Capability {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let kind = Kind(rawValue: parts[0]) else {
      let known = Kind.allCases.map(\.rawValue)
      let near = nearest(to: parts[0], among: known).first.map { "; did you mean '\($0)'?" }
      throw Misuse(
        .unknownName, "there is no capability '\(parts[0])'\(near ?? ": they are \(known.joined(separator: ", "))")")
    }
    let subject = parts.count > 1 ? parts[1] : nil
    if subject != nil, kind.subject == nil {
      throw Misuse(.badName, "'\(kind.rawValue)' is granted as a whole, without '=\(subject ?? "")'")
    }
    if let what = kind.subject, subject?.isEmpty ?? kind.needsSubject {
      throw Misuse(.badName, "'\(kind.rawValue)' needs \(what): \(kind.rawValue)=…")
    }
    if let subject, subject.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Misuse(.badName, "'\(kind.rawValue)' can't be granted for a name with control characters")
    }
    return Capability(kind, subject)
  }

  public var description: String { subject.map { "\(kind.rawValue)=\($0)" } ?? kind.rawValue }

  /// What a person is asked whether it may be done.
  public var sentence: String { kind.sentence(subject) }
}
