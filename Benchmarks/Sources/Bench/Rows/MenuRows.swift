import Floor
@_spi(Measuring) import ScriptHost

// What menus cost beside a pass: telling what changed, building, loading, writing.

func menuRows() -> [Row] {
  passAgainRows() + [
    rebuildRow("rebuild-equal", moving: false), rebuildRow("rebuild-moved", moving: true), loadRow(), jsonRow(),
  ]
}

/// A host that may take its time: what a script may spend is not what is measured.
func patientHost(_ script: String, clock: HostClock = SystemClock()) throws -> ScriptHost {
  let limits = HostLimits(load: .milliseconds(600_000), perform: .milliseconds(600_000))
  let host = ScriptHost(limits: limits, clock: clock)
  if Callgrind.isCounting { try host.keepPace() }
  try host.load(text: script, name: "bench.lua")
  return host
}

// MARK: What changed

/// A pass with its changes, against one without.
private func passAgainRows() -> [Row] {
  let script = """
    turn = false
    function change() turn = not turn end
    function keep() end
    \(PassScript.host(1000))
    r.look.act = function(self, ctx) return { state = ctx.n % 2 == 0, title = turn and ctx.n == 500 and 'Tare' or 'Rate' } end
    """
  return [("pass-again", "keep", 0), ("pass-changed", "change", 1)].map { name, function, changed in
    Row(name: name, bound: 1.1, opponent: .ours("a pass"), iterations: 5, answer: { $0 * (changed + 1) }) {
      let (ours, floor) = (try patientHost(script), try patientHost(script))
      let (change, other) = (try ours.globalFunction(function), try floor.globalFunction(function))
      for host in [ours, floor] { _ = host.changes() }
      return Sides(
        ours: { count in
          var sum = 0
          for _ in 0..<count {
            try change()
            sum += ours.changes().count + 1
          }
          return sum
        },
        floor: { count in
          var sum = 0
          for _ in 0..<count {
            try other()
            sum += floor.menus().children.count + changed
          }
          return sum
        })
    }
  }
}

// MARK: Building

/// 10,000 rows, from the values that a section has; the same tables built in Lua.
private enum BuildScript {
  static let values = "values = {} for i = 1, 10000 do values[i] = { name = 'row ' .. i, path = '/' .. i, id = i } end"
  static let move = "function move() local first = table.remove(values, 1) table.insert(values, 5000, first) end"

  static let host = """
    \(values)
    \(move)
    function keep() end
    menubar { menu "All" { section "rows" {
      items = function() return values end,
      id = function(value) return value.id end,
      row = function(value) return item(value.name) { "act", args = { to = value.path } } end,
    } } }
    function app.on:act() end
    """

  static func floor(_ change: String) -> String {
    """
    \(values)
    \(move)
    function keep() end
    local function item(name) return function(fields) fields.title = name return fields end end
    local function items() return values end
    local function id(value) return value.id end
    local function row(value) return item(value.name) { "act", args = { to = value.path } } end
    return function()
      \(change)()
      local rows = {}
      for i, value in ipairs(items()) do
        local made = row(value)
        made.id = id(value)
        rows[i] = made
      end
      return #rows
    end
    """
  }
}

private func rebuildRow(_ name: String, moving: Bool) -> Row {
  let change = moving ? "move" : "keep"
  return Row(
    name: name, bound: 2, opponent: .ours("Lua's tables"), iterations: 1, interpreters: 4, answer: { $0 * 10_000 }
  ) {
    let host = try patientHost(BuildScript.host)
    let function = try host.globalFunction(change)
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count {
          try function()
          sum += host.remakeMenus() - 2  // the menu and the section
        }
        return sum
      },
      floor: try FloorCase(floor_answer(BuildScript.floor(change))).body)
  }
}

// MARK: Loading

private enum LoadScript {
  static let app = """
    local list = {}
    for i = 1, 10000 do list[i] = item("item " .. i) { "act(n: " .. i .. ")", subtitle = "the " .. i } end
    menubar { menu "All" (list) }
    for i = 1, 1000 do
      local r = responder("r" .. i)
      function r.on:act(ctx) return ctx.n end
      function r.can:act(ctx) return ctx.n ~= nil end
      r.count = i
    end
    """

  /// What stands in for the words of the language, and does nothing with what it is given but keep it.
  static let standIns = """
    made = {}
    local function element(kind)
      return function(title) return function(fields) fields.kind, fields.title = kind, title return fields end end
    end
    item, menu = element "item", element "menu"
    function menubar(list) made.menubar = list end
    function responder(name)
      local r = { name = name, on = {}, can = {} }
      made[name] = r
      return r
    end
    """
}

/// A script with 10,000 items and 1,000 responders, from opening an interpreter to closing it.
private func loadRow() -> Row {
  Row(name: "load", bound: 3, iterations: 1, interpreters: 4, answer: { $0 }) {
    let floor = try FloorCase(floor_load(LoadScript.standIns, LoadScript.app))
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count {
          let host = try patientHost(LoadScript.app)
          sum += host.find("r1000") == nil ? 0 : 1
        }
        return sum
      },
      floor: floor.body)
  }
}

// MARK: Writing

/// A snapshot of 10,000 items as JSON, against as many bare calls as 400 MB/s take where one takes 17 ns.
private func jsonRow() -> Row {
  Row(name: "json", bound: 1, opponent: .ours("400 MB/s"), iterations: 1, interpreters: 4, answer: { $0 }) {
    let menus = try patientHost(PassScript.host(10_000)).menus()
    let bytes = menus.json.utf8.count
    let calls = bytes * 10 / (4 * 17)
    let floor = try FloorCase(floor_call("return function(t) end")).body
    return Sides(
      ours: { count in
        var sum = 0
        for _ in 0..<count where menus.json.utf8.count == bytes { sum += 1 }
        return sum
      },
      floor: { count in try floor(count * calls) / calls })
  }
}
