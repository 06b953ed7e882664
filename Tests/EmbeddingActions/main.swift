import ScriptHost

let script = """
  app.title, app.name, app.allow = "Photos", "photos", { "notify" }

  local photos = { { name = "Harbour" }, { name = "Gulls" } }

  panel {
    section "photos" {
      current = "show",
      items = function() return photos end,
      id = function(photo) return photo.name end,
      row = function(photo) return item(photo.name) { "open", args = { name = photo.name } } end,
    },
  }

  function app:start() sleep(1) print("the script has begun") end
  every(60, function() print("a minute went by") end)
  """

func run() throws {
  let host = ScriptHost(clock: TestClock())
  host.onPrint = { print($0) }

  // What the script wants to do outside of the host is asked for when it is loaded; with a yes it is loaded again.
  do {
    try host.load(text: script, name: "photos.lua")
  } catch {
    guard let request = error.asks else { throw error }
    print("\(request.name) asks to \(request.sentences.joined(separator: ", "))")
    host.granted += request.grants
    try host.load(text: script, name: "photos.lua")
  }

  // What actions take, what they are called, and what a person is asked first.
  let grid = try host.responder("grid")
  grid.takes("rate", .integer("stars", in: 0...5, title: "Stars"), .string("note").optional())
  grid.about("rate", "Rate the photo", help: "From no star to five.")
  grid.on("rate") { command in .text("\(try command.context["stars", as: Int.self] ?? 0) stars") }
  grid.takes("delete", .oneOf("name") { _ in [.init(.text("Harbour")), .init(.text("Gulls"))] })
  grid.confirm("delete") { command in "Delete \(try command.context["name", as: String.self] ?? "it") for good?" }
  grid.on("delete") { _ in .text("deleted") }
  grid.on("show") { command in command.context["name"] }
  try host.focus(grid)

  // The script begins, once all is there. It may wait, and so may its timers: the host does what is due when it is told that time passed.
  print(host.start().map(\.status.rawValue))
  try host.advance(by: .seconds(60))

  // What doesn't fit is refused.
  let validation = host.validate("rate(stars: 9)")
  print(validation.reason ?? "", "|", validation.misfit?.expected ?? "")

  // What is missing is asked for, and what is to be confirmed: a question is an outcome, and nothing was done.
  var options = PerformOptions()
  options.asks = true  // a person asks for it, who can be asked in turn
  answer(host.perform("rate", options))
  options.arguments["stars"] = 4
  answer(host.perform("rate", options))
  options.arguments = Arguments()
  answer(host.perform("delete(name: Gulls)", options))
  options.confirmed = true
  answer(host.perform("delete(name: Gulls)", options))

  // All that can be reached now, with what it takes: whoever draws a palette has it from here.
  for action in try host.actions() where action.by == "grid" {
    print("\(action.title): \(action.takes.map { "\($0.key) is \($0.expected)" }.joined(separator: ", "))")
  }

  // What stands in the body of a face. A row that becomes the current one is chosen, which is something else than picking it.
  print(host.panel()?.children.map(\.title) ?? [])
  answer(host.choose("Gulls"))
}

func answer(_ outcome: Outcome) {
  guard let question = outcome.asks else { return print("\(outcome.status.rawValue): \(outcome.result)") }
  for argument in question.arguments { print("asks for \(argument.title ?? argument.key): \(argument.expected)") }
  if let confirm = question.confirm { print("asks: \(confirm)") }
}

try run()
