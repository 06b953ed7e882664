import Glibc
import LiveHost
import ScriptHost
import Terminal

/// *Consent* is a person's yes to what a plugin or an app asks for, remembered for this very one in its folder and for the paths that were shown:
/// where it changes, lies elsewhere, or one of its paths leads elsewhere, it is asked again.
struct Consent {
  private let output: Output

  init(_ output: Output) { self.output = output }

  /// Whether something may have what it asks for: it was granted before, or is now. Only a person at a terminal is asked, and for no more than
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

  /// What persons said yes to before.
  static var remembered: [GivenConsent] { (try? Settings.read()).map(given) ?? [] }

  /// Refuses a question of which a person would see the end alone: what it is about would stand above the screen, and what stands on it would
  /// be the plugin's choice.
  private static func checkIsSeen(_ request: ConsentRequest) throws(Problem) {
    let columns = columns(of: STDERR_FILENO)
    let count = TextRenderer().question(request).rows(of: columns == .max ? 80 : columns)
    // One more is for the answer.
    guard count >= rows(of: STDERR_FILENO) else { return }
    let who = Section.of(request) == .apps ? "app" : "plugin"
    let all = who == "app" ? "its app.allow" : "'menuctl plugin info \(request.path.shellWord)'"
    throw Problem(
      .refused,
      "what the \(who) '\(request.name.visibleBlanks.cut(to: 40))' asks for takes \(count) rows, more than this terminal shows",
      help: "\(all) shows all of it, and '--allow CAPABILITY' grants it by name")
  }

  /// Whether what is remembered covers a request.
  static func covers(_ settings: Settings, _ request: ConsentRequest) -> Bool {
    remembered(in: settings, .of(request)).contains {
      $0.key.isSame(as: key(of: request)) && $0.yes?.covers(request) ?? false
    }
  }

  private static func given(in settings: Settings) -> [GivenConsent] {
    Section.allCases.flatMap { remembered(in: settings, $0).compactMap(\.yes) }
  }

  // MARK: What is remembered

  /// A consent's place in the settings: plugins by their names, apps by the paths of their scripts.
  enum Section: String, CaseIterable {
    case plugins = "consent"
    case apps

    static func of(_ request: ConsentRequest) -> Section { if case .app = request.asker { .apps } else { .plugins } }
  }

  /// A yes that a person said.
  struct Remembered {
    let key: String
    fileprivate let value: Literal

    private var members: LiteralObject? { if case .object(let members) = value { members } else { nil } }

    private func text(_ name: String) -> String? { if case .text(let text)? = members?[name] { text } else { nil } }

    /// What it is called.
    var name: String { text("name") ?? key }

    var grants: [String] {
      guard case .list(let grants)? = members?["grants"] else { return [] }
      return grants.compactMap { if case .text(let grant) = $0 { grant } else { nil } }
    }

    /// Nil where somebody else wrote it.
    var yes: GivenConsent? {
      guard let digest = text("digest"), let folder = text("path") else { return nil }
      return GivenConsent(digest: digest, folder: folder, grants: Set(grants))
    }
  }

  static func remembered(in settings: Settings, _ section: Section) -> [Remembered] {
    guard case .object(let all)? = settings[section.rawValue] else { return [] }
    return all.members.map { Remembered(key: $0.key, value: $0.value) }
  }

  private static func key(of request: ConsentRequest) -> String {
    if case .app = request.asker { request.path } else { request.name }
  }

  /// Forgets what a plugin of a name was granted, or an app that is called so or lies at that path; of which of the two there was something.
  static func forget(_ name: String) throws(Problem) -> [Section] {
    let path = realpath(name).map(Source.path)
    func isMeant(_ one: Remembered, _ section: Section) -> Bool {
      let isNamed = one.key.isSame(as: name)
      guard section == .apps else { return isNamed }
      return isNamed || one.name.isSame(as: name) || path.map(one.key.isSame) ?? false
    }
    let settings = try Settings.read()
    // Where there is nothing, nothing is made to lock it.
    let found = Section.allCases.filter { section in
      remembered(in: settings, section).contains { isMeant($0, section) }
    }
    if found.isEmpty { return [] }
    try Settings.change { settings in
      for section in found {
        write(remembered(in: settings, section).filter { !isMeant($0, section) }, section, &settings)
      }
    }
    return found
  }

  private static func write(_ all: [Remembered], _ section: Section, _ settings: inout Settings) {
    let members = all.map { LiteralObject.Member(key: $0.key, value: $0.value) }
    settings[section.rawValue] = LiteralObject(members).map { Literal.object($0) }
  }

  /// Remembers a yes, of one whose folder can be told.
  private static func add(_ request: ConsentRequest, to settings: inout Settings) {
    guard let folder = request.folder else { return }
    let section = Section.of(request)
    var members = [
      LiteralObject.Member(key: "digest", value: .text(request.digest)),
      LiteralObject.Member(key: "path", value: .text(folder)),
      LiteralObject.Member(key: "grants", value: .list(request.grants.map { .text($0.description) })),
    ]
    if section == .apps { members.append(LiteralObject.Member(key: "name", value: .text(request.name))) }
    let one = Remembered(key: key(of: request), value: .object(LiteralObject(members) ?? LiteralObject()))
    let others = remembered(in: settings, section).filter { !$0.key.isSame(as: one.key) }
    write(others + [one], section, &settings)
  }
}

extension Invocation {
  /// The words of this command line with what grants a request; of an app where its paths lead, and of a plugin in its own words.
  func granting(_ request: ConsentRequest) -> String {
    var words = ["menuctl", verb.name] + operands
    for (option, value) in options {
      words +=
        option.value == nil
        ? [option.name] : option.isValueOptional ? ["\(option.name)=\(value)"] : [option.name, value]
    }
    let isApp = Consent.Section.of(request) == .apps
    for capability in isApp ? request.grants : request.capabilities { words += ["--allow", capability.description] }
    return words.map(\.shellWord).joined(separator: " ")
  }
}

extension TextRenderer {
  /// What a person is asked before a plugin or an app is loaded.
  fileprivate func question(_ request: ConsentRequest) -> String {
    let wishes = request.sentences.map { "  \($0.visibleBlanksInShort)" }.joined(separator: "\n")
    let name = palette(request.name.visibleBlanks, .strong)
    let path = "(\(request.path.visibleBlanksInShort))"
    switch request.asker {
    case .plugin(let manifest):
      return
        "The plugin \(name) \(manifest.version) \(path) asks to\n\(wishes)\nAllow it, until the plugin changes? [y/N]"
    case .app:
      return "The app \(name) \(path) asks to\n\(wishes)\nAllow it, until it asks for something else? [y/N]"
    }
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
