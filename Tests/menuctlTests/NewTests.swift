import Expectations
import Glibc
import Testing

@Suite("A new app")
struct NewTests {
  @Test("The new app loads, its test passes at once, and editors find its stubs")
  func new() throws {
    let folder = try ScriptFolder([:])
    let made = try Program.menuctl(["new", "notes"], folder: folder.path)
    expect(
      made,
      is: Run(
        status: 0,
        out: """
          made notes: app.lua, app_test.lua, .menuctl/stubs.lua, .luarc.json

          menuctl ui notes
          menuctl test notes

          """, err: ""))
    defer { remove(folder.path, "notes") }
    let load = try Program.menuctl(["load", "notes"], folder: folder.path)
    expect(load.status == 0 && load.err == "" && load.out.hasPrefix("Notes (notes/app.lua)\n"), "\(load)")
    let test = try Program.menuctl(["test", "notes", "--coverage", "--min-coverage", "60"], folder: folder.path)
    expect(test.status == 0 && test.out.contains("3 passed"), "\(test)")
    let stubs = try Program.menuctl(["stubs"])
    try expect(Project.bytes("\(folder.path)/notes/.menuctl/stubs.lua"), is: Array(stubs.out.utf8))
    let settings = String(decoding: try Project.bytes("\(folder.path)/notes/.luarc.json"), as: UTF8.self)
    expect(settings.contains("\"workspace.library\": [\".menuctl\"]"))
    // 'collectgarbage' counts memory for experts, so the stubs neither offer it nor warn of it.
    expect(settings.contains("\"diagnostics.globals\": [\"collectgarbage\"]"))
    try expect(
      mode("\(folder.path)/notes") & 0o111 != 0 && mode("\(folder.path)/notes/app.lua") & 0o777 == 0o666 & ~mask)
    // No temporary file is left.
    let left = try Program.shell("sh", "ls -A '\(folder.path)'")
    expect(left.out, is: "notes\n")
  }

  @Test("The new app has a panel, a form, a confirmation and an undo, and 'check' finds nothing")
  func look() throws {
    let folder = try ScriptFolder([:])
    defer { remove(folder.path, "notes") }
    try expect(Program.menuctl(["new", "notes"], folder: folder.path).status, is: 0)
    func screen(_ keys: String) throws -> String {
      try Program.menuctl(["ui", "notes", "--screenshot", "60x12:\(keys)"], folder: folder.path).out
    }
    try expect(screen("f10 esc").contains("Nothing yet: press n to add something"))
    try expect(screen("n").contains("│ What is to be done?"))
    let added = "n m i l k enter n t e a enter enter"
    try expect(screen(added).contains("   ✓ milk\n     tea\n"))
    try expect(screen("\(added) ctrl+k").contains("Delete the whole list?"))
    try expect(screen("\(added) ctrl+k right enter ctrl+z").contains("   ✓ milk\n     tea\n"))
    if Terminal.isPossible { try AppUse(app: "notes", folder: folder.path).check() }
  }

  @Test("new never overwrites an existing file, folder or broken link, but fills an empty folder")
  func existing() throws {
    let folder = try ScriptFolder(["taken": "mine", "full/app.lua": "mine too"])
    _ = try Program.shell("sh", "mkdir '\(folder.path)/empty'; ln -s nowhere '\(folder.path)/link'")
    defer { _ = try? Program.shell("sh", "rm -r '\(folder.path)/empty'; rm '\(folder.path)/link'") }
    for name in ["taken", "full", "link"] {
      let run = try Program.menuctl(["new", name], folder: folder.path)
      let error = "menuctl: error: '\(name)' exists already\nchoose another name; nothing was written\n"
      expect(run, is: Run(status: 1, out: "", err: error))
    }
    try expect(Project.bytes("\(folder.path)/full/app.lua"), is: Array("mine too".utf8))
    try expect(Program.menuctl(["new", "empty"], folder: folder.path).status, is: 0)
    try expect(Program.menuctl(["test", "empty"], folder: folder.path).status, is: 0)
    try expect(Program.shell("sh", "ls -A '\(folder.path)'").out, is: "empty\nfull\nlink\ntaken\n")
  }

