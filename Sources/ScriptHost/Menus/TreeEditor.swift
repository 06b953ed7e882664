/// An *editor* lets builders edit a tree while it is made; what they can't do is noted.
final class TreeEditor {
  let tree: MenuTree
  let context: Context
  private unowned let dispatcher: Dispatcher
  private let old: MenuTree?
  var report = BuildReport()
  /// Whether it may still be used: it is good only while its tree is made.
  private(set) var isOpen = true
  /// The builders whose turn it is, each run by the one before.
  private var builderCalls: [BuilderCall] = []
  /// What builders were handed of the tree, which may be put elsewhere after it was removed.
  private var handedOut: [MenuNode] = []

  init(_ tree: MenuTree, replacing old: MenuTree?, in context: Context, asking dispatcher: Dispatcher) {
    self.tree = tree
    self.old = old
    self.context = context
    self.dispatcher = dispatcher
  }

  /// Fills the sections of what was declared with what they said; they are asked where they were not.
  func fillSections(_ answers: [MenuTree.Answer]? = nil) {
    let answers = answers ?? tree.askSections(by: dispatcher, in: context)
    tree.fillSections(with: answers, old: old, &report)
  }

  /// Has all builders of a kind edit the tree, nearest first.
  func askBuilders(_ builders: [(responder: Responder, handler: Handler)], _ kind: String, _ subject: Value) {
    ask(builders[...], kind, subject)
  }

  /// A builder whose turn it is, with those farther than its responder.
  private final class BuilderCall {
    let farther: ArraySlice<(responder: Responder, handler: Handler)>
    let kind: String
    let subject: Value
    /// Whether one of its builders said of those that they run now, or not at all.
    var isDecided = false
    /// What the builder that runs said, and why it can't say it again.
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
      // All of one responder's are one place: none of them keeps another of it out.
      let place = rest.prefix { $0.responder === responder }
      rest = rest.dropFirst(place.count)
      let builderCall = BuilderCall(rest, kind, subject)
      builderCalls.append(builderCall)
      for (_, handler) in place where handler.owner.trouble == nil {
        builderCall.said = nil
        ask(handler, of: responder, builderCall)
      }
      builderCalls.removeLast()
      if builderCall.isDecided { return }
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

  /// Has the builders farther up run now, unless another builder of the place has decided that; why it can't say so, where it can't.
  func forward() -> String? {
    guard let builderCall = builderCalls.last else { return "there is nobody farther up" }
    if let said = builderCall.said { return said }
    builderCall.said = "the builders farther up have run already"
    if builderCall.isDecided { return nil }
    builderCall.isDecided = true
    ask(builderCall.farther, builderCall.kind, builderCall.subject)
    return nil
  }

  /// Keeps the builders farther up out, unless another builder of the place had them run; why it can't say so, where it can't.
  func stop() -> String? {
    guard let builderCall = builderCalls.last else { return "there is nobody farther up" }
    if let said = builderCall.said { return said }
    builderCall.said = "the builders farther up were kept out"
    builderCall.isDecided = true
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

  /// Sections that come in with an edit are filled at once.
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
