import ScriptHost

/// A photo that belongs to the program: scripts pass it around and can't look inside.
final class Photo {
  let name: String
  var rating = 0

  init(name: String) { self.name = name }
}

let script = """
  app.title = "Photos"

  -- The host asks the inspector before the grid, which the program made.
  local inspector = responder "inspector" { next = "grid" }

  -- The grid supplies the photo; the script keeps it and returns it.
  function inspector.on:remember(ctx) self.kept = ctx.photo end
  function inspector:provide(ctx)     ctx.kept = self.kept end

  function inspector.on:zoom(ctx)     return (ctx.factor or 1) * 100 .. " %" end
  function inspector.can:zoom(ctx)    return ctx.photo ~= nil, "select a photo first" end

  focus(inspector)
  """

func run() throws {
  let host = ScriptHost()
  host.onPrint = { print($0) }
  host.onDiagnostic = { print("\($0.severity.rawValue): \($0.message)") }

  // A responder of the program supplies the selected photo and rates it.
  var selection: Photo?
  let grid = try host.responder("grid")
  grid.provide { context in
    if let selection { context["photo"] = .opaque(selection) }
  }
  grid.needs("rate", [(key: "photo", reason: "select a photo first")])
  grid.on("rate") { command in
    guard let photo = try command.context["photo", as: Photo.self] else { throw Pass() }
    photo.rating = try command.context["stars", as: Int.self] ?? 5
    return .text("\(photo.name) has \(photo.rating) stars")
  }
  grid.on("compare") { command -> Value in
    .bool(try command.context["kept", as: Photo.self] === selection)
  }

  // The program handles 'quit' if no responder does.
  host.on("quit") { _ in print("the program would quit now") }

  // The script adds a responder.
  try host.load(text: script, name: "photos.lua")
  print("\(host.title ?? ""): \(host.chainNames.joined(separator: " → "))")

  // An observer hears of every action.
  let watching = host.observe { event in
    print("  \(event.stage.rawValue) \(event.action)")
  }

  // No photo is selected: the reason says so, and 'why' explains who decided that.
  print(host.validate("rate(stars: 4)").reason ?? "it can be done")
  print(try host.why("zoom(factor: 2)").text)

  selection = Photo(name: "Harbour")
  show(host.perform("rate(stars: 4)"))
  show(host.perform("zoom(factor: 2)"))

  // The photo went through Lua and is the same object.
  show(host.perform("remember"))
  show(host.perform("compare"))

  watching.remove()
  show(host.perform("quit"))
  show(host.perform("qiut"))
}

func show(_ outcome: Outcome) {
  var line = outcome.status.rawValue
  if let by = outcome.by { line += " by \(by)" }
  if let reason = outcome.reason { line += ": \(reason)" }
  if !outcome.result.isNull { line += ": \(outcome.result)" }
  print(line)
}

try run()
