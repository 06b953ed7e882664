import Testing

@testable import menuctl

@Suite("The man page")
struct ManualPageTests {
  @Test("It has every verb, every option and every exit status")
  func complete() throws {
    let run = try Program.menuctl(["help", "--form", "man"])
    #expect(run.status == 0 && run.err == "")
    for verb in Verb.all { #expect(run.out.contains("\\fB\(verb.name)\\fR"), "\(verb.name)") }
    for option in Verb.all.flatMap(\.options) {
      #expect(run.out.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
    }
    for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "EXIT STATUS", "SEE ALSO"] {
      #expect(run.out.contains("\n.SH \(title)\n"), "\(title)")
    }
  }

  @Test("groff has nothing to say against it", .enabled(if: Program.isInstalled("groff"), "groff is not installed"))
  func groff() throws {
    let run = try Program.shell("sh", "'\(Program.folder)/menuctl' help --form man | groff -ww -man -Tutf8 -P -cbou -k")
    #expect(run.status == 0 && run.err == "", "\(run)")
    #expect(run.out.contains("menuctl - run scripts of menu commands"))
    #expect(run.out.contains("--form FORM"))
    #expect(run.out.contains("What a 'can'") == false)
  }
}

@Suite("What is installed")
struct InstallTests {
  @Test("The tool, its man page, completions and stubs stand where they are looked for, and go again")
  func install() throws {
    let folder = try ScriptFolder(["prefix/of another": ""])
    let prefix = "\(folder.path)/prefix"
    let tool = "\(Program.folder)/menuctl"
    let run = try Program.shell(
      "sh", "tools/install '\(tool)' '\(prefix)' && cd '\(prefix)' && find . -type f | LC_ALL=C sort")
    #expect(
      run
        == Run(
          status: 0,
          out: """
            ./bin/menuctl
            ./of another
            ./share/bash-completion/completions/menuctl
            ./share/fish/vendor_completions.d/menuctl.fish
            ./share/man/man1/menuctl.1
            ./share/menuctl/stubs.lua
            ./share/zsh/site-functions/_menuctl

            """, err: ""))
    let stubs = try Program.menuctl(["stubs"])
    #expect(try Project.bytes("\(prefix)/share/menuctl/stubs.lua") == Array(stubs.out.utf8))
    let gone = try Program.shell("sh", "tools/install --remove '\(prefix)' && cd '\(prefix)' && find . -type f")
    #expect(gone == Run(status: 0, out: "./of another\n", err: ""))
    _ = try Program.shell("sh", "rm -rf '\(prefix)/bin' '\(prefix)/share'")
  }
}
