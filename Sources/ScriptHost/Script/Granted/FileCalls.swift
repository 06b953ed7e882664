import CLua
import CScript
import Glibc

// fs.read, list, stat with the capability 'fs.read'; fs.write, make, remove, rename with 'fs.write'. A failure of the
// system returns nil and the reason. A missing grant raises.

extension ScriptEngine {
  /// Pushes `fs`.
  func pushFiles(of script: ScriptOwner) throws {
    typealias Call = (LuaCall, ScriptOwner) throws -> LuaReturn
    let calls: [(String, Call)] = [
      ("read", { [unowned self] in try readFile($0, $1) }), ("list", { [unowned self] in try listFolder($0, $1) }),
      ("stat", { [unowned self] in try statFile($0, $1) }), ("write", { [unowned self] in try writeFile($0, $1) }),
      ("make", { [unowned self] in try makeFolder($0, $1) }), ("remove", { [unowned self] in try removeFile($0, $1) }),
      ("rename", { [unowned self] in try renameFile($0, $1) }),
    ]
    clua_newTable(lua.L, 0, Int32(calls.count))
    for (name, body) in calls {
      let whole = "fs.\(name)"
      let own = script.own { [unowned self] call, script in
        let result = try outer(whole, call) { try body(call, script) }
        if case .values(let values) = result, values.count == 2, case .nil = values[0], case .text(let why) = values[1],
          isReturned(call, level: 1), let place = call.place
        {
          warn(whole, why, returnedAt: place)
        }
        return result
      }
      lua.push(function: own, on: lua.L)
      lua.setField(name, on: lua.L)
    }
  }

  // MARK: Reading

  private func readFile(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    let place = try granted(.readFiles, call, script, "fs.read")
    guard let bytes = OpenedFile(place)?.read(most: lua.limits.block) else { return failed(call) }
    guard bytes.count <= lua.limits.block - 64 else {
      return .values([.nil, .text("\(try call.text(0, "the path")): it has more than \(lua.limits.block - 64) bytes")])
    }
    bytes.withUnsafeBytes { clua_pushBytes(call.L, $0.baseAddress, $0.count) }
    return .pushed(1)
  }

  private static let listLimit = 100_000

