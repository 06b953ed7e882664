import Glibc
import ScriptHost

extension Method {
  // Among names of the same length the first is found fastest, so the methods that clients call most come first.
  static let all = Methods(deeds + responding + asks + lines + session)
  static let allButLines = Methods(deeds + responding + asks + session)

  /// The most names in one `validate` request, because the host serves no other client meanwhile.
  private static let mostNames = 1000
  /// The most lines of a text, and the most rows of a pane, in one answer.
  private static let mostLines = 1000

  /// The methods that only read.
  private static var asks: [Method] {
    [
      asking("app", returns: .coded(Answer.App.self)) { live, _, _ in live.answers.members(live.subject.app()) },
      asking("menus", [.text("id").orNone], returns: "{menus: [@whole-element]}") {
        live, client, given throws(CallError) in
        let shown = live.shown(to: client)
        live.draw(shown)
        let root = shown.menus
        guard let id = given.text("id") else { return [("menus", .list(root.children.map(live.answers.json)))] }
        let element =
          if let known = root.find(id) { known } else {
            try live.ask { subject throws(Unanswered) in try subject.element(id) }
          }
        return [("menus", .list([live.answers.json(element)]))]
      },
      asking(
        "panel",
        returns: "{panel: [@whole-element], first?: integer, rows?: integer, current?: string, number?: integer}"
      ) { live, client, _ in
        let shown = live.shown(to: client)
        live.draw(shown)
        return live.panelMembers(of: shown)
      },
      asking(
        "find", [.text("text"), .integer("from").orNone, .text("pane").orNone, .bool("backward").orNone],
        returns: "{id?: string, number?: integer}"
      ) {
        live, _, given throws(CallError) in
        let from = max(1, given.integer("from") ?? 1) - 1
        if let id = given.text("pane"), live.host.isText(id) {
          do throws(Misuse) {
            let line = try live.host.line(
              of: id, with: given.needed("text"), from: from + 1, backward: given.isSet("backward"))
            return line.map { [("number", .integer($0))] } ?? []
          } catch { throw CallError(.parameters, error.message) }
        }
        guard let row = live.host.panelRow(beginningWith: given.needed("text"), from: from, in: given.text("pane"))
        else { return [] }
        return [("id", .text(row.id)), ("number", .integer(row.place + 1))]
      },
      asking(
        "lines", [.text("text"), .integer("from").orNone, .integer("count").orNone],
        returns:
          "{lines: [{text: string, spans?: [@span]}], from: integer, of: integer, version: integer, running?: boolean}"
      ) {
        live, _, given throws(CallError) in
        let from = max(1, given.integer("from") ?? 1)
        let count = min(mostLines, max(0, given.integer("count") ?? mostLines))
        do throws(Misuse) {
          let id = given.needed("text")
          let lines = try live.host.lines(of: id, from: from, count: count)
          let (all, version, isRunning) = try live.host.size(of: id)
          return [
            ("lines", .list(lines.map(\.json))), ("from", .integer(from)), ("of", .integer(all)),
            ("version", .integer(version)),
          ] + (isRunning ? [("running", .bool(true))] : [])
        } catch { throw CallError(.parameters, error.message) }
      },
      asking(
        "rows", [.text("pane"), .integer("from").orNone, .integer("count").orNone],
        returns: "{rows: [@whole-element], from: integer, of: integer, current?: string}"
      ) {
        live, _, given throws(CallError) in
        let from = min(max(1, given.integer("from") ?? 1), Int(Int32.max))
        let count = min(mostLines, max(0, given.integer("count") ?? mostLines))
        let (rows, all, current) = try live.rows(of: given.needed("pane"), from..<from + count)
        return [("rows", .list(rows.map(live.answers.json))), ("from", .integer(from)), ("of", .integer(all))]
          + (current.map { [("current", .text($0))] } ?? [])
      },
      asking("validate", [.texts("refs").orNone, .texts("ids").orNone], returns: "{items: [@whole-validated]}") {
        live, client, given throws(CallError) in
        let names = given.texts("ids") + given.texts("refs")
        guard names.count <= mostNames else {
          throw CallError(.parameters, "'validate' takes \(mostNames) names at most, and these are \(names.count)")
        }
        live.showContextMenu(of: client)
        let validated = try live.ask { subject throws(Unanswered) in try subject.validations(of: names) }
        return [("items", .list(validated.map(live.answers.json)))]
      },
      asking(
        "form",
        [
          .text("ref").orNone, .text("id").orNone, .text("keys").orNone, .text("row").orNone,
          .integer("job").orNone, .texts("modifiers").orNone, .text("from").orNone, .text("to").orNone,
          .bool("skip_validation").orNone,
          .object("args").orNone,
        ], returns: .coded(Form.self)
      ) { live, client, given throws(CallError) in
        if let job = given.integer("job") {
          return live.answers.members(try live.question(ofJob: job).form(answers: given.arguments("args")))
        }
        live.showContextMenu(of: client)
        let deed = try given.deedOfForm
        return live.answers.members(
          try live.ask { subject throws(Unanswered) in try subject.form(of: deed, given.arguments("args")) })
      },
      asking("why", [.text("ask"), .text("as", "id|key|ref").orNone], returns: .coded(Explanation.self)) {
        live, client, given throws(CallError) in
        live.showContextMenu(of: client)
        let kind = given.text("as").flatMap(Answer.Validated.Kind.init)
        let ask = given.needed("ask")
        return live.answers.members(
          try live.ask { subject throws(Unanswered) in try subject.explanation(of: ask, as: kind) })
      },
      asking("chain", [.text("ref").orNone], returns: .coded(Answer.Chain.self)) { live, _, given throws(CallError) in
        live.answers.members(try live.ask { subject throws(Unanswered) in try subject.chain(given.text("ref")) })
      },
      asking("context", [.text("ref").orNone], returns: .coded(Answer.Context.self)) {
        live, _, given throws(CallError) in
        live.answers.members(
          Answer.Context(
            entries: try live.ask { subject throws(Unanswered) in try subject.context(given.text("ref")) }))
      },
      asking("keys", returns: "{keys: [@whole-key], counts?: boolean}") { live, _, _ in
        [("keys", .list(live.subject.keys().map(live.answers.json)))]
          + (live.host.countsDigits ? [("counts", .bool(true))] : [])
      },
      asking("actions", [.text("ref").orNone, .bool("everywhere").orNone], returns: "{actions: [@whole-reachable]}") {
        live, _, given throws(CallError) in
        let actions = try live.ask { subject throws(Unanswered) in
          try subject.actions(given.text("ref"), everywhere: given.isSet("everywhere"))
        }
        return [("actions", .list(actions.map(live.answers.json)))]
      },
      asking("check", returns: "{diagnostics: [@whole-diagnostic]}") { live, _, _ in
        [("diagnostics", .list(live.subject.findings().map(live.answers.json)))]
      },
      asking("diagnostics", returns: "{diagnostics: [@whole-diagnostic]}") { live, _, _ in
        [("diagnostics", live.withoutSecrets(.list(live.host.diagnostics.map(live.answers.json))))]
      },
      asking(
        "context_menu", [.text("kind").orNone, .value("subject").orNone, .text("from").orNone, .text("id").orNone],
        returns: "{children: [@whole-element]}"
      ) { live, client, given throws(CallError) in
        if let id = given.text("id") { return [("children", .list(try live.contextMenu(ofRow: id, for: client)))] }
        guard let kind = given.text("kind") else {
          throw CallError(.parameters, "'context_menu' needs 'kind', or the 'id' of a row")
        }
        let from: Responder? =
          if let name = given.text("from") {
            try live.ask { subject throws(Unanswered) in try subject.responder(name) }
          } else {
            nil
          }
        let menu = live.openContextMenu(.of(kind, given.value("subject"), from), for: client)
        return [("children", .list((menu?.children ?? []).map(live.answers.json)))]
      },
      asking("plugins", returns: "{plugins: [@loaded-plugin]}") { live, _, _ in [("plugins", live.pluginList)] },
      asking(
        "undo_stack", returns: "{undo: [string], redo: [string], owner: string, redo_owner: string, step: integer}"
      ) { live, _, _ in
        let history = live.host.undoHistory
        return [
          ("undo", .list(history.undo.map { .text($0) })), ("redo", .list(history.redo.map { .text($0) })),
          ("owner", .text(history.owner)), ("redo_owner", .text(history.redoOwner)),
          ("step", .integer(live.host.undoStep)),
        ]
      },
      asking(
        "jobs",
        returns:
          """
          {jobs: [{job: integer, action?: string, eval?: string, by?: string, timer?: true, start?: true, choice?: true, own: boolean,
            progress?: @progress, asks?: @asked}]}
          """
      ) { live, client, _ in [("jobs", live.jobList(for: client))] },
    ]
  }

