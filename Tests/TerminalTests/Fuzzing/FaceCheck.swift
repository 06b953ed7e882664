import LiveHost
import ScriptHost

@testable import Terminal

/// Checks a face under any keys at any speed; the tests and the fuzzer both use it.
///
/// Each byte is a key, and its highest bit tells whether a read ends with it.
/// Keys in one read act as one by one.
/// The question, the button and the performed action are about the same row.
struct FaceCheck {
  /// Sends a face an input; a test passes a faulty function, to show that the check finds it.
  var take: (Face, TerminalInput) -> Void = { $0.take($1, at: .zero) }

  /// The app; a test passes an app with a wrong button, to show that the check finds it.
  var script = rowsAndSearch

  /// The most keys of an input.
  private static let most = 40

  /// Returns the fault for these bytes, or nil if there is none.
  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let keys = bytes.prefix(Self.most)
    do {
      let slow = try person(keys) { _ in true }
      let fast = try person(keys) { $0 & 0x80 != 0 }
      if let fault = slow.fault ?? fast.fault { return fault }
      if slow.done != fast.done { return "fast keys did \(fast.done), and slow ones \(slow.done)" }
      if slow.picture != fast.picture {
        return "fast keys lead to\n\(fast.picture)\nand slow ones to\n\(slow.picture)"
      }
    } catch {
      return "\(error)"
    }
    return nil
  }

  /// The view and the actions of a person.
  private struct Seen {
    var fault: String?
    var done = ""
    var picture = ""
  }

  private func person(_ keys: Slice<UnsafeBufferPointer<UInt8>>, _ ends: (UInt8) -> Bool) throws -> Seen {
    let stage = try FaceStage(script)
    var seen = Seen()
    stage.onSight = { face in
      guard seen.fault == nil, let question = face.over.last as? Question else { return }
      let (asked, button) = (question.text, question.deed.title)
      if asked != "\(button) for good?" { seen.fault = "'\(asked)' has the button '\(button)'" }
    }
    for byte in keys {
      take(stage.face, Self.keys[Int(byte & 0x7F) % Self.keys.count])
      if ends(byte) { stage.settle() }
    }
    stage.settle()
    seen.done = stage.told("done")
    seen.picture = stage.picture
    return seen
  }

  private static let keys: [TerminalInput] = {
    let words = "down up end home enter d s y n esc a b c o x tab space f10 ctrl+p right . ? delete g w e m"
    return (try? FaceStage.inputs(words)) ?? []
  }()
}

/// Rows with a confirmed delete, a sequence, and a search that takes all letters while it is open.
let rowsAndSearch = """
  app.title = "Rows"
  state = { rows = { "one", "two", "three", "alpha", "beta" }, found = "" }
  done = {}
  local list, search = responder "list", responder "search"
  panel { section "rows" {
    items = function() return state.rows end, id = function(name) return name end, kind = "row", current = "look",
    row = function(name) return item(name) { "open", args = { name = name } } end,
  } }
  menubar { menu "Edit" {
    item "Delete" { "delete", key = "d", destructive = true }, item "Search" { "search", key = "s" },
    item "Top" { "top", key = "g g" },
  } }
  function list.on:look(ctx) state.current = ctx.name end
  function list.on:open(ctx) done[#done + 1] = "open " .. ctx.name end
  function list.look:delete() return { title = "Delete " .. tostring(state.current) } end
  list.confirm.delete = function() return "Delete " .. tostring(state.current) .. " for good?" end
  function list.on:delete() done[#done + 1] = "delete " .. tostring(state.current) end
  -- A list that is longer than what a face asks for, then empty, then short again.
  function list.on:more()
    local count, names = ({ [5] = 150, [150] = 0 })[#state.rows] or 5, { "one", "two", "three", "alpha", "beta" }
    state.rows = {}
    for i = 1, count do state.rows[i] = names[i] or "row " .. i end
  end
  list.keys.m = "more"
  function list.on:top() done[#done + 1] = "top" end
  function list.on:search() state.session, state.found = modal(search), "" end
  for letter in ("abcdegnoswxy"):gmatch(".") do search.keys[letter] = "type(text: " .. letter .. ")" end
  search.keys.esc = "close"
  function search.on:type(ctx) state.found = state.found .. ctx.text end
  function search.on:close() done[#done + 1] = "found " .. state.found state.session:close() end
  focus(list)
  """