  private func listFolder(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    let place = try granted(.readFiles, call, script, "fs.list")
    guard let folder = OpenedFile(place, .folder), let stream = entries(of: folder) else { return failed(call) }
    defer { closedir(stream) }
    var names: [LuaValue] = []
    while let entry = readdir(stream), names.count < Self.listLimit {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
          Array(UnsafeBufferPointer(start: bytes, count: 256).prefix { $0 != 0 })
        }
      }
      if name == [46] || name == [46, 46] { continue }
      names.append(String(validating: name, as: UTF8.self).map { .text($0) } ?? .bytes(name))
    }
    return .values([.table(try lua.newList(names.sorted { $0.listedBytes.lexicographicallyPrecedes($1.listedBytes) }))])
  }

  /// Returns a handle for reading a folder, with a duplicate of the descriptor.
  private func entries(of folder: OpenedFile) -> OpaquePointer? {
    let descriptor = fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    if let stream = fdopendir(descriptor) { return stream }
    let number = errno
    close(descriptor)
    errno = number
    return nil
  }

  private func statFile(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    var status = stat()
    let place = try granted(.readFiles, call, script, "fs.stat")
    guard let opened = OpenedFile(place, .any), fstat(opened.descriptor, &status) == 0 else { return failed(call) }
    let table = lua.newTable()
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: "file"
      case S_IFDIR: "folder"
      default: "other"
      }
    try lua.rawSet("kind", .text(kind), of: table)
    try lua.rawSet("size", .integer(Int(status.st_size)), of: table)
    try lua.rawSet("modified", .integer(status.st_mtim.tv_sec), of: table)
    return .values([.table(table)])
  }

  // MARK: Writing

  /// Writes a temporary file and renames it, so that the path always has either the old or the new content. The new
  /// file gets the permissions of the old file before it has any content.
  private func writeFile(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("writing a file")
    let entry = try grantedEntry(0, call, script, "fs.write", followsLink: true)
    guard case .text = try call[1].asBytes else { throw LuaMisuse("fs.write takes a path and a text") }
    let bytes = lua.bytes(at: 2, on: call.L)
    guard let (folder, own) = entry else { return failed(call) }
    let name = ".menuctl-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let mode = permissions(of: own, in: folder)
    let file = openat(folder.descriptor, name, flags, mode == nil ? 0o666 : 0o600)
    guard file >= 0 else { return failed(call) }
    let isMade = mode.map { fchmod(file, $0) == 0 } ?? true
    let isWritten = isMade && Descriptor.write(bytes, to: file) && fsync(file) == 0
    let number = errno
    close(file)
    guard isWritten, renameat(folder.descriptor, name, folder.descriptor, own) == 0 else {
      let reason = isWritten ? errno : number
      unlinkat(folder.descriptor, name, 0)
      errno = reason
      return failed(call)
    }
    return .values([true])
  }

  /// Returns the permissions of a file without the bits for acting as another user, which belong to the old content.
  private func permissions(of name: String, in folder: OpenedFile) -> mode_t? {
    folder.status(of: name).flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0.st_mode & 0o777 : nil }
  }

  private func makeFolder(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("making a folder")
    guard let (folder, name) = try grantedEntry(0, call, script, "fs.make", isMade: true),
      mkdirat(folder.descriptor, name, 0o777) == 0
    else { return failed(call) }
    return .values([true])
  }

  private func removeFile(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("removing a file")
    guard let (folder, name) = try grantedEntry(0, call, script, "fs.remove") else { return failed(call) }
    if unlinkat(folder.descriptor, name, 0) == 0 { return .values([true]) }
    guard errno == EISDIR || errno == EPERM, unlinkat(folder.descriptor, name, Int32(AT_REMOVEDIR)) == 0 else {
      return failed(call)
    }
    return .values([true])
  }

  private func renameFile(_ call: LuaCall, _ script: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("renaming a file")
    guard let from = try grantedEntry(0, call, script, "fs.rename"),
      let to = try grantedEntry(1, call, script, "fs.rename"),
      renameat(from.folder.descriptor, from.name, to.folder.descriptor, to.name) == 0
    else { return failed(call) }
    return .values([true])
  }

  // MARK: Grants

  /// Returns nil, and the system's reason.
  private func failed(_ call: LuaCall) -> LuaReturn {
    let number = errno
    let path = (try? call.text(0, "the path")) ?? ""
    return .values([.nil, .text("\(path): \(systemMessage(number))")])
  }

  /// Returns the path in a call with all links followed, if the script may read there. The path may not exist. A script
  /// without the grant doesn't learn whether it does.
  private func granted(
    _ kind: Capability.Kind, _ call: LuaCall, _ script: ScriptOwner, _ name: String
  ) throws -> String {
    let path = try wholePath(0, call, script, name)
    guard let place = Grant.lead(path), script.may(kind, place) else {
      throw notGranted(kind, name, path, call, script)
    }
    return place
  }

  /// Returns the writable folder of a path, and the name in it; nil if the folder is missing, with the reason in errno.
  ///
  /// - Parameter followsLink: whether a link at the path is followed. If not, the call acts on the link itself.
  private func grantedEntry(
    _ index: Int, _ call: LuaCall, _ script: ScriptOwner, _ name: String, isMade: Bool = false,
    followsLink: Bool = false
  ) throws -> (folder: OpenedFile, name: String)? {
    let named = try wholePath(index, call, script, name)
    let path = followsLink && Grant.isLink(named) ? Grant.lead(named) ?? named : named
    let above = ScriptFile.folder(of: path)
    let last = String(decoding: path.utf8.dropFirst(above == "/" ? 1 : above.utf8.count + 1), as: UTF8.self)
    guard let place = Grant.lead(above), !last.isEmpty, last != ".." else {
      throw notGranted(.writeFiles, name, named, call, script)
    }
    let whole = place == "/" ? "/\(last)" : "\(place)/\(last)"
    let covering = script.grants.filter { $0.capability.kind == .writeFiles && $0.covers(whole) }
    guard !covering.isEmpty else { throw notGranted(.writeFiles, name, named, call, script) }
    guard let folder = OpenedFile(place, .parent) else { return nil }
    let kind = folder.status(of: last).map { $0.st_mode & S_IFMT }
    // A script may make the granted folder itself, but not remove or replace it.
    if !isMade, kind == S_IFDIR, covering.allSatisfy({ $0.path == whole }) {
      throw notGranted(.writeFiles, name, named, call, script)
    }
    // Links in a circle lead to one of them.
    if followsLink, kind == S_IFLNK {
      errno = ELOOP
      return nil
    }
    return (folder, last)
  }

  private func wholePath(_ index: Int, _ call: LuaCall, _ script: ScriptOwner, _ name: String) throws -> String {
    try script.wholePath(try call.text(index, "the path for \(name)"))
  }

  private func notGranted(
    _ kind: Capability.Kind, _ name: String, _ path: String, _ call: LuaCall, _ script: ScriptOwner
  ) -> Failure {
    let sentence = "\(name) is not granted to '\(script.owner.name)' for '\(path)'"
    let owner = script.owner.name
    if script.leadsOut(kind, path) {
      // A script that may not read where a link leads doesn't learn the target.
      var refusal = refusal(
        "\(sentence): a link in it leads out of the granted folder", nil, nil, at: call.place, owner: owner)
      refusal.code = .capability
      return refusal
    }
    let wanted = name == "fs.list" ? path : ScriptFile.folder(of: path)
    return refusal(sentence, nil, "\(kind.rawValue)=\(wanted)", at: call.place, owner: owner)
  }
}

