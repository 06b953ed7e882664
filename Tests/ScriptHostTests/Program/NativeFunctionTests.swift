import Expectations
import Testing

@testable import ScriptHost

@Suite("Functions of the embedding program")
struct NativeFunctionTests {
  let host = ScriptHost()

  @Test("N1: A function gets its arguments in order, or as a table by name")
  func calls() {
    host.function("sums.weighted", "one", "other", "weight") { (one: Int, other: Int, weight: Double?) in
      Double(one + other) * (weight ?? 1)
    }
    expect(host.done("return sums.weighted(2, 3)"), is: "5.0")
    expect(host.done("return sums.weighted(2, 3.0, 0.5)"), is: "2.5")
    expect(host.done("return sums.weighted { one = 1, other = 2, weight = 10 }"), is: "30.0")
    expect(
      host.done("return 1 +\nsums.weighted { one = 1, othr = 2 }"),
      is: "2: 'sums.weighted' has no parameter 'othr'; did you mean 'other'?")
    expect(host.done("return sums.weighted(1, 2, 3, 4)"), is: "1: 'sums.weighted' takes 3 arguments, not 4")
  }

  @Test("N1: A wrong argument is an error at the script's line that names the parameter, the type and the value")
  func wrongArguments() {
    host.function("photos.find", "album", "limit", "format") { (album: String, limit: UInt8?, format: Format?) in
      [album, "\(limit ?? 0)", format?.rawValue ?? ""]
    }
    let table: [(String, String)] = [
      ("5", "'album' of 'photos.find' must be a string, not 5"),
      ("", "'album' of 'photos.find' must be a string, not nil"),
      ("'Sea', 300", "'limit' of 'photos.find' must be an integer from 0 to 255, not 300"),
      ("'Sea', 1.5", "'limit' of 'photos.find' must be an integer from 0 to 255, not 1.5"),
      ("'Sea', nil, 'png'", "'format' of 'photos.find' must be one of 'jpeg', 'tiff', not 'png'"),
      ("'Sea', nil, print", "'format' of 'photos.find' must be one of 'jpeg', 'tiff', not a function"),
    ]
    for (arguments, message) in table {
      expect(host.done("local n = 1\nreturn photos.find(\(arguments))"), is: "2: \(message)")
    }
    expect(host.done("local p = photos.find('Sea', 7, 'tiff') return p[1] .. p[2] .. p[3]"), is: "Sea7tiff")
  }

  @Test("N1: Lists, tables, optionals, enums and Codable values cross in both directions")
  func values() throws {
    let album = Album(title: "Sea", cover: .init(photo: "Gulls", zoom: 1.5), tags: ["a", "b"], counts: ["x": 1])
    host.function("albums.first") { album }
    host.function("albums.same", "album") { (given: Album) in given == album }
    host.function("albums.each", "albums") { (given: [Album]) in given.map(\.title).joined(separator: ",") }
    host.function("albums.counts", "counts") { (given: [String: [Int?]]) in given["n"]?.count ?? 0 }
    host.function("albums.echo", "value") { (given: Value) in given }
    host.function("albums.nothing") {}
    expect(host.done("return albums.same(albums.first())"), is: "true")
    expect(
      host.done("local a = albums.first() return a.title .. a.cover.zoom .. #a.tags .. a.counts.x"), is: "Sea1.521")
    expect(host.done("local a = albums.first() a.cover = nil return albums.same(a)"), is: "false")
    expect(host.done("return albums.each { { title = 'One', tags = {}, counts = {} } }"), is: "One")
    expect(host.done("return albums.counts { n = { 1, 2 } }"), is: "2")
    expect(host.done("return albums.nothing()"), is: "null")
    expect(
      host.done("return albums.each { { title = 'One', tags = {}, counts = {} }, { title = 'Two', tags = { 1 } } }"),
      is: "1: 'albums[2].tags[1]' of 'albums.each' must be a string, not 1")
    expect(
      host.done("return albums.same { title = 'One', cover = 5 }"),
      is: "1: 'album.cover' of 'albums.same' must be a table, not 5")
    expect(host.done("local t = albums.echo { { 1, 2 }, { a = { true } } } return t[2].a[1]"), is: "true")
  }

  @Test("N1: The table of functions is frozen, pairs lists it, and completion knows it; unknown names get a hint")
  func tables() throws {
    host.function("library.photos") { 1 }
    host.function("library.albums.first") { 2 }
    expect(
      host.done("local t = {} for k in pairs(library) do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')"),
      is: "albums photos")
    expect(host.done("return library.albums.first()"), is: "2")
    expect(host.done("library.photos = nil").contains("can't be changed"))
    expect(
      host.done("return library.phtos()"),
      is: "1: attempt to call a nil value (field 'phtos'); did you mean 'library.photos'?")
    expect(host.done("return librry.photos()"), is: "1: 'librry' is not defined; did you mean 'library'?")
    expect(host.globals.contains("library") && host.names(behind: ["library"]) == ["albums", "photos"])
    expect(host.names(behind: ["library", "albums"]), is: ["first"])
  }

