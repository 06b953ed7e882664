import Expectations
import Glibc
import Testing

@testable import menuctl

@Suite("The man page")
struct ManualPageTests {
  @Test("The man page has every verb, every option and every exit status")
  func complete() throws {
    let run = try Program.menuctl(["help", "--form", "man"])
    expect(run.status == 0 && run.err == "")
    for verb in Verb.all { expect(run.out.contains("\\fB\(verb.name)\\fR"), "\(verb.name)") }
    for option in Verb.all.flatMap(\.options) {
      expect(run.out.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
    }
    for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "EXIT STATUS", "SEE ALSO"] {
      expect(run.out.contains("\n.SH \(title)\n"), "\(title)")
    }
  }

  @Test("Each verb has its page, which the tool's page names", arguments: Verb.all.map(\.name))
  func pageOfVerb(name: String) throws {
    let verb = try require(Verb.named(name))
    let run = try Program.menuctl(["help", name, "--kind", "verb", "--form", "man"])
    expect(run.status == 0 && run.err == "", "\(run)")
    expect(run.out.contains("\n.SH NAME\nmenuctl\\-\(name) \\- "))
    for option in verb.options {
      expect(run.out.contains("\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
    }
    expect(ManualPage.text.contains("\n\\fBmenuctl\\-\(name)\\fR(1)"))
    if Program.isInstalled("groff") {
      let drawn = try Program.shell(
        "sh",
        "'\(Program.folder)/menuctl' help \(name) --kind verb --form man | groff -ww -man -rHY=0 -Tutf8 -P -cbou -k")
      expect(drawn.status == 0 && drawn.err == "", "\(drawn.err)")
      let words = drawn.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      expect(words.contains("menuctl-\(name) - "))
    }
  }

  @Test("groff accepts the man page as it is", .enabled(if: Program.isInstalled("groff"), "groff is not installed"))
  func groff() throws {
    let run = try Program.shell(
      "sh", "'\(Program.folder)/menuctl' help --form man | groff -ww -man -rHY=0 -Tutf8 -P -cbou -k")
    expect(run.status == 0 && run.err == "", "\(run)")
    expect(run.out.contains("menuctl - run scripts of menu commands"))
    expect(run.out.contains("--form FORM"))
    // groff would take a line that begins with an apostrophe for a command.
    let words = run.out.replacing("’", with: "'").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for verb in Verb.all { expect(words.contains(verb.summary), "\(verb.name)") }
  }
}

@Suite("Installed files")
struct InstallTests {
  @Test("The tool, its man page, completions, stubs and apps are installed in the usual folders, and uninstalled")
  func install() throws {
    let folder = try ScriptFolder(["prefix/of another": ""])
    let prefix = "\(folder.path)/prefix"
    let tool = "\(Program.folder)/menuctl"
    let run = try Program.shell(
      "sh",
      "tools/install '\(tool)' '\(prefix)' && cd '\(prefix)' && find . -type f ! -name 'menuctl-*' | LC_ALL=C sort")
    expect(
      run,
      is: Run(
        status: 0,
        out: """
          ./bin/menuctl
          ./of another
          ./share/bash-completion/completions/menuctl
          ./share/fish/vendor_completions.d/menuctl.fish
          ./share/man/man1/menuctl.1
          ./share/menuctl/apps/git/app.lua
          ./share/menuctl/apps/git/read-only.lua
          ./share/menuctl/apps/git/repo.lua
          ./share/menuctl/apps/git/team.lua
          ./share/menuctl/stubs.lua
          ./share/zsh/site-functions/_menuctl

          """,
        err: """
          installed menuctl \(Verb.versionNumber) below \(prefix):
            bin/menuctl
            share/man/man1/menuctl.1
            share/bash-completion/completions/menuctl
            share/zsh/site-functions/_menuctl
            share/fish/vendor_completions.d/menuctl.fish
            share/menuctl/stubs.lua
            share/menuctl/apps/git/app.lua
            share/menuctl/apps/git/read-only.lua
            share/menuctl/apps/git/repo.lua
            share/menuctl/apps/git/team.lua
            share/man/man1/menuctl-VERB.1 for each verb
          to call it as 'menuctl', add its folder to PATH: export PATH="\(prefix)/bin:$PATH"

          """))
    let pages = try Program.shell("sh", "ls '\(prefix)/share/man/man1'")
    expect(Set(pages.out.split(separator: "\n")), is: Set(["menuctl.1"] + Verb.all.map { "menuctl-\($0.name).1" }))
    let found = try Program.shell("sh", "PATH=\"\(prefix)/bin:$PATH\" tools/install '\(tool)' '\(prefix)'")
    expect(found.status == 0 && !found.err.contains("PATH"), "\(found)")
    let stubs = try Program.menuctl(["stubs"])
    try expect(Project.bytes("\(prefix)/share/menuctl/stubs.lua"), is: Array(stubs.out.utf8))
    let gone = try Program.shell("sh", "tools/install --remove '\(prefix)' && cd '\(prefix)' && find . -mindepth 1")
    expect(gone, is: Run(status: 0, out: "./of another\n", err: "removed menuctl from below \(prefix)\n"))
    _ = try Program.shell("sh", "rm -rf '\(prefix)/bin' '\(prefix)/share'")
  }

  @Test("The tarball has the tool, its man page, completions, apps and pages, under the names in the documentation")
  func tarball() throws {
    let folder = try ScriptFolder([:])
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/*") }
    let made = try Program.shell("sh", "tools/dist '\(Program.folder)/menuctl' '\(folder.path)'")
    expect(made.status == 0 && made.out.hasPrefix("\(folder.path)/menuctl-\(Verb.versionNumber)-linux-"), "\(made)")
    let run = try Program.shell(
      "sh",
      """
      cd '\(folder.path)' && tar xzf *.tar.gz && rm *.tar.gz && cd menuctl-* && ls . share/man/man1 | grep -v 'menuctl-' &&
      bin/menuctl test scripts/hello_test.lua && bin/menuctl ui scripts/photos --alone --screenshot 60x8 &&
      ls docs/guide.md
      """)
    expect(run.status == 0 && run.err == "", "\(run)")
    expect(
      run.out.hasPrefix(".:\nINSTALL\nLICENSE\nREADME.md\nbin\ndocs\nscripts\nshare\n\nshare/man/man1:\nmenuctl.1\n"),
      "\(run)")
    expect(run.out.contains("2 passed") && run.out.contains("Photos  ≡"), "\(run)")
  }

  @Test("A command that takes minutes prints its expected time, and sometimes that it is alive")
  func alive() throws {
    let folder = try ScriptFolder(["log": "✔ Test \"one\" passed\n✔ Test \"two\" passed\n"])
    let run = try Program.shell(
      "sh",
      "FIRST=0 BEAT=0.1 tools/alive 'testing: some minutes' '\(folder.path)/log' sh -c 'sleep 2; echo out; exit 3'")
    expect(run.status == 3 && run.out == "out\n", "\(run)")
    expect(
      run.err.hasPrefix("menuctl: testing: some minutes\nmenuctl: 1 min: ") && run.err.contains("\nmenuctl: 2 min: "),
      "\(run)")
    let short = try Program.shell("sh", "tools/alive 'testing: some minutes' '\(folder.path)/log' echo out")
    expect(short, is: Run(status: 0, out: "out\n", err: ""))
    let makefile = try Project.text("Makefile")
    // Lines of a command that come in pieces stay whole.
    let piped = try Program.shell(
      "sh",
      "(FIRST=0 BEAT=0.1 TELL=3 tools/alive 'testing: some minutes' log sh -c 'printf o; sleep 1; echo ut' 3>&2 2>&1) | cat"
    )
    expect(piped.out == "out\n" && piped.err.hasPrefix("menuctl: testing: some minutes\nmenuctl: 1 min: "), "\(piped)")
    for part in ["build = mkdir -p .build; TELL=3 tools/alive ", "TELL=3 tools/alive \"testing: "] {
      expect(makefile.contains(part), "\(part)")
    }
  }

  @Test("Compiling modules are named separately, and no line is wider than a terminal")
  func compiling() throws {
    let folder = try ScriptFolder(["log": ""])
    let run = try Program.shell(
      "bash",
      """
      cd '\(folder.path)'; cp "$(command -v bash)" swift-frontend
      for name in LiveHost ScriptHostTests; do
        ./swift-frontend -c 'sleep 3; :' swift-frontend -module-name $name &
      done
      FIRST=0 BEAT=1 '\(Project.folder)/tools/alive' 'building: some minutes' log sleep 2
      wait; rm swift-frontend
      """)
    expect(run.err.contains("min: compiling LiveHost, ScriptHostTests\n"), "\(run)")
    let makefile = try Project.text("Makefile")
    for says in makefile.split(separator: "tools/alive \"").dropFirst().compactMap({ $0.split(separator: "\"").first })
    {
      expect("menuctl: \(says)".count <= 80, "\(says)")
    }
  }

  @Test(
    "The Debian package installs, runs, and is removed without a trace",
    .enabled(if: Program.isInstalled("dpkg-deb") && Glibc.getuid() == 0, "this needs dpkg-deb, and to be root"))
  func debianPackage() throws {
    let folder = try ScriptFolder([:])
    defer { _ = try? Program.shell("sh", "rm -rf '\(folder.path)'/*") }
    // A separate system, in which nothing is installed.
    let run = try Program.shell(
      "sh",
      """
      set -e
      package=$(DPKG_DEB_COMPRESSOR_TYPE=none tools/deb '\(Program.folder)/menuctl' '\(folder.path)')
      cd '\(folder.path)'
      mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/log
      touch root/var/lib/dpkg/status
      dpkg --root="$PWD/root" --install "$package" >log 2>&1 || { cat log; exit 1; }
      (cd root/usr && find . -type f ! -name 'menuctl-*' -o -type l | LC_ALL=C sort)
      root/usr/bin/menuctl version
      dpkg --root="$PWD/root" --purge menuctl >log 2>&1 || { cat log; exit 1; }
      find root -type f -path 'root/usr/*'
      """)
    let version = "menuctl \(Verb.versionNumber)"
    expect(
      run,
      is: Run(
        status: 0,
        out: """
          ./bin/menuctl
          ./share/bash-completion/completions/menuctl
          ./share/doc/menuctl/changelog.gz
          ./share/doc/menuctl/copyright
          ./share/fish/vendor_completions.d/menuctl.fish
          ./share/lintian/overrides/menuctl
          ./share/man/man1/menuctl.1.gz
          ./share/menuctl/apps/git/app.lua
          ./share/menuctl/apps/git/read-only.lua
          ./share/menuctl/apps/git/repo.lua
          ./share/menuctl/apps/git/team.lua
          ./share/menuctl/stubs.lua
          ./share/zsh/vendor-completions/_menuctl
          \(version)

          """, err: run.err))
    expect(
      run.err.hasPrefix("made it of \(version); to install it: sudo apt install \(folder.path)/menuctl_"), "\(run)")
  }

  @Test("If a toolchain can't start, the error has its output, before any other check")
  func brokenToolchain() throws {
    let folder = try ScriptFolder([
      "swift":
        "#!/bin/sh\necho 'error while loading shared libraries: libxml2.so.2: cannot open shared object file' >&2; exit 127\n"
    ])
    let run = try Program.shell("sh", "chmod +x \(folder.path)/swift; PATH=\(folder.path):/usr/bin:/bin tools/need")
    let said = "error while loading shared libraries: libxml2.so.2: cannot open shared object file"
    expect(
      run,
      is: Run(
        status: 1, out: "",
        err: "menuctl: the Swift toolchain can't start: \(folder.path)/swift --version says: \(said)\n"))
  }

  @Test("If a toolchain can't link a program, the build asks for the packages of Debian that it needs")
  func unlinkedToolchain() throws {
    let folder = try ScriptFolder([
      "swift": "#!/bin/sh\n", "clang++": "#!/bin/sh\nexit 1\n", "apt-get": "#!/bin/sh\n", "sudo": "#!/bin/sh\nexit 1\n",
      "id": "#!/bin/sh\necho 1000\n",
    ])
    let run = try Program.shell("sh", "chmod +x \(folder.path)/*; PATH=\(folder.path):/usr/bin:/bin tools/need")
    expect(
      run,
      is: Run(
        status: 1, out: "",
        err: """
          menuctl: this takes packages that only an administrator can install, then try again:
          sudo apt-get install -y g++

          """))
  }
}
