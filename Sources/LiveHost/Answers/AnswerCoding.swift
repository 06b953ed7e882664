import ScriptHost

// The members of each answer in JSON: `--json`, the protocol and `docs/schema.json` come from here.

extension Coder {
  mutating func place(_ it: Place?) throws -> Place? {
    let file = try optional("file", it?.file)
    let line = try integer("line", it?.line, isNeeded: false, "integer>=1")
    let column = try integer("column", it?.column, isNeeded: false, "integer>=1")
    guard let file, let line else { return nil }
    return Place(file: file, line: line, column: column)
  }

  /// Returns the text of a script's line, for clients that can't read the script.
  mutating func lineText(_ text: @autoclosure () -> String?, at place: Place?) throws -> String? {
    guard isWhole, let text = try optional("line_text", text()) else { return nil }
    if let place { coding.onLine?(place, text) }
    return text
  }

  mutating func misfit(_ it: Misfit?, reason: String?) throws -> Misfit? {
    let argument = try optional("argument", it?.argument)
    let expected = try optional("expected", it?.expected)
    return argument.map { Misfit(argument: $0, expected: expected ?? "", reason: reason ?? "") }
  }

  mutating func changes(_ it: Answer.Changes?) throws -> Answer.Changes {
    let changes = it.map { JSON.changes($0.all, isWhole: isWhole) }
    let (shape, isNeeded): (Shape, Bool) = isWhole ? ("[@whole-change]", false) : ("[@change]", true)
    let json = try member("changes", shape, isNeeded: isNeeded, changes)
    return Answer.Changes(before: coding.before, all: try [MenuChange](coded: json))
  }

  /// Codes elements of menus, which write themselves.
  mutating func elements(_ name: StaticString, _ it: [MenuElement]?, isNeeded: Bool = true) throws -> [MenuElement]? {
    let list = it.map { all in JSON.list(all.map { .element($0, isWhole: isWhole) }) }
    let shape: Shape = isWhole ? "[@whole-element]" : "[@element]"
    let json = try member(name, shape, isNeeded: isNeeded, list)
    return try json.map { try MenuElement.list($0) }
  }

  /// Codes a value from a script.
  mutating func tree(_ name: StaticString, _ it: LuaTree?, isNeeded: Bool = false) throws -> LuaTree {
    let json = it.map { $0.json(whole: isWhole) } ?? .null
    return LuaTree(
      coded: try member(name, "@value", isNeeded: isNeeded, isNeeded || json != .null ? json : nil) ?? .null)
  }
}

extension Answer.App: Coded {
  package static let definition: (name: String, about: String?) = ("app", "An app at a glance.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let names = it.map { app -> JSON in
      .object((app.title.map { [("title", .text($0))] } ?? []) + [("source", .text(app.source))])
    }
    let app = try coder.member("app", "{title?: string, source: string}", isNeeded: true, names)
    let focus = try coder.text("focus", it?.focus)
    let chain = try coder.all("chain", Answer.Node.self, it?.chain)
    let menus = try coder.elements("menus", it?.menus) ?? []
    let panel = try coder.elements("panel", it?.panel, isNeeded: false)
    let isWhole = coder.isWhole
    let before = isWhole ? "whole-" : ""
    _ = try coder.member(
      "outcomes", Shape("[@\(before)outcome|@\(before)evaluated|@\(before)focused]"), isNeeded: true,
      it.map { .list($0.outcomes.map { AnswerJSON(whole: isWhole).json($0) }) })
    let diagnostics = try coder.all("diagnostics", Diagnostic.self, it?.diagnostics)
    let others = coder.isWhole ? try coder.all("others", Answer.Node.self, it?.others) : []
    return Answer.App(
      title: app?["title"]?.text, source: app?["source"]?.text ?? "", focus: focus, chain: chain, others: others,
      menus: menus, panel: panel, diagnostics: diagnostics)
  }
}

extension Answer.Node: Coded {
  package static let definition: (name: String, about: String?) = ("node", "A responder.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let name = try coder.text("name", it?.name)
    let owner = try coder.text("owner", it?.owner)
    guard coder.isWhole else { return Self(name: name, owner: owner, isWindow: false, isKey: false, isMain: false) }
    return Self(
      name: name, owner: owner, isWindow: try coder.mark("window", it?.isWindow),
      isKey: try coder.mark("key", it?.isKey),
      isMain: try coder.mark("main", it?.isMain),
      actions: try coder.all("actions", Answer.Action.self, it?.actions, isNeeded: false),
      hasMore: try coder.mark("more", it?.hasMore))
  }
}

