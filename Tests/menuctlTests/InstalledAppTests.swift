import Expectations
import Testing

@Suite("Installed apps")
struct InstalledAppTests {
  @Test(
    "'apps' lists the user's apps, and every verb takes one by its name, unless a local file has the name")
  func apps() throws {
    let folder = try ScriptFolder([
      "data/menuctl/apps/notes/app.lua":
        "menubar { menu 'N' { item 'Note' { 'note' } } } function app.on:note() return 'noted' end",
      "data/menuctl/apps/single.lua": "function app.on:one() return 1 end",
      "data/menuctl/apps/none/readme.txt": "",
      "here/other/app.lua": "function app.on:here() return 'here' end",
    ])
    let tool = "XDG_DATA_HOME='\(folder.path)/data' '\(Program.folder)/menuctl'"
    func run(_ words: String, in place: String = "here") throws -> Run {
      try Program.shell("sh", "cd '\(folder.path)/\(place)' && \(tool) \(words)")
    }
    let listed = try run("apps")
    expect(listed.status, is: 0)
    expect(
      listed.out,
      is: """
        notes   \(folder.path)/data/menuctl/apps/notes
        single  \(folder.path)/data/menuctl/apps/single.lua

        """)
    try expect(run("apps --json").out.contains(#""apps": [{"name": "notes", "path": "\#(folder.path)/data"#))
    try expect(run("perform notes note").out.contains("noted"))
    try expect(run("perform single one").out.contains("1"))
    try expect(run("load nothing").err.contains("can't read 'nothing'"))
    try expect(run("load ../notes").status != 0)
    _ = try run("load other")
    try expect(run("perform other here").out.contains("here"))
  }
}
