import Glibc
import ScriptHost

/// The files of a new app: a script, its test, and editor settings.
struct NewApp {
  /// The name of the folder and the app.
  let name: String

  var files: [(path: String, text: String)] {
    [
      ("app.lua", script), ("app_test.lua", test), (".menuctl/stubs.lua", Stubs().text), (".luarc.json", settings),
    ]
  }

  private var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  private var script: String {
    """
    app.title = \(title.luaText)
    app.name = \(name.luaText)

    -- The screen: a row for each entry. 'enter' ticks it.
    panel {
      section "entries" {
        header = "To do",
        items = function(ctx) return ctx.entries end,
        row = function(entry)
          return item(entry.text) {
            "tick",
            args = { entry = entry },
            look = function() return { state = entry.done } end,
          }
        end,
        empty = "Nothing yet: press n to add something",
      },
    }

    menubar {
      menu "List" {
        item "Add…" { "add", key = "n" },
        item "Clear" { "clear", key = "ctrl+k", destructive = true },
      },
      menu "Edit" {
        item "Undo" { "undo", key = "ctrl+z" },
        item "Redo" { "redo", key = "ctrl+y" },
      },
    }

    local list = responder "list" { entries = {} }

    -- Values for handlers, 'can' and sections.
    function list:provide(ctx) ctx.entries = self.entries end

    -- If the text is missing, a form asks for it.
    list.takes.add = { text = { "string", title = "What is to be done?" } }
    function list.on:add(ctx)
      local entries = { table.unpack(self.entries) }
      entries[#entries + 1] = { text = ctx.text, done = false }
      ctx:set(self, "entries", entries)
      return #entries
    end

    list.takes.tick = { entry = "any" }
    function list.on:tick(ctx) ctx:set(ctx.entry, "done", not ctx.entry.done) end

    -- A reason why it can't be done, and a question before it.
    function list.can:clear(ctx) return #ctx.entries > 0, "the list is empty" end
    list.confirm.clear = "Delete the whole list?"
    function list.on:clear(ctx) ctx:set(self, "entries", {}) end

    focus(list)

    """
  }

  private var test: String {
    """
    subject "app.lua"

    test("an empty list can't be cleared, and shows why", function(app)
      expect(app:item("List/Clear").reason):is("the list is empty")
      expect(app:item("List/Add…").enabled):is_true()
      expect(app:item("Edit/Undo").enabled):is_false()
    end)

    test("an added entry can be ticked, and both can be undone", function(app)
      app:perform("add(text: milk)")
      expect(app:pick("milk").status):is("handled")
      expect(app:item("milk").state):is("on")
      app:pick("Edit/Undo")
      expect(app:item("milk").state):is("off")
      app:pick("Edit/Undo")
      expect(app:item("milk")):is_nil()
    end)

    test("clearing asks first", function(app)
      app:perform("add(text: milk)")
      expect(app:pick("List/Clear").asks.confirm):is("Delete the whole list?")
      app:pick("List/Clear", { confirmed = true })
      expect(app:item("milk")):is_nil()
    end)

    """
  }

  /// The settings of the Lua language server: the available Lua libraries, and the path of the stubs.
  private var settings: String {
    """
    {
      "runtime.version": "Lua 5.4",
      "runtime.builtin": {
        "basic": "disable",
        "os": "disable",
        "io": "disable",
        "debug": "disable",
        "package": "disable",
        "ffi": "disable",
        "jit": "disable"
      },
      "diagnostics.globals": ["collectgarbage"],
      "workspace.library": [".menuctl"],
      "workspace.checkThirdParty": false
    }

    """
  }
}

/// Makes a folder with files, all or nothing: writes to a hidden folder, then renames it.
enum NewFolder {
  /// Makes the folder. The path must not exist, or must be an empty folder, which is replaced.
  static func make(_ path: String, _ files: [(path: String, text: String)]) throws(Problem) {
    try checkNothingIs(at: path)
    removeLeftovers(of: path, files)
    let (staging, hold) = try stagingFolder(for: path)
    defer { hold?.release() }
    var made: [String] = []
    do throws(Problem) {
      for file in files {
        let folders = file.path.split(separator: "/").dropLast()
        for count in folders.indices { mkdir("\(staging)/\(folders[...count].joined(separator: "/"))", 0o777) }
        made.append("\(staging)/\(file.path)")
        try write(file.text, to: "\(staging)/\(file.path)", called: "\(path)/\(file.path)")
      }
      try checkNothingIs(at: path)
      guard rename(staging, path) == 0 else { throw cannot("make", path) }
    } catch {
      remove(staging, made)
      throw error
    }
  }