extension Answer.Action: Coded {
  package static let definition: (name: String, about: String?) = (
    "action", "An action, and whether it can be done now."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let name = try coder.text("name", it?.name)
    let isEnabled = try coder.flag("enabled", it?.validation.isEnabled) ?? false
    return Self(
      name: name,
      validation: Validation(
        told: isEnabled, reason: try coder.optional("reason", it?.validation.reason),
        by: try coder.optional("by", it?.validation.by),
        look: try coder.one("look", Look.self, it?.validation.look, isNeeded: true) ?? Look(), asks: nil, misfit: nil,
        elsewhere: nil))
  }
}

extension Look: Coded {
  package static let definition: (name: String, about: String?) = ("look", "How an item or an action is to be drawn.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    var look = Look()
    look.title = try coder.optional("title", it?.title)
    look.subtitle = try coder.optional("subtitle", it?.subtitle)
    look.state = try coder.word("state", it?.state)
    look.hidden = try coder.flag("hidden", it?.hidden, isNeeded: false)
    look.icon = try coder.optional("icon", it?.icon)
    look.destructive = try coder.flag("destructive", it?.destructive, isNeeded: false)
    return look
  }
}

extension Answer.Validated: Coded {
  package static let definition: (name: String, about: String?) = (
    "validated", "Whether an item, keys or an action can be done now, and how it is to be drawn."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    var (kind, name) = (Kind.ref, it?.name)
    for one in [Kind.ref, .id, .key] where it == nil || it?.kind == one {
      guard let known = try coder.optional(one.name, it?.name) else { continue }
      if name == nil { (kind, name) = (one, known) }
    }
    let (validation, look) = (it?.validation, it?.validation.look)
    let isEnabled = try coder.flag("enabled", validation?.isEnabled) ?? false
    let reason = try coder.optional("reason", validation?.reason)
    let elsewhere = try coder.optional("elsewhere", validation?.elsewhere)
    _ = try coder.word("state", look.map { $0.state ?? .off }, isNeeded: true)
    let title = try coder.text("title", it?.title)
    _ = try coder.flag("hidden", look.map { $0.hidden ?? false })
    let by = try coder.optional("by", validation?.by)
    let misfit = try coder.misfit(validation?.misfit, reason: reason)
    let asks = try coder.one("asks", Outcome.Question.self, validation?.asks)
    let whole = coder.isWhole ? try coder.one("look", Look.self, look, isNeeded: true) : nil
    guard let name else { throw Unreadable() }
    return Self(
      name: name, kind: kind, title: title,
      validation: Validation(
        told: isEnabled, reason: reason, by: by, look: whole ?? Look(), asks: asks, misfit: misfit,
        elsewhere: elsewhere))
  }
}

extension Answer.Validated.Kind {
  fileprivate var name: StaticString {
    switch self {
    case .id: "id"
    case .key: "key"
    case .ref: "ref"
    }
  }
}

extension Form: Coded {
  package static let definition: (name: String, about: String?) = ("form", "What an action asks for.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let fields = try coder.all("fields", AskedArgument.self, it?.fields)
    let isEnabled = try coder.flag("enabled", it?.validation.isEnabled) ?? false
    let reason = try coder.optional("reason", it?.validation.reason)
    let by = try coder.optional("by", it?.validation.by)
    let elsewhere = try coder.optional("elsewhere", it?.validation.elsewhere)
    let misfit = try coder.misfit(it?.validation.misfit, reason: reason)
    return Form(
      fields,
      Validation(
        told: isEnabled, reason: reason, by: by, look: Look(), asks: nil, misfit: misfit, elsewhere: elsewhere))
  }
}

extension Explanation: Coded {
  package static let definition: (name: String, about: String?) = ("explanation", "Why something can or can't be done.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let isEnabled = try coder.flag("enabled", it?.isEnabled) ?? false
    let by = try coder.optional("by", it?.by)
    let reason = try coder.optional("reason", it?.reason)
    let steps = try coder.all("steps", Step.self, it?.steps)
    let keys = try coder.all("keys", Key.self, it?.keys)
    _ = try coder.text("text", it?.text, isNeeded: true, "string")
    return Self(enabled: isEnabled, by: by, reason: reason, toldSteps: steps, toldKeys: keys)
  }
}