  /// The methods that change the app.
  private static var deeds: [Method] {
    let manner: [Parameter] = [
      .object("args").orNone, .bool("confirmed").orNone, .text("asked").orNone, .texts("about").orNone,
      .bool("wait").orNone, .bool("owned").orNone, .bool("answers").orNone, .bool("assistant").orNone,
      .bool("changes").orNone, .bool("trace").orNone, .bool("title").orNone, .text("called").orNone,
    ]
    return [
      Method(
        name: "perform",
        parameters: [
          .text("ref"), .text("from").orNone, .text("to").orNone,
          .bool("skip_validation").orNone, .integer("of").orNone,
        ] + manner, isDeed: true
      ) { live, client, given, id throws(CallError) in
        if let step = given.integer("of"), step != live.host.undoStep {
          let reason = "something else would be undone by now"
          return .performed(
            Answer.Performed(name: live.host.masked(given.needed("ref")), outcome: Outcome(.disabled, reason: reason)))
        }
        return try live.carryOut(.perform(given.needed("ref"), given.performing), given.manner, for: client, given, id)
      },
      Method(name: "press", parameters: [.text("keys")] + manner, isDeed: true) {
        live, client, given, id throws(CallError) in
        try live.carryOut(
          .press(given.needed("keys")), given.manner, for: client, given, id)
      },
      Method(
        name: "pick",
        parameters: [.text("id").orNone, .integer("number").orNone, .integer("of").orNone, .texts("modifiers").orNone]
          + manner, isDeed: true
      ) { live, client, given, id throws(CallError) in
        switch try live.picked(given, by: client) {
        case .id(let picked):
          return try live.carryOut(
            .pick(picked, modifiers: given.texts("modifiers")), given.manner, for: client, given, id)
        case .refused(let performed): return .performed(performed)
        }
      },
      Method(name: "choose", parameters: [.text("id")] + manner, isDeed: true) {
        live, client, given, id throws(CallError) in
        try live.carryOut(.choose(given.needed("id")), given.manner, for: client, given, id)
      },
      Method(
        name: "mark",
        parameters: [.texts("ids"), .text("pane").orNone, .text("how", "add|remove|through|all").orNone] + manner,
        isDeed: true
      ) { live, client, given, id throws(CallError) in
        var ids = given.texts("ids")
        // A face doesn't know the rows out of sight, so it sends how the rows that it knows change the marks.
        if let change = given.text("how").flatMap(MarkChange.init) {
          do throws(Misuse) {
            ids = try live.host.marked(ids, change, in: given.text("pane"))
          } catch { throw CallError(.parameters, error.message) }
        }
        return try live.carryOut(.mark(ids, pane: given.text("pane")), given.manner, for: client, given, id)
      },
      Method(name: "filter", parameters: [.text("pane"), .text("text")] + manner, isDeed: true) {
        live, client, given, id throws(CallError) in
        let deed = Deed.filter(given.needed("text"), pane: given.needed("pane"))
        return try live.carryOut(deed, given.manner, for: client, given, id)
      },
      Method(
        name: "select", parameters: [.text("text"), .integer("from"), .integer("to").orNone] + manner, isDeed: true
      ) { live, client, given, id throws(CallError) in
        let from = given.integer("from") ?? 1
        let deed = Deed.select(text: given.needed("text"), from: from, to: given.integer("to") ?? from)
        return try live.carryOut(deed, given.manner, for: client, given, id)
      },
      Method(name: "undo", parameters: manner, isDeed: true) { live, client, given, id throws(CallError) in
        try live.carryOut(.perform("undo"), given.manner, for: client, given, id)
      },
      Method(name: "redo", parameters: manner, isDeed: true) { live, client, given, id throws(CallError) in
        try live.carryOut(.perform("redo"), given.manner, for: client, given, id)
      },
      doing("focus", [.text("name"), .bool("changes").orNone], returns: .coded(Answer.Focused.self)) {
        live, _, given throws(CallError) in
        let name = given.needed("name")
        let focused = try live.ask { subject throws(Unanswered) in
          try subject.focus(name, comparing: given.isSet("changes")) { focused in
            live.tell(.outcomes) {
              live.answers.members(focused) + [("do", Deed.focus(name).json())]
            }
          }
        }
        return live.answers.members(focused)
      },
      doing("cancel", [.integer("job")], returns: "{cancelled: boolean}") { live, _, given in
        [("cancelled", .bool(live.cancel(given.integer("job") ?? 0)))]
      },
      doing(
        "answer", [.integer("job"), .integer("number").orNone, .object("args").orNone, .bool("confirmed").orNone],
        returns: "{answered: boolean, reason?: string, argument?: string, expected?: string}"
      ) { live, _, given throws(CallError) in try live.answer(given) },
      doing("open_urls", [.texts("urls")], returns: "{outcomes: [@told-outcome]}") { live, client, given in
        let urls = given.texts("urls")
        let outcomes = zip(urls, live.subject.begin(opening: urls)).map { url, undertaking in
          live.json(live.reply(to: undertaking, of: .open(url), Answered(), for: client, given, nil))
        }
        return [("outcomes", .list(outcomes))]
      },
      doing("enter", [.text("phase", "inactive|active|background")], returns: "{entered: boolean, reason?: string}") {
        live, _, given throws(CallError) in
        do throws(Misuse) {
          if let phase = Phase(rawValue: given.needed("phase")) { try live.host.enter(phase) }
        } catch {
          return [("entered", .bool(false)), ("reason", .text(error.message))]
        }
        return [("entered", .bool(true))]
      },
      doing("reload", returns: "{reloaded: boolean, diagnostics?: [@whole-diagnostic]}") { live, _, _ in
        live.reloadMembers(live.reload())
      },
    ]
  }

