@_spi(Measuring) import ScriptHost

// What people, embedding programs and scripts do, against perform-1: the text of a reference, one provider, one `can`, one handler.

func useRows() -> [Row] {
  [optionsRow(), takesRow(), nestedRow()] + observedRows() + mixedRows() + keyRows() + [pickRow(), pickAfterRow()]
    + waitingRows()
}

/// What a taker does in all of these.
private let script = PerformScript(providers: 1)
private let taker = "taker.can.act = \(script.can)\ntaker.on.act = \(script.on)"

/// One thing done in a host of its own, against perform-1 in another.
private func useRow(
  _ name: String, bound: Double, _ lines: String = "", iterations: Int = 2048, each: Int = 1,
  prepare: @escaping (ScriptHost) throws -> Void = { _ in }, _ use: @escaping (ScriptHost) -> Outcome
) -> Row {
  Row(name: name, bound: bound, opponent: .ours("perform-1"), iterations: iterations, answer: { 2 * $0 }) {
    let ours = try performingHost(script.host(taker + "\n" + lines))
    let plain = try performingHost(script.host(taker))
    try prepare(ours)
    func used() throws -> Int {
      guard case .integer(let result) = use(ours).result else { throw RowError.notDone }
      return result
    }
    for _ in 0..<4 { _ = (try used(), try act(plain)) }
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count / each { sum += try used() }
        for _ in 0..<count % each { sum += try act(ours) }
        return sum
      },
      floor: { count in
        var sum = 0
        for _ in 0..<count { sum += try act(plain) }
        return sum
      })
  }
}

// MARK: Performs

/// Arguments, info and a sender given with the call.
private func optionsRow() -> Row {
  var options = PerformOptions()
  options.arguments = ["n": 1]
  options.info = ["from": "here"]
  options.sender = .responder("r0")
  return useRow("perform-options", bound: 1.3) { $0.perform("act", options) }
}

/// Three declared arguments, each of its type, in range or among the choices.
private func takesRow() -> Row {
  let takes = """
    taker.takes.act = {
      n = { "integer", from = 0, to = 5 }, as = { one_of = { "jpeg", "png" } }, all = "boolean",
    }
    """
  return useRow("perform-takes", bound: 1.3, takes) { $0.perform("act(n: 1, as: png, all: true)") }
}

/// Performed by a handler that waits for none of them; one that performs sixteen counts as sixteen.
private func nestedRow() -> Row {
  let many = """
    function app.on:many()
      local sum = 0
      for _ = 1, 16 do sum = sum + app:perform("act(n: 1)").result end
      return sum
    end
    """
  return useRow("perform-nested", bound: 2, many, each: 16) { $0.perform("many") }
}

/// Somebody who is told before and after.
private func observedRows() -> [Row] {
  [
    useRow(
      "perform-observed-lua", bound: 2, "told = 0\nobserve('*', function(event) told = told + 1 end)"
    ) { $0.perform("act(n: 1)") },
    useRow(
      "perform-observed-swift", bound: 1.6,
      prepare: { host in
        // Not a variable of the closure's own, each access to which Swift would check.
        let told = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        told.initialize(to: 0)
        host.observe { _ in told.pointee &+= 1 }
      }
    ) { $0.perform("act(n: 1)") },
  ]
}

/// Something of the embedding program's on the way.
private func mixedRows() -> [Row] {
  func row(_ name: String, _ prepare: @escaping (ScriptHost) throws -> Void) -> Row {
    useRow("perform-mixed-\(name)", bound: 1.6, prepare: prepare) { $0.perform("act(n: 1)") }
  }
  return [
    row("provider") { host in
      guard let taker = host.find("r0") else { throw RowError.notDone }
      host.edit(taker).provide { context in context["other"] = 1 }
    },
    row("can") { host in
      guard let taker = host.find("r0") else { throw RowError.notDone }
      _ = host.edit(taker).can("act") { _ in .yes }
    },
    row("value") { $0["x"] = 1 },
  ]
}

// MARK: Keys

