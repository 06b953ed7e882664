import Glibc

// The git client in a repository of 8,000 commits and 2,300 files, of which 300 have changed.

func gitRows() -> [Row] { [gitStartRow(), gitKeyRow()] }

/// From the start to the first frame with files and commits, against the git commands that it runs for that.
private func gitStartRow() -> Row {
  Row(name: "git-start", bound: 1.5, opponent: .program("git"), rounds: 7, iterations: 1, answer: { $0 }) {
    let folder = try TemporaryFolder("git-start")
    let repository = try GitRepository(in: folder)
    let client = try GitClient(in: folder, of: repository)
    return Sides(
      ours: { count in
        var shown = 0
        for _ in 0..<count {
          let run = try client.start()
          if run.reads("Change 7999") { shown += 1 }
          run.end()
        }
        return shown
      },
      floor: { count in
        for _ in 0..<count { try withExtendedLifetime(folder) { try repository.read() } }
        return count
      }, clocks: (programTime, programTime))
  }
}

/// A move among the files, with the diff of the next one, in shares of 5 ms; git's own time isn't in it.
private func gitKeyRow() -> Row {
  Row(name: "git-key", bound: 1, opponent: .program("5 ms"), rounds: 5, iterations: 10, answer: { $0 }) {
    let folder = try TemporaryFolder("git-key")
    let repository = try GitRepository(in: folder)
    let run = try GitClient(in: folder, of: repository).start()
    guard run.reads("Change 7999") else { throw BenchError("'git-key' shows nothing") }
    _ = run.settle()
    var told = 0
    return Sides(
      ours: { count in
        var shown = 0
        for _ in 0..<count where run.type(Array("\u{1B}[B".utf8)) > 0 { shown += 1 }
        return withExtendedLifetime((folder, repository)) { shown }
      },
      floor: { count in
        told += 5_000_000 * count
        return count
      }, clocks: ({ run.time }, { told }))
  }
}

/// The client, started by a shell in the folder of a repository.
private struct GitClient {
  private let shell: Program
  private let command: String

  init(in folder: TemporaryFolder, of repository: GitRepository) throws {
    guard let shell = Program("sh") else { throw BenchError("there is no sh") }
    guard let here = realpath("scripts/git", nil) else { throw BenchError("there is no scripts/git") }
    defer { free(here) }
    let grants = ["exec=git", "exec=$EDITOR", "fs.read=$PWD"].map { " --allow '\($0)'" }.joined()
    self.shell = shell
    let tool = try tool(in: folder).path
    command = "cd '\(repository.path)' && exec '\(tool)' ui '\(String(cString: here))' --alone\(grants)"
  }

  func start() throws -> ProgramAtTerminal { try shell.atTerminal(["-c", command], columns: 120, rows: 40) }
}

/// A repository that is made for a row.
private final class GitRepository {
  let path: String
  private let shell: Program

  init(in folder: TemporaryFolder) throws {
    guard let shell = Program("sh"), Program("git") != nil else { throw BenchError("there is no git") }
    self.shell = shell
    path = folder.file("repository")
    var history = ""
    for commit in 0..<8000 {
      let subject = "Change \(commit)"
      history += "commit refs/heads/main\ncommitter Ada <ada@example.org> \(1_600_000_000 + commit) +0000\n"
      history += "data \(subject.utf8.count)\n\(subject)\n"
      for file in commit == 0 ? Array(0..<2300) : [commit % 2300] {
        let text = String(repeating: "a line of text\n", count: 20) + "commit \(commit)\n"
        history += "M 644 inline folder\(file % 23)/file\(file)\ndata \(text.utf8.count)\n\(text)\n"
      }
    }
    let input = try folder.write("history", history)
    try sh(
      """
      git init -q -b main '\(path)' && cd '\(path)' && git fast-import --quiet <'\(input)' && git reset -q --hard
      for n in $(seq 0 299); do echo changed >> folder$((n % 23))/file$n; done
      """)
  }

  deinit { _ = try? shell.run(["-c", "rm -rf '\(path)'"]) }

  /// What the client runs to read a repository.
  func read() throws {
    try sh(
      """
      cd '\(path)' && exec >/dev/null
      git rev-parse --show-toplevel
      git status --porcelain=v2 --branch --show-stash --no-renames -uall -z
      git log --no-walk --source --format=%S --ignore-missing MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD
      git for-each-ref --sort=-creatordate --format='%(refname) %(upstream:track)' refs/heads refs/remotes refs/tags
      git log -n 300 --format=%H%h%an%at%D%P%s%b
      """)
  }

  private func sh(_ script: String) throws { try shell.run(["-ec", script]) }
}
