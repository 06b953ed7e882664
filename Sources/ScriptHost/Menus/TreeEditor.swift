/// Lets builders edit a tree while it is made, and reports edits that fail.
final class TreeEditor {
  let tree: MenuTree
  let context: Context
  private unowned let dispatcher: Dispatcher
  private let old: MenuTree?
  var report = BuildReport()
  /// Whether it may still be used, which is only while its tree is made.
  private(set) var isOpen = true
  /// The responders whose builders run now. Each was reached by `forward` from the previous one.
  private var builderCalls: [BuilderCall] = []
  /// The nodes that builders hold, retained because a builder may remove a node and insert it elsewhere.
  private var handedOut: [MenuNode] = []

  init(_ tree: MenuTree, replacing old: MenuTree?, in context: Context, asking dispatcher: Dispatcher) {
    self.tree = tree
    self.old = old
    self.context = context
    self.dispatcher = dispatcher
  }

  /// Fills the declared sections with results, or calls them if there are none yet.
  func fillSections(_ answers: [MenuTree.Answer]? = nil) {
    let answers = answers ?? tree.askSections(by: dispatcher, in: context)
    tree.fillSections(with: answers, by: dispatcher, in: context, old: old, &report)
  }

  /// Runs all builders of a kind on the tree, nearest first.
  func askBuilders(_ builders: [(responder: Responder, handler: Handler)], _ kind: String, _ subject: Value) {
    ask(builders[...], kind, subject)
  }

  /// A responder whose builders run now, with the builders farther up.
  private final class BuilderCall {
    let farther: ArraySlice<(responder: Responder, handler: Handler)>
    let kind: String
    let subject: Value
    /// Whether a builder called `forward`, so that the builders farther up have run.
    var hasForwarded = false
    /// Whether a builder called `stop`, so that the builders farther up don't run afterwards.
    var isStopped = false
    /// Why the current builder can't call `forward` or `stop` again; nil if it called neither.
    var said: String?

    init(_ farther: ArraySlice<(responder: Responder, handler: Handler)>, _ kind: String, _ subject: Value) {
      self.farther = farther
      self.kind = kind
      self.subject = subject
    }
  }

  private func ask(_ builders: ArraySlice<(responder: Responder, handler: Handler)>, _ kind: String, _ subject: Value) {
    var rest = builders
    while let responder = rest.first?.responder {
      // All builders of one responder run: none of them can stop another.
      let place = rest.prefix { $0.responder === responder }
      rest = rest.dropFirst(place.count)
      let builderCall = BuilderCall(rest, kind, subject)
      builderCalls.append(builderCall)
      for (_, handler) in place where handler.owner.whySetAside == nil {
        builderCall.said = nil
        ask(handler, of: responder, builderCall)
      }
      builderCalls.removeLast()
      if builderCall.hasForwarded || builderCall.isStopped { return }
    }
  }

  private func ask(_ handler: Handler, of responder: Responder, _ builderCall: BuilderCall) {
    let failure = dispatcher.whileAsking {
      dispatcher.engine?.beginQuestion()
      defer { dispatcher.engine?.endQuestion() }
      return handler.build(for: responder, self, builderCall.subject)
    }
    guard let failure else { return }
    var diagnostic = Diagnostic(failure)
    diagnostic.message = "the builder of '\(responder.name)' for '\(builderCall.kind)' failed: \(failure.message)"
    report.diagnostics.append(diagnostic)
  }

  /// Runs the builders farther up now, unless another builder of this responder has run them. The `stop` of another
  /// builder doesn't prevent it, because a plugin can't stop other plugins' builders (M14). Returns why it can't.
  func forward() -> String? {
    guard let builderCall = builderCalls.last else { return "there are no builders farther up" }
    if let said = builderCall.said { return said }
    builderCall.said = "the builders farther up have run already"
    if builderCall.hasForwarded { return nil }
    builderCall.hasForwarded = true
    ask(builderCall.farther, builderCall.kind, builderCall.subject)
    return nil
  }

  /// Prevents the builders farther up from running, unless another builder of this responder ran them. Returns why it
  /// can't.
  func stop() -> String? {
    guard let builderCall = builderCalls.last else { return "there are no builders farther up" }
    if let said = builderCall.said { return said }
    builderCall.said = "a builder stopped the builders farther up"
    builderCall.isStopped = true
    return nil
  }

  func close() {
    isOpen = false
    handedOut = []
  }

  func handOut(_ node: MenuNode) { handedOut.append(node) }

  // MARK: Edits. Each says why it was not done.

  func insert(_ node: MenuNode, _ position: MenuTree.Position, _ id: String, at place: Place?) -> String? {
    edit(place) { () throws(EditRefusal) in
      try tree.insert([node], position, id)
      fill([node])
    }
  }

  func replace(_ id: String, with node: MenuNode, at place: Place?) -> String? {
    edit(place) { () throws(EditRefusal) in
      try tree.replace(id, with: node)
      fill([node])
    }
  }

  func replaceChildren(of id: String, with nodes: [MenuNode], at place: Place?) -> String? {
    edit(place) { () throws(EditRefusal) in
      try tree.replaceChildren(of: id, with: nodes)
      fill(nodes)
    }
  }

  func remove(_ id: String, at place: Place?) -> String? {
    edit(place) { () throws(EditRefusal) in try tree.remove(id) }
  }

  func find(_ id: String, at place: Place?) -> Result<MenuNode, EditRefusal> {
    Result { () throws(EditRefusal) in try tree.find(id) }.mapError { refusal in
      report.diagnostics.append(Diagnostic(.note, refusal.code, refusal.message, place: place))
      return refusal
    }
  }

  /// Fills the sections that an edit inserted.
  private func fill(_ nodes: [MenuNode]) {
    tree.fillSections(nodes, asking: dispatcher, in: context, old: old, &report)
  }

  private func edit(_ place: Place?, _ body: () throws(EditRefusal) -> Void) -> String? {
    do throws(EditRefusal) {
      try body()
      return nil
    } catch {
      report.warn(error.code, error.message, at: place)
      return error.message
    }
  }
}
