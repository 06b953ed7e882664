import Expectations
import Testing

/// scripts/git with a real git, in repositories that its tests make. Without the grants they skip.
@Suite("The git client changes repositories")
struct GitAppTests {
  @Test("The app's tests pass, and none is skipped")
  func tests() throws {
    // Other tests run beside it, so a git may take long to start.
    let run = try Program.menuctl([
      "test", "scripts/git", "--timeout", "60", "--allow", "exec=git", "--allow", "exec=sh",
    ])
    expect(run.status == 0 && run.out.contains(" passed") && !run.out.contains("skipped"), "\(run)")
  }

  @Test("U13: After a restart other processes undo and redo the client's action")
  func undoAfterRestart() throws {
    let folder = try ScriptFolder([:])
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)/repo' '\(folder.path)/state'") }
    let state = ["XDG_STATE_HOME": "\(folder.path)/state", "GIT_CONFIG_GLOBAL": "/dev/null"]
    func git(_ script: String) throws -> String {
      try Program.shell("sh", "cd '\(folder.path)/repo' && \(script)").out
    }
    _ = try Program.shell("sh", "git init -q -b main '\(folder.path)/repo'")
    _ = try git("git config user.name Ada && git config user.email a@b && echo one >f")
    _ = try git("git add . && git commit -qm One")
    _ = try git("echo two >f")
    var seen: [String] = []
    for action in ["stage_all", "undo", "redo"] {
      let grants = ["exec=git", "exec=$EDITOR", "fs.read=$PWD"].flatMap { ["--allow", $0] }
      let run = try Program.menuctl(
        ["perform", "\(Project.folder)/scripts/git", action] + grants, environment: state, folder: "\(folder.path)/repo"
      )
      expect(run.status, is: 0, "\(run)")
      seen.append(try git("git status --short"))
    }
    expect(seen, is: ["M  f\n", " M f\n", "M  f\n"])
  }
}