  /// The method that evaluates lines of Lua, for the user's own sessions.
  private static var lines: [Method] {
    [
      Method(
        name: "evaluate",
        parameters: [
          .text("line"), .text("name").orNone, .bool("wait").orNone, .bool("answers").orNone, .bool("changes").orNone,
        ],
        returns: .evaluated, isDeed: true
      ) { live, client, given, id throws(CallError) in
        try live.carryOut(
          .evaluate(given.needed("line"), name: given.text("name")), Manner(), for: client, given, id)
      },
      asking(
        "complete",
        [
          .text("line"), .integer("at").orNone, .text("as", "lua|name").orNone,
          .texts("kinds", "[\(AppName.allCases.map(\.rawValue).joined(separator: "|"))]").orNone,
        ], returns: "{candidates: [string], addition: string}"
      ) {
        live, _, given throws(CallError) in
        let line = given.needed("line")
        let before = String(decoding: line.utf8.prefix(max(0, given.integer("at") ?? .max)), as: UTF8.self)
        let found = try live.ask { subject throws(Unanswered) in
          given.text("as") == "name"
            ? try subject.completions(of: try AppName.all(given.texts("kinds")), begun: before)
            : try subject.completions(ofLua: before)
        }
        return [
          ("candidates", .list(found.candidates.prefix(2000).map { .text($0) })), ("addition", .text(found.addition)),
        ]
      },
    ]
  }

