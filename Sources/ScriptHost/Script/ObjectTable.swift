import CLua
import Glibc

/// The tables of a responder that a script writes handlers into.
enum ObjectTable: Int64, CaseIterable {
  case on = 1
  case can, look, needs, keys, build, takes, confirm, about

  /// The tables that are indexed by the names of actions.
  static let byAction: [ObjectTable] = [.on, .can, .look, .needs, .takes, .confirm, .about]

  var name: String {
    switch self {
    case .on: "on"
    case .can: "can"
    case .look: "look"
    case .needs: "needs"
    case .keys: "keys"
    case .build: "build"
    case .takes: "takes"
    case .confirm: "confirm"
    case .about: "about"
    }
  }

  /// A declaration that writes into it, for messages.
  var declaration: String {
    switch self {
    case .on, .can, .look: "function NAME.\(name):ACTION(ctx) … end"
    case .build: "function NAME.build:KIND(menu, subject) … end"
    case .keys: "NAME.keys[\"ctrl+k\"] = \"ACTION\""
    case .needs, .takes, .confirm, .about: "NAME.\(name).ACTION = …"
    }
  }

  /// The content of the table, for messages.
  var contents: String {
    switch self {
    case .on, .can, .look, .build: "functions"
    case .needs: "context keys"
    case .keys: "action references"
    case .takes: "types of arguments"
    case .confirm: "questions"
    case .about: "titles"
    }
  }
}

/// A value for each existing table of a responder.
struct ByTable<Value> {
  private var values: [Value?] = []

  subscript(table: ObjectTable) -> Value? {
    get { values.isEmpty ? nil : values[Int(table.rawValue) - 1] }
    set {
      if values.isEmpty { values = Array(repeating: nil, count: ObjectTable.allCases.count) }
      values[Int(table.rawValue) - 1] = newValue
    }
  }
}

/// References to the metatables of host objects, each made with the first object of its kind.
final class ObjectMetatables {
  /// The kinds of objects with different metatables.
  enum Kind: Hashable {
    case responder, classes, job, failure
    case table(ObjectTable)

    fileprivate var number: Int {
      switch self {
      case .responder: 0
      case .classes: 1
      case .job: 2
      case .failure: 3
      case .table(let table): 3 + Int(table.rawValue)
      }
    }
  }

  private var references = [Int32](repeating: 0, count: 4 + ObjectTable.allCases.count)

  subscript(kind: Kind) -> Int32 {
    get { references[kind.number] }
    set { references[kind.number] = newValue }
  }
}

/// Opens descriptors that a program started at the same moment doesn't inherit.
package enum Descriptor {
  /// Opens a file for reading; -1 on failure, with the reason in errno.
  ///
  /// All files are opened through this function. It refuses pipes and devices: a stranger could replace a file by a
  /// pipe, which would block its reader.
  package static func file(_ path: String, followingLinks: Bool = true) -> Int32 {
    regular(open(path, flagsForReading | (followingLinks ? 0 : O_NOFOLLOW)))
  }

  static let flagsForReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  /// Returns the descriptor of a regular file. Closes any other and returns -1, with the reason in errno.
  static func regular(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return -1 }
    var status = stat()
    let reason: Int32? =
      if fstat(descriptor, &status) != 0 {
        errno
      } else {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: EISDIR
        default: EINVAL
        }
      }
    guard let reason else { return descriptor }
    close(descriptor)
    errno = reason
    return -1
  }

  /// Returns a pipe; nil on failure, with the reason in errno.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    return clua_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Writes all bytes. Returns false on failure, with the reason in errno. Continues a short write, to find the reason.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Makes a file, and replaces the six 'X' at the end of the name. Returns -1 on failure, with the reason in errno.
  package static func temporaryFile(_ name: inout [CChar]) -> Int32 { clua_temporaryFile(&name) }
}
