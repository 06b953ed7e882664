import Expectations
import Testing

@testable import ScriptHost

@Suite("D: dispatch, rule by rule")
struct DispatchRuleTests {
  let scene = Scene()

  // MARK: D1

  @Test("D1: The walk follows next from the first responder of the key window, and ends at the app")
  func walk() throws {
    try scene.chain("cell", "grid", "window")
    expect(scene.host.chainNames, is: ["cell", "grid", "window", "app"])
  }

  @Test("D1: An explicit from comes before the focus")
  func from() throws {
    try scene.chain("cell", "window")
    scene.answer("save", "cell", "other")
    expect(scene.perform("save"), is: "cell via on")
    expect(scene.perform("save") { $0.from = scene["other"].responder }, is: "other via on")
  }

  @Test("D1: A responder without a window keeps the focus until a responder of a window is focused")
  func loose() throws {
    try scene.chain("cell", "window")
    try scene.host.focus(scene["loose"])
    expect(scene.host.chainNames, is: ["loose", "app"])
    try scene.host.makeKey(scene["window"].responder)
    expect(scene.host.chainNames, is: ["loose", "app"], "it was key already")
    try scene.host.focus(scene["cell"])
    expect(scene.host.chainNames, is: ["cell", "window", "app"])
  }

  @Test("D1: Without a first responder the walk begins at the key window, and without a window at the app")
  func keyWindow() {
    expect(scene.host.chainNames, is: ["app"])
    _ = scene["window"]
    expect(scene.host.chainNames, is: ["window", "app"])
  }

  @Test("D1: Each window's delegate comes right after the window; the walk doesn't follow the delegate's next")
  func delegates() throws {
    try scene.chain("cell", "window1", "window2")
    try scene.chain("delegate", "behind")
    try scene.host.focus(scene["cell"])
    try scene.host.setDelegate(scene["delegate"].responder, of: scene["window1"].responder)
    try scene.host.setDelegate(scene["steward"].responder, of: scene["window2"].responder)
    expect(scene.host.chainNames, is: ["cell", "window1", "delegate", "window2", "steward", "app"])
  }

  @Test("D1: A different main window comes next: its first responder's chain, the window, its delegate")
  func mainWindow() throws {
    try scene.chain("text", "page", "window1")
    try scene.host.setDelegate(scene["delegate"].responder, of: scene["window1"].responder)
    try scene.chain("swatch", "window2")
    expect(scene.host.chainNames, is: ["swatch", "window2", "text", "page", "window1", "delegate", "app"])
    try scene.host.makeMain(scene["window2"].responder)
    expect(scene.host.chainNames, is: ["swatch", "window2", "app"])
  }

  @Test("D1: The walk reaches the main window even if its first responder's chain bypasses it")
  func mainWindowLeft() throws {
    try scene.chain("text", "window1")
    try scene.chain("swatch", "window2")
    try scene.host.setNext(scene.host.app, of: scene["text"].responder)
    expect(scene.host.chainNames, is: ["swatch", "window2", "text", "window1", "app"])
  }

  @Test("D1: If the app is focused, the walk begins at the app: it is a responder without a window")
  func appFocused() throws {
    try scene.chain("cell", "window")
    try scene.host.focus(scene.app)
    expect(scene.host.chainNames, is: ["app"])
  }

  @Test("D1: The app, its delegate and the actions of the embedding program end the walk")
  func appLast() throws {
    try scene.chain("cell", "window")
    try scene.host.setDelegate(scene["steward"].responder, of: scene.host.app)
    scene.host.on("save") { _ in }
    expect(scene.host.chainNames, is: ["cell", "window", "app", "steward"])
    expect(scene.perform("save"), is: "host via native")
    scene.answer("save", "steward")
    expect(scene.perform("save"), is: "steward via on")
    scene.app.on("save") { _ in }
    expect(scene.perform("save"), is: "app via on")
  }

  @Test("D1: The app is the last responder even if another responder names it as next")
  func appNamed() throws {
    try scene.chain("text", "window1")
    try scene.chain("swatch", "window2")
    try scene.host.setNext(scene.host.app, of: scene["swatch"].responder)
    expect(scene.host.chainNames, is: ["swatch", "text", "window1", "app"])
    #expect(throws: Misuse.self) { try scene.host.setNext(scene["text"].responder, of: scene.host.app) }
  }

