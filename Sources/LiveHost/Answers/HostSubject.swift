import ScriptHost

/// The subject that reads from a host in this process.
package final class HostSubject: Subject {
  package let host: ScriptHost
  /// The name or the path of the app's script.
  package var source: String
  /// Makes the snapshots for answers.
  var snapshot: () -> MenuElement
  /// The undertakings that collect traces, and the host's `onTrace` before the first of them.
  var traced: [Undertaking] = []
  var outerTrace: ((Trace) -> Void)?
  /// The undertaking that is beginning, if it collects traces.
  var beginning: Undertaking?
  /// The options of most performs: for a person who has answered nothing yet. Made once.
  let usual = PerformOptions(asking: Answered())

  package init(_ host: ScriptHost, source: String) {
    self.host = host
    self.source = source
    snapshot = { [unowned host] in host.menus() }
  }

  package func menus() -> MenuElement { snapshot() }

  package func element(_ id: String) throws(Unanswered) -> MenuElement {
    if let element = menus().find(id) ?? host.undrawn(id) { return element }
    throw unknown(id)
  }

  // MARK: At a glance

  package func app() -> Answer.App {
    let root = menus()
    let menus = root.children
    let chain = host.chainNames.compactMap(host.find)
    let chained = Set(chain.map(ObjectIdentifier.init))
    let others = host.responders.filter { !chained.contains(ObjectIdentifier($0)) }
    // Menus show the possible actions already, so the responders' actions aren't validated.
    let nodes = menus.isEmpty ? asked(chain, others) : (chain: chain.map(node), others: others.map(node))
    // Diagnostics so far come from the script's work. Those of `mistakes()` answer this question and aren't reported.
    let diagnostics = host.diagnostics.withoutRepeats + host.quietly { host.mistakes() }
    return Answer.App(
      title: host.title, source: source, focus: host.focused.name, chain: nodes.chain, others: nodes.others,
      menus: menus, panel: root.panel?.children, diagnostics: diagnostics)
  }

  /// The most actions that are shown beneath their responders.
  private static let mostActions = 10_000

  /// Returns the responders with their actions, validated from the focus, up to `mostActions` of all together.
  private func asked(_ chain: [Responder], _ others: [Responder]) -> (chain: [Answer.Node], others: [Answer.Node]) {
    var left = Self.mostActions
    return host.validations { validation in
      func asked(_ responder: Responder) -> Answer.Node {
        var node = node(responder)
        node.hasMore = host.handlerCount(of: responder) > left
        guard !node.hasMore else { return node }
        node.actions = host.actions(of: responder).map { Answer.Action(name: $0, validation: validation($0)) }
        left -= node.actions.count
        return node
      }
      return (chain.map(asked), others.map(asked))
    }
  }

  private func node(_ responder: Responder) -> Answer.Node {
    Answer.Node(
      name: responder.name, owner: responder.owner.name, isWindow: responder.kind == .window,
      isKey: host.keyWindow === responder, isMain: host.mainWindow === responder)
  }

  // MARK: Whether and why

  package func validations(of names: [String]) throws(Unanswered) -> [Answer.Validated] {
    let root = menus()
    guard !names.isEmpty else { return root.items.map(Answer.Validated.init) }
    // One snapshot for all names: other clients wait meanwhile.
    let known = root.find(names)
    let undrawn = host.undrawn(names.filter { known[ByteText($0)] == nil })
    var drawn: [String: MenuElement] = [:]
    for name in names {
      if let element = known[ByteText(name)] ?? undrawn[name], element.kind == .item || element.kind == .menu {
        drawn[name] = element
        continue
      }
      if let several = host.severalRows(name) { throw Unanswered(.asking, several) }
      do throws(ReferenceError) { _ = try Reference.parse(name) } catch { throw unread(error, in: name) }
    }
    func answers(_ validate: (String) -> Validation) -> [Answer.Validated] {
      names.map { name in
        if let element = drawn[name] { return Answer.Validated(element) }
        let validation = validate(name)
        let title = validation.look.title ?? (try? Reference.parse(name))?.name ?? name
        return Answer.Validated(name: host.masked(name), kind: .ref, title: title, validation: validation)
      }
    }
    // Several references share a context, because its values may be large: all marked rows, for example.
    return host.asOneQuestion {
      names.count - drawn.count > 1 ? host.validations(answers) : answers { host.validate($0) }
    }
  }

  package func explanation(of name: String, as kind: Answer.Validated.Kind?) throws(Unanswered) -> Explanation {
    if kind == nil || kind == .id, let explanation = host.why(item: name) { return explanation }
    if kind == .id { throw unknown(name) }
    if kind == nil, let several = host.severalRows(name) { throw Unanswered(.asking, several) }
    let keys = try? KeySequence.parse(name)
    if kind == .key { _ = try Self.read(keys: name) }
    if kind != .ref, let keys, kind == .key || host.keys().contains(where: { $0.keys == keys.text }) {
      do throws(KeyError) { return try host.why(keys: keys.text) } catch { throw Unanswered(error, in: name) }
    }
    do throws(ReferenceError) { return try host.why(name) } catch {
      // The name can only be an unbound key.
      if kind == nil, let keys, let explanation = try? host.why(keys: keys.text) { return explanation }
      throw unread(error, in: name)
    }
  }

  /// Returns the error for a name that can't be parsed. The name counts as an id if it has a '/' or is near to an id.
  private func unread(_ error: ReferenceError, in name: String) -> Unanswered {
    let root = menus()
    let isID = error.isPath || !Self.ids(near: name, in: root).isEmpty
    return isID ? unknown(name) : Unanswered(error, in: name)
  }

  /// Returns the reference that a name means: the name itself, or the reference of the item with this id.
  private func reference(_ name: String) -> String {
    if (try? Reference.parse(name)) != nil { return name }
    guard let item = host.item(name), let reference = try? Reference.parse(item.action) else {
      return name
    }
    let arguments = item.arguments.members.isEmpty ? reference.arguments : item.arguments
    return Reference(id: reference.id, arguments: arguments).format()
  }

  /// Returns the error for an unknown id, with the nearest known id.
  private static func unknown(_ id: String, in root: MenuElement) -> Unanswered {
    let near = ids(near: id, in: root).first.map { "; did you mean '\($0)'?" } ?? ""
    return Unanswered(.asking, "there is no element '\(id)'\(near)")
  }

  /// Returns the error for an unknown id, or one that several panes have.
  func unknown(_ id: String) -> Unanswered {
    host.severalRows(id).map { Unanswered(.asking, $0) } ?? Self.unknown(id, in: menus())
  }

  private static func ids(near id: String, in root: MenuElement) -> [String] {
    nearest(toID: id, among: (root.children + (root.panel?.children ?? [])).flatMap(\.ids))
  }

  static func check(reference: String) throws(Unanswered) {
    do throws(ReferenceError) { _ = try Reference.parse(reference) } catch { throw Unanswered(error, in: reference) }
  }

  static func read(keys: String) throws(Unanswered) -> KeySequence {
    do throws(KeyError) { return try KeySequence.parse(keys) } catch { throw Unanswered(error, in: keys) }
  }

  // MARK: Chain and context

  package func chain(_ reference: String?) throws(Unanswered) -> Answer.Chain {
    do throws(ReferenceError) {
      return Answer.Chain(links: try host.chain(reference.map(self.reference)), focus: host.focused.name)
    } catch {
      throw unread(error, in: reference ?? "")
    }
  }

  package func context(_ reference: String?) throws(Unanswered) -> [Answer.Entry] {
    var left = host.limits.output
    do throws(ReferenceError) {
      return try host.context(reference.map(self.reference)).map { entry in
        Answer.Entry(key: entry.key, value: host.tree(of: entry.value, within: &left), by: entry.by)
      }
    } catch {
      throw unread(error, in: reference ?? "")
    }
  }

  package func keys() -> [KeyEntry] { host.keys() }

  package func actions(_ reference: String?, everywhere: Bool) throws(Unanswered) -> [ActionEntry] {
    do throws(ReferenceError) {
      return try host.actions(reference.map(self.reference), everywhere: everywhere)
    } catch {
      throw unread(error, in: reference ?? "")
    }
  }

  package func findings() -> [Diagnostic] { host.check() }

  package func responder(_ name: String) throws(Unanswered) -> Responder {
    if let responder = host.find(name) { return responder }
    let near = nearest(to: name, among: host.responders.map(\.name)).first.map { "; did you mean '\($0)'?" } ?? ""
    throw Unanswered(.asking, "there is no responder '\(name)'\(near)")
  }
}

