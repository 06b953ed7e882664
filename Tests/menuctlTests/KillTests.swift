import Glibc
import Testing

/// What is on disk after the tool was killed while it wrote. `make kills` does the same a thousand times.
@Suite(.enabled(if: Program.isInstalled("python3") && Terminal.isPossible, "there is no python3, or no terminal"))
struct KillTests {
  private func kills(_ tool: String, _ count: Int) throws -> Run {
    let process = try Process("python3", ["tools/kills", tool, "\(count)"])
    process.write("")
    return process.finish()
  }

  @Test("S9: Killed at any moment, the tool leaves the old settings, history or recording, or the new one")
  func whole() throws {
    let run = try kills("\(Program.folder)/menuctl", 60)
    #expect(run.status == 0 && run.err == "", "\(run)")
    #expect(run.out.split(separator: "\n").count == 3 && run.out.contains("recordings: 24 kills, 0 torn"), "\(run)")
  }

  // Under the thread sanitizer a run takes so long that it is hardly ever met while it writes.
  @Test("A tool that writes over what is there is found out", .disabled(if: isThreadSanitized))
  func planted() throws {
    let folder = try ScriptFolder([
      "menuctl": """
      #!/bin/sh
      if [ "$1" = record ]; then app=$2; out=$4; shift 4; exec '\(Program.folder)/menuctl' record "$app" "$@" >"$out"; fi
      exec '\(Program.folder)/menuctl' "$@"
      """
    ])
    chmod("\(folder.path)/menuctl", 0o755)
    let run = try kills("\(folder.path)/menuctl", 60)
    #expect(run.status == 1 && !run.out.contains("recordings: 24 kills, 0 torn"), "\(run)")
  }
}
