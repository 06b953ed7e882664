import Expectations
import Testing

@testable import ScriptHost

@Suite("Types of the embedding program")
struct NativeTypeTests {
  let host = ScriptHost()
  let harbour = Picture("Harbour", rating: 2)
  let gulls = RawPicture("Gulls")

  init() {
    host.type(Picture.self, name: "Photo") { photo in
      photo.property("name", \.name)
      photo.property("rating", \.rating, in: 0...5)
      photo.property("caption", writable: \.caption)
      photo.property("tags", \.tags)
      photo.method("rate", "stars") { (photo, stars: Int) in photo.rating = stars }
      photo.method("shown", reads: true) { photo in "\(photo.name) \(photo.rating)" }
      photo.method("same", "other", reads: true) { (photo, other: Picture?) in photo === other }
    }
    host.type(RawPicture.self, name: "RawPhoto") { photo in photo.property("exposure", writable: \.exposure) }
    host.type(Size.self, name: "Size") { size in
      size.property("width", \.width)
      size.method("turned", reads: true) { Size(width: $0.height, height: $0.width) }
    }
    host.function("photos.all", reads: true) { [harbour, gulls] in [harbour, gulls] }
    host.function("photos.size", "width", "height", reads: true) { (width: Int, height: Int) in
      Size(width: width, height: height)
    }
    host.function("photos.rated", "photo", "size") { (photo: Picture, size: Size?) in photo.rating }
  }

  @Test("N2: Scripts read and write fields as declared, and call methods")
  func fields() {
    expect(host.done("local p = photos.all()[1] return p.name .. p.rating .. #p.tags"), is: "Harbour20")
    expect(
      host.done("for _, p in ipairs(photos.all()) do p.rating = 5 end return photos.rated(photos.all()[2])"), is: "5")
    expect(harbour.rating == 5 && gulls.rating == 5)
    expect(host.done("local p = photos.all()[1] p:rate(3) p.caption = 'At dawn' return p:shown()"), is: "Harbour 3")
    expect(harbour.caption, is: "At dawn")
    expect(host.done("local p = photos.all()[1] p.caption = nil return p.caption == nil"), is: "true")
    expect(host.done("local p = photos.all()[2] p.exposure = 1.5 return p.exposure .. p.name"), is: "1.5Gulls")
    expect(host.done("return photos.size(2, 3):turned().width"), is: "3")
  }

  @Test("N2: A wrong value, a read-only field or an unknown name is an error at the script's line, with a hint")
  func wrong() {
    let table: [(String, String)] = [
      ("p.rating = 9", "'rating' must be an integer from 0 to 5, not 9"),
      ("p.rating = '5'", "'rating' must be an integer from 0 to 5, not '5'"),
      ("p.name = 'x'", "'name' of a Photo can only be read"),
      ("p.rate = 1", "'rate' of a Photo can only be read"),
      ("p.raiting = 1", "a Photo has no field 'raiting'; did you mean 'rating'?"),
      ("return p.captin", "a Photo has no field 'captin'; did you mean 'caption'?"),
      ("return p[1]", "a Photo has only named fields, none under a number"),
      ("p:rate('x')", "'stars' of 'Photo:rate' must be an integer, not 'x'"),
      ("p.rate(3)", "call it with a colon, on a Photo: photo:rate(stars)"),
      ("photos.rated(photos.size(1, 1))", "'photo' of 'photos.rated' must be a Photo, not a Size"),
      ("photos.rated(p, p)", "'size' of 'photos.rated' must be a Size, not a Photo"),
      ("photos.size(1, 2).width = 3", "'width' of a Size can only be read"),
    ]
    for (line, message) in table {
      expect(host.done("local p = photos.all()[1]\n\(line)"), is: "2: \(message)")
    }
    expect(harbour.rating, is: 2)
  }

  @Test("N2: Objects are equal by identity, values by Equatable; tostring names them")
  func equality() {
    expect(host.done("return photos.all()[1] == photos.all()[1] and photos.all()[1] ~= photos.all()[2]"), is: "true")
    expect(
      host.done("return photos.size(1, 2) == photos.size(1, 2) and photos.size(1, 2) ~= photos.size(2, 1)"), is: "true")
    expect(host.done("return tostring(photos.all()[2]) .. ' ' .. tostring(photos.size(4, 3))"), is: "RawPhoto 4×3")
    expect(host.done("local p = photos.all()[1] return p:same(p) and not p:same()"), is: "true")
  }

