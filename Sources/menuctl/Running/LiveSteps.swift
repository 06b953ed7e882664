import LiveHost

/// The *live steps* are what clients of a live app do, as they are told: each with what came of it and what that changed.
final class LiveSteps {
  private(set) var all: [JSON] = []
  private var isOver = false

  /// Hears of what happens up to an interrupt, or until the app ends.
  func take(from live: LiveSubject, within interrupts: Interrupts) throws(Unanswered) {
    live.client.onNotification = { [unowned self] method, parameters in told(method, parameters) }
    live.client.onAlarm = { [unowned self, unowned client = live.client] in
      isOver = true
      // What waits hears the answer.
      _ = try? client.send("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    }
    interrupts.serve(leaving: {}) { [ring = live.client.ring] _ in ring(0) }
    _ = try live.client.request("subscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
    while !isOver { try live.client.hear() }
    // What was told before that comes before the answer to this.
    _ = try? live.client.request("unsubscribe", [("to", .list([.text("outcomes"), .text("menus")]))])
  }

  private func told(_ method: String, _ parameters: JSON) {
    switch method {
    case "outcome":
      // What goes on is told again when it ends.
      guard parameters["status"]?.text != "running", let deed = parameters["do"] else { return }
      let named = ["do", "action", "eval", "focus", "trace", "job"]
      let effect = RecordingText.effect((parameters.members ?? []).filter { !named.contains($0.0) })
      all.append(.object([("do", deed)] + effect + [("changes", .list([]))]))
    case "menus":
      // What changed is told behind what changed it.
      guard let last = all.last?.members, let changes = parameters["changes"]?.list else { return }
      let known = all[all.count - 1]["changes"]?.list ?? []
      all[all.count - 1] = .object(last.filter { $0.0 != "changes" } + [("changes", .list(known + changes))])
    default: break
    }
  }
}
