import Expectations
import Testing

@testable import ScriptHost

@Suite("URL rules")
struct URLRuleTests {
  private let scene = Scene()
  private var host: ScriptHost { scene.host }

  private func opener(_ name: String) {
    scene[name].on("openURL") { [unowned scene] command in
      scene.note("\(name) \(command.context["url"].shown)")
    }
  }

  private func open(_ urls: String...) -> [String] { host.openURLs(urls).map(\.short) }

  private func pending(_ url: String) -> String {
    "pending: '\(url)' waits until a script handles openURL"
  }

  @Test("F10: The host delivers URLs in order, each once, to the first taker")
  func delivery() throws {
    try scene.chain("grid", "window1")
    opener("window1")
    opener("app")
    expect(open("a", "b"), is: ["window1 via on", "window1 via on"])
    expect(scene.log == ["window1 a", "window1 b"] && host.waitingURLs == [])
  }

  @Test(
    "F10: URLs without a taker wait in order; the host delivers them once, before the next perform or open_urls")
  func waiting() throws {
    try scene.chain("grid")
    scene.answer("go", "grid")
    host.listen(.unhandled) { [unowned scene] _ in scene.note("unhandled") }
    expect(open("a", "b"), is: [pending("a"), pending("b")])
    expect(open("c") == [pending("c")] && host.waitingURLs == ["a", "b", "c"])
    scene.perform("go")
    expect(scene.takeLog(), is: ["grid"])
    opener("app")
    expect(scene.log, is: [])
    scene.perform("go")
    expect(scene.takeLog() == ["app a", "app b", "app c", "grid"] && host.waitingURLs == [])
    scene.perform("go")
    expect(scene.takeLog(), is: ["grid"])
  }

  @Test("F10: The host delivers waiting URLs before new URLs, and new URLs wait behind them")
  func order() throws {
    _ = open("a")
    var takes = ["a"]
    scene.app.on("openURL") { [unowned scene] command -> Void in
      let url = command.context["url"].shown
      guard takes.contains(url) else { throw Pass() }
      scene.note(url)
    }
    expect(open("b", "c") == [pending("b"), pending("c")] && host.waitingURLs == ["b", "c"])
    takes = ["c"]
    expect(open("c") == [pending("c")] && host.waitingURLs == ["b", "c", "c"])
    takes = ["b", "c", "d"]
    expect(open("d"), is: ["app via on"])
    expect(scene.log, is: ["a", "b", "c", "c", "d"])
  }

  @Test("F10: A catch-all doesn't take URLs unless it claims the action")
  func catchAlls() throws {
    scene.catchAll("app")
    expect(open("a") == [pending("a")] && scene.log == [])
    scene.app.claims(["openURL"])
    expect(open("b"), is: ["app via claims"])
    expect(scene.log, is: ["app?", "app?"])
  }

  @Test("F10: A handler that refuses or fails has taken the URL")
  func refusal() throws {
    opener("app")
    scene.app.can("openURL") { $0.context["url"].shown == "no" ? .no("not that") : .yes }
    expect(open("no", "yes"), is: ["disabled: not that", "app via on"])
    scene.app.on("openURL") { _ -> Void in throw Broken() }
    expect(open("x") == ["failed: it broke"] && host.waitingURLs == [])
  }

  @Test("F10: While a modal session blocks the taker, a URL waits, and dismisses nothing")
  func modal() throws {
    try scene.chain("panel")
    opener("app")
    scene.answer("go", "app")
    let session = try host.modal(scene["panel"].responder, dismissable: true)
    expect(open("a") == [pending("a")] && session.isOpen)
    session.close()
    scene.perform("go")
    expect(scene.log, is: ["app a", "app"])
  }

  @Test("F10: A taker can perform actions and open URLs itself")
  func nested() throws {
    scene.answer("go", "app")
    scene.app.on("openURL") { [unowned scene] command -> Void in
      let url = command.context["url"].shown
      scene.note("\(url) begins")
      scene.perform("go")
      if url == "a" { scene.note(scene.host.openURLs(["b"])[0].short) }
      scene.note("\(url) ends")
    }
    expect(open("a"), is: ["app via on"])
    expect(scene.takeLog(), is: ["a begins", "app", "b begins", "app", "b ends", "app via on", "a ends"])
  }

  @Test("F10: A URL that a taker opens during the delivery of waiting URLs waits until that is over")
  func nestedInWaiting() throws {
    _ = open("a")
    scene.app.on("openURL") { [unowned scene] command -> Void in
      if command.context["url"].shown == "a" { scene.note(scene.host.openURLs(["b"])[0].short) }
    }
    scene.answer("go", "app")
    scene.perform("go")
    expect(host.waitingURLs, is: ["b"])
    expect(scene.takeLog(), is: ["pending: 'b' waits: another URL is being opened", "app"])
  }

  @Test("F10: The number and length of waiting URLs are bounded")
  func bounds() throws {
    let outcomes = host.openURLs((0..<300).map { "\($0)" })
    expect(outcomes.count { $0.status == .pending } == 256 && outcomes.last?.status == .failed)
    let long = host.openURLs([String(repeating: "x", count: 10_000)])
    expect(long[0].error?.message, is: "a URL can have 8192 bytes at most, and this one has 10000")
  }
}