  @Test("N1: An error of a function is an error at the script's line, which the script can catch")
  func errors() {
    struct Broken: Error, CustomStringConvertible { let description = "the library is broken" }
    host.function("library.open") { () throws -> Int in throw Broken() }
    expect(host.done("local n = 1\nreturn library.open()"), is: "2: the library is broken")
    expect(host.done("local ok, why = pcall(library.open) return tostring(why)"), is: "the library is broken")
  }

  @Test("N1: The host reports an impossible name of a function, and registers nothing")
  func names() {
    host.function("photos") { 1 }
    host.function("fs.photos") { 1 }
    host.function("string.photos") { 1 }
    host.function("library.end") { 1 }
    host.function("library.photos", "one") { 1 }
    host.function("library.twice", "a", "a") { (a: Int, b: Int) in a + b }
    host.function("library.albums.first") { 1 }
    host.function("library.albums") { 1 }
    host.function("library.albums.first.name") { 1 }
    expect(
      host.takeDiagnostics().map(\.message),
      is: [
        "'photos' can't be the name of a function: put it into a table, as in 'library.photos'",
        "'fs.photos' can't be registered: 'fs' belongs to Lua or the host",
        "'string.photos' can't be registered: 'string' belongs to Lua or the host",
        "'library.end' can't be the name of a function: Lua reserves the word 'end'",
        "'library.photos' has no parameters, but 1 name for them: remove the name",
        "'library.twice' has two parameters with the name 'a'",
        "'library.albums' is a table of functions, so it can't be a function too",
        "'library.albums.first' is a function, so 'library.albums.first.name' can't be registered",
      ])
    expect(host.names(behind: ["library"]).isEmpty || host.names(behind: ["library"]) == ["albums"])
  }

  @Test("N1, N4: The host reports a name that isn't possible, or that is taken, with the reason")
  func impossibleNames() {
    final class Album {}
    final class Photo {}
    host.function("") { 1 }
    host.function("library.my photos") { 1 }
    host.function("library.2nd") { 1 }
    host.function("library.") { 1 }
    host.function("library.add", "name") { (name: String, stars: Int) in "\(name)\(stars)" }
    host.type(Photo.self, name: "Photo")
    host.type(Album.self, name: "Photo")
    host.type(Photo.self, name: "Photo")
    host.capability("exec", "run programs")
    host.capability("photo library", "change it")
    host.function("library.write", needs: "library write") { 1 }
    expect(
      host.takeDiagnostics().map(\.message),
      is: [
        "a function needs a name, as in 'library.photos'",
        "'library.my photos' can't be the name of a function: use letters, digits and '_'",
        "'library.2nd' can't be the name of a function: '2nd' begins with a digit",
        "'library.' can't be the name of a function: a name is missing",
        "'library.add' has 2 parameters, but 1 name for them: name each of them, or none",
        "the type Album can't be named 'Photo', because Photo has that name: use another name",
        "'exec' can't be the name of a capability: it belongs to the host",
        "'photo library' can't be the name of a capability: use letters, digits, '_' and '-' between dots",
        "'library write' can't be the name of a capability: use letters, digits, '_' and '-' between dots",
      ])
  }

  @Test("N1, N2: A newcomer's mistake is an error that says what to write instead")
  func mistakes() {
    final class Photo {
      let name = "Gulls"
      func turn(_ degrees: Int) {}
    }
    final class Album {}
    struct Point { let x: Int }
    enum Trouble: Error { case locked }
    host.type(Photo.self, name: "Photo") { photo in
      photo.property("name", \.name)
      photo.method("turn", "degrees") { (photo, degrees: Int) in photo.turn(degrees) }
    }
    host.function("library.find", "name", reads: true) { (name: String) in Photo() }
    host.function("library.album") { Album() }
    host.function("library.all", reads: true) { ["Gulls"] }
    host.function("library.open") { () throws -> Int in throw Trouble.locked }
    host.function("library.show", "photo") { (photo: Photo) in photo.name }
    host.function("library.move", "to") { (to: Point) in to.x }
    host.function("library.each", "body") { (body: @escaping (Int) -> Void) in body(1) }
    let table: [(String, String)] = [
      ("library:find('Gulls')", "call it with a dot: library.find(name)"),
      ("library.show { name = 'Gulls' }", "'library.show' has no parameter 'name': there is only 'photo'"),
      ("library.show(library.album())", "'photo' of 'library.show' must be a Photo, not an Album"),
      (
        "library.move { to = { x = 1 } }",
        "'to' of 'library.move' must be a Point, not a table; to take tables, the program makes Point Codable"
      ),
      (
        "library.each(print)",
        "'body' of 'library.each' must be a (Int) -> (), not a function; a script can't pass a function to the program"
      ),
      ("photo.turn(90)", "call it with a colon, on a Photo: photo:turn(degrees)"),
      (
        "photo.name()",
        "attempt to call a string value (field 'name'); 'name' is a field of a Photo: write .name without parentheses"
      ),
      (
        "photo:name()",
        "attempt to call a string value (method 'name'); 'name' is a field of a Photo: write .name without parentheses"
      ),
      ("library.open()", "'library.open' failed: locked"),
      (
        "return library.all()[0].name",
        "attempt to index a nil value (field 'integer index'); a list begins at 1: [1]"
      ),
      ("photo.chosen = true", "a Photo has no field 'chosen': it has name, turn"),
      (
        "return 'the ' .. photo",
        "attempt to concatenate an object value (local 'photo'); use one of its fields, or tostring(…)"
      ),
      ("return #photo", "attempt to get length of an object value (local 'photo')"),
      (
        "for k in pairs(photo) do end",
        "bad argument #1 to 'for iterator' (table expected, got object); this is an object of the program: read its fields by their names"
      ),
      (
        "library('Gulls')",
        "attempt to call a table value (global 'library'); 'library' is a table of functions: call one of them, as in library.album(…)"
      ),
      (
        "return library.find.name",
        "attempt to index a function value (field 'find'); 'library.find' is a function: call it first, as in library.find(…)"
      ),
    ]
    for (line, message) in table {
      expect(host.done("local photo = library.find('Gulls')\n\(line)"), is: "2: \(message)", "\(line)")
    }
  }

