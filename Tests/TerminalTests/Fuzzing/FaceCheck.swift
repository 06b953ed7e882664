import LiveHost
import ScriptHost

@testable import Terminal

/// What must hold for whatever keys a person presses, however fast; the tests and the fuzzer both ask it.
///
/// Each byte is a key, and its highest bit says whether a read ends with it. Keys that come in one read do what they do one by one; and what is
/// asked, what the button says and what is done are one thing.
struct FaceCheck {
  /// Gives a face an input; another way than the product's shows that a fault would be found.
  var take: (Face, TerminalInput) -> Void = { $0.take($1, at: .zero) }

  /// The app; one that asks about another row than its button names shows that a fault would be found.
  var script = rowsAndSearch

  /// The most keys of an input.
  private static let most = 40

  /// Says what does not hold for these bytes, or nil when all does.
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

  /// What a person saw and did.
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
    let words = "down up end home enter d s y n esc a b c o x tab space f10 ctrl+p right . ? delete g w e"
    return (try? FaceStage.inputs(words)) ?? []
  }()
}

/// Rows that can be deleted after a question, a sequence, and a search that takes all letters while it is open.
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
  function list.on:top() done[#done + 1] = "top" end
  function list.on:search() state.session, state.found = modal(search), "" end
  for letter in ("abcdegnoswxy"):gmatch(".") do search.keys[letter] = "type(text: " .. letter .. ")" end
  search.keys.esc = "close"
  function search.on:type(ctx) state.found = state.found .. ctx.text end
  function search.on:close() done[#done + 1] = "found " .. state.found state.session:close() end
  focus(list)
  """
