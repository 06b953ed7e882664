import ScriptHost

/// A photo that belongs to the program. It inherits nothing and knows nothing about scripts.
final class Photo {
  let name: String
  var rating: Int

  init(_ name: String, rating: Int = 0) {
    self.name = name
    self.rating = rating
  }
}

enum Order: String, CaseIterable {
  case name, rating
}

struct NotFound: Error, CustomStringConvertible {
  let name: String
  var description: String { "there is no photo named '\(name)'" }
}

let script = """
  app.name, app.allow = "photos", { "library.write" }

  function app.on:best()
    return library.photos { order = "rating" }[1].name
  end

  function app.on:rate(ctx)
    ctx:set(library.find(ctx.name), "rating", ctx.stars, "Rate")
  end
  function app.can:rate(ctx)
    return library.find(ctx.name).rating ~= ctx.stars, "it has them already"
  end

  function app.on:import(ctx)
    local photo = library.import(ctx.path)  -- waits, as in sleep
    return photo .. " is there"
  end
  """

func run() throws {
  let host = ScriptHost()
  var photos = [Photo("Harbour", rating: 2), Photo("Gulls", rating: 4)]

  // Scripts see these fields and methods of a photo.
  host.type(Photo.self, name: "Photo", about: "A photo in the library.") { photo in
    photo.property("name", \.name)
    photo.property("rating", \.rating, in: 0...5)
    photo.method("reset") { photo in photo.rating = 0 }
  }

  // A script may call a function that only reads in `can`, too.
  host.function("library.photos", "order", reads: true) { (order: Order?) in
    order == .rating ? photos.sorted { $0.rating > $1.rating } : photos.sorted { $0.name < $1.name }
  }
  host.function("library.find", "name", reads: true, about: "The photo of a name.") { (name: String) in
    guard let photo = photos.first(where: { $0.name == name }) else { throw NotFound(name: name) }
    return photo
  }

  // A script may call this function only after a person allowed it. It runs elsewhere while the script waits.
  host.capability("library.write", "change your photo library")
  host.function("library.import", "path", needs: "library.write") { (path: String) async throws -> String in
    try await Task.sleep(for: .milliseconds(1))
    return path
  }

  do {
    try host.load(text: script, name: "photos.lua")
  } catch {
    guard let request = error.asks else { throw error }
    print("\(request.name) asks to \(request.sentences.joined(separator: ", "))")
    host.granted += request.grants
    try host.load(text: script, name: "photos.lua")
  }

  show(host.perform("best"))
  show(host.perform("rate(name: Harbour, stars: 5)"))
  show(host.perform("best"))
  show(host.perform("rate(name: Harbour, stars: 5)"))
  show(host.perform("rate(name: Harbour, stars: 9)"))
  show(host.undo())
  show(host.perform("best"))
  show(host.perform("rate(name: Pier, stars: 1)"))

  photos.append(Photo("Pier"))
  show(host.perform("rate(name: Pier, stars: 1)"))
  show(host.perform("import(path: pier.jpeg)", wait: true))

  // Annotations for editors.
  print(host.stubs(), terminator: "")
}

func show(_ outcome: Outcome) {
  print(outcome.status, outcome.reason ?? outcome.error?.description ?? "\(outcome.result)")
}

try run()
