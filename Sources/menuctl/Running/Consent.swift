import Glibc
import LiveHost
import ScriptHost
import Terminal

/// *Consent* is a person's yes to the capabilities that a plugin or an app requests. It applies to the request's
/// digest, its folder and the shown paths. If one of them changes, the tool asks again.
struct Consent {
  private let output: Output

  init(_ output: Output) { self.output = output }

  /// Returns true if a person agreed to a request before, or agrees now. The tool asks only a person at a terminal, and
  /// only if the answer fits into the settings file.
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
    // Input typed before the question is no answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    output.remark { $0.question(request, columns: columns(of: STDERR_FILENO)) }
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { return false }
    // The settings are read again, to keep the changes of other processes while the question was open.
    do throws(Problem) { try Settings.change { Self.add(request, to: &$0) } } catch { output.show(error) }
    return true
  }

  /// Returns true if a person agreed to this request before. Asks nobody.
  static func isRemembered(_ request: ConsentRequest) -> Bool {
    (try? Settings.read()).map { covers($0, request) } ?? false
  }

  /// The consents in the settings file, for `ScriptHost.consents`.
  static var remembered: [GivenConsent] { (try? Settings.read()).map(given) ?? [] }

  /// Refuses a question longer than the screen: a person would see only its end, which the plugin could choose.
  private static func checkIsSeen(_ request: ConsentRequest) throws(Problem) {
    let columns = columns(of: STDERR_FILENO)
    let shown = columns == .max ? 80 : columns
    let count = TextRenderer().question(request, columns: shown).rows(of: shown)
    // One more row is for the answer.
    guard count >= rows(of: STDERR_FILENO) else { return }
    let who = Section.of(request) == .apps ? "app" : "plugin"
    let all = who == "app" ? "its app.allow" : "'menuctl plugin info \(request.path.shellWord)'"
    throw Problem(
      .refused,
      "what the \(who) '\(request.name.visibleBlanks.cut(to: 40))' asks for takes \(count) rows, more than this terminal shows",
      help: "\(all) shows all of it, and '--allow CAPABILITY' grants it by name")
  }

  /// Returns true if the remembered consent covers a request.
  static func covers(_ settings: Settings, _ request: ConsentRequest) -> Bool {
    remembered(in: settings, .of(request)).contains {
      $0.key.isSame(as: key(of: request)) && $0.yes?.covers(request) ?? false
    }
  }

  private static func given(in settings: Settings) -> [GivenConsent] {
    Section.allCases.flatMap { remembered(in: settings, $0).compactMap(\.yes) }
  }

  // MARK: Remembered consents

  /// The section of a consent in the settings: plugins by name, apps by the paths of their scripts.
  enum Section: String, CaseIterable {
    case plugins = "consent"
    case apps

    static func of(_ request: ConsentRequest) -> Section { if case .app = request.asker { .apps } else { .plugins } }
  }

  /// An entry of the settings file: the grants of one plugin or app.
  struct Remembered {
    let key: String
    fileprivate let value: Literal

    private var members: LiteralObject? { if case .object(let members) = value { members } else { nil } }

    private func text(_ name: String) -> String? { if case .text(let text)? = members?[name] { text } else { nil } }

    /// The name to show: that of an app, else the key.
    var name: String { text("name") ?? key }

    var grants: [String] {
      guard case .list(let grants)? = members?["grants"] else { return [] }
      return grants.compactMap { if case .text(let grant) = $0 { grant } else { nil } }
    }

    /// Nil if the digest or the folder is missing, because another program wrote the entry.
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

  /// Removes the consents of plugins with this name, and of apps with this name or path. Returns the changed sections.
  static func forget(_ name: String) throws(Problem) -> [Section] {
    let path = realpath(name).map(Source.path)
    func isMeant(_ one: Remembered, _ section: Section) -> Bool {
      let isNamed = one.key.isSame(as: name)
      guard section == .apps else { return isNamed }
      return isNamed || one.name.isSame(as: name) || path.map(one.key.isSame) ?? false
    }
    let settings = try Settings.read()
    // Without a match, no folder and no lock file are made.
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

  /// The number of grants that are kept from earlier questions of the same request, newest first.
  private static let mostFolders = 64

  /// Adds a yes to the settings, unless the folder of the plugin or app is unknown.
  private static func add(_ request: ConsentRequest, to settings: inout Settings) {
    guard let folder = request.folder else { return }
    let section = Section.of(request)
    let before = remembered(in: settings, section).first { $0.key.isSame(as: key(of: request)) }
    var grants = request.grants.map(\.description)
    // An app that is called in several folders, with '$PWD', asks once in each.
    if let yes = before?.yes, yes.digest == request.digest, yes.folder.isSame(as: folder) {
      grants += (before?.grants ?? []).filter { !grants.contains($0) }.prefix(mostFolders)
    }
    var members = [
      LiteralObject.Member(key: "digest", value: .text(request.digest)),
      LiteralObject.Member(key: "path", value: .text(folder)),
      LiteralObject.Member(key: "grants", value: .list(grants.map { .text($0) })),
    ]
    if section == .apps { members.append(LiteralObject.Member(key: "name", value: .text(request.name))) }
    let one = Remembered(key: key(of: request), value: .object(LiteralObject(members) ?? LiteralObject()))
    let others = remembered(in: settings, section).filter { !$0.key.isSame(as: one.key) }
    write(others + [one], section, &settings)
  }
}

extension Invocation {
  /// Returns this command line with the `--allow` options that grant a request, for a help message. An app's paths are
  /// resolved. A plugin's are those of its manifest, unless these words already grant them to another.
  func granting(_ request: ConsentRequest) -> String {
    var words = ["menuctl", verb.name] + operands
    for (option, value) in options {
      words +=
        option.value == nil
        ? [option.name] : option.isValueOptional ? ["\(option.name)=\(value)"] : [option.name, value]
    }
    let isApp = Consent.Section.of(request) == .apps
    let said = Set(values(.allow))
    for (capability, grant) in zip(request.capabilities, request.grants) {
      words += ["--allow", (isApp || said.contains(capability.description) ? grant : capability).description]
    }
    return words.map(\.shellWord).joined(separator: " ")
  }
}

extension TextRenderer {
  /// Returns the question before a plugin or an app is loaded, broken between words.
  fileprivate func question(_ request: ConsentRequest, columns: Int) -> String {
    let name = request.name.visibleBlanks
    let path = "(\(request.path.visibleBlanksInShort))"
    let who: String
    var rest = "\(path) asks to"
    var until: String
    switch request.asker {
    case .plugin(let manifest):
      (who, until) = ("The plugin ", "the plugin changes")
      rest = "\(manifest.version) \(rest)"
    case .app:
      who = "The app "
      until = "it asks for something else\(request.hasOwnPrograms ? ", or what it runs there changes" : "")"
    }
    until += request.variables.map { ", or \($0) changes" }.joined()
    var lines = "\(who)\(name) \(rest)".wrapped(to: columns)
    // A broken name has no colour.
    if let first = lines.first, first.hasPrefix(who + name) {
      lines[0] = who + palette(name, .strong) + first.dropFirst((who + name).count)
    }
    lines += request.sentences.flatMap { sentence in
      sentence.visibleBlanksInShort.wrapped(to: columns - 4).enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
    }
    lines += "Allow it, until \(until)? [y/N]".wrapped(to: columns)
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