extension Answer.Validated {
  /// Makes the validation of an item that was drawn already.
  init(_ element: MenuElement) {
    self.init(name: element.id, kind: .id, title: element.title, validation: Validation(element))
    validation.look.title = nil
  }
}

extension ScriptHost {
  /// Runs a body without reporting its diagnostics: the caller finds the errors in the result.
  package func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = isQuiet
    isQuiet = true
    defer { isQuiet = before }
    return try body()
  }
}

extension MenuElement {
  /// The ids of the items and menus in this element, itself included and first.
  package var ids: [String] {
    kind == .item || kind == .menu ? [id] + children.flatMap(\.ids) : children.flatMap(\.ids)
  }

  /// The items in this element, itself included.
  package var items: [MenuElement] { kind == .item ? [self] : children.flatMap(\.items) }
}

extension [Diagnostic] {
  /// The diagnostics without repeats: a slow script, or a builder that warns, repeats its own at each question.
  package var withoutRepeats: [Diagnostic] {
    var known: Set<String> = []
    return filter { known.insert("\($0.code) \($0.message) \($0.place.map { "\($0)" } ?? "")").inserted }
  }
}

extension HostSubject {
  /// Returns the completions at the end of a line of Lua.
  package func completions(ofLua line: String) throws(Unanswered) -> Completions {
    host.quietly {
      switch LuaPlace(line) {
      case .string(let begun, let quote):
        let names = [AppName.actions, .responders, .ids, .keys].flatMap { $0.names(in: host) }
        return Completions(begun.isEmpty ? names : names.filter { $0 != begun }, begun: begun) { _ in quote }
      case .name(let path, let responder, let begun):
        let words = path.isEmpty && responder == nil ? Self.words : []
        return Completions(host.names(behind: path, of: responder) + words, begun: begun)
      case .nothing: return Completions()
      }
    }
  }

  /// Returns the names of some kinds that complete a word.
  package func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions {
    host.quietly { Completions(kinds.flatMap { $0.names(in: host) }, begun: begun) }
  }

  /// The keywords of Lua that are long enough to complete.
  private static let words = ["function", "local", "return", "repeat", "while", "until", "false"]
}
