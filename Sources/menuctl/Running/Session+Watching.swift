import Glibc
import LiveHost
import ScriptHost

// `load --watch`: reloads the script after each save, and shows the changes of the menus.

extension Session {
  /// Loads APP and watches its files until an interrupt, even if it doesn't load.
  func watch(_ show: () throws -> Void) throws -> Reply {
    if invocation.has(.json) {
      throw Problem(.usage, "'--watch' can't be combined with '--json': it prints many answers")
    }
    if invocation.operands[0] == "-" { throw Problem(.usage, "stdin can't be watched: name a file") }
    let watch = try Watch()
    look(with: watch)
    do {
      try load()
      try show()
    } catch let problem as Problem where problem.isScript {
      output.show(problem)
      output.remark(\.waitsForSave)
    }
    interrupts.cancel { [stop = try watch.stop(), canceller = try host.canceller()] in
      stop()
      canceller.cancel()
    }
    var known = self.known(after: source.map { [$0.name: $0.bytes] } ?? [:])
    while true {
      look(with: watch)
      switch watch.next(timeout: timeout, or: host.changeDescriptor ?? -1) {
      case .stopped: return Reply(status: .interrupted)
      case .nothing: host.run()
      case .saved:
        let now = files
        guard now.contains(where: { known[$0.key] != .some($0.value) }) else { continue }
        reload(Set(now.filter { known[$0.key] != .some($0.value) }.keys))
        known = self.known(after: now)
      }
    }
  }

  func look(with watch: Watch) { watch.look(at: paths, in: folder.map { [$0] } ?? []) }

  /// The files to watch: the app's script, loaded or not, and the other files that the host has read.
  private var paths: Set<String> {
    Set([source?.name ?? Source.path(of: invocation.operands[0])] + host.scriptFiles)
  }

  /// The contents of `paths`; nil for a file that doesn't exist.
  var files: [String: [UInt8]?] {
    var files: [String: [UInt8]?] = [:]
    for path in paths { files[path] = .some(Source.text(ofRegular: path)) }
    return files
  }

  /// Returns the files of the app with their loaded contents, so that each later save counts as a change. Contents in
  /// `looked` replace those that the interpreter got.
  fileprivate func known(after looked: [String: [UInt8]?]) -> [String: [UInt8]?] {
    let given = host.scriptFiles.compactMap { file in host.text(ofFile: file).map { (file, Optional($0)) } }
    return files.merging(given) { $1 }.merging(looked) { $1 }
  }

  /// The folder that APP names; nil if it is a file.
  private var folder: String? {
    let path = source?.name ?? invocation.operands[0]
    return path == invocation.operands[0] ? nil : invocation.operands[0]
  }

  /// The milliseconds until the host's next deadline; -1 if it has none.
  private var timeout: Int32 {
    guard let deadline = host.nextDeadline else { return -1 }
    let seconds = (deadline - host.now).components
    return Int32(clamping: max(0, seconds.seconds * 1000 + seconds.attoseconds / 1_000_000_000_000_000 + 1))
  }

  /// Reloads the app, and shows the changes, or the error.
  func reload() -> ExitStatus {
    guard let source, source.folder != nil else {
      output.show(Problem(.no, "the app was not read from a file, so it can't be reloaded"))
      return .no
    }
    return reload([source.name])
  }

  /// Reloads the plugins with saved files, and the app if another file was saved; shows the changes.
  @discardableResult
  private func reload(_ saved: Set<String>) -> ExitStatus {
    var status = ExitStatus.done
    let before = host.menus()
    output.forgetShown()
    var names: [String] = []
    do throws(Problem) {
      try readAnew(saved, &names)
    } catch {
      output.show(error)
      output.remark(\.oldGoesOn)
      status = error.status
    }
    if names.isEmpty { return status }
    let changes = Answer.Changes(from: before, to: host.menus())
    output.say { $0.reloaded(names.joined(separator: ", "), changes) }
    return status
  }

  /// Reloads the saved files. `names` gets the reloaded parts before the first failure.
  private func readAnew(_ saved: Set<String>, _ names: inout [String]) throws(Problem) {
    let missing = invocation.values(.plugin).count > host.plugins.count
    let plugins = host.plugins.filter { plugin in
      saved.contains { $0 == plugin.path || plugin.folder.map($0.hasPrefix) ?? false }
    }
    let keymap = keymapPath
    let own = saved.filter { file in
      file != keymap && !plugins.contains { file == $0.path || $0.folder.map(file.hasPrefix) ?? false }
    }
    for plugin in plugins {
      do throws(LoadError) {
        try consenting { () throws(LoadError) in try host.reload(plugin: plugin.manifest.name) }
      } catch {
        throw Problem(error, in: self)
      }
      names.append(plugin.path)
    }
    if !own.isEmpty { names.append(try reloadApp()) }
    if let keymap, saved.contains(keymap) {
      try loadKeymap()
      names.append(keymap)
    }
    if missing { try loadPlugins(invocation.values(.plugin)) }
  }

  /// Reloads the saved files, or the app if nil, for a live host, without showing the changes.
  func reloadAnew(_ saved: Set<String>? = nil) throws(Failure) {
    guard let source, source.folder != nil else {
      throw Failure(.misuse, "the app was not read from a file, so it can't be reloaded")
    }
    var names: [String] = []
    do throws(Problem) { try readAnew(saved ?? [source.name], &names) } catch { throw Failure(error) }
  }