extension Explanation.Key: Coded {
  package static let definition: (name: String, about: String?) = (
    "needed-key", "A key of the context that an action reads, and who supplies it or could."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    Self(
      told: try coder.text("key", it?.key), by: try coder.optional("by", it?.by),
      candidates: try coder.texts("candidates", it?.candidates))
  }
}

extension Trace.Step: Coded {
  package static let definition: (name: String, about: String?) = ("step", "One question, and what was answered.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    Self(
      told: try coder.text("node", it?.node), asked: try coder.text("asked", it?.asked),
      answer: try coder.text("answer", it?.answer), place: try coder.place(it?.place))
  }
}

extension Answer.Traced: Coded {
  package static let definition: (name: String, about: String?) = ("traced", "A step of a trace.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let level = try coder.integer("level", it?.level, "integer>=0") ?? 0
    return Self(level: level, step: try Trace.Step.code(it?.step, by: &coder))
  }
}

extension ChainLink: Coded {
  package static let definition: (name: String, about: String?) = (
    "link", "A responder of the chain, and how it would answer."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    Self(
      told: try coder.text("name", it?.name), owner: try coder.text("owner", it?.owner),
      answer: try coder.optional("answer", it?.answer))
  }
}

extension Answer.Chain: Coded {
  package static let definition: (name: String, about: String?) = (
    "responder-chain", "The responders that are asked, nearest first."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let links = try coder.all("chain", ChainLink.self, it?.links)
    return Self(links: links, focus: coder.isWhole ? try coder.text("focus", it?.focus) : "")
  }
}

extension Answer.Context: Coded {
  package static let definition: (name: String, about: String?) = (
    "supplied", "The keys of the context, each with its value and who supplied it."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let entries = it.map { [isWhole = coder.isWhole] context -> JSON in
      .object(
        context.entries.map { entry in
          (entry.key, .object([("value", entry.value.json(whole: isWhole)), ("by", .text(entry.by))]))
        })
    }
    let json = try coder.member("context", "{*: {value: @value, by: string}}", isNeeded: true, entries)
    if it == nil, json?.members == nil { throw Unreadable() }
    return Self(
      entries: try (json?.members ?? []).map { key, entry in
        guard let by = entry["by"]?.text else { throw Unreadable() }
        return Answer.Entry(key: key, value: LuaTree(coded: entry["value"] ?? .null), by: by)
      })
  }
}

extension KeyEntry: Coded {
  package static let definition: (name: String, about: String?) = ("key", "A key, and what it performs.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let keys = try coder.text("key", it?.keys)
    let reference = try coder.text("ref", it?.reference)
    let by = try coder.text("owner", it?.by)
    let others = try coder.texts("others", it?.others, isNeeded: false)
    let isWhole = try coder.mark("all", it?.isWhole)
    let title = try coder.optional("title", it?.title)
    let wait = try coder.member("wait", "number", isNeeded: false, it?.wait.map { .number($0) })
    let isOfKeymap = try coder.mark("keymap", it?.isOfKeymap)
    let conflict = try coder.optional("conflict", it?.conflict)
    let isOff = try coder.mark("off", it.map { $0.holds == false })
    let isItem = coder.isWhole ? try coder.flag("item", it?.isItem) : nil
    let isPane = try coder.mark("pane", it?.isPane)
    let isReached = coder.isWhole ? try coder.flag("reached", it?.isReached) : nil
    return Self(
      told: keys, reference: reference, others: others, isWhole: isWhole, title: title,
      wait: wait.flatMap(AnswerReader().seconds),
      by: by, isItem: isItem ?? false, isPane: isPane, isReached: isReached ?? true, isOfKeymap: isOfKeymap,
      conflict: conflict, isOff: isOff)
  }
}

