import Expectations
import Glibc
import Testing

/// scripts/files on the real disk. Its own tests use stand-ins.
@Suite("The file list copies files")
struct FilesAppTests {
  private let folder: ScriptFolder
  private let app = "\(Project.folder)/scripts/files"

  init() throws {
    folder = try ScriptFolder(["from/gulls": "Gulls, many.\n", "from/pier/old": "The old pier.\n", "to/here": ""])
  }

  private func run(_ words: [String], grants: [String] = ["fs.read", "fs.write"]) throws -> Run {
    defer { for name in ["gulls", "pier"] { _ = try? Program.shell("sh", "rm -rf '\(folder.path)/to/\(name)'") } }
    let settings = ["--set", "folder=\(folder.path)"]
    let run = try Program.menuctl(
      words + settings + grants.flatMap { ["--allow", "\($0)=\(folder.path)"] }, folder: folder.path)
    return Run(status: run.status, out: run.out.replacing(folder.path, with: "FOLDER"), err: run.err)
  }

  private var copied: [String] { Project.entries(of: "\(folder.path)/to").sorted() }

  @Test("The app copies a folder with its content, and takes the copy back")
  func copies() throws {
    let go = ["--eval", "app:choose('here/from')", "--press", "right"]
    let look = #"for _, e in ipairs(fs.list(app.settings.folder .. "/to")) do print(e) end"#
    let run = try run(
      ["load", app] + go + [
        "--eval", "app:mark({ 'gulls', 'pier' })", "--perform", "copy(to: \"\(folder.path)/to\")", "--eval", look,
        "--press", "u", "--eval", look,
      ])
    expect(run.status == 0 && run.err == "")
    expect(run.out.contains("→ \"3 files copied to FOLDER/to\""), "\(run)")
    expect(run.out.contains("gulls\nhere\npier\n") && run.out.contains("u: handled"), "\(run)")
    expect(run.out.hasPrefix("gulls\nhere\npier\nhere\n"), "\(run)")
    expect(copied, is: ["here"])
  }

  @Test("Without a grant the error names the capability, and nothing is copied")
  func refused() throws {
    let run = try run(
      ["perform", app, "copy(to: \"\(folder.path)/to\")", "--choose", "here/from"], grants: ["fs.read"])
    expect(run.status == 77 && run.err.contains("it takes the capability 'fs.write="), "\(run)")
    expect(copied, is: ["here"])
    try expect(self.run(["perform", app, "top"], grants: []).err.contains("it takes the capability 'fs.read="))
  }

  @Test("An interrupted copy leaves nothing")
  func interrupted() throws {
    for number in 1...200 { try Project.write("\(number)", to: "\(folder.path)/from/pier/\(number)") }
    defer { _ = try? Program.shell("sh", "rm -f '\(folder.path)'/from/pier/[0-9]*") }
    let words = [
      "load", app, "--eval", "app:choose('here/from')", "--press", "right", "--eval", "app:choose('here/pier')",
      "--perform", "copy(to: \"\(folder.path)/to\")", "--set", "folder=\(folder.path)", "--allow",
      "fs.read=\(folder.path)", "--allow", "fs.write=\(folder.path)",
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
    expect(run.status == 130 && patience > 0, "\(run)")
    expect(copied, is: ["here"])
  }
}
