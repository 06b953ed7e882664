import Glibc
import Testing

@testable import ScriptHost

/// A folder of scripts and plugins, deleted at the end, and a host for them.
final class PluginStage {
  let path: String
  let host: ScriptHost
  private(set) var printed: [String] = []

  init(_ files: [String: String] = [:], app: String? = nil, limits: HostLimits = HostLimits()) throws {
    let template = strdup("/tmp/menuctl-plugins-XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil, let made = realpath(template, nil) else {
      throw CannotMake(number: errno)
    }
    defer { free(made) }
    path = String(cString: made)
    host = ScriptHost(limits: limits, clock: TestClock())
    host.onPrint = { [unowned self] in printed.append($0) }
    for (name, text) in files { write(text, to: name) }
    if let app {
      write(app, to: "app.lua")
      try host.load(path: "\(path)/app.lua")
    }
  }

  struct CannotMake: Error { let number: Int32 }

  /// Writes a file. A text that begins with '→' makes a link, '|' a pipe.
  func write(_ text: String, to name: String) {
    let parts = name.split(separator: "/").dropLast()
    for count in parts.indices { mkdir("\(path)/\(parts[...count].joined(separator: "/"))", 0o755) }
    unlink("\(path)/\(name)")
    if text.hasPrefix("→") {
      symlink(String(text.dropFirst()), "\(path)/\(name)")
      return
    }
    if text == "|" {
      mkfifo("\(path)/\(name)", 0o644)
      return
    }
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  func load(_ names: String...) throws { try host.load(plugins: names.map { "\(path)/\($0)" }) }

  /// Loads, and answers the consent question if there is one.
  func consenting(_ answer: (ConsentRequest) -> Bool = { _ in true }, _ load: () throws -> Void) throws {
    do { try load() } catch let error as LoadError {
      guard let request = error.asks, answer(request), let yes = request.yes else { throw error }
      host.consents.append(yes)
      try load()
    }
  }

  /// The error of loading plugins, without the folder.
  func refusal(_ names: String..., at location: SourceLocation = #_sourceLocation) -> String {
    do {
      try host.load(plugins: names.map { "\(path)/\($0)" })
      Issue.record("it was loaded", sourceLocation: location)
      return ""
    } catch {
      return short(error.failure.message)
    }
  }

  /// A text without the folder.
  func short(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: path + "/") {
      result += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  func perform(_ reference: String) -> String { short(host.perform(reference).line) }

  func take() -> [String] {
    defer { printed = [] }
    return printed.map(short)
  }

  /// All counts and visible state of the host.
  var portrait: [String] {
    var lines = host.responders.map { r in
      "\(r.name) \(r.next?.name ?? "") \(r.first?.name ?? "") \(r.delegate?.name ?? "") \(r.layers.count) \(r.derived.count) "
        + "\(r.attached.count) \(host.actions(of: r)) \(r.undoStack?.count { _ in true } ?? 0)"
    }
    lines.append("\(host.chainNames) \(host.windows.map(\.name)) \(host.focused.name) \(host.keyWindow?.name ?? "")")
    lines.append(
      "\(host.listenerCount) \(host.dispatcher.observers.count) \(host.jobs.count) \(host.modalSessions.count)")
    lines.append("\(host.keys().map(\.keys)) \(host.menus()) \(host.chain.classes.count) \(host.chain.orphans.count)")
    lines.append("\(host.scripts?.owners.count ?? 0) \(host.scripts?.classes.count ?? 0) \(host.plugins.count)")
    return lines
  }

  deinit {
    var folders = [path]
    var found: [String] = []
    while let folder = folders.popLast() {
      found.append(folder)
      guard let stream = opendir(folder) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) {
          folders.append("\(folder)/\(name)")
        } else {
          unlink("\(folder)/\(name)")
        }
      }
    }
    for folder in found.reversed() { rmdir(folder) }
  }
}

/// The app that plugins extend in these tests: a grid with an action, a state and a menu.
let pluginApp = """
  app.name, app.version, app.title = "photos", "1.4", "Photos"
  menubar { menu "Image" { item "Rate" { "rate(stars: 5)" }, item "Clear" { "clear" } } }
  local main = window "main"
  grid = responder "grid" { next = main, selection = "a.jpg" }
  function grid:provide(ctx) ctx.photo = self.selection end
  function grid.on:rate(ctx) return "app rates " .. tostring(ctx.photo) end
  function grid.on:look_at(ctx) return ctx.taker == self and ctx.taker.selection end
  function app.on:stop() return "stopped" end
  focus(grid)
  """