extension ActionEntry: Coded {
  package static let definition: (name: String, about: String?) = (
    "reachable", "An action that can be named now, and whether it can be done."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let name = try coder.text("name", it?.name)
    let title = try coder.text("title", it?.title)
    let help = try coder.optional("help", it?.help)
    let icon = try coder.optional("icon", it?.icon)
    let by = try coder.optional("by", it?.by)
    let via = try coder.word("via", it?.via)
    let hasTakes = it.map { $0.isDeclared || !$0.takes.isEmpty } ?? true
    let takes =
      hasTakes
      ? try coder.member(
        "takes", "[@asked-argument]", isNeeded: false, it.map { .list($0.takes.map { JSON($0.value) }) }) : nil
    let confirm = try coder.member(
      "confirm", "string|true", isNeeded: false,
      it?.confirm.map { asked in
        if case .said(let text) = asked { .text(text) } else { .bool(true) }
      })
    var entry = Self(told: name, title: title, enabled: try coder.flag("enabled", it?.isEnabled) ?? false)
    entry.reason = try coder.optional("reason", it?.reason)
    entry.keys = try coder.texts("keys", it?.keys)
    entry.items = try coder.texts("items", it?.items)
    entry.isDeclared = try coder.mark("declared", it?.isDeclared)
    entry.isDestructive = try coder.mark("destructive", it?.isDestructive)
    entry.isInternal = try coder.mark("internal", it?.isInternal)
    (entry.help, entry.icon, entry.by, entry.via) = (help, icon, by, via)
    entry.takes = (takes?.list ?? []).compactMap { try? MemberReader.read($0, AskedArgument.self, coder.coding) }
    entry.confirm = confirm.map { confirm in confirm.text.map { .said($0) } ?? .asked }
    return entry
  }
}

extension AskedArgument: Coded {
  package static let definition: (name: String, about: String?) = (
    "asked-argument", "An argument that an action takes, as a form shows it."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    // Scripts get the same members.
    let said = it.map { JSON($0.value) }
    let key = try coder.text("key", it?.key)
    guard let kind = try coder.word("type", it?.kind, isNeeded: true) ?? (coder is ShapeMaker ? .any : nil) else {
      throw Unreadable()
    }
    var argument = AskedArgument(key, kind)
    func member<D: Coder>(_ name: StaticString, _ shape: Shape, _ coder: inout D) throws -> JSON? {
      try coder.member(name, shape, isNeeded: false, said?["\(name)"])
    }
    argument.title = try member("title", "string", &coder)?.text
    argument.help = try member("help", "string", &coder)?.text
    argument.choices = try member("one_of", "[]", &coder)?.list?.map(AskedArgument.Choice.init(coded:))
    argument.suggestions = try member("suggest", "[]", &coder)?.list?.map(AskedArgument.Choice.init(coded:))
    argument.from = try member("from", "number", &coder).map(Value.init)
    argument.to = try member("to", "number", &coder).map(Value.init)
    let preset = try member("default", "any", &coder)
    argument.isPresetComputed = preset?["$"]?.text == "function"
    argument.preset = argument.isPresetComputed ? nil : preset.map(Value.init)
    argument.proposal = try member("proposal", "any", &coder).map(Value.init)
    argument.isOptional = try member("optional", "boolean", &coder)?.bool ?? false
    argument.isMany = try member("many", "boolean", &coder)?.bool ?? false
    argument.isSecret = try member("secret", "boolean", &coder)?.bool ?? false
    argument.lines = try member("lines", "integer", &coder)?.integer
    argument.wide = try member("wide", "integer", &coder)?.integer
    argument.isAwaited = try member("waits", "true", &coder)?.bool ?? false
    let error = try member(
      "error", "{message: string, file?: string, line?: integer, column?: integer, owner?: string}", &coder)
    argument.failure = error.map { error in
      Failure(.script, error["message"]?.text ?? "", place: Place(coded: error), owner: error["owner"]?.text)
    }
    return argument
  }
}

extension AskedArgument.Choice {
  /// A choice with a title has both as members.
  fileprivate init(coded json: JSON) {
    if let title = json["title"]?.text {
      self.init(Value(json["value"] ?? .null), title: title)
    } else {
      self.init(Value(json))
    }
  }
}

extension Outcome.Question: Coded {
  package static let definition: (name: String, about: String?) = (
    "question", "What a person is to be asked before an action is done."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    Self(
      confirm: try coder.optional("confirm", it?.confirm),
      arguments: try coder.all("arguments", AskedArgument.self, it?.arguments),
      about: try coder.texts("about", it?.about, isNeeded: false),
      rows: try coder.optional("rows", it?.rows))
  }
}

extension Answer.Performed: Coded {
  package static let definition: (name: String, about: String?) = (
    "outcome", "What came of an action, an item that was picked, or keys that were pressed."
  )

