import Expectations
import Testing

@testable import ScriptHost

@Suite("The keymaps of yazi, Helix and lazygit")
struct KeymapFileTests {
  /// A program that handles every action: the result is the reference, with the count if there is one.
  private func host(_ name: String, _ responders: [String]) throws -> ScriptHost {
    let made = responders.map { "responder '\($0)' { counts = \($0 == "editor") }" }.joined(separator: "\n")
    let host = try ScriptStage(
      """
      mode = "normal"
      \(made)
      app.claims = true
      function app:provide(ctx) ctx.mode = mode end
      function app:unknown(ctx) return (ctx.count and ctx.count .. " " or "") .. (ctx.text or ctx.raw) end
      function app.on:insert_mode() mode = "insert" return "insert_mode" end
      function app.on:normal_mode() mode = "normal" return "normal_mode" end
      for _, name in ipairs { "kill_to_line_start", "completion", "commit_undo_checkpoint" } do
        app.on[name] = function() return name end
        app.can[name] = function() return mode == "insert", "only in insert mode" end
      end
      focus("\(responders[0])")
      """
    ).host
    try host.loadKeymap(path: "scripts/keymaps/\(name).lua")
    expect(host.check().filter { ["stray-keymap", "error"].contains($0.code) }.isEmpty)
    expect(host.keys().allSatisfy { !$0.isOfKeymap || !$0.isReached || $0.conflict == nil }, "\(name)")
    return host
  }

  private func checkKeys(_ pressed: [String: String], _ host: ScriptHost) {
    for (keys, result) in pressed.sorted(by: { $0.key < $1.key }) {
      expect(host.press(keys).result.shownText, is: result, "\(keys)")
    }
  }

  @Test("K11: yazi's keymap")
  func yazi() throws {
    let host = try host("yazi", ["mgr"])
    checkKeys(
      [
        "j": "arrow(by: 1)", "g g": "arrow(to: top)", "shift+g": "arrow(to: bot)", "space": "arrow(by: 1)",
        ", shift+m": "sort(by: mtime, reverse: true)", "3": "tab_switch(to: 2)", "c d": "copy(what: dirname)",
        "g space": "cd(interactive: true)", "ctrl+d": #"arrow(by: "50%")"#,
      ], host)
    expect(host.keys().count { $0.isOfKeymap } > 80)
  }

  @Test("K11, K12: Helix's keymap, with counts in normal mode and text in insert mode")
  func helix() throws {
    let host = try host("helix", ["editor"])
    checkKeys(
      [
        "j": "move_visual_line_down", "1 2 j": "12 move_visual_line_down", "2 shift+g": "2 goto_line",
        "g g": "goto_file_start", "space f": "file_picker", "ctrl+w v": "vsplit", "ctrl+u": "page_cursor_half_up",
      ], host)
    expect(host.press("i").result.shownText, is: "insert_mode")
    checkKeys(["j": "j", "g": "g", "7": "7", "shift+a": "A", "ctrl+w": "delete_word_backward"], host)
    expect(host.press("ctrl+u").result.shownText, is: "kill_to_line_start")
    expect(host.press("esc").result.shownText == "normal_mode" && host.press("g").status == .pending)
    expect(host.keys().count { $0.isOfKeymap } > 100)
  }

  @Test("K11: lazygit's keymap: a panel's key comes before the key that counts everywhere")
  func lazygit() throws {
    let host = try host("lazygit", ["files", "branches", "commits"])
    checkKeys(["space": "stage", "shift+p": "push", "c": "commit", "2": "jump(to: files)"], host)
    _ = try host.evaluate("focus('commits')")
    checkKeys(["space": "checkout_commit", "p": "pick", "shift+p": "push", "z": "undo"], host)
  }
}
