import Expectations
import Testing

@testable import ScriptHost

/// Random waiting actions of two histories on shared fields, lists and values, with cancel, failure, refusal, undo and
/// redo in between. The model has no old values: a field holds its last write that was not taken back.
@Suite("Interleaved undo does what the model says")
struct InterleavedUndoPropertyTests {
  private static let script = """
    fields, places, values = {}, {}, {}
    local plans = {}
    local function act(ctx)
      local plan = plans[ctx.action]
      for i, stretch in ipairs(plan.stretches) do
        if i > 1 then sleep(1) end
        for _, step in ipairs(stretch) do
          if step[1] == "field" then ctx:set(fields, "f" .. step[2], step[3])
          elseif step[1] == "place" then ctx:set(places, step[2], step[3])
          elseif step[1] == "insert" then ctx:insert(values, math.min(step[2], #values + 1), step[3])
          else ctx:remove(values, step[2]) end
        end
      end
      if plan.ends == "failed" then error "failed" end
      if plan.ends == "refused" then ctx:refuse "refused" end
    end
    local win = window "win"
    for i = 1, 4 do
      app.on["a" .. i] = function(_, ctx) act(ctx) end
      win.on["b" .. i] = function(_, ctx) act(ctx) end
    end
    function app.on:plan(ctx) plans[ctx.name] = load("return " .. ctx.plan)() end
    function app.on:state()
      local shown = {}
      for i = 1, 3 do shown[#shown + 1] = tostring(fields["f" .. i]) end
      for i = 1, 4 do shown[#shown + 1] = tostring(places[i]) end
      local sorted = table.move(values, 1, #values, 1, {})
      table.sort(sorted)
      return table.concat(shown, " ") .. " | " .. table.concat(sorted, " ")
    end
    focus(app)
    """

  private func options(_ host: ScriptHost, _ history: Int) throws -> PerformOptions {
    var options = PerformOptions()
    options.from = history == 0 ? host.app : try require(host.find("win"))
    return options
  }

  private func state(_ host: ScriptHost) -> String { host.perform("state").result.shownText ?? "nothing" }

  @Test(
    "U14: Fields hold the last write that was not taken back; an undo is refused if a later group wrote the same",
    arguments: 0..<4)
  func random(part: UInt64) throws {
    for seed in (part * 100)..<(part * 100 + 100) {
      let complaint = try complaint(seed: seed)
      expect(complaint, is: nil, "seed \(seed): \(complaint ?? "")")
      if complaint != nil { return }
    }
  }

  /// The first difference between the host and the model. Nil if they agree.
  private func complaint(seed: UInt64) throws -> String? {
    let stage = try ScriptStage(Self.script)
    let host = stage.host
    var model = InterleavedModel(random: Chance(seed: seed))
    var log: [String] = []
    for _ in 0..<40 {
      switch model.below(10) {
      case ..<5:
        guard let plan = model.begin() else { continue }
        var given = PerformOptions()
        given.arguments = ["name": .text(plan.name), "plan": .text(plan.lua)]
        host.perform("plan", given)
        log.append("\(plan.name) \(plan.lua)")
        _ = host.perform(plan.name, try options(host, plan.history))
      case ..<7:
        log.append("advance")
        try host.advance(by: .seconds(1))
        model.advance()
      case ..<8:
        guard let name = model.cancel() else { continue }
        log.append("cancel \(name)")
        host.jobs.first { $0.action == name }?.cancel()
      case let other:
        let history = model.below(2)
        let direction = other == 8 ? "undo" : "redo"
        log.append("\(direction) \(history)")
        let expected = direction == "undo" ? model.undo(history) : model.redo(history)
        let drawn = host.validate(direction, try options(host, history)).isEnabled
        let outcome = host.perform(direction, try options(host, history))
        if (outcome.status == .handled) != expected || drawn != expected {
          return "\(log.suffix(30)): \(outcome.line), drawn \(drawn), the model \(expected)"
        }
      }
      let found = state(host)
      if found != model.state { return "\(log.joined(separator: "\n")):\n\(found)\nthe model\n\(model.state)" }
      _ = host.takeDiagnostics()
    }
    return nil
  }
}

/// Models interleaved actions by the writes that were not taken back.
private struct InterleavedModel {
  struct Write {
    enum Kind: Equatable { case field(Int), place(Int), insert(Int), remove(Int) }
    let kind: Kind
    let value: Int?
    /// The time of the write, or of the redo that wrote it again.
    var time: Int

    /// Returns true if taking this back would also take back a later write.
    func isOverwritten(by later: Write) -> Bool {
      guard later.time > time else { return false }
      switch (kind, later.kind) {
      case (.field(let one), .field(let other)): return one == other
      case (.place(let one), .place(let other)): return other >= one
      case (.insert(let one), .remove(let other)), (.remove(let one), .insert(let other)): return one == other
      default: return false
      }
    }
  }

  final class Group {
    let name: String
    let history: Int
    let ends: String
    var rest: [[Write]]
    var writes: [Write] = []
    init(_ name: String, _ history: Int, _ ends: String, _ rest: [[Write]]) {
      (self.name, self.history, self.ends, self.rest) = (name, history, ends, rest)
    }
  }

  var random: Chance
  private var time = 0
  private var waiting: [Group] = []
  private var done: [[Group]] = [[], []]
  private var undone: [[Group]] = [[], []]
  private var inserted: [Int] = []

