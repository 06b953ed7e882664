import Glibc
import ScriptHost

/// *Consent* is a person's yes to what a plugin asks for, remembered for this very plugin and for the paths that were shown: where it changes,
/// or one of its paths leads elsewhere, it is asked again.
struct Consent {
  private let output: Output
  private static let key = "consent"

  init(_ output: Output) { self.output = output }

  /// Whether a plugin may do what it asks for: it was granted before, or is now. Only a person at a terminal is asked, and for no more than
  /// can be remembered.
  func isGiven(_ request: ConsentRequest) -> Bool {
    var settings: Settings
    do throws(Problem) {
      settings = try Settings.read()
    } catch {
      output.show(error)
      return false
    }
    if Self.covers(settings, request) { return true }
    guard !output.isJSON, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
    settings[Self.key] = Self.adding(request, to: settings)
    do throws(Problem) {
      try settings.checkLength()
    } catch {
      output.show(error)
      return false
    }
    output.remark { $0.question(request) }
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { return false }
    do throws(Problem) { try settings.write() } catch { output.show(error) }
    return true
  }

  /// Whether what is remembered covers a request.
  static func covers(_ settings: Settings, _ request: ConsentRequest) -> Bool {
    guard case .object(let all)? = settings[key], case .object(let one)? = all[request.manifest.name],
      one["digest"] == .text(request.digest), case .list(let grants)? = one["grants"]
    else { return false }
    return request.grants.allSatisfy { grants.contains(.text($0.description)) }
  }

  /// Forgets what a plugin was granted; whether there was something.
  static func forget(_ name: String) throws(Problem) -> Bool {
    var settings = try Settings.read()
    guard case .object(let all)? = settings[key], all[name] != nil else { return false }
    let rest = all.members.filter { $0.key != name }
    settings[key] = LiteralObject(rest).map { Literal.object($0) }
    try settings.write()
    return true
  }

  private static func adding(_ request: ConsentRequest, to settings: Settings) -> Literal {
    var members: [LiteralObject.Member] = []
    if case .object(let all)? = settings[key] { members = all.members.filter { $0.key != request.manifest.name } }
    let one = LiteralObject([
      LiteralObject.Member(key: "digest", value: .text(request.digest)),
      LiteralObject.Member(key: "grants", value: .list(request.grants.map { .text($0.description) })),
    ])
    members.append(LiteralObject.Member(key: request.manifest.name, value: .object(one ?? LiteralObject())))
    return .object(LiteralObject(members) ?? LiteralObject())
  }
}

extension TextRenderer {
  /// What a person is asked before a plugin is loaded.
  fileprivate func question(_ request: ConsentRequest) -> String {
    let wishes = request.sentences.map { "  \($0.visible)" }.joined(separator: "\n")
    let plugin =
      "\(palette(request.manifest.name.visible, .strong)) \(request.manifest.version) (\(request.path.visible))"
    return "The plugin \(plugin) asks to\n\(wishes)\nAllow it, until the plugin changes? [y/N]"
  }
}