  /// The methods about the connection and the session.
  private static var session: [Method] {
    [
      asking(
        "hello", [.integer("protocol").orNone, .object("client").orNone],
        returns:
          "{protocol: 1, app: {title?: string, name?: string, version?: string, source: string, typing?: false, granted?: true}, session: {name?: string, pid: integer, clients: integer, since: integer}, methods: [string]}"
      ) {
        live, client, given throws(CallError) in
        if let version = given.integer("protocol"), version != 1 {
          throw CallError(.parameters, "this is protocol 1, and there is no \(version) here")
        }
        client.name = given.name(in: "client")
        client.endsItself = given.member("client")?["quits"]?.bool ?? false
        return live.hello
      },
      asking(
        "subscribe",
        [
          .texts("to"),
          .object("view", "{menus?: [string], keys?: boolean, rows?: {*: [integer]}, texts?: [string]}").orNone,
          .bool("now").orNone,
        ],
        returns:
          "{to: [string], menus?: [@whole-element], panel?: [@whole-element], first?: integer, rows?: integer, current?: string, number?: integer}"
      ) {
        live, client, given throws(CallError) in
        let topics = try Topic.all(given.texts("to"))
        let showsNow = given.isSet("now")
        if let view = given.member("view") { client.look(at: try MenuView(view), before: live.shown(to: client)) }
        // Changes count from these menus on, so a snapshot comes first. A client with another view gets the difference.
        let shown = live.shown(to: client)
        // A client that gets its whole view doesn't need the difference too.
        let isOwn = showsNow && client.shown != nil
        if showsNow || topics.contains(.menus) || topics.contains(.panel) { live.draw(shown, tells: !isOwn) }
        live.begin(topics)
        client.topics.formUnion(topics)
        live.watchWhatIsWanted()
        guard showsNow else { return [("to", client.topicList)] }
        return [("to", client.topicList), ("menus", .list(shown.menus.children.map(live.answers.json)))]
          + live.panelMembers(of: shown)
      },
      asking("unsubscribe", [.texts("to")], returns: "{to: [string]}") { live, client, given throws(CallError) in
        client.topics.subtract(try Topic.all(given.texts("to")))
        live.watchWhatIsWanted()
        return [("to", client.topicList)]
      },
      asking("stop", returns: "{stopping: boolean}") { live, _, _ in
        live.isStopping = true
        return [("stopping", .bool(true))]
      },
    ]
  }
}