  @Test("D1: The host tries each node once")
  func once() throws {
    try scene.chain("cell", "window1", "window2")
    try scene.host.setDelegate(scene["cell"].responder, of: scene["window1"].responder)
    try scene.host.setDelegate(scene["window2"].responder, of: scene.host.app)
    try scene.host.makeMain(scene["window2"].responder)
    scene.pass("save", "cell")
    scene.pass("save", "window2")
    expect(scene.perform("save"), is: "unhandled: nobody handles 'save'")
    expect(scene.takeLog(), is: ["cell", "window2"])
  }

  // MARK: D2

  @Test("D2: The host tries a node's handler, then resolve, then redirect, then claims")
  func order() throws {
    try scene.chain("cell", "grid")
    scene["cell"].claimsAll()
    scene.catchAll("cell")
    expect(scene.perform("a"), is: "cell via claims")
    scene.answer("a", "target")
    scene["cell"].redirect(to: scene["target"].responder)
    expect(scene.perform("a"), is: "target via redirect")
    scene["cell"].resolve { [unowned scene] action in
      scene.answer(action, "cell")
      return true
    }
    expect(scene.perform("a"), is: "cell via resolve")
    expect(scene.perform("a"), is: "cell via on")
  }

  @Test("D2: The host calls resolve once per action, until the responder's tables change")
  func resolveOnce() throws {
    try scene.chain("cell")
    scene["cell"].resolve { [unowned scene] action in
      scene.note(action)
      return false
    }
    for action in ["a", "a", "b", "a"] { scene.perform(action) }
    expect(scene.takeLog(), is: ["a", "b"])
    scene.answer("other", "cell")
    scene.perform("a")
    expect(scene.takeLog(), is: ["a"])
  }

  @Test("D2: The host calls resolve again if it raised an error")
  func resolveRaises() throws {
    try scene.chain("cell")
    scene["cell"].resolve { _ in throw Broken() }
    for _ in 1...2 { expect(scene.perform("a"), is: "failed: it broke") }
  }