  private func reloadApp() throws(Problem) -> String {
    let source = try Source(app: self.source?.name ?? invocation.operands[0])
    output.add(source)
    do throws(LoadError) {
      try consenting { () throws(LoadError) in
        try host.reload(bytes: source.bytes, name: source.name, folder: source.folder)
      }
      return source.name
    } catch {
      throw Problem(error, in: self)
    }
  }
}

/// Notifies a live host's loop of saved files. The loop waits for its descriptor and its deadline.
final class Saves {
  private let session: Session
  private let watch: Watch
  private var known: [String: [UInt8]?] = [:]
  /// The time when a save counts as finished; nil without a save. Before the watching begins, its beginning.
  private(set) var deadline: Duration?
  private var patience: Duration?
  private var hasBegun = false

  /// - Parameter beginning: the beginning of the watching. It finds files saved between loading and then.
  init(_ session: Session, from beginning: Duration) throws(Problem) {
    if session.invocation.operands[0] == "-" { throw Problem(.usage, "stdin can't be watched: name a file") }
    self.session = session
    watch = try Watch()
    deadline = beginning
  }

  var descriptor: Int32 { watch.descriptor }

  private func begin() {
    hasBegun = true
    session.look(with: watch)
    known = session.known(after: session.source.map { [$0.name: $0.bytes] } ?? [:])
  }

  /// Returns the files with new contents; nil if there are none, or more may come.
  func saved(by now: Duration) -> Set<String>? {
    let quiet = Duration.milliseconds(Int(Watch.quiet))
    if !hasBegun {
      begin()
      // A changed file may be half written.
      deadline = changed.isEmpty ? nil : now + quiet
      return nil
    }
    if watch.takeEvents() {
      let latest = patience ?? now + quiet * Watch.patience
      patience = latest
      deadline = min(now + quiet, latest)
      return nil
    }
    guard let due = deadline, due <= now else { return nil }
    (deadline, patience) = (nil, nil)
    let saved = changed
    known = session.files
    return saved.isEmpty ? nil : saved
  }

  private var changed: Set<String> { Set(session.files.filter { known[$0.key] != .some($0.value) }.keys) }

  /// Updates the watched files, since a reload may have read others.
  func lookAgain() {
    if !hasBegun { begin() }
    session.look(with: watch)
    known = session.files.merging(known) { $1 }
  }
}

extension Failure {
  /// The failure that a live host's clients get after a failed reload.
  fileprivate init(_ problem: Problem) {
    switch problem.content {
    case .script(let diagnostic):
      self.init(Code(rawValue: diagnostic.code) ?? .script, diagnostic.message, place: diagnostic.place)
    case .sentence, .reference: self.init(.misuse, problem.sentence)
    }
  }
}

extension PluginInfo {
  /// The plugin's folder with a slash at the end; nil for a plugin in one file.
  fileprivate var folder: String? {
    path.hasSuffix("/plugin.lua") ? String(path.dropLast("plugin.lua".utf8.count)) : nil
  }
}

extension Problem {
  /// Whether the problem is the script's, so that the next save may fix it.
  fileprivate var isScript: Bool { if case .script = content { status != .interrupted } else { false } }
}

/// A *watch* reports saved files. It watches their folders, because most editors write another file and rename it.
final class Watch {
  enum Event {
    case saved
    /// The caller requested the end.
    case stopped
    /// No watched file was saved: the timeout has passed, or other files of the folders have changed.
    case nothing
  }

  let descriptor: Int32
  /// The pipe with which `stop` ends the watch; nil before `stop`.
  private var ends: (read: Int32, write: Int32)?
  private var names: [Int32: Set<String>] = [:]
  /// The folders with all scripts watched.
  private var whole: Set<Int32> = []

  /// The quiet milliseconds after which a save is complete, since editors save in steps; at most `patience` times.
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

  /// Returns a function that ends the watch, for the thread that waits for signals.
  func stop() throws(Problem) -> @Sendable () -> Void {
    guard let made = ends ?? Descriptor.pipe() else { throw Self.unwatched }
    ends = made
    return { [end = made.write] in
      var byte: UInt8 = 0
      _ = write(end, &byte, 1)
    }
  }

  /// Watches these files, and every script in these folders, instead of the former ones.
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

  /// Waits until a save is complete. Events of other files end the wait too, because the caller must recompute its
  /// timeout.
  func next(timeout: Int32, or other: Int32 = -1) -> Event {
    guard let first = wait(timeout, or: other) else { return .nothing }
    if first == .stopped { return .stopped }
    guard takeEvents() else { return .nothing }
    for _ in 0..<Self.patience {
      guard let more = wait(Self.quiet) else { break }
      if more == .stopped { return .stopped }
      if !takeEvents() { continue }
    }
    return .saved
  }

  /// Waits for an event; nil after a timeout, or if the other descriptor is readable. -1 waits for ever.
  private func wait(_ milliseconds: Int32, or other: Int32 = -1) -> Event? {
    var polled = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ends?.read ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
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

  /// Reads all pending events. Returns true if a watched file is among them.
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

/// Returns the path with all links resolved; nil if it doesn't exist.
func realpath(_ path: String) -> String? {
  guard let found = Glibc.realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(validatingCString: found)
}
