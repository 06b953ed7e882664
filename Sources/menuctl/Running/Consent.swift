import Glibc
import LiveHost
import ScriptHost
import Terminal

/// *Consent* is a person's yes to what a plugin asks for, remembered for this very plugin in its folder and for the paths that were shown: where
/// it changes, lies elsewhere, or one of its paths leads elsewhere, it is asked again.
struct Consent {
  private let output: Output
  private static let key = "consent"

  init(_ output: Output) { self.output = output }

  /// Whether a plugin may do what it asks for: it was granted before, or is now. Only a person at a terminal is asked, and for no more than
  /// can be remembered.
  func isGiven(_ request: ConsentRequest) -> Bool {
    do throws(Problem) {
      let settings = try Settings.read()
      if Self.covers(settings, request) { return true }
      guard !output.isJSON, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
      var changed = settings
      Self.add(request, to: &changed)
      try changed.checkLength()
      try Self.checkIsSeen(request)
    } catch {
      output.show(error)
      return false
    }
    output.remark { $0.question(request) }
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { return false }
    // Whatever was remembered or withdrawn while the question stood there stays so.
    do throws(Problem) { try Settings.change { Self.add(request, to: &$0) } } catch { output.show(error) }
    return true
  }

  /// Whether a person said yes to it before; nobody is asked.
  static func isRemembered(_ request: ConsentRequest) -> Bool {
    (try? Settings.read()).map { covers($0, request) } ?? false
  }

  /// Refuses a question of which a person would see the end alone: what it is about would stand above the screen, and what stands on it would
  /// be the plugin's choice.
  private static func checkIsSeen(_ request: ConsentRequest) throws(Problem) {
    let columns = columns(of: STDERR_FILENO)
    let count = TextRenderer().question(request).rows(of: columns == .max ? 80 : columns)
    // One more is for the answer.
    guard count >= rows(of: STDERR_FILENO) else { return }
    let name = request.path.shellWord
    throw Problem(
      .refused,
      "what the plugin '\(request.manifest.name.visibleBlanks.cut(to: 40))' asks for takes \(count) rows, more than this terminal shows",
      help: "'menuctl plugin info \(name)' shows all of it, and '--allow CAPABILITY' grants it by name")
  }

  /// Whether what is remembered covers a request.
  static func covers(_ settings: Settings, _ request: ConsentRequest) -> Bool {
    guard case .object(let all)? = settings[key], case .object(let one)? = all[request.manifest.name],
      one["digest"] == .text(request.digest), let folder = request.folder, one["path"] == .text(folder),
      case .list(let grants)? = one["grants"]
    else { return false }
    return request.grants.allSatisfy { grants.contains(.text($0.description)) }
  }

  /// Forgets what a plugin was granted; whether there was something.
  static func forget(_ name: String) throws(Problem) -> Bool {
    // Where there is nothing, nothing is made to lock it.
    guard case .object(let all)? = try Settings.read()[key], all[name] != nil else { return false }
    try Settings.change { settings in
      let rest = remembered(in: settings).filter { !$0.key.utf8.elementsEqual(name.utf8) }
      settings[key] = LiteralObject(rest).map { Literal.object($0) }
    }
    return true
  }

  /// Remembers a yes, of a plugin whose folder can be told.
  private static func add(_ request: ConsentRequest, to settings: inout Settings) {
    guard let folder = request.folder else { return }
    let name = request.manifest.name
    let one = LiteralObject([
      LiteralObject.Member(key: "digest", value: .text(request.digest)),
      LiteralObject.Member(key: "path", value: .text(folder)),
      LiteralObject.Member(key: "grants", value: .list(request.grants.map { .text($0.description) })),
    ])
    let others = remembered(in: settings).filter { !$0.key.utf8.elementsEqual(name.utf8) }
    let member = LiteralObject.Member(key: name, value: .object(one ?? LiteralObject()))
    settings[key] = .object(LiteralObject(others + [member]) ?? LiteralObject())
  }

  private static func remembered(in settings: Settings) -> [LiteralObject.Member] {
    guard case .object(let all)? = settings[key] else { return [] }
    return all.members
  }
}

extension TextRenderer {
  /// What a person is asked before a plugin is loaded.
  fileprivate func question(_ request: ConsentRequest) -> String {
    let wishes = request.sentences.map { "  \($0.visibleBlanks)" }.joined(separator: "\n")
    let name = palette(request.manifest.name.visibleBlanks, .strong)
    let plugin = "\(name) \(request.manifest.version) (\(request.path.visibleBlanks))"
    return "The plugin \(plugin) asks to\n\(wishes)\nAllow it, until the plugin changes? [y/N]"
  }
}
