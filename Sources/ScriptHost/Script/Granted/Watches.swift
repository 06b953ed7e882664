import Glibc

/// The files and folders that the scripts of a host watch, through the system's notification.
final class Watches {
  /// A watched path, and the system's numbers of its folders.
  final class Watched {
    fileprivate let root: String
    fileprivate let owner: Owner
    /// The name of the path in its folder.
    fileprivate let name: [UInt8]
    /// The folder of the path, to notice that the path is replaced, removed or made anew. `outer` is its number.
    fileprivate let parent: String
    fileprivate var outer: Int32 = -1
    /// The folders at or below the path, by the system's numbers.
    fileprivate var folders: [Int32: String] = [:]
    fileprivate weak var watching: Watching?

    fileprivate init(_ root: String, _ owner: Owner, for watching: Watching) {
      self.root = root
      self.owner = owner
      parent = ScriptFile.folder(of: root)
      name = Array(root.utf8.dropFirst(parent == "/" ? 1 : parent.utf8.count + 1))
      self.watching = watching
    }
  }

  /// The most folders that an owner watches at once.
  static let mostFolders = 8192
  private static let kinds = kindsOfNames | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
  private static let kindsOfNames = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

  /// A descriptor that is readable after a change; -1 as long as nothing is watched.
  private(set) var descriptor: Int32 = -1
  private var all: [Watched] = []
  /// The watches of each of the system's numbers.
  private var users: [Int32: [Watched]] = [:]

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a path whose links were all followed. Throws the reason if that isn't possible.
  func add(_ path: String, of owner: Owner, for watching: Watching) throws(NotWatched) -> Watched {
    if descriptor < 0 { descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
    guard descriptor >= 0 else { throw NotWatched.bySystem }
    let watched = Watched(path, owner, for: watching)
    all.append(watched)
    do throws(NotWatched) {
      guard let opened = OpenedFile(path, .any) else { throw NotWatched.bySystem }
      let isFolder = opened.isFolder
      try lookFromOutside(at: watched, isFolder)
      if isFolder {
        try look(below: path, for: watched)
        guard !watched.folders.isEmpty else { throw NotWatched.bySystem }
      }
    } catch {
      remove(watched)
      throw error
    }
    return watched
  }

  /// True if a watch may still learn of a change.
  var isAnyUntold: Bool { all.contains { !($0.watching?.hasChanged ?? true) } }

  /// Ends a watch.
  func remove(_ watched: Watched) {
    all.removeAll { $0 === watched }
    for number in watched.folders.keys { forget(number, of: watched) }
    leaveOutside(watched)
    guard all.isEmpty, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  // MARK: The system's numbers

  /// Watches a folder in the system. Returns its number; nil if the folder is gone.
  private func number(_ folder: OpenedFile, _ kinds: Int32, for watched: Watched) throws(NotWatched) -> Int32? {
    // Other watches of the folder keep their kinds of events.
    let kinds = UInt32(kinds) | UInt32(IN_MASK_ADD)
    let number = inotify_add_watch(descriptor, "/proc/self/fd/\(folder.descriptor)", kinds)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw errno == ENOSPC
        ? NotWatched(reason: "the system's limit of watched folders is reached") : NotWatched.bySystem
    }
    if !(users[number]?.contains { $0 === watched } ?? false) { users[number, default: []].append(watched) }
    return number
  }

  private func forget(_ number: Int32, of watched: Watched) {
    watched.folders[number] = nil
    guard watched.outer != number, var others = users[number] else { return }
    others.removeAll { $0 === watched }
    users[number] = others.isEmpty ? nil : others
    if others.isEmpty { inotify_rm_watch(descriptor, number) }
  }

  private func leaveOutside(_ watched: Watched) {
    let number = watched.outer
    watched.outer = -1
    if number >= 0, watched.folders[number] == nil { forget(number, of: watched) }
  }

  /// Watches the folder of a path. If the path is a folder, a folder around it that can't be read is skipped.
  private func lookFromOutside(at watched: Watched, _ isFolder: Bool) throws(NotWatched) {
    guard watched.root != "/" else { return }
    guard let outside = OpenedFile(watched.parent, .folder) else {
      if isFolder { return }
      throw NotWatched.bySystem
    }
    let kinds = isFolder ? Self.kindsOfNames : Self.kinds
    if let number = try number(outside, kinds, for: watched) { watched.outer = number }
  }

  /// Watches a folder and all unwatched folders below it. Links aren't followed.
  private func look(below start: String, for watched: Watched) throws(NotWatched) {
    var count = all.reduce(0) { $1.owner === watched.owner ? $0 + $1.folders.count : $0 }
    var next = [start]
    while let path = next.popLast() {
      // The path may have gone, or become a link, since it was listed.
      guard let folder = OpenedFile(path, .folder),
        let number = try number(folder, Self.kinds, for: watched),
        watched.folders.updateValue(path, forKey: number) == nil
      else { continue }
      count += 1
      if count > Self.mostFolders {
        throw NotWatched(reason: "'\(watched.owner.name)' can watch \(Self.mostFolders) folders at most")
      }
      next += folder.folders.map { path == "/" ? "/\($0)" : "\(path)/\($0)" }
    }
  }

  // MARK: Events

  /// The most bytes of events that a call reads, so that a flood blocks nothing. The system reports dropped events.
  private static let mostBytes = 1 << 20

  /// Reads new events, and notifies each watch with a changed path once.
  func take() {
    var changed: [ObjectIdentifier: Watched] = [:]
    var taken = 0
    withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 8) { bytes in
      while descriptor >= 0, taken < Self.mostBytes {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        if count <= 0 { break }
        taken += count
        take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), &changed)
      }
    }
    for watched in changed.values { watched.watching?.changed() }
  }

  private func take(_ events: UnsafeRawBufferPointer, _ changed: inout [ObjectIdentifier: Watched]) {
    let header = MemoryLayout<inotify_event>.size
    var rest = events
    while rest.count >= header {
      let event = rest.loadUnaligned(as: inotify_event.self)
      let end = min(rest.count, header + Int(event.len))
      let name = rest[header..<end].prefix { $0 != 0 }
      let has = { (kinds: Int32) in event.mask & UInt32(kinds) != 0 }
      let isOverflow = has(IN_Q_OVERFLOW)
      for watched in isOverflow ? all : users[event.wd] ?? [] {
        let isTouched = isOverflow ? lookAnew(watched) : take(event.wd, name, has, watched)
        if isTouched { changed[ObjectIdentifier(watched)] = watched }
      }
      if has(IN_IGNORED) { users[event.wd] = nil }
      rest = UnsafeRawBufferPointer(rebasing: rest[end...])
    }
  }

  /// Handles an event of a folder. Returns false if it doesn't concern the watch.
  private func take(
    _ number: Int32, _ name: Slice<UnsafeRawBufferPointer>, _ has: (Int32) -> Bool, _ watched: Watched
  ) -> Bool {
    let isItself = number == watched.outer && watched.name.elementsEqual(name)
    let folder = watched.folders[number]
    if has(IN_IGNORED) {
      watched.folders[number] = nil
      if number == watched.outer { watched.outer = -1 }
    }
    guard isItself || folder != nil else { return false }
    guard has(IN_ISDIR) else { return true }
    let path = isItself ? watched.root : "\(folder == "/" ? "" : folder ?? "")/\(String(decoding: name, as: UTF8.self))"
    // A folder that was moved away is watched no longer.
    if has(IN_MOVED_FROM) {
      for (number, known) in watched.folders where known == path || known.hasPrefix(path + "/") {
        forget(number, of: watched)
      }
    }
    // Folders beyond the limit aren't watched. The folders before them still are.
    if has(IN_CREATE | IN_MOVED_TO) { try? look(below: path, for: watched) }
    return true
  }

  /// Searches the folders of a path again, after the system has dropped events.
  private func lookAnew(_ watched: Watched) -> Bool {
    let before = watched.folders.keys
    watched.folders = [:]
    try? look(below: watched.root, for: watched)
    for number in before where watched.folders[number] == nil { forget(number, of: watched) }
    return true
  }
}

extension OpenedFile {
  fileprivate var isFolder: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names of the folders in this folder, without links to folders.
  fileprivate var folders: [String] {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let kind = Int32(entry.pointee.d_type)
      guard kind == DT_DIR || kind == DT_UNKNOWN else { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name, name != ".", name != ".." else { continue }
      if kind == DT_DIR || (status(of: name).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false) { names.append(name) }
    }
    return names
  }
}

/// The reason why a path can't be watched.
struct NotWatched: Error {
  let reason: String

  /// The system's reason for its last refusal.
  fileprivate static var bySystem: NotWatched { NotWatched(reason: systemMessage(errno)) }
}