extension ScriptOwner {
  /// True if the owner may access a path whose links were all followed.
  func may(_ kind: Capability.Kind, _ real: String) -> Bool {
    grants.contains { $0.capability.kind == kind && $0.covers(real) }
  }

  /// True if a path leads through a link in a granted place to a place without a grant.
  func leadsOut(_ kind: Capability.Kind, _ path: String) -> Bool {
    var part = path
    // Looking up a path takes time in proportion to its length, so only the end of a very long path is examined.
    for _ in 0..<64 where !["/", "."].contains(part) {
      let above = ScriptFile.folder(of: part)
      let isLink = part != ".." && !part.hasSuffix("/..")
      // The refusal doesn't reveal whether the link's target exists.
      if isLink, let folder = Grant.real(above), may(kind, folder), let place = Grant.lead(part), !may(kind, place) {
        return true
      }
      part = above
    }
    return false
  }

  /// Returns the whole path for a script's path: relative to its folder, unless it begins with '/' or `$PWD`. A script
  /// without a grant below `$PWD` doesn't learn which folder that is.
  func wholePath(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw LuaMisuse("'\(path)' can't be a path") }
    if let rest = Capability.belowWorkingFolder(path) {
      let isGranted = grants.contains { $0.capability.isBelowWorkingFolder }
      guard isGranted, let folder = Grant.real(".") else { return path }
      return Grant.withoutDetours(folder + rest)
    }
    let direct = Grant.withoutDetours(path)
    if direct.utf8.first == UInt8(ascii: "/") { return direct }
    guard let folder else {
      throw LuaMisuse("can't find '\(path)': this script was not read from a file, so it has no folder")
    }
    return direct == "." ? folder : "\(folder)/\(direct)"
  }
}

