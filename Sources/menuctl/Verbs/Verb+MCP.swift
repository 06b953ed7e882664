import Assistant
import Glibc
import LiveHost

extension Verb {
  static let mcp = Verb(
    name: "mcp", operands: [.app],
    summary: "let an assistant use an app's menus, over the Model Context Protocol",
    options: [.only, .except, .readOnly, .tools, .name, .socket, .alone, .noEval]
      + Option.loading.filter { $0 != .json && $0 != .yes },
    asksLive: true
  )
}

extension VerbBody {
  static let mcp = VerbBody(.mcp) { session in
    let settings = try AssistantSettings(session.invocation)
    guard session.invocation.operands[0].hasPrefix("@") else {
      return try Serving(session, hasAssistant: true).run(settings)
    }
    return try session.assistLive(settings)
  }
}

extension Option {
  static let only = Option(
    name: "--only", value: "PATTERN",
    summary: "let the assistant do only actions with this name, for example 'photo.*'; can be repeated")
  static let except = Option(
    name: "--except", value: "PATTERN", summary: "refuse the assistant actions with this name; can be repeated")
  static let readOnly = Option(name: "--read-only", summary: "let the assistant look, and do nothing")
  static let tools = Option(
    name: "--tools", value: "N",
    summary: "list N actions as tools at most, 100 by default; if there are more, the assistant searches for them")
}

extension AssistantSettings {
  /// Reads the settings from the command line.
  fileprivate init(_ invocation: Invocation) throws(Problem) {
    self.init()
    only = invocation.values(.only)
    except = invocation.values(.except)
    isReadOnly = invocation.has(.readOnly)
    version = Verb.versionNumber
    guard let word = invocation.values(.tools).last else { return }
    guard let number = Int(word), number >= 0 else {
      throw Problem(.usage, "'--tools \(word)' is no number", help: "as in --tools 40")
    }
    mostTools = number
  }
}

extension Session {
  /// Serves an assistant for an app in another process.
  fileprivate func assistLive(_ settings: AssistantSettings) throws -> Reply {
    let name = invocation.operands[0]
    let ofSessions: [Option] = [.name, .socket, .alone, .noEval]
    if let option = invocation.options.map(\.option).first(where: {
      Option.ofLoadingAlone.contains($0) || ofSessions.contains($0)
    }) {
      throw Problem(.usage, "'\(option.name)' is only for an app that this command loads, and '\(name)' is running")
    }
    let client = try Self.connect(to: name, as: "mcp")
    // After a client has gone, a write fails.
    signal(SIGPIPE, SIG_IGN)
    do throws(Unanswered) { try AssistantLoop(client, settings).run() } catch { throw Problem(error) }
    return Reply()
  }
}