  @Test("N6: check knows the tables of functions, and finds a misspelt table")
  func checked() throws {
    host.function("library.photos") { 1 }
    try host.load(
      text: """
        function app.on:good() return library.photos() end
        function app.on:bad() return librry.photos() end
        """, name: "app.lua")
    let found = host.check().filter { $0.message.contains("libr") }
    expect(found.count == 1 && found.first?.place?.line == 2)
    expect(found.first.map { "\($0.message) \($0.help ?? "")" }?.contains("did you mean 'library'?"), is: true)
  }

  @Test("N6: A handle removes its function; scripts that kept the function get an error")
  func takenBack() throws {
    let one = host.function("library.photos") { 1 }
    let other = host.function("library.albums") { 2 }
    try host.load(
      text: """
        local kept, library_of_before = library.photos, library
        function app.on:kept() return kept() end
        function app.on:photos() return library_of_before.photos == nil end
        function app.on:library() return library end
        """, name: "app.lua")
    expect(host.outcome(of: host.perform("kept")), is: "1")
    one.remove()
    expect(host.perform("kept").error?.message, is: "'library.photos' is gone: the program has removed it")
    expect(host.perform("photos").result.isOn)
    other.remove()
    expect(host.perform("library").error?.message.hasPrefix("'library' is not defined"), is: true)
    let replaced = host.function("library.photos") { 3 }
    host.function("library.photos") { 4 }
    replaced.remove()
    expect(host.done("return library.photos()"), is: "4")
    // Until a script writes 'library' again, the kept table is the current table.
    expect(host.perform("photos").result.isOn, is: false)
  }

  @Test("N3: While the host asks, scripts can call only functions that read")
  func asking() throws {
    var changes = 0
    host.function("library.count", reads: true) { 3 }
    host.function("library.change") { changes += 1 }
    try host.load(
      text: """
        function app.on:count() end
        function app.can:count() return library.count() > 3, "only three" end
        function app.on:change() end
        function app.can:change() library.change() return true end
        function app.on:look() end
        function app.look:look() pcall(library.change) return { state = library.count() == 3 } end
        function app:provide(ctx) ctx.count = library.count() pcall(library.change) end
        function app.on:given(ctx) library.change() return ctx.count end
        """, name: "app.lua")
    expect(host.validate("count").reason, is: "only three")
    expect(
      host.validate("change").reason,
      is:
        "error: 'library.change' is not possible here: the host only asks this function, so it must not change anything. Call only functions declared with 'reads: true'"
    )
    expect(host.validate("look").isEnabled)
    expect(changes, is: 0)
    expect(host.perform("given").result.shown == "3" && changes == 1)
  }

  @Test("N4: A function that needs a capability is refused until a person grants it, asked with its sentence")
  func capabilities() throws {
    host.capability("library.write", "change your photo library")
    host.function("library.import", "path", needs: "library.write") { (path: String) in path }
    host.function("library.empty", needs: "library.delete") { 0 }
    expect(
      host.done("return library.import('x')"),
      is: "1: 'library.import' is not granted to 'app': it takes the capability 'library.write'; add it to app.allow")
    let script = "app.allow = { 'library.write', 'library.delete' }"
    expect(
      host.done("return 1", allow: script),
      is: "not loaded: the app asks for 'library.write', 'library.delete', but has no grant for it")
    do {
      try host.load(text: script, name: "run.lua")
      Issue.record("it was loaded without a yes")
    } catch {
      let request = try require(error.asks)
      expect(request.sentences, is: ["change your photo library", "use 'library.delete'"])
      host.granted += request.grants
    }
    expect(host.done("return library.import('x')", allow: script), is: "x")
    expect(
      host.done("return 1", allow: "app.allow = { 'library.wrte' }")
        .contains("there is no capability 'library.wrte'; did you mean 'library.write'?"))
    expect(host.done("return 1", allow: "app.allow = { 'program=library.write' }").contains("there is no capability"))
  }
}
