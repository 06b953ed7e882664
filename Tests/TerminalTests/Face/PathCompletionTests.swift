import Expectations
import Glibc
import ScriptHost
import Testing

@testable import Terminal

/// A folder for one test.
private final class SomeFolder {
  let path: String

  init(_ names: [String]) {
    var template = Array("/tmp/completion.XXXXXX\0".utf8CString.dropLast().map { $0 }) + [0]
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    for name in names {
      if name.hasSuffix("/") {
        mkdir("\(path)/\(name)", 0o700)
      } else {
        close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600))
      }
    }
    made = names
  }

  private let made: [String]

  deinit {
    for name in made { if name.hasSuffix("/") { rmdir("\(path)/\(name)") } else { unlink("\(path)/\(name)") } }
    rmdir(path)
  }
}

@Suite("The face: paths") struct PathCompletionTests {
  private static let names = ["photos/", "photos.txt", "pier.raw", "gulls/", ".hidden"]

  @Test(
    "Completion extends files and folders as far as they are unambiguous",
    arguments: [
      ("p", false, "p", ["photos.txt", "photos/", "pier.raw"]), ("ph", false, "photos", ["photos.txt", "photos/"]),
      ("pi", false, "pier.raw", ["pier.raw"]), ("p", true, "photos/", ["photos/"]), ("g", false, "gulls/", ["gulls/"]),
      (".", false, ".hidden", [".hidden"]), ("", true, "", ["gulls/", "photos/"]),
    ] as [(String, Bool, String, [String])])
  func completed(begun: String, foldersOnly: Bool, common: String, paths: [String]) throws {
    let folder = SomeFolder(Self.names)
    let found = try require(PathCompletion("\(folder.path)/\(begun)", foldersOnly: foldersOnly))
    expect(found.common, is: "\(folder.path)/\(common)")
    expect(found.paths, is: paths.map { "\(folder.path)/\($0)" })
    let relative = try require(PathCompletion(begun, in: folder.path, foldersOnly: foldersOnly))
    expect(relative.common == common && relative.paths == paths)
    let absolute = PathCompletion("\(folder.path)/\(begun)", in: "/proc", foldersOnly: foldersOnly)
    expect(absolute?.paths, is: found.paths)
    expect(PathCompletion("\(folder.path)/zzz", foldersOnly: foldersOnly) == nil)
    expect(PathCompletion("\(folder.path)/none/x", foldersOnly: foldersOnly) == nil)
  }

  @Test("In a huge folder completion reads some names and doesn't extend the text, since unread names may differ")
  func huge() throws {
    let folder = SomeFolder((0..<40).map { "photo\($0).raw" })
    let begun = "\(folder.path)/p"
    let found = try require(PathCompletion(begun, foldersOnly: false, most: 20))
    expect(found.common == begun && (18...20).contains(found.paths.count), "\(found.paths.count)")
    expect(PathCompletion("\(folder.path)/other", foldersOnly: false, most: 20) == nil)
    expect(PathCompletion(begun, foldersOnly: false)?.common, is: "\(folder.path)/photo")
  }

  @Test("In a form tab completes a path and lists the candidates, which you can select and take")
  func inForm() throws {
    let folder = SomeFolder(Self.names)
    let stage = try FaceStage(
      """
      menubar { menu "M" { item "Read" { "read", key = "r" }, item "All" { "all", key = "a" } } }
      app.takes = { read = { path = "file" }, all = { paths = { "file", many = true } } }
      function app.on:read(ctx) return ctx.path:match("[^/]+/?$") end
      function app.on:all(ctx) return #ctx.paths .. ctx.paths[2]:match("[^/]+/?$") end
      """, columns: 80, rows: 18)
    try stage.press("r")
    stage.take(.paste("\(folder.path)/p"))
    try stage.press("tab")
    expect(stage.picture.contains("/pier.raw") && stage.picture.contains("/photos/"), "\(stage.picture)")
    try stage.press("tab tab tab enter")
    expect(stage.picture.contains("› \(folder.path)/pier.raw"), "\(stage.picture)")
    try stage.press("enter")
    expect(stage.bottom, is: " ✓ Read → pier.raw")
    try stage.press("a")
    stage.take(.paste("\(folder.path)/pier.raw, \(folder.path)/g"))
    try stage.press("tab enter")
    expect(stage.bottom, is: " ✓ All → 2gulls/")
  }
}