  package static func code<C: Coder>(_ it: Answer.Performed?, by coder: inout C) throws -> Answer.Performed {
    let outcome = it?.outcome
    let name = try coder.text("action", it?.name)
    let title = try coder.optional("title", it?.title)
    let status = try coder.word("status", outcome?.status, isNeeded: true) ?? .failed
    let by = try coder.optional("by", outcome?.by)
    let via = try coder.word("via", outcome?.via)
    let result = try coder.tree("result", it?.result)
    let reason = try coder.optional("reason", outcome?.reason)
    let elsewhere = try coder.optional("elsewhere", outcome?.elsewhere)
    let error = try coder.one("error", Failure.self, outcome?.error)
    let misfit = try coder.misfit(outcome?.misfit, reason: reason)
    let asks = try coder.one("asks", Outcome.Question.self, outcome?.asks)
    let changes = it == nil || it?.changes != nil ? try coder.changes(it?.changes) : nil
    let undo = try coder.optional("undo", it?.undo)
    let step = try coder.integer("step", it?.step?.number, isNeeded: false)
    let joined = try coder.integer("joined", it?.step?.joined, isNeeded: false)
    let isTraced = it == nil || it?.trace != nil
    let trace = isTraced ? try coder.all("trace", Answer.Traced.self, it?.trace, isNeeded: it != nil) : []
    let waits = try coder.mark("waits", it?.waits)
    if let it { return it }
    let performed = Answer.Performed(
      name: name,
      outcome: Outcome(
        status, by: by, via: via, reason: reason, error: error, asks: asks, misfit: misfit, elsewhere: elsewhere),
      result: result, changes: changes, undo: undo, trace: trace.isEmpty ? nil : trace)
    (performed.title, performed.waits) = (title, waits)
    performed.step = step.map { ($0, joined) }
    return performed
  }
}

extension Answer.Evaluated: Coded {
  package static let definition: (name: String, about: String?) = ("evaluated", "What came of a line of Lua.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let line = try coder.text("eval", it?.line)
    let values = it.map { [isWhole = coder.isWhole] in JSON.list($0.values.map { $0.json(whole: isWhole) }) }
    let told = try coder.member("values", "[@value]", isNeeded: true, values)?.list ?? []
    let inspected =
      coder.isWhole
      ? try coder.member("inspected", "[any]", isNeeded: true, it.map { .list($0.inspected.map(\.json)) })?.list : nil
    let failure = try coder.one("error", Failure.self, it?.failure)
    let changes = it == nil || it?.changes != nil ? try coder.changes(it?.changes) : nil
    return Self(
      line: line, values: told.map { LuaTree(coded: $0) }, inspected: (inspected ?? []).map { Inspection(coded: $0) },
      failure: failure, changes: changes)
  }
}

extension Answer.Focused: Coded {
  package static let definition: (name: String, about: String?) = ("focused", "Whether a responder has got the focus.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let name = try coder.text("focus", it?.name)
    let hasFocus = try coder.flag("focused", it?.hasFocus) ?? false
    let reason = try coder.optional("reason", it?.reason)
    let changes = it == nil || it?.changes != nil ? try coder.changes(it?.changes) : nil
    return Self(name: name, hasFocus: hasFocus, reason: reason, changes: changes)
  }
}

extension Diagnostic: Coded {
  package static let definition: (name: String, about: String?) = (
    "diagnostic", "Something that a person should know about a script; 'menuctl help CODE' explains it."
  )

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let severity = try coder.word("severity", it?.severity, isNeeded: true) ?? .error
    let code = try coder.text("code", it?.code)
    let message = try coder.text("message", it?.message)
    let place = try coder.place(it?.place)
    let line = coder.isWhole ? it?.place.flatMap(coder.coding.lineText) : nil
    _ = try coder.lineText(line, at: place)
    return Self(severity, code, message, place: place, help: try coder.optional("help", it?.help))
  }
}

extension Failure: Coded {
  package static let definition: (name: String, about: String?) = ("failure", "An error.")

  package static func code<C: Coder>(_ it: Self?, by coder: inout C) throws -> Self {
    let message = try coder.text("message", it?.message)
    let place = try coder.place(it?.place)
    let text = coder.isWhole ? try coder.optional("line_text", it?.text) : nil
    let traceback = try coder.optional("traceback", it?.traceback)
    let code = try coder.word("code", it?.code, isNeeded: true) ?? .script
    let owner = try coder.optional("owner", it?.owner)
    let limit = try coder.word("limit", it?.limit)
    return Self(code, message, place: place, text: text, traceback: traceback, owner: owner, limit: limit)
  }
}