  @Test(
    "A name is letters, digits, '_' and '-', and begins with a letter",
    arguments: ["", "a b", "1st", "-x y", ".hidden", "a'b", "a/"])
  func names(_ name: String) throws {
    let folder = try ScriptFolder([:])
    let run = try Program.menuctl(["new", "--", name], folder: folder.path)
    expect(run.status == 64 && run.err.contains("a name begins with a letter"), "\(run)")
    try expect(Program.shell("sh", "ls -A '\(folder.path)'").out, is: "")
  }

  @Test("new takes a path in another folder, which must exist")
  func paths() throws {
    let folder = try ScriptFolder([:])
    let missing = try Program.menuctl(["new", "there/notes"], folder: folder.path)
    expect(
      missing,
      is: Run(status: 66, out: "", err: "menuctl: error: can't make 'there/notes': No such file or directory\n"))
    let run = try Program.menuctl(["new", "\(folder.path)/straße-2"])
    expect(run.status, is: 0, "\(run)")
    defer { remove(folder.path, "straße-2") }
    try expect(Program.menuctl(["test", "straße-2"], folder: folder.path).status, is: 0)
  }

  // The thread sanitizer writes a file, and ends by SIGBUS if it can't.
  @Test("If the new app can't be written, nothing is left behind", .disabled(if: isThreadSanitized))
  func unwritable() throws {
    let folder = try ScriptFolder([:])
    let run = try Program.shell(
      "bash", "cd '\(folder.path)' && ulimit -f 0 && trap '' XFSZ && '\(Program.folder)/menuctl' new notes")
    expect(run.status == 66 && run.err.contains("File too large"), "\(run)")
    try expect(Program.shell("sh", "ls -A '\(folder.path)'").out, is: "")
  }

  @Test("Leftovers of a killed call are removed by the next one, and nothing else is")
  func leftovers() throws {
    let folder = try ScriptFolder([:])
    _ = try Program.shell(
      "sh",
      """
      cd '\(folder.path)' && mkdir -p .notes-aaaaaa/.menuctl .notes-bbbbbb .notes-cccccc .notes-dddddd .notes-eeeeee .notes-mine .other-aaaaaa
      printf 'app.title = "Not' >.notes-aaaaaa/app.lua; touch .notes-aaaaaa/.menuctl/stubs.lua
      printf 'app.title = "Mine' >.notes-bbbbbb/app.lua
      touch .notes-cccccc/another
      ln -s nowhere .notes-dddddd/app.lua
      """)
    defer { _ = try? Program.shell("sh", "cd '\(folder.path)' && rm -rf .notes* .other* notes") }
    // A folder that is being made is locked.
    let run = try Program.shell(
      "sh", "cd '\(folder.path)' && exec 9<.notes-eeeeee && flock 9 && '\(Program.folder)/menuctl' new notes")
    expect(run.status, is: 0, "\(run)")
    let left = try Program.shell("sh", "LC_ALL=C ls -A '\(folder.path)'")
    expect(
      left.out, is: ".notes-bbbbbb\n.notes-cccccc\n.notes-dddddd\n.notes-eeeeee\n.notes-mine\n.other-aaaaaa\nnotes\n")
  }

  private var mask: mode_t {
    let mask = umask(0o022)
    umask(mask)
    return mask
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    expect(stat(path, &status), is: 0, "\(path)")
    return status.st_mode
  }

  private func remove(_ folder: String, _ name: String) {
    for file in ["app.lua", "app_test.lua", ".luarc.json", ".menuctl/stubs.lua"] { unlink("\(folder)/\(name)/\(file)") }
    rmdir("\(folder)/\(name)/.menuctl")
    rmdir("\(folder)/\(name)")
  }
}
