import LiveHost
import ScriptHost

/// The *live steps* are the deeds of a live app's clients, as its notifications tell them: each with its outcome and the changes of the menus.
final class LiveSteps {
  private(set) var all: [JSON] = []
  private var isOver = false
  /// The menus now; nil until the app has sent them.
  private var menus: MenuElement?
  /// The menus before the last deed that ended; nil once later changes are no effect of that deed.
  private var before: MenuElement?
  /// The deeds that still run, each with the menus before it.
  private var begun: [(deed: JSON, before: MenuElement?)] = []

  /// Collects the steps until an interrupt comes or the app ends.
  func take(from live: LiveSubject, within interrupts: Interrupts) throws(Unanswered) {
    live.client.onNotification = { [unowned self] method, parameters in told(method, parameters) }
    live.client.onAlarm = { [unowned self, unowned client = live.client] in
      isOver = true
      // `hear` below waits for a message: the answer to this wakes it.
      _ = try? client.send("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    }
    interrupts.serve(leaving: {}) { [ring = live.client.ring] _ in ring(0) }
    _ = try live.client.request("subscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    let known = try live.client.request("menus")
    menus = (try? AnswerReader().menus(known["menus"])).map { MenuElement(rootOf: $0) }
    while !isOver { try live.client.hear() }
    // Notifications that were sent before arrive before the answer to this request.
    _ = try? live.client.request("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
  }

  private func told(_ method: String, _ parameters: JSON) {
    switch method {
    case "outcome":
      guard let deed = parameters["do"] else { return }
      // A deed that runs on is told again when it ends.
      if parameters["status"]?.text == "running" {
        begun.append((deed, menus))
        before = nil
        return
      }
      before = begun.firstIndex { $0.deed == deed }.map { begun.remove(at: $0).before } ?? menus
      let named = ["do", "action", "eval", "focus", "trace", "job"]
      let effect = RecordingText.effect((parameters.members ?? []).filter { !named.contains($0.0) })
      all.append(.object([("do", deed)] + effect))
      noteChanges()
    case "menus":
      guard let known = menus, let changes = try? AnswerReader().changes(parameters["changes"]) else { return }
      menus = known.applying(changes)
      // The changes arrive after the outcome that made them.
      noteChanges()
    default: break
    }
  }

  /// Writes the changes of the menus since before the last deed into that deed's step.
  private func noteChanges() {
    guard let before, let menus, let last = all.last?.members else { return }
    let changes = JSON.changes(MenuChanges(from: before, to: menus).all, isWhole: true)
    all[all.count - 1] = .object(last.filter { $0.0 != "changes" } + [("changes", changes)])
  }
}
