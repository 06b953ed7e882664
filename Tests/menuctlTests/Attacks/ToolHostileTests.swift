import Expectations
import Glibc
import HostileScripts
import Testing

/// A session of the tool that loads hostile scripts one after the other, uses each, and unloads it.
private struct HostileSession: Sendable, CustomTestStringConvertible {
  let rows: [HostileScript]
  let timeout: String

  var testDescription: String { "\(rows.first?.name ?? "") and \(rows.count - 1) more" }

  private static let mark = "--- after "

  private func lines(_ number: Int) -> [String] {
    let row = rows[number]
    let load =
      row.role == .app
      ? []
      : [
        "for _, e in ipairs(select(2, app:load_plugin('mallory\(number)/plugin.lua')) or {}) do log('error', e.message) end"
      ]
    let tries =
      Array(repeating: ":perform \(HostileScript.rates.reference)", count: 5) + [
        ":perform \(HostileScript.helps.reference)"
      ]
    let back = [
      "for _, job in ipairs(app:jobs()) do job:cancel() end", "app:enter('background')", "app:enter('inactive')",
    ]
    return load + row.deeds + back + tries
      + ["app:unload_plugin('mallory')", "focus(app:find('grid'))", "print('\(Self.mark)\(number)')"]
      + [":perform \(HostileScript.rates.reference)", ":perform \(HostileScript.helps.reference)"]
  }

  func check() throws {
    var files = ["app.lua": HostileScript.app, "other.lua": HostileScript.other]
    for (number, row) in rows.enumerated() {
      files["mallory\(number)/plugin.lua"] = row.text
      for (name, text) in row.files { files["mallory\(number)/\(name)"] = text }
      if row.role == .app { files["app.lua"] = HostileScript.app + row.script }
    }
    let folder = try ScriptFolder(files)
    // Their errors may be more than a pipe holds.
    let process = try Process(
      "/bin/sh",
      [
        "-c", "exec \"$0\" \"$@\" 2>errors.txt", "\(Program.folder)/menuctl", "repl", "app.lua", "--plugin",
        "other.lua", "--memory", "24", "--timeout", timeout,
      ],
      folder: folder.path)
    process.write(rows.indices.flatMap(lines).joined(separator: "\n") + "\n")
    let run = process.finish()
    let errors = try folder.take("errors.txt")
    expect([0, 1, 65, 69, 70, 75, 77].contains(run.status), "\(run.status): \(errors.suffix(2000))")
    let after = run.out.split(separator: Self.mark).dropFirst()
    expect(after.count, is: rows.count)
    for (row, text) in zip(rows, after) {
      let works = text.split(separator: "\n").dropFirst().prefix(2).joined(separator: "\n")
      expect(
        works.contains(HostileScript.rates.result) && works.contains(HostileScript.helps.result),
        "after \(row.name): \(text.prefix(500))")
    }
    for text in [run.out, errors] {
      let raw = text.unicodeScalars.first {
        ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
      }
      expect(raw, is: nil, "a control character reaches the terminal")
    }
    // The ceiling, the tool's memory, and the host's memory for scripts. A started process counts from its parent's
    // memory. A sanitizer surrounds each block, and keeps freed memory.
    expect(
      isSanitized || process.peak < 400 << 20 || process.peak <= Process.parentPeak, "\(process.peak >> 20) MiB")
  }
}

@Suite("HostileScript scripts in the tool")
struct ToolHostileTests {
  private static let sessions: [HostileSession] = {
    let rows = HostileScript.all.filter { $0.next == nil }
    let spending = rows.filter { [.limit, .spent].contains($0.outcome) && $0.role != .app }
    let others = rows.filter { ![.limit, .spent].contains($0.outcome) && $0.role != .app }
    let apps = rows.filter { $0.role == .app }
    func parts(_ rows: [HostileScript], _ timeout: String) -> [HostileSession] {
      stride(from: 0, to: rows.count, by: 25).map {
        HostileSession(rows: Array(rows[$0..<min($0 + 25, rows.count)]), timeout: timeout)
      }
    }
    // A harmless script must never need as long.
    return parts(spending, isSanitized ? "1" : "0.2") + parts(others, "3")
      + apps.map { HostileSession(rows: [$0], timeout: "0.5") }
  }()

  @Test(
    "After any deed of a hostile script in a session the next command works, and no output reaches the terminal raw",
    arguments: sessions)
  fileprivate func hostile(_ session: HostileSession) throws { try session.check() }
}