/// A stroke that the far end of a chain of 5 binds, each of which binds 50; and one that only an item of a menu has.
private func keyRows() -> [Row] {
  let chain = """
    local strokes = {}
    for letter in ("abcdefghijklmnopqrstuvwxy"):gmatch "." do
      strokes["ctrl+" .. letter], strokes["alt+" .. letter] = "other", "other"
    end
    for number = 1, 4 do
      r = responder('k' .. number) { next = r }
      r.keys = strokes
    end
    focus(r)
    """
  let menu = "menubar { menu 'All' { item 'Act' { 'act(n: 1)', id = 'act', key = 'f5' } } }"
  return [
    useRow("press-bound", bound: 2, "taker.keys = { f5 = 'act(n: 1)' }\n" + chain) { $0.press("f5") },
    useRow("press-menu", bound: 2, menu + "\n" + chain) { $0.press("f5") },
  ]
}

// MARK: Picks

/// A menu of fifty, of which one is picked again and again.
private let fifty = """
  local list = {}
  for n = 1, 50 do list[n] = item('item ' .. n) { 'act(n: 1)', id = 'i' .. n } end
  """

private func pickRow() -> Row {
  useRow("pick", bound: 3, fifty + "\nmenubar { menu 'All' (list) }") { $0.pick("i25") }
}

/// The same where each action before has rebuilt a section of twenty rows: against three performs and one rebuild, as a snapshot of a
/// menu that has nothing else makes it.
private func pickAfterRow() -> Row {
  let section = """
    values = {}
    for n = 1, 20 do values[n] = { name = 'row ' .. n, id = n } end
    local rows = section 'rows' {
      items = function() return values end,
      id = function(value) return value.id end,
      row = function(value) return item(value.name) { 'act(n: 1)' } end,
    }
    """
  return Row(
    name: "pick-after", bound: 1, opponent: .ours("rebuild + 3"), iterations: 200, answer: { 2 * $0 }
  ) {
    let ours = try performingHost(
      script.host(taker + "\n" + fifty + "\n" + section + "\nmenubar { menu 'All' (list), menu 'Rows' { rows } }"))
    let other = try performingHost(script.host(taker + "\n" + section + "\nmenubar { menu 'Rows' { rows } }"))
    func picked() throws -> Int {
      guard case .integer(let result) = ours.pick("i25").result else { throw RowError.notDone }
      return result
    }
    for _ in 0..<4 { _ = (try picked(), try act(other), other.remakeMenus()) }
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count { sum += try picked() }
        return sum
      },
      floor: { count in
        var sum = 0
        for _ in 0..<count {
          guard other.remakeMenus() > 20 else { return -1 }
          sum += try act(other)
          for _ in 0..<2 { _ = try act(other) }
        }
        return sum
      })
  }
}

// MARK: Passes

/// A pass of a thousand items while something goes on, against one while nothing does.
private func waitingRows() -> [Row] {
  let items = 1000
  func row(_ name: String, _ lines: String, _ begin: @escaping (ScriptHost) throws -> Void) -> Row {
    Row(
      name: "pass-\(name)", bound: 1.1, opponent: .ours("pass-1000"), iterations: 10,
      answer: { $0 * PassScript.answer(items) }
    ) {
      func side(_ begin: (ScriptHost) throws -> Void) throws -> Body {
        let host = try patientHost(PassScript.host(items) + "\n" + lines, clock: TestClock())
        try begin(host)
        for _ in 0..<4 { _ = host.menus() }
        try host.collectGarbage()
        return { count in
          var sum = 0
          for _ in 0..<count { sum += host.menus().children[0].children.sumOfStates }
          return sum
        }
      }
      return Sides(ours: try side(begin), floor: try side { _ in })
    }
  }
  func perform(_ reference: String, _ status: Outcome.Status) -> (ScriptHost) throws -> Void {
    { host in
      guard host.perform(reference).status == status else { throw RowError.notDone }
    }
  }
  return [
    row("waiting", "function app.on:nap() sleep(1000) end", perform("nap", .running)),
    row("modal", "function app.on:open() modal(r) end", perform("open", .handled)),
  ]
}
