import Expectations
import Testing

@testable import ScriptHost

/// The host asks the embedding program about its items in one go, pass after pass.
@Suite("Native questions")
struct NativeQuestionTests {
  private let stage: ScriptStage
  private let said = Said()

  /// The program's answers, and how often the host asked.
  private final class Said {
    var permission = Permission.yes
    var look = Look()
    var isLookRaising = false
    var asked = 0
    var read: [String] = []
  }

  private struct NoLook: Error {}

  init() throws {
    stage = try ScriptStage(
      """
      function app:provide(ctx) ctx.n = 7 end
      function app.on:scripted() end
      function app.can:scripted(ctx) return ctx.n == 7, "no longer " .. tostring(ctx.n) end
      menubar {
        menu "Native" { item "One" { "act(n: 1)" }, item "Two" { "act(n: 2)" }, item "Seven" { "act" } },
        menu "Both" { item "Three" { "act(n: 3)" }, item "Script" { "scripted" } },
      }
      """)
    stage.host.on("act") { _ in }
    stage.host.can("act") { [said] command in
      said.asked += 1
      said.read.append(command.context["n"].shown + (command.arguments["n"] ?? .null).shown)
      return said.permission
    }
    stage.host.look("act") { [said] _ in
      if said.isLookRaising { throw NoLook() }
      return said.look
    }
  }

  private var trees: MenuTrees { stage.host.menuTrees }

  /// Each item as a snapshot has it, and as the host draws it alone.
  private func items() -> [(drawn: MenuElement, alone: MenuElement)] {
    let snapshot = stage.host.menus()
    return trees.snapshotTree().all.filter { $0.element.kind == .item }.compactMap { node in
      guard let drawn = snapshot.find(node.id), let found = trees.findInMain(node.id) else { return nil }
      return (drawn, trees.validated(found))
    }
  }

  @Test("V5, V6, V9: An item in a snapshot is the item drawn alone, for all answers of the program")
  func same() {
    var seen: Set<String> = []
    let looks = [("", Look.State.off), ("title", .on), ("e\u{301}", .mixed), ("\u{e9}", .mixed)].map { title, state in
      var look = Look()
      if !title.isEmpty { look.title = title }
      look.state = state
      return look
    }
    for permission in [Permission.yes, .no("not now"), .no(""), .no("e\u{301}"), .no("\u{e9}"), .pass] {
      for look in looks {
        (said.permission, said.look) = (permission, look)
        for (drawn, alone) in items() {
          expect(drawn, is: alone)
          expect(drawn.reason.map { Array($0.utf8) }, is: alone.reason.map { Array($0.utf8) })
          expect(Array(drawn.title.utf8), is: Array(alone.title.utf8))
          let texts = [drawn.title, drawn.reason ?? ""].map { Array($0.utf8) }
          seen.insert("\(texts) \(drawn.isEnabled) \(drawn.state)")
        }
      }
    }
    expect(seen.count, is: 40)
  }

  @Test("V5, C1: A pass asks each question once, and it reads its item's arguments before provided values")
  func once() {
    for pass in 1...3 {
      said.asked = 0
      said.read = []
      _ = stage.host.menus()
      expect(said.asked, is: 4, "pass \(pass)")
      expect(said.read.sorted(), is: ["11", "22", "33", "7null"], "pass \(pass)")
    }
  }

  @Test("V9: A look that raises disables its item and is reported in each pass, until it stops raising")
  func raising() {
    _ = stage.host.menus()
    said.isLookRaising = true
    for pass in 1...2 {
      _ = stage.host.takeDiagnostics()
      let menu = stage.host.menus().children[0]
      expect(menu.children.allSatisfy { !$0.isEnabled && $0.reason == "error: NoLook()" }, "pass \(pass)")
      expect(stage.takeMessages(), is: Array(repeating: "NoLook()", count: 4), "pass \(pass)")
    }
    said.isLookRaising = false
    expect(stage.host.menus().children[0].children.map(\.isEnabled), is: [true, true, true])
    expect(stage.takeMessages().isEmpty)
  }

  @Test("V4: If the program passes, each pass asks the next handler again")
  func passing() throws {
    let page = try stage.host.responder("page")
    var isNear = false
    page.on("act") { _ in }
    page.can("act") { _ in isNear ? .no("near") : .pass }
    try stage.host.focus(page)
    for near in [false, true, false, true] {
      isNear = near
      let item = stage.host.menus().children[0].children[0]
      expect(item.reason, is: (near ? "near" : nil))
      expect(item.by, is: (near ? "page" : "host"))
      said.permission = .no("far")
      expect(stage.host.menus().children[0].children[0].reason, is: (near ? "near" : "far"))
      said.permission = .yes
    }
  }

  @Test(
    "V5, C1: Each question gets the name of its handler, even if another handler was asked for the same item before")
  func names() throws {
    let stage = try ScriptStage(#"menubar { menu "N" { item "Near" { "near.far", id = "n" } } }"#)
    let trees = stage.host.menuTrees
    var (answer, names) = (Permission.yes, [String]())
    stage.host.on("near.far") { _ in }
    stage.host.can("near.far") { command in
      names.append(command.action)
      return answer
    }
    stage.host.on("far") { _ in }
    stage.host.can("far") { command in
      names.append(command.action)
      return .yes
    }
    for said in [Permission.yes, .pass, .yes, .pass, .pass, .yes] {
      answer = said
      names = []
      _ = stage.host.menus()
      let node = try require(trees.findInMain("n"))
      let isPassed = if case .pass = said { true } else { false }
      expect(names, is: ["near.far"] + (isPassed ? ["far"] : []))
      answer = .pass
      names = []
      _ = trees.validated(node)
      expect(names, is: ["near.far", "far"])
    }
  }

  @Test("F3: A session blocks items in a whole pass as it blocks each alone, until it closes")
  func gated() throws {
    let open = stage.host.menus().children[0].children.map(\.isEnabled)
    expect(open, is: [true, true, true])
    let dialog = try stage.host.responder("dialog")
    let session = try stage.host.modal(dialog.responder)
    for (drawn, alone) in items() {
      expect(drawn, is: alone)
      expect(drawn.isBlocked)
    }
    session.close()
    expect(stage.host.menus().children[0].children.map(\.isEnabled), is: open)
  }

  @Test("V1: A can that validates its own item gets the reason being validated")
  func circle() {
    var reasons: [String?] = []
    stage.host.can("act") { [unowned host = stage.host] command in
      if case .integer(1)? = command.arguments["n"] { reasons.append(host.validate("act(n: 1)").reason) }
      return .yes
    }
    for pass in 1...2 {
      reasons = []
      _ = stage.host.menus()
      expect(reasons, is: ["being validated"], "pass \(pass)")
    }
  }
}