  @Test("N2: An object stays the same object through contexts, arguments and results")
  func contexts() throws {
    host["photo"] = .opaque(harbour)
    host["size"] = .boxed(Size(width: 1, height: 2))
    host.on("take") { command in
      let size = try command.context["size", as: Size.self]
      let photo = try command.context["photo", as: Picture.self]
      return .bool(photo === harbour && size == Size(width: 1, height: 2))
    }
    expect(host.done("return app:perform('take', { photo = ctx.photo, size = ctx.size }).result"), is: "true")
    expect(host.perform("take").result.isOn)
    _ = host.done("return ctx.photo")
    guard case .opaque(let object) = host.perform("run").result else { return _ = Issue.record("no object") }
    let isSame = object === harbour
    expect(isSame)
  }

  @Test("N2: ctx:set makes a write undoable; if one value is wrong, it refuses all and writes nothing")
  func undo() throws {
    host["photo"] = .opaque(harbour)
    try host.load(
      text: """
        function app.on:rate(ctx) ctx:set(ctx.photo, "rating", ctx.stars, "Rate") end
        function app.on:both(ctx) ctx:set(ctx.photo, { rating = ctx.stars, caption = "New" }) end
        function app.on:fail(ctx) ctx:set(ctx.photo, "rating", 1) error("no") end
        """, name: "app.lua")
    expect(host.perform("rate(stars: 4)").status == .handled && harbour.rating == 4)
    expect(host.undoHistory.undo, is: ["Rate"])
    host.undo()
    expect(harbour.rating, is: 2)
    host.redo()
    expect(harbour.rating, is: 4)
    let failure = host.perform("both(stars: 9)").error
    expect(failure?.message == "'rating' must be an integer from 0 to 5, not 9" && failure?.place?.line == 2)
    expect(harbour.rating == 4 && harbour.caption == nil)
    host.perform("both(stars: 5)")
    expect(harbour.rating == 5 && harbour.caption == "New")
    host.undo()
    expect(harbour.rating == 4 && harbour.caption == nil)
    expect(host.perform("fail").status == .failed && harbour.rating == 4)
  }

  @Test("N3: While the host asks, scripts can read fields and call methods that read, but not write")
  func asking() throws {
    host["photo"] = .opaque(harbour)
    try host.load(
      text: """
        function app.on:rate() end
        function app.can:rate(ctx) return ctx.photo.rating > 2, ctx.photo:shown() end
        function app.on:write() end
        function app.can:write(ctx) ctx.photo.rating = 5 return true end
        function app.on:call() end
        function app.can:call(ctx) ctx.photo:rate(5) return true end
        """, name: "app.lua")
    expect(host.validate("rate").reason, is: "Harbour 2")
    expect(host.validate("write").reason?.contains("must not change anything"), is: true)
    expect(host.validate("call").reason?.contains("must not change anything"), is: true)
    expect(harbour.rating, is: 2)
  }

  @Test("N2: A closed object is unusable, for every holder")
  func closed() throws {
    host["photo"] = .opaque(gulls)
    try host.load(
      text: """
        local kept
        function app.on:keep(ctx) kept = ctx.photo end
        function app.on:read() return kept.name end
        function app.on:write() kept.rating = 1 end
        function app.on:call() return kept:shown() end
        function app.on:give() return photos.rated(kept) end
        function app.on:show() return tostring(kept) end
        """, name: "app.lua")
    host.perform("keep")
    expect(host.perform("read").result.shown, is: "Gulls")
    host.close(gulls)
    for action in ["read", "write", "call", "give"] {
      expect(host.perform(action).error?.message, is: "this rawphoto is closed", "\(action)")
    }
    expect(host.perform("show").result.shown, is: "closed RawPhoto")
  }

  @Test("N6: A removed type leaves objects without fields")
  func takenBack() {
    final class Note { let text = "x" }
    let note = Note()
    host.function("notes.first") { note }
    expect(
      host.done("return notes.first().text"),
      is: "1: the program registers no fields or methods of a Note: it needs host.type(Note.self, …)")
    let type = host.type(Note.self, name: "Note") { $0.property("text", \.text) }
    expect(host.done("return notes.first().text"), is: "x")
    type.remove()
    expect(
      host.done("return notes.first().text"),
      is: "1: the program registers no fields or methods of a Note: it needs host.type(Note.self, …)")
  }
}