  init(random: Chance) { self.random = random }

  mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private var standing: [(write: Write, group: Group)] {
    (waiting + done[0] + done[1]).flatMap { group in group.writes.map { ($0, group) } }
      .sorted { $0.write.time < $1.write.time }
  }

  var state: String {
    var fields = [Int?](repeating: nil, count: 4), places = [Int?](repeating: nil, count: 5)
    var values: Set<Int> = []
    for (write, _) in standing {
      switch write.kind {
      case .field(let key): fields[key] = write.value
      case .place(let key): places[key] = write.value
      case .insert(let value): values.insert(value)
      case .remove(let value): values.remove(value)
      }
    }
    return (fields[1...] + places[1...]).map { $0.map(String.init) ?? "nil" }.joined(separator: " ") + " | "
      + values.sorted().map(String.init).joined(separator: " ")
  }

  // MARK: Acting

  mutating func begin() -> (name: String, history: Int, lua: String)? {
    let history = below(2)
    let letter = history == 0 ? "a" : "b"
    let names = (1...4).map { "\(letter)\($0)" }.filter { name in !waiting.contains { $0.name == name } }
    guard let name = names.first else { return nil }
    let ends = ["handled", "handled", "handled", "failed", "refused"][below(5)]
    var stretches: [[Write]] = []
    for _ in 0...below(3) { stretches.append((0..<below(4)).map { _ in newWrite() }) }
    let lua = stretches.map { "{ \($0.map(Self.lua).joined(separator: ", ")) }" }.joined(separator: ", ")
    let group = Group(name, history, ends, stretches)
    waiting.append(group)
    goOn(group)
    return (name, history, "{ stretches = { \(lua) }, ends = '\(ends)' }")
  }

  private mutating func newWrite() -> Write {
    time += 1
    let value = below(6) == 0 ? nil : time
    switch below(6) {
    case ..<2: return Write(kind: .field(1 + below(3)), value: value, time: 0)
    case ..<4: return Write(kind: .place(1 + below(4)), value: value, time: 0)
    case ..<5:
      inserted.append(time)
      return Write(kind: .insert(time), value: 1 + below(4), time: 0)
    default: return Write(kind: .remove(inserted.isEmpty ? 0 : inserted[below(inserted.count)]), value: nil, time: 0)
    }
  }

  private static func lua(_ write: Write) -> String {
    let value = write.value.map(String.init) ?? "nil"
    switch write.kind {
    case .field(let key): return "{ 'field', \(key), \(value) }"
    case .place(let key): return "{ 'place', \(key), \(value) }"
    case .insert(let inserted): return "{ 'insert', \(value), \(inserted) }"
    case .remove(let removed): return "{ 'remove', \(removed) }"
    }
  }

  private mutating func goOn(_ group: Group) {
    for var write in group.rest.removeFirst() {
      // Removing a missing value does nothing.
      if case .remove(let value) = write.kind {
        let last = standing.last { $0.write.kind == .insert(value) || $0.write.kind == .remove(value) }
        guard last?.write.kind == .insert(value) else { continue }
      }
      time += 1
      write.time = time
      group.writes.append(write)
    }
    guard group.rest.isEmpty else { return }
    waiting.removeAll { $0 === group }
    if group.ends == "handled" { place(group) } else { takeBack(group) }
  }

  mutating func advance() { for group in waiting { goOn(group) } }

  mutating func cancel() -> String? {
    guard !waiting.isEmpty else { return nil }
    let group = waiting.remove(at: below(waiting.count))
    takeBack(group)
    return group.name
  }

  /// The first later group takes over the writes that it overwrote.
  private func takeBack(_ group: Group) {
    let others = standing.filter { $0.group !== group }
    for write in group.writes {
      others.first { write.isOverwritten(by: $0.write) }?.group.writes.append(write)
    }
    group.writes = []
  }

  private mutating func place(_ group: Group) {
    if group.writes.isEmpty { return }
    undone[group.history] = []
    let over = standing.first { other in
      other.group !== group && group.writes.contains { $0.isOverwritten(by: other.write) }
    }
    let index = over.flatMap { over in done[group.history].firstIndex { $0 === over.group } }
    done[group.history].insert(group, at: index ?? done[group.history].count)
  }

  private func isLocked(_ history: Int) -> Bool { waiting.contains { $0.history == history && !$0.writes.isEmpty } }

  /// The history that an undo takes, searched upward: the window's, 1, unless it is empty. Otherwise the app's, 0.
  private func taken(from first: Int, _ groups: [[Group]]) -> Int {
    first == 1 && groups[1].isEmpty && !isLocked(1) ? 0 : first
  }

  /// Whether it can be undone.
  mutating func undo(_ first: Int) -> Bool {
    let history = taken(from: first, done)
    guard !isLocked(history), let group = done[history].last else { return false }
    let isOverwritten = standing.contains { other in
      other.group !== group && group.writes.contains { $0.isOverwritten(by: other.write) }
    }
    if isOverwritten { return false }
    undone[history].append(done[history].removeLast())
    return true
  }

  mutating func redo(_ first: Int) -> Bool {
    let history = taken(from: first, undone)
    guard !isLocked(history), let group = undone[history].popLast() else { return false }
    for index in group.writes.indices.sorted(by: { group.writes[$0].time < group.writes[$1].time }) {
      time += 1
      group.writes[index].time = time
    }
    done[history].append(group)
    return true
  }
}
