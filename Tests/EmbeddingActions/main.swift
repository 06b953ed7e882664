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

  // Loading throws if the script needs something outside of the host. Grant it, and load again.
  do {
    try host.load(text: script, name: "photos.lua")
  } catch {
    guard let request = error.asks else { throw error }
    print("\(request.name) asks to \(request.sentences.joined(separator: ", "))")
    host.granted += request.grants
    try host.load(text: script, name: "photos.lua")
  }

  // Arguments, titles and confirmations of actions.
  let grid = try host.responder("grid")
  grid.takes("rate", .integer("stars", in: 0...5, title: "Stars"), .string("note").optional())
  grid.about("rate", "Rate the photo", help: "From no star to five.")
  grid.on("rate") { command in .text("\(try command.context["stars", as: Int.self] ?? 0) stars") }
  grid.takes("delete", .oneOf("name") { _ in [.init(.text("Harbour")), .init(.text("Gulls"))] })
  grid.confirm("delete") { command in "Delete \(try command.context["name", as: String.self] ?? "it") for good?" }
  grid.on("delete") { _ in .text("deleted") }
  grid.on("show") { command in command.context["name"] }
  try host.focus(grid)

  // 'start' runs the script's start functions. They may wait: the host goes on when you tell it that time passed.
  print(host.start().map(\.status.rawValue))
  try host.advance(by: .seconds(60))

  // The host refuses a wrong argument.
  let validation = host.validate("rate(stars: 9)")
  print(validation.reason ?? "", "|", validation.misfit?.expected ?? "")

  // A missing argument or a confirmation makes a question: the outcome holds it, and nothing was done.
  var options = PerformOptions()
  options.asks = true  // a person performs this, and can answer
  answer(host.perform("rate", options))
  options.arguments["stars"] = 4
  answer(host.perform("rate", options))
  options.arguments = Arguments()
  answer(host.perform("delete(name: Gulls)", options))
  options.confirmed = true
  answer(host.perform("delete(name: Gulls)", options))

  // Every action that can be reached now, with its arguments: a palette is made of these.
  for action in try host.actions() where action.by == "grid" {
    print("\(action.title): \(action.takes.map { "\($0.key) is \($0.expected)" }.joined(separator: ", "))")
  }

  // The panel is the body of the screen. 'choose' makes a row current; 'pick' performs its action.
  print(host.panel()?.children.map(\.title) ?? [])
  answer(host.choose("Gulls"))
}

func answer(_ outcome: Outcome) {
  guard let question = outcome.asks else { return print("\(outcome.status.rawValue): \(outcome.result)") }
  for argument in question.arguments { print("asks for \(argument.title ?? argument.key): \(argument.expected)") }
  if let confirm = question.confirm { print("asks: \(confirm)") }
}

try run()
