import Glibc
import ScriptHost

/// A *watch* tells when files are saved. It watches their folders, because most editors write another file and rename it.
final class Watch {
  enum Event {
    case saved
    /// Somebody asked for the end.
    case stopped
    /// Nothing was saved that is watched: the timeout has passed, or other files of the folders have changed.
    case nothing
  }

  let descriptor: Int32
  /// The pipe through which `stop` ends the watch; nil until that was called.
  private var ends: (read: Int32, write: Int32)?
  private var names: [Int32: Set<String>] = [:]
  /// The folders in which every script counts.
  private var whole: Set<Int32> = []

  /// The milliseconds without an event after which a save is over, since editors write and rename in several steps; `patience` times that at most.
  static let quiet: Int32 = 100
  static let patience = 10

  init() throws(Problem) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw Self.unwatched }
  }

  deinit {
    close(descriptor)
    for end in ends.map({ [$0.read, $0.write] }) ?? [] { close(end) }
  }

  private static var unwatched: Problem { Problem(.raised, "files can't be watched: \(systemMessage(errno))") }

  /// Gives a function that ends the watch, for the thread that waits for signals.
  func stop() throws(Problem) -> @Sendable () -> Void {
    guard let made = ends ?? Descriptor.pipe() else { throw Self.unwatched }
    ends = made
    return { [end = made.write] in
      var byte: UInt8 = 0
      _ = write(end, &byte, 1)
    }
  }

  /// Watches these files, and every script in these folders, in place of those before.
  func look(at files: Set<String>, in folders: Set<String>) {
    var known: [Int32: Set<String>] = [:]
    whole = []
    for file in files {
      // The target of a link is saved in its own folder.
      for path in [file, realpath(file)].compactMap({ $0 }) {
        let (folder, name) = Self.split(path)
        if let number = add(folder) { known[number, default: []].insert(name) }
      }
    }
    for folder in folders { if let number = add(folder) { whole.insert(number) } }
    for number in names.keys where known[number] == nil && !whole.contains(number) {
      inotify_rm_watch(descriptor, number)
    }
    for number in whole where known[number] == nil { known[number] = [] }
    names = known
  }

  /// Waits until something was saved and no more events come. Events of other files end the wait too, because only the
  /// caller knows how much of its time is left.
  func next(timeout: Int32) -> Event {
    guard let first = wait(timeout) else { return .nothing }
    if first == .stopped { return .stopped }
    guard takeEvents() else { return .nothing }
    for _ in 0..<Self.patience {
      guard let more = wait(Self.quiet) else { break }
      if more == .stopped { return .stopped }
      if !takeEvents() { continue }
    }
    return .saved
  }

  /// Waits for an event; nil after so many milliseconds without one. -1 waits for ever.
  private func wait(_ milliseconds: Int32) -> Event? {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ends?.read ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polled, nfds_t(polled.count), milliseconds) < 0 { if errno != EINTR { return .stopped } }
    if polled[1].revents != 0 { return .stopped }
    return polled[0].revents != 0 ? .saved : nil
  }

  private func add(_ folder: String) -> Int32? {
    let kinds = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
    let number = inotify_add_watch(descriptor, folder, kinds | UInt32(IN_ONLYDIR))
    return number >= 0 ? number : nil
  }

  /// Reads all pending events; gives whether a watched file was among them.
  func takeEvents() -> Bool {
    var isRelevant = false
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return isRelevant }
      bytes.withUnsafeBytes { buffer in
        var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
          let event = rest.loadUnaligned(as: inotify_event.self)
          let length = Int(event.len)
          guard rest.count >= header + length else { return }
          let name = String(decoding: rest[header..<(header + length)].prefix { $0 != 0 }, as: UTF8.self)
          if counts(name, in: event.wd) { isRelevant = true }
          rest = UnsafeRawBufferPointer(rebasing: rest[(header + length)...])
        }
      }
    }
  }

  private func counts(_ name: String, in folder: Int32) -> Bool {
    names[folder]?.contains(name) ?? false || whole.contains(folder) && name.hasSuffix(".lua") && !name.hasPrefix(".")
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}

/// The path with all links resolved; nil if it doesn't exist.
func realpath(_ path: String) -> String? {
  guard let found = Glibc.realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(validatingCString: found)
}
