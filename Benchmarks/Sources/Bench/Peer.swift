/// A *peer* is a program that a user would pick instead.
struct Peer {
  let name: String
  /// What is looked for.
  let command: String
  /// Debian's package that has it.
  let package: String
  /// What makes it say its version, in the first line.
  let version: [String]

  static let lua = Peer(name: "Lua", command: "lua5.4", package: "lua5.4", version: ["-v"])
  static let busted = Peer(name: "busted", command: "busted", package: "lua-busted", version: ["--version"])
  static let neovim = Peer(name: "Neovim", command: "nvim", package: "neovim", version: ["--version"])
  static let emacs = Peer(name: "Emacs", command: "emacs", package: "emacs-nox", version: ["--version"])
  static let fzf = Peer(name: "fzf", command: "fzf", package: "fzf", version: ["--version"])
  /// GLib, which its compiler's flags tell of.
  static let glib = Peer(
    name: "GLib", command: "pkg-config", package: "libglib2.0-dev", version: ["--modversion", "gio-2.0"])

  static let all = [glib, neovim, emacs, lua, busted, fzf]

  /// Why it can't be compared with; nil where it is there.
  var missing: String? {
    if (try? found()) != nil { return nil }
    return "\(name) is not installed; Debian's package is \(package)"
  }

  /// The first line of what it says of its version.
  func found() throws -> String {
    guard let line = try program().run(version).split(separator: "\n").first else { throw BenchError("no version") }
    return String(line)
  }

  func program() throws -> Program {
    guard let program = Program(command) else { throw BenchError("\(command) is not on the PATH") }
    return program
  }
}
