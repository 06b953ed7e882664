import Glibc
import ScriptHost

// `load --watch`: the script is loaded anew whenever it is saved, and what changed in the menus is shown.

extension Session {
  /// Loads APP, and whatever becomes of it watches its files until somebody interrupts.
  func watch(_ show: () throws -> Void) throws -> Reply {
    if invocation.has(.json) { throw Problem(.usage, "'--watch' goes on, so it can't answer with one JSON object") }
    if invocation.operands[0] == "-" { throw Problem(.usage, "stdin can't be watched: name a file") }
    let watch = try Watch()
    look(with: watch)
    do {
      try load()
      try show()
    } catch let problem as Problem where problem.isScript {
      output.show(problem)
      output.remark(\.waitsForSave)
    }
    interrupts.cancel { [stop = watch.stop, canceller = try host.canceller()] in
      stop()
      canceller.cancel()
    }
    var known = files
    if let source { known[source.name] = source.bytes }
    while true {
      look(with: watch)
      switch watch.next(timeout: timeout) {
      case .stopped: return Reply(status: .interrupted)
      case .time: host.run()
      case .saved:
        let now = files
        guard now.contains(where: { known[$0.key] != .some($0.value) }) else { continue }
        reload(Set(now.filter { known[$0.key] != .some($0.value) }.keys))
        // What was saved while it was loaded is another than was looked at before.
        known = files.merging(now) { $1 }
      }
    }
  }

  private func look(with watch: Watch) { watch.look(at: paths, in: folder.map { [$0] } ?? []) }

  /// What was read, or would have been.
  private var paths: Set<String> {
    Set([source?.name ?? Source.path(of: invocation.operands[0])] + host.scriptFiles)
  }

  /// What is in them: nil where there is no such file.
  private var files: [String: [UInt8]?] {
    var files: [String: [UInt8]?] = [:]
    for path in paths { files[path] = .some(Source.text(ofRegular: path)) }
    return files
  }

  /// The folder that APP names.
  private var folder: String? {
    let path = source?.name ?? invocation.operands[0]
    return path == invocation.operands[0] ? nil : invocation.operands[0]
  }

  /// How many milliseconds there are until something goes on that waits.
  private var timeout: Int32 {
    guard let deadline = host.nextDeadline else { return -1 }
    let seconds = (deadline - host.now).components
    return Int32(clamping: max(0, seconds.seconds * 1000 + seconds.attoseconds / 1_000_000_000_000_000 + 1))
  }

  /// Reads the app anew, and shows what changed; where it can't be loaded, that.
  func reload() -> ExitStatus {
    guard let source, source.folder != nil else {
      output.show(Problem(.no, "the app was not read from a file, so it can't be read anew"))
      return .no
    }
    return reload([source.name])
  }

  /// Loads anew what was saved: plugins each for itself, else the app.
  @discardableResult
  private func reload(_ saved: Set<String>) -> ExitStatus {
    var status = ExitStatus.done
    let before = host.menus()
    output.forgetShown()
    let missing = invocation.values(.plugin).count > host.plugins.count
    let plugins = host.plugins.filter { plugin in
      saved.contains { $0 == plugin.path || plugin.folder.map($0.hasPrefix) ?? false }
    }
    let own = Set(
      saved.filter { file in !plugins.contains { file == $0.path || $0.folder.map(file.hasPrefix) ?? false } })
    var names: [String] = []
    do throws(Problem) {
      for plugin in plugins {
        do throws(LoadError) { try host.reload(plugin: plugin.manifest.name) } catch { throw Problem(error) }
        names.append(plugin.path)
      }
      if !own.isEmpty { names.append(try reloadApp()) }
      if missing { try loadPlugins(invocation.values(.plugin)) }
    } catch {
      output.show(error)
      output.remark(\.oldGoesOn)
      status = error.status
    }
    if names.isEmpty { return status }
    let changes = Answer.Changes(before: before, all: host.changes())
    output.say { $0.reloaded(names.joined(separator: ", "), changes) }
    return status
  }

  private func reloadApp() throws(Problem) -> String {
    let source = try Source(app: self.source?.name ?? invocation.operands[0])
    output.add(source)
    do throws(LoadError) {
      try host.reload(bytes: source.bytes, name: source.name, folder: source.folder)
      return source.name
    } catch {
      throw Problem(error)
    }
  }
}

extension PluginInfo {
  /// What all paths of its own files begin with; nil for a lone file.
  fileprivate var folder: String? {
    path.hasSuffix("/plugin.lua") ? String(path.dropLast("plugin.lua".utf8.count)) : nil
  }
}

extension Problem {
  /// Whether the script is to blame, so that saving it anew may help.
  fileprivate var isScript: Bool { if case .script = content { status != .interrupted } else { false } }
}