  @Test(
    "D2: A redirection tries the target's on, resolve, redirect and claims",
    arguments: [("on", "target"), ("resolve", "target"), ("redirect", "further"), ("claims", "target")])
  func redirected(how: String, taker: String) throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "grid")
    scene["cell"].redirect { [unowned scene] _ in scene["target"].responder }
    switch how {
    case "on": scene.answer("a", "target")
    case "resolve":
      scene["target"].resolve { [unowned scene] action in
        scene.answer(action, "target")
        return true
      }
    case "redirect":
      scene["target"].redirect(to: scene["further"].responder)
      scene.answer("a", "further")
    default:
      scene["target"].claims(["a"])
      scene.catchAll("target")
    }
    expect(scene.perform("a"), is: "\(taker) via redirect")
  }

  @Test("D2: If a redirection's target has no handler or was already tried, the walk goes on at the node's next")
  func redirectedInVain() throws {
    try scene.chain("cell", "grid", "window")
    for name in ["cell", "grid"] {
      scene["\(name)"].claimsAll()
      scene.catchAll(name)
    }
    scene["cell"].redirect(to: scene["empty"].responder)
    scene["grid"].redirect(to: scene["cell"].responder)
    scene.answer("a", "window")
    expect(scene.perform("a"), is: "window via on")
  }

  @Test("D2: The walk skips a responder that passed as the target of a redirection")
  func redirectedUpwards() throws {
    try scene.chain("cell", "grid", "window")
    scene["cell"].redirect(to: scene["window"].responder)
    scene.pass("a", "window")
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
    expect(scene.takeLog(), is: ["window"])
  }

  @Test("D2: A redirection skips a responder that passed earlier on the walk")
  func redirectedDownwards() throws {
    try scene.chain("cell", "grid")
    scene.pass("a", "cell")
    scene["grid"].redirect(to: scene["cell"].responder)
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
    expect(scene.takeLog(), is: ["cell"])
  }

  @Test("D2: claims is a list of actions, all actions, or a function")
  func claims() throws {
    try scene.chain("cell")
    scene.catchAll("cell")
    scene["cell"].claims(["a", "b"])
    expect(["a", "b", "c"].map { scene.perform($0) }, is: ["cell via claims", "cell via claims", "cell via unknown"])
    scene["cell"].claims { action in action == "c" }
    expect(["a", "c"].map { scene.perform($0) }, is: ["cell via unknown", "cell via claims"])
    scene["cell"].claimsAll()
    expect(scene.perform("z"), is: "cell via claims")
  }

  @Test("D2: If a node claims all actions, only the last component reaches it; a longer name further up comes first")
  func claimsLast() throws {
    try scene.chain("cell", "grid")
    scene.catchAll("cell")
    scene["cell"].claimsAll()
    scene.answer("m.a", "grid")
    expect(["m.a", "m.b"].map { scene.perform($0) }, is: ["grid via on", "cell via claims"])
  }

  @Test("D2: A can or a handler that passes sends the walk on past its responder")
  func passing() throws {
    try scene.chain("cell", "grid", "window")
    scene.catchAll("cell")
    scene["cell"].claimsAll()
    scene.pass("a", "cell")
    scene["grid"].can("a") { _ in .pass }
    scene.answer("a", "grid", "window")
    expect(scene.perform("a"), is: "window via on")
    expect(scene.takeLog(), is: ["cell", "window"])
  }

  // MARK: D3 and D4

  @Test("D3: The host tries the catch-alls only if the walk ends without a taker")
  func catchAllsLast() throws {
    try scene.chain("cell", "grid", "window")
    scene.catchAll("cell", "grid")
    scene.host.on("a") { _ in }
    expect(scene.perform("a"), is: "host via native")
    expect(scene.perform("b"), is: "cell via unknown")
  }

  @Test("D3: The host tries the nearest catch-all first, and the next if it passes")
  func catchAllsPass() throws {
    try scene.chain("cell", "grid", "window")
    scene["cell"].unknown { [unowned scene] _ in
      scene.note("cell?")
      throw Pass()
    }
    scene.catchAll("grid", "window")
    expect(scene.perform("a"), is: "grid via unknown")
    expect(scene.takeLog(), is: ["cell?", "grid?"])
  }

  @Test("D3: The host doesn't try a catch-all again that passed as a claim", arguments: [true, false])
  func catchAllOnce(byRedirect: Bool) throws {
    try scene.chain("cell", "grid")
    scene["grid"].unknown { [unowned scene] _ in
      scene.note("grid?")
      throw Pass()
    }
    scene["grid"].claimsAll()
    if byRedirect { scene["cell"].redirect(to: scene["grid"].responder) }
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
    expect(scene.takeLog(), is: ["grid?"])
  }

  @Test("D3: The host skips the catch-alls of redirect targets, unless they are on the walk themselves")
  func catchAllsOfTargets() throws {
    try scene.chain("cell", "grid")
    scene["cell"].redirect(to: scene["target"].responder)
    scene.catchAll("target", "grid")
    expect(scene.perform("a"), is: "grid via unknown")
    scene["cell"].redirect(to: scene["grid"].responder)
    scene.pass("a", "grid")
    expect(scene.perform("a"), is: "grid via unknown")
  }

  @Test("D3: A catch-all gets the original name, the raw reference, the arguments and the sender")
  func catchAllKnows() throws {
    try scene.chain("cell")
    scene["cell"].unknown { [unowned scene] command in
      let context = command.context
      scene.note(["action", "prefix", "raw", "n", "sender"].map { context[$0].shown }.joined(separator: " "))
      return .null
    }
    scene.perform("image.edit.save(n: 1)") {
      $0.sender = .item(id: "Image/Save", title: "Save", action: "image.edit.save(n: 1)", key: nil)
    }
    expect(
      scene.takeLog(),
      is: [
        "save image.edit image.edit.save(n: 1) 1 "
          + "{id:Image/Save,title:Save,action:image.edit.save(n: 1),key:null}"
      ])
  }

  @Test("D4: claims makes an action performable, but a catch-all doesn't; a perform reaches both")
  func catchAllDisabled() throws {
    try scene.chain("cell", "grid")
    scene.catchAll("grid")
    expect(
      scene.validate("a"), is: "nobody handles 'a' but the catch-all of 'grid', which enables only claimed actions")
    expect(scene.perform("a"), is: "grid via unknown")
    scene["grid"].claims(["a"])
    expect(scene.validate("a"), is: "by grid")
  }

  // MARK: D5 to D8

  @Test("D5: With an explicit target, the host tries only the target and its catch-all, never the chain")
  func target() throws {
    try scene.chain("cell", "grid", "window")
    scene.answer("a", "window")
    scene.host.on("a") { _ in }
    let toGrid = { (options: inout PerformOptions) in options.to = self.scene["grid"].responder }
    expect(scene.perform("a", toGrid), is: "unhandled: nobody handles 'a'")
    expect(scene.validate("a", toGrid), is: "nobody handles 'a'")
    scene.catchAll("window", "grid")
    expect(scene.perform("a", toGrid), is: "grid via unknown")
    scene.answer("a", "grid")
    expect(scene.perform("a", toGrid), is: "grid via on")
  }

  @Test("D5: A removed responder as from or target is an error, and nothing runs", arguments: [true, false])
  func removedTarget(isTarget: Bool) throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "cell", "grid")
    let cell = scene["cell"].responder
    try scene.host.remove(cell)
    let edit = { (options: inout PerformOptions) in
      if isTarget { options.to = cell } else { options.from = cell }
    }
    expect(scene.perform("a", edit), is: "failed: 'cell' was removed: it can't be asked")
    expect(scene.validate("a", edit), is: "'cell' was removed: it can't be asked")
    expect(scene.takeLog(), is: [])
  }

  @Test("D6: A perform has at most one taker")
  func oneTaker() throws {
    try scene.chain("cell", "grid", "window")
    scene.answer("a", "cell", "grid", "window")
    scene.catchAll("cell", "grid")
    expect(scene.perform("a"), is: "cell via on")
    expect(scene.takeLog(), is: ["cell"])
  }

  @Test("D7: If nobody handles an action, the outcome is unhandled with the nearest names, and listeners get one event")
  func unhandled() throws {
    try scene.chain("cell")
    scene.answer("export", "cell", "grid")
    scene.host.listen(.unhandled) { [unowned scene] event in
      guard case .unhandled(let event, let near) = event else { return }
      scene.note("\(event.action) near \(near)")
    }
    expect(scene.perform("menu.exprot"), is: "unhandled: nobody handles 'menu.exprot'; did you mean 'menu.export'?")
    expect(scene.takeLog(), is: [#"exprot near ["menu.export"]"#])
  }

  @Test("D8: setNext refuses a circle and names its members")
  func circle() throws {
    try scene.chain("cell", "grid", "window")
    let misuse = #expect(throws: Misuse.self) {
      try scene.host.setNext(scene["cell"].responder, of: scene["window"].responder)
    }
    expect(misuse?.code, is: .cycle)
    expect(misuse?.message, is: "next would lead in a circle: window → cell → grid → window")
    expect(scene.host.chainNames, is: ["cell", "grid", "window", "app"])
    #expect(throws: Misuse.self) { try scene.host.setNext(scene["cell"].responder, of: scene["cell"].responder) }
  }

  @Test("D8: The host finds and reports a circle of redirections")
  func redirectCircle() throws {
    try scene.chain("cell", "grid")
    scene["cell"].redirect(to: scene["a"].responder)
    scene["a"].redirect(to: scene["b"].responder)
    scene["b"].redirect(to: scene["a"].responder)
    scene.answer("x", "grid")
    let sentence = "redirect leads in a circle: cell → a → b → a"
    expect(scene.perform("x"), is: "failed: \(sentence)")
    expect(scene.host.takeDiagnostics().map(\.message), is: [sentence])
    expect(scene.validate("x"), is: "error: \(sentence)")
  }

  // MARK: D9 and D10

  @Test("D9: A handler can remove its responder and runs to its end; the next perform uses the new chain")
  func removesItself() throws {
    try scene.chain("cell", "grid")
    scene.answer("a", "grid")
    scene["cell"].on("a") { [unowned scene] command -> Void in
      try scene.host.remove(command.responder)
      scene.note("cell, then \(scene.perform("a"))")
    }
    expect(scene.perform("a"), is: "cell via on")
    expect(scene.takeLog(), is: ["grid", "cell, then grid via on"])
    expect(scene.perform("a"), is: "grid via on")
  }

  @Test(
    "D9: The walk skips responders that a passing handler removed, even if it reached them before", arguments: [0, 3])
  func removesOthers(earlier: Int) throws {
    try scene.chain("cell", "grid", "window")
    scene.catchAll("grid")
    var removes = false
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      if removes { try scene.host.remove(scene["grid"].responder) }
      throw Pass()
    }
    scene.pass("a", "grid")
    for _ in 0..<earlier { expect(scene.perform("a"), is: "grid via unknown") }
    _ = scene.takeLog()
    removes = true
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
    expect(scene.takeLog(), is: [])
  }

  @Test("D9: If a passing handler adds a handler further up, the walk reaches it at once", arguments: [0, 3])
  func addsOthers(earlier: Int) throws {
    try scene.chain("cell", "grid", "window")
    var adds = false
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      if adds { scene.answer("a", "grid") }
      throw Pass()
    }
    scene.answer("a", "window")
    for _ in 0..<earlier { expect(scene.perform("a"), is: "window via on") }
    adds = true
    expect(scene.perform("a"), is: "grid via on")
  }

  @Test("D9: A handler can replace and remove itself while it runs")
  func replacesItself() throws {
    try scene.chain("cell")
    var registration: Registration?
    registration = scene["cell"].on("a") { [unowned scene] _ -> Value in
      registration?.remove()
      scene["cell"].on("a") { _ in "new" }
      return "old"
    }
    expect(scene.outcome("a").result.shown, is: "old")
    expect(scene.outcome("a").result.shown, is: "new")
  }

  @Test("D10: A later registration replaces the earlier, and a handle removes only its registration")
  func registrations() throws {
    try scene.chain("cell")
    let first = scene["cell"].on("a") { _ in "first" }
    let second = scene["cell"].on("a") { _ in "second" }
    first.remove()
    expect(scene.outcome("a").result.shown, is: "second")
    second.remove()
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
    let native = scene.host.on("a") { _ in "native" }
    scene.host.on("a") { _ in "other" }
    native.remove()
    expect(scene.outcome("a").result.shown, is: "other")
  }

  // MARK: D11

  @Test("D11: The host calls claims and redirect functions whenever a walk reaches them, in nested performs too")
  func functionsAreAsked() throws {
    try scene.chain("cell", "grid")
    var nested = 0
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      nested += 1
      if nested == 2 { scene.perform("a") }
      throw Pass()
    }
    scene["grid"].claims { [unowned scene] action in
      scene.note(action)
      return true
    }
    scene.catchAll("grid")
    for asked in [["a", "grid?"], ["a", "grid?", "a", "grid?"], ["a", "grid?"]] {
      scene.perform("a")
      expect(scene.takeLog(), is: asked)
    }
  }

  @Test("D11: A handler that is set or removed counts at once, in a plain perform and in any other")
  func tablesAreNotCached() throws {
    try scene.chain("cell", "grid")
    scene.answer("save", "grid")
    let takers = { [unowned scene] in [scene.perform("save"), scene.host.perform("save").short] }
    expect(takers(), is: ["grid via on", "grid via on"])
    let registration = scene["cell"].on("save") { _ in }
    expect(takers(), is: ["cell via on", "cell via on"])
    registration.remove()
    expect(takers(), is: ["grid via on", "grid via on"])
  }

  @Test("D11: A change of focus takes effect at once, at the start of the walk and in the main window")
  func focusIsNotCached() throws {
    try scene.chain("text", "window1")
    try scene.chain("page", "window1")
    try scene.chain("swatch", "window2")
    expect(scene.host.chainNames, is: ["swatch", "window2", "page", "window1", "app"])
    try scene.host.focus(scene["text"])
    try scene.host.focus(scene["swatch"])
    expect(scene.host.chainNames, is: ["swatch", "window2", "text", "window1", "app"])
    scene.answer("save", "page", "text")
    let fromLoose = { (options: inout PerformOptions) in options.from = self.scene["loose"].responder }
    expect(scene.perform("save", fromLoose), is: "text via on")
    try scene.host.makeKey(scene["window1"].responder)
    expect(
      scene.perform("save", fromLoose), is: "unhandled: nobody handles 'save'; 'page' does, but isn't in the chain")
  }

  @Test("D11: A change of layer, class or derived class counts at once", arguments: ["layer", "class", "derived"])
  func classesAreNotCached(what: String) throws {
    try scene.chain("cell", "grid")
    scene.answer("save", "grid")
    let cell = scene["cell"].responder
    let chain = scene.host.chain
    let definition = try chain.define("class", ancestor: nil, owner: scene.host.program, place: nil)
    let plugin = Owner(name: "plugin")
    let handler = NativeAction(owner: plugin) { [unowned scene] _ in
      scene.note("asked")
      throw Pass()
    }
    definition.behaviour.unknown = handler
    definition.behaviour.claims = .all
    chain.hooksChanged(of: nil, in: definition.behaviour)
    expect(scene.perform("save"), is: "grid via on")
    switch what {
    case "layer":
      ResponderEditor(responder: cell, host: scene.host, owner: plugin).setHook(\.unknown, handler)
      ResponderEditor(responder: cell, host: scene.host, owner: plugin).claimsAll()
    case "class": cell.setAncestor(definition)
    default: cell.derive(definition)
    }
    expect(scene.perform("save"), is: "grid via on")
    expect(scene.takeLog(), is: ["grid", "asked", "grid"])
    cell.removeLayer(of: plugin)
    cell.setAncestor(nil)
    if what == "derived" {
      definition.behaviour.claims = nil
      chain.hooksChanged(of: nil, in: definition.behaviour)
    }
    expect(scene.perform("save"), is: "grid via on")
    expect(scene.takeLog(), is: ["grid"])
  }

  @Test("D11: Within one walk, the host calls claims and redirect once per node and action")
  func functionsAreAskedOnce() throws {
    try scene.chain("cell", "grid", "window")
    for name in ["cell", "grid"] {
      scene[name].redirect { [unowned scene] action in
        scene.note("\(name) \(action)")
        return scene["target"].responder
      }
    }
    scene["target"].redirect { [unowned scene] action in
      scene.note("target \(action)")
      return nil
    }
    scene.answer("a", "window")
    expect(scene.perform("m.a"), is: "window via on")
    expect(scene.takeLog(), is: ["cell m.a", "target m.a", "grid m.a", "cell a", "target a", "grid a", "window"])
  }

  @Test(
    "D11: After a pass, the walk goes on behind the passing responder, even if a nested perform found another handler")
  func foundAnewWithin() throws {
    try scene.chain("front", "cell", "grid")
    var isFirst = true
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      scene.note("cell")
      if isFirst {
        isFirst = false
        scene.pass("a", "front")
        scene.perform("a")
      }
      throw Pass()
    }
    scene.answer("a", "grid")
    expect(scene.perform("a"), is: "grid via on")
    expect(scene.takeLog(), is: ["cell", "front", "cell", "grid", "grid"])
  }

  // MARK: D12 to D14

  @Test("D12: Performs nest 50 deep; a deeper perform fails and names the chain of actions")
  func nesting() throws {
    try scene.chain("cell")
    var depth = 0
    var deepest: Outcome?
    scene["cell"].on("a") { [unowned scene] _ -> Void in
      depth += 1
      let outcome = scene.outcome("a")
      if deepest == nil { deepest = outcome }
    }
    expect(scene.perform("a"), is: "cell via on")
    expect(depth, is: 50)
    let help = "to perform the next responder's handler call ctx:forward(), for the class's ctx:super()"
    expect(deepest?.short, is: "failed: performs are nested more than 50 deep: a → a; \(help)")
    expect(deepest?.error?.code, is: .nesting)
    depth = 0
    expect(scene.perform("a"), is: "cell via on")
  }

  @Test("D13: One perform builds one context for needs, can, the handler and observers")
  func oneContext() throws {
    try scene.chain("cell", "grid", "window")
    var contexts: [ObjectIdentifier] = []
    scene["window"].provide { [unowned scene] context in
      scene.note("provide")
      context["photo"] = "cat"
    }
    scene["cell"].needs("a", [("photo", nil)])
    scene["cell"].can("a") { command in
      contexts.append(ObjectIdentifier(command.context))
      return .yes
    }
    scene["cell"].on("a") { command -> Void in
      contexts.append(ObjectIdentifier(command.context))
      throw Pass()
    }
    scene["grid"].on("a") { command in contexts.append(ObjectIdentifier(command.context)) }
    expect(scene.perform("a"), is: "grid via on")
    expect(contexts.count == 3 && Set(contexts).count == 1)
    expect(scene.takeLog(), is: ["provide"])
  }

  @Test("D13: In the shared context, each handler finds its step's action and prefix")
  func aimed() throws {
    try scene.chain("cell", "grid")
    for (name, action) in [("cell", "photo.rate"), ("grid", "rate")] {
      scene[name].on(action) { [unowned scene] command -> Void in
        let context = command.context
        scene.note("\(context.taker?.name ?? ""): \(command.action), prefix '\(context.request?.prefix ?? "")'")
        if name == "cell" { throw Pass() }
      }
    }
    expect(scene.perform("photo.rate"), is: "grid via on")
    expect(scene.takeLog(), is: ["cell: photo.rate, prefix ''", "grid: rate, prefix 'photo'"])
  }

  @Test("D13: The host checks needs, then can; after a refusal no handler and no observer runs")
  func refused() throws {
    try scene.chain("cell", "window")
    scene.host.observe { [unowned scene] event in scene.note("\(event.stage)") }
    scene.answer("a", "cell", "window")
    scene["cell"].needs("a", [("photo", "select a photo first")])
    scene["cell"].can("a") { [unowned scene] _ in
      scene.note("can")
      return .no("it is locked")
    }
    expect(scene.perform("a"), is: "disabled: select a photo first")
    expect(scene.takeLog(), is: [])
    scene.host["photo"] = "cat"
    expect(scene.perform("a"), is: "disabled: it is locked")
    expect(scene.takeLog(), is: ["can"])
  }

  @Test("D13: If skip_validation is true in the arguments or the options, the host skips needs and can")
  func skipped() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    scene["cell"].needs("a", [("photo", nil)])
    scene["cell"].can("a") { _ in false }
    expect(scene.perform("a"), is: "disabled: needs 'photo', but nothing supplies it now")
    expect(scene.perform("a(skip_validation: true)"), is: "cell via on")
    expect(scene.perform("a(skip_validation: false)").hasPrefix("disabled"))
    expect(scene.perform("a") { $0.skipValidation = true }, is: "cell via on")
    expect(scene.perform("a") { $0.arguments["skip_validation"] = true }, is: "cell via on")
  }

  @Test(
    "D14: Lookup tries derived classes, newest first, layers, latest first, the responder, its class, its ancestors")
  func lookup() throws {
    try scene.chain("cell")
    let chain = scene.host.chain
    let program = scene.host.program
    let base = try chain.define("base", ancestor: nil, owner: program, place: nil)
    let middle = try chain.define("middle", ancestor: base, owner: program, place: nil)
    let older = try chain.define("older", ancestor: nil, owner: program, place: nil)
    let newer = try chain.define("newer", ancestor: nil, owner: program, place: nil)
    let cell = scene["cell"].responder
    cell.setAncestor(middle)
    cell.derive(older)
    cell.derive(newer)
    let plugins = [Owner(name: "first"), Owner(name: "second")]
    let behaviours =
      [newer, older].map(\.behaviour) + plugins.map(cell.layer).reversed() + [cell.layer(of: program)]
      + [middle, base].map(\.behaviour)
    var handles: [Registration] = []
    for (index, behaviour) in behaviours.enumerated() {
      let handler = NativeAction(owner: program) { _ in .integer(index) }
      let number = chain.set(.on, "a", handler, in: behaviour, of: nil)
      handles.append(chain.registration(of: number, .on, "a", in: behaviour, of: nil))
    }
    for (index, handle) in handles.enumerated() {
      expect(scene.outcome("a").result.shown, is: "\(index)")
      handle.remove()
    }
    expect(scene.perform("a"), is: "unhandled: nobody handles 'a'")
  }

  @Test("D14: The host looks up each table separately")
  func tablesApart() throws {
    try scene.chain("cell")
    scene.answer("a", "cell")
    let plugin = ResponderEditor(responder: scene["cell"].responder, host: scene.host, owner: Owner(name: "plugin"))
    plugin.can("a") { _ in .no("the plugin says no") }
    expect(scene.perform("a"), is: "disabled: the plugin says no")
    plugin.needs("a", [("photo", "the plugin needs a photo")])
    expect(scene.perform("a"), is: "disabled: the plugin needs a photo")
    scene["cell"].responder.removeLayer(of: plugin.owner)
    expect(scene.perform("a"), is: "cell via on")
  }
}