extension LuaValue {
  fileprivate var listedBytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    default: []
    }
  }

  /// Replaces a string that isn't UTF-8 by an empty text, so that it passes where a text is required.
  fileprivate var asBytes: LuaValue { if case .bytes = self { .text("") } else { self } }
}

extension LuaState {
  /// Returns the bytes of the string at an index.
  func bytes(at index: Int32, on L: OpaquePointer) -> [UInt8] {
    var count = 0
    guard let start = clua_bytes(L, index, &count) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

// watch: calls a function after changes at or below a granted path.

extension ScriptEngine {
  static let watchNames: [ScriptName] = [ScriptName("watch") { try $0.watch($1, $2) }]

  /// The most watches of an owner. With too many folders, a refused watch takes some tenths of a second.
  private static let mostWatches = 16

  /// watch(path, fn)
  private func watch(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("'watch'")
    try owner.checkIsThere()
    let path = try call.text(0, "the path for watch")
    _ = try owner.wholePath(path)
    let function = try call.function(1, "the function of 'watch'")
    guard owner.watchCount < Self.mostWatches else {
      throw LuaMisuse("'\(owner.owner.name)' has \(Self.mostWatches) watches already, and that is the limit")
    }
    let handler = ScriptHandler(try withoutArguments(function), of: owner, engine: self)
    handler.isReentrant = true
    let place = place(call.place)
    let watching = Watching(dispatcher, handler, at: place) { [unowned self] in
      processes.contains { $0.status == nil }
    }
    // While a script loads, nothing is granted yet.
    if host.isLoading {
      watching.begin = { [unowned self, unowned owner] watching in
        do { try begin(watching, path, owner, at: call.place) } catch {
          watching.remove()
          report(Diagnostic(.error, "watch", "can't watch '\(path)': \(reason(error))", place: place))
        }
      }
      owner.newTimers.append(watching)
    } else {
      do { try begin(watching, path, owner, at: call.place) } catch let error as NotWatched {
        return .values([.nil, .text("\(path): \(error.reason)")])
      }
      watching.start()
    }
    owner.watchCount += 1
    let stop = watching.onRemove
    watching.onRemove = { [life = owner.life] in
      life.script?.watchCount -= 1
      stop?()
    }
    if clua_phase(lua.L) == CLUA_DOING.rawValue { dispatcher.undo.registerForFailure(TimingReversal(watching)) }
    return .values([try handle(Registration { [weak watching] in watching?.remove() })])
  }

  private func reason(_ error: any Error) -> String {
    switch error {
    case let error as NotWatched: error.reason
    case let error as Failure: error.message
    default: "\(error)"
    }
  }

  /// Watches a path, if the owner may read there. A replay watches nothing.
  private func begin(
    _ watching: Watching, _ path: String, _ owner: ScriptOwner, at place: LuaError.Place?
  ) throws {
    if case .given = host.outside { return }
    // The path is completed only now: only a script with a grant below `$PWD` learns which folder that is.
    let path = try owner.wholePath(path)
    guard let real = Grant.lead(path), owner.may(.readFiles, real) else {
      let wanted = "\(Capability.Kind.readFiles.rawValue)=\(path)"
      throw refusal(
        "watch is not granted to '\(owner.owner.name)' for '\(path)'", nil, wanted, at: place, owner: owner.owner.name)
    }
    let watched = try watches.add(real, of: owner.owner, for: watching)
    let other = watching.onRemove
    watching.onRemove = { [weak self] in
      other?()
      self?.endWatch(watched)
    }
    listenToChanges()
  }

  private func endWatch(_ watched: Watches.Watched) {
    watches.remove(watched)
    listenToChanges()
  }

  private func listenToChanges() {
    dispatcher.scheduler.changes = Scheduler.Changes(
      descriptor: watches.descriptor, isWanted: { [unowned self] in watches.isAnyUntold },
      { [unowned self] in watches.take() })
  }
}
