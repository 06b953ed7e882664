import Expectations
import Glibc
import Testing

/// A folder with scripts, deleted at the end. A text that begins with '→' makes a link, '|' a pipe.
final class ScriptFolder {
  let path: String
  private var files: [String]

  init(_ scripts: [String: String]) throws {
    let template = strdup("/tmp/menuctl-scripts-XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { throw CannotMake(number: errno) }
    path = String(cString: template)
    files = scripts.keys.sorted()
    for name in files {
      let parts = name.split(separator: "/").dropLast()
      for count in parts.indices { mkdir("\(path)/\(parts[...count].joined(separator: "/"))", 0o755) }
      let text = scripts[name] ?? ""
      if text.hasPrefix("→") {
        symlink(String(text.dropFirst()), "\(path)/\(name)")
        continue
      }
      if text == "|" {
        mkfifo("\(path)/\(name)", 0o644)
        continue
      }
      guard let file = fopen("\(path)/\(name)", "w") else { throw CannotMake(number: errno) }
      defer { fclose(file) }
      fputs(text, file)
    }
  }

  /// Writes another file, or one of them again.
  func write(_ name: String, _ text: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw CannotMake(number: errno) }
    defer { fclose(file) }
    fputs(text, file)
    if !files.contains(name) { files.append(name) }
  }

  func text(_ name: String) throws -> String { String(decoding: try Project.bytes("\(path)/\(name)"), as: UTF8.self) }

  /// Returns the text of a file from elsewhere, and deletes the file.
  func take(_ name: String) throws -> String {
    defer { unlink("\(path)/\(name)") }
    return try text(name)
  }

  /// Deletes a file from elsewhere.
  func remove(_ name: String) throws {
    guard unlink("\(path)/\(name)") == 0 else { throw CannotMake(number: errno) }
  }

  struct CannotMake: Error { let number: Int32 }

  deinit {
    for name in files {
      unlink("\(path)/\(name)")
      var parts = name.split(separator: "/").dropLast()
      while !parts.isEmpty {
        rmdir("\(path)/\(parts.joined(separator: "/"))")
        parts = parts.dropLast()
      }
    }
    rmdir(path)
  }
}

/// A call of `menuctl test` in its own folder, and all of its visible results.
struct TestVerbCase: Sendable, CustomTestStringConvertible {
  let name: String
  var words: [String] = []
  let files: [String: String]
  var status: Int32 = 0
  var out = ""
  var err = ""

  var testDescription: String { name }

  func check() throws {
    let folder = try ScriptFolder(files)
    var run = try Program.menuctl(["test"] + words, folder: folder.path)
    // The time differs in each run.
    run.out.replace(/"seconds": [0-9.e-]+/, with: #""seconds": 0"#)
    run.out.replace(/\ time="[0-9.]+"/, with: #" time="0""#)
    run.out.replace(/\ \ \([0-9.]+ s\)\n/, with: "\n")
    expect(run, is: Run(status: status, out: out, err: err), name)
  }
}