extension Topic {
  static func all(_ names: [String]) throws(CallError) -> [Topic] {
    var topics: [Topic] = []
    for name in names {
      guard let topic = Topic(rawValue: name) else {
        let near = nearest(to: name, among: allCases.map(\.rawValue)).first.map { "; did you mean '\($0)'?" } ?? ""
        throw CallError(.parameters, "there is no '\(name)' to subscribe to\(near)")
      }
      topics.append(topic)
    }
    return topics
  }
}

extension Client {
  var topicList: JSON { .list(Topic.allCases.filter(topics.contains).map { .text($0.rawValue) }) }
}

extension Parameters {
  var performing: Deed.Performing {
    Deed.Performing(from: text("from"), to: text("to"), skipsValidation: isSet("skip_validation"))
  }

  /// The deed whose form a client requests.
  var deedOfForm: Deed {
    get throws(CallError) {
      let deeds = [
        text("ref").map { Deed.perform($0, performing) }, text("id").map { .pick($0, modifiers: texts("modifiers")) },
        text("keys").map { .press($0) }, text("row").map { .choose($0) },
      ].compactMap { $0 }
      guard let deed = deeds.first, deeds.count == 1 else {
        throw CallError(.parameters, "'form' needs one of 'ref', 'id', 'keys' and 'row'")
      }
      return deed
    }
  }

