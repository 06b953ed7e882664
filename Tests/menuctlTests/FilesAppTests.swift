import Glibc
import Testing

/// scripts/files on the real disk; its own tests bring one of theirs.
@Suite("The file list copies files")
struct FilesAppTests {
  private let folder: ScriptFolder
  private let app = "\(Project.folder)/scripts/files"

  init() throws {
    folder = try ScriptFolder(["from/gulls": "Gulls, many.\n", "from/pier/old": "The old pier.\n", "to/here": ""])
  }

  private func run(_ words: [String], grants: [String] = ["fs.read", "fs.write"]) throws -> Run {
    defer { for name in ["gulls", "pier"] { _ = try? Program.shell("sh", "rm -rf '\(folder.path)/to/\(name)'") } }
    let settings = ["--set", "left=\(folder.path)/from", "--set", "right=\(folder.path)/to"]
    let run = try Program.menuctl(
      words + settings + grants.flatMap { ["--allow", "\($0)=\(folder.path)"] }, folder: folder.path)
    return Run(status: run.status, out: run.out.replacing(folder.path, with: "FOLDER"), err: run.err)
  }

  private var copied: [String] { Project.entries(of: "\(folder.path)/to").sorted() }

  @Test("A folder with what is in it, and takes it back")
  func copies() throws {
    let look =
      #"for _, row in ipairs(app:panel().children) do if row.id:find("^right/") then print(row.title, row.subtitle) end end"#
    let run = try run([
      "load", app, "--press", "space", "--eval", "app:choose('left/pier')", "--press", "space", "--press", "f5",
      "--eval",
      look, "--press", "ctrl+z", "--eval", look,
    ])
    #expect(run.status == 0 && run.err == "")
    #expect(
      run.out.hasPrefix(
        """
        gulls\t13 bytes
        here\t0 bytes
        pier\tfolder
        here\t0 bytes
        space: handled by left
        app:choose('left/pier'): → {by: "left", status: "handled", via: "on"}
        space: handled by left
        f5: handled by left → "3 copied to FOLDER/to"

        """), "\(run)")
    #expect(copied == ["here"])
  }

  @Test("Without the capability it says which it takes, and nothing is there")
  func refused() throws {
    let run = try run(["perform", app, "copy"], grants: ["fs.read"])
    #expect(run.status == 77 && run.err.contains("it takes the capability 'fs.write="), "\(run)")
    #expect(copied == ["here"])
    #expect(try self.run(["perform", app, "copy"], grants: []).err.contains("it takes the capability 'fs.read="))
  }

  @Test("What is interrupted leaves nothing")
  func interrupted() throws {
    for number in 1...200 { try Project.write("\(number)", to: "\(folder.path)/from/pier/\(number)") }
    defer { _ = try? Program.shell("sh", "rm -f '\(folder.path)'/from/pier/[0-9]*") }
    let words = [
      "load", app, "--eval", "app:choose('left/pier')", "--press", "f5", "--set", "left=\(folder.path)/from", "--set",
      "right=\(folder.path)/to", "--allow", "fs.read=\(folder.path)", "--allow", "fs.write=\(folder.path)",
    ]
    let process = try Process("\(Program.folder)/menuctl", words)
    var patience = 1000
    while Project.entries(of: "\(folder.path)/to/pier").count < 5, patience > 0 {
      usleep(10_000)
      patience -= 1
    }
    kill(process.id, SIGINT)
    process.write("")
    let run = process.finish()
    #expect(run.status == 130 && patience > 0, "\(run)")
    #expect(copied == ["here"])
  }
}