  private static func checkNothingIs(at path: String) throws(Problem) {
    var status = stat()
    if lstat(path, &status) == 0, !(isFolder(path) && isEmpty(path)) {
      throw Problem(.no, "'\(path)' exists already", help: "choose another name; nothing was written")
    }
  }

  /// Returns the parent folder of a path, and the beginning of the hidden folder's name.
  static func staging(for path: String) -> (folder: String, beginning: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return (parts.dropLast().map { "\($0)/" }.joined(), ".\(parts.last ?? "")-")
  }

  /// Makes the hidden folder and locks it, because another call would remove an unlocked folder as a leftover.
  private static func stagingFolder(for path: String) throws(Problem) -> (path: String, hold: Hold?) {
    let (folder, beginning) = staging(for: path)
    while true {
      var name = Array("\(folder)\(beginning)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { throw cannot("make", path) }
      let staging = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let hold = Hold(staging)
      // If the folder is gone, another call removed it before the lock. A file system without locks returns no hold,
      // but there no call removes a folder.
      if hold == nil, !isFolder(staging) { continue }
      let mask = umask(0)
      umask(mask)
      chmod(staging, 0o777 & ~mask)
      return (staging, hold)
    }
  }

  private static func write(_ text: String, to path: String, called name: String) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw cannot("write", name) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0, count <= rest.count else { break }
      rest = rest.dropFirst(count)
    }
    let isWritten = rest.isEmpty && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    if !isWritten { throw cannot("write", name, number) }
  }

  /// Removes these files, and the folders that are then empty.
  static func remove(_ staging: String, _ files: [String]) {
    for file in files {
      unlink(file)
      var folder = file
      while let slash = folder.lastIndex(of: "/"), folder.utf8.count > staging.utf8.count {
        folder = String(folder[..<slash])
        rmdir(folder)
      }
    }
    rmdir(staging)
  }

  private static func cannot(_ what: String, _ path: String, _ number: Int32 = errno) -> Problem {
    Problem(.noSuchFile, "can't \(what) '\(path)': \(systemMessage(number))")
  }
}

extension NewFolder {
  /// Removes the hidden folders of killed calls: unlocked folders with only this call's files, or beginnings of them.
  static func removeLeftovers(of path: String, _ files: [(path: String, text: String)]) {
    let (folder, beginning) = staging(for: path)
    for name in names(in: folder.isEmpty ? "." : folder) ?? [] where isStaging(name, beginning) {
      let leftover = folder + name
      guard let hold = Hold(leftover) else { continue }
      defer { hold.release() }
      if isOurs(leftover, "", files) { remove(leftover, files.map { "\(leftover)/\($0.path)" }) }
    }
  }

  /// Returns true if `mkdtemp` may have made a name from this beginning.
  private static func isStaging(_ name: String, _ beginning: String) -> Bool {
    let rest = name.utf8.dropFirst(beginning.utf8.count)
    return name.utf8.starts(with: beginning.utf8) && rest.count == 6
      && rest.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Returns true if a folder contains only these files or beginnings of them. A folder with other files is kept.
  private static func isOurs(_ root: String, _ inner: String, _ files: [(path: String, text: String)]) -> Bool {
    guard let names = names(in: "\(root)/\(inner)") else { return false }
    return names.allSatisfy { name in
      let path = inner + name
      if let file = files.first(where: { $0.path == path }) { return holds("\(root)/\(path)", beginningOf: file.text) }
      return files.contains { $0.path.hasPrefix("\(path)/") } && isFolder("\(root)/\(path)")
        && isOurs(root, "\(path)/", files)
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isEmpty(_ folder: String) -> Bool { names(in: folder)?.isEmpty ?? false }

  private static func holds(_ path: String, beginningOf text: String) -> Bool {
    let descriptor = Descriptor.file(path, followingLinks: false)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // One byte more than the text has, to notice a longer file.
    var bytes = [UInt8](repeating: 0, count: text.utf8.count + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if more < 0 { return false }
      if more == 0 { break }
      count += more
    }
    return text.utf8.starts(with: bytes[..<count])
  }

  /// Returns the names in a folder; nil if it can't be read.
  private static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// A *hold* is a call's lock on the folder that it writes; it ends with the process.
struct Hold {
  private let descriptor: Int32

  /// Locks the folder; nil if another call has locked it, or has removed it.
  init?(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      return nil
    }
  }

  func release() { close(descriptor) }
}