  /// The client's answers to an action's questions, and whether it wants a trace.
  var manner: Manner {
    let given = member("args") == nil ? nil : arguments("args")
    let answered = Answered(
      confirmed: bool("confirmed"), asked: text("asked"), about: member("about") == nil ? nil : texts("about"),
      arguments: given)
    var manner = Manner(answered, traces: isSet("trace"))
    manner.titles = isSet("title")
    manner.isOfAssistant = isSet("assistant")
    manner.called = text("called")
    return manner
  }

  /// Returns the member `name` of an object among the parameters.
  func name(in object: StaticString) -> String? { member(object)?["name"]?.text }
}

extension LiveHost {
  /// Returns the elements of a row's context menu.
  fileprivate func contextMenu(ofRow id: String, for client: Client) throws(CallError) -> [JSON] {
    showContextMenu(of: client)
    if let menu = openContextMenu(.ofRow(id), for: client) { return menu.children.map(answers.json) }
    guard host.item(id) != nil else { throw CallError(subject.unknown(id)) }
    throw CallError(.parameters, "'\(id)' has no context menu: it is no row of a section with a 'kind'")
  }

  /// The answer to `hello`: the app, the session, and the names of the methods.
  var hello: [(String, JSON)] {
    let app: [(String, JSON)] = ["title", "name", "version"].compactMap { field in
      host.text(ofAppField: field).map { (field, .text($0)) }
    }
    let name: [(String, JSON)] = name.map { [("name", .text($0))] } ?? []
    return [
      ("protocol", .integer(1)),
      (
        "app",
        .object(
          app + [("source", .text(subject.source))] + (host.findsTyped ? [] : [("typing", .bool(false))])
            + (host.reachesOutside ? [("granted", .bool(true))] : []))
      ),
      (
        "session",
        .object(
          name + [
            ("pid", .integer(Int(getpid()))), ("clients", .integer(clients.count)), ("since", .integer(since)),
          ])
      ),
      ("methods", .list(methods.names.map { .text($0) })),
    ]
  }

  /// Reloads the app and notifies clients. Returns the reason if the reload fails; then the old version goes on.
  @discardableResult
  package func reload(_ how: (() throws(Failure) -> Void)? = nil) -> Failure? {
    let failure = reloaded(how ?? reloading)
    if failure == nil { for client in clients { client.strokes = PendingKeys() } }
    isDirty = true
    // Clients request the keys again after a reload, so they need no separate notification of changed keys.
    (keyChanges, keyConditions) = (host.keyChanges, isWanted(.app) ? host.keyConditions : [:])
    tell(.app) { reloadMembers(failure) }
    return failure
  }

  private func reloaded(_ how: (() throws(Failure) -> Void)?) -> Failure? {
    if let how {
      do throws(Failure) { try how() } catch { return error }
      return nil
    }
    guard let path else { return Failure(.misuse, "the app was not read from a file, so it can't be reloaded") }
    do throws(LoadError) { try host.reload(path: path) } catch { return error.failure }
    return nil
  }

  func reloadMembers(_ failure: Failure?) -> [(String, JSON)] {
    guard let failure else { return [("reloaded", .bool(true))] }
    let diagnostic = Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place)
    return [("reloaded", .bool(false)), ("diagnostics", .list([answers.json(diagnostic)]))]
  }

  func ask<Result>(_ question: (HostSubject) throws(Unanswered) -> Result) throws(CallError) -> Result {
    do throws(Unanswered) { return try question(subject) } catch { throw CallError(error) }
  }
}
