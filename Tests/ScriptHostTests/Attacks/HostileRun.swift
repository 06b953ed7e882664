import CLua
import Expectations
import HostileScripts
import Testing

@testable import ScriptHost

/// A host with an app and a plugin, one hostile script in it, and the messages about that script.
final class HostileRun {
  private let row: HostileScript
  private let stage: PluginStage
  var host: ScriptHost { stage.host }
  /// All texts that a person would read.
  private(set) var told: [String] = []
  /// The names of the owners that spent a limit.
  private(set) var spenders: [String] = []
  /// The longest time that one step took beyond its allowance, in nanoseconds of the thread's time.
  private(set) var overshoot: Int64 = 0

  private let allowance: Allowance
  private let before: [String]
  private let holdings: LuaHoldings
  private let memory: Int

  /// - Parameter milliseconds: the time that each load, each perform and each line may take.
  init(_ row: HostileScript, milliseconds: UInt64) throws {
    self.row = row
    allowance = .milliseconds(milliseconds)
    let app = HostileScript.app + (row.role == .app ? row.script : "")
    stage = try PluginStage(
      ["other.lua": HostileScript.other], app: app,
      limits: HostLimits(memory: 24 << 20, load: allowance, perform: allowance))
    try stage.load("other.lua")
    for (name, text) in row.files { stage.write(text, to: "mallory/\(name)") }
    stage.write(row.text, to: "mallory/plugin.lua")
    // Makes the values that a host makes only once.
    for reference in [HostileScript.rates.reference, HostileScript.helps.reference] { stage.host.perform(reference) }
    let lua = try require(stage.host.scripts?.lua)
    _ = stage.host.menus()
    lua.collect()
    lua.collect()
    before = stage.portrait
    holdings = LuaHoldings(lua)
    memory = lua.memory
    stage.host.onDiagnostic = { [unowned self] in note($0) }
  }

  // MARK: Doing

  func run() {
    if row.role != .app { timed { load() } }
    if let next = row.next { stage.write(next, to: "mallory/plugin.lua") }
    for deed in row.deeds { timed { carryOut(deed) } }
    told += stage.take()
  }

  private func timed(_ body: () -> Void) {
    let began = (thread: threadTime(), world: ContinuousClock.now)
    body()
    // An allowance counts real time, and a busy machine gives a thread only a part of it.
    let taken = Double(threadTime() - began.thread)
    let part = min(1, taken / ((ContinuousClock.now - began.world) / .nanoseconds(1)))
    overshoot = max(overshoot, Int64(taken - Double(allowance.nanoseconds) * part))
  }

  private func load() {
    do {
      try host.load(plugins: ["\(stage.path)/mallory"])
    } catch {
      note(error.failure)
    }
  }

  private func carryOut(_ deed: String) {
    let words = deed.split(separator: " ", maxSplits: 1).map(String.init)
    let operand = words.count > 1 ? words[1] : ""
    do {
      switch words[0] {
      case ":perform": note(host.perform(operand, wait: true))
      case ":press": note(host.press(operand))
      case ":pick": note(host.pick(operand))
      case ":undo", ":redo": note(host.perform(String(deed.dropFirst())))
      case ":menu": note(host.menus())
      case ":validate": told.append(host.validate(operand).reason ?? "")
      case ":why": told.append(try host.why(operand).reason ?? "")
      case ":chain": told += try host.chain(operand.isEmpty ? nil : operand).compactMap(\.answer)
      case ":context": told += try host.context(operand.isEmpty ? nil : operand).map(\.key)
      default: for value in try host.evaluate(deed) { _ = host.inspect(value) }
      }
    } catch let error as LineError {
      note(error.failure)
    } catch {
      told.append("\(error)")
    }
  }

  // MARK: Noting

  private func note(_ failure: Failure) {
    told.append(failure.message)
    guard failure.code == .limit else { return }
    // A manifest has no owner yet.
    spenders.append(failure.place?.file.hasPrefix("\(stage.path)/mallory/") == true ? "mallory" : failure.owner ?? "")
  }

  private func note(_ outcome: Outcome) {
    if let reason = outcome.reason { told.append(reason) }
    if let error = outcome.error { note(error) }
    if let text = outcome.result.shownText { told.append(text) }
    _ = host.inspect(outcome.result)
  }

  private func note(_ diagnostic: Diagnostic) {
    told.append(diagnostic.message)
    if let help = diagnostic.help { told.append(help) }
    if diagnostic.code == "limit" {
      spenders.append(diagnostic.place?.file.contains("/mallory/") == false ? "app" : "mallory")
    }
  }

  private func note(_ element: MenuElement) {
    if let reason = element.reason { told.append(reason) }
    element.children.forEach(note)
  }

  // MARK: Looking

  /// The difference from the expected outcome; nil if it came.
  var trouble: String? {
    let all = told.joined(separator: "\n")
    switch row.outcome {
    case .quiet: return all.allSatisfy(\.isWhitespace) ? nil : "it is told: \(all.prefix(2000))"
    case .limitOr(let part):
      return spenders.contains("mallory") || part.isEmpty || all.contains(part) ? nil : "\(all.prefix(2000))"
    case .spent where all.contains("not enough memory: one table"): return nil
    case .limit, .spent: return spenders.contains("mallory") ? nil : "no limit was spent by it: \(all.prefix(2000))"
    case .says(let part), .prints(let part):
      return !told.isEmpty && (part.isEmpty || all.contains(part)) ? nil : "\(all.prefix(2000))"
    }
  }

  /// Checks the state afterwards: the app and the other plugin work, at the latest when the attacker is set aside.
  /// After unloading the attacker, nothing of it is left.
  func checkUnharmed() throws {
    checkAnswer(HostileScript.rates)
    checkAnswer(HostileScript.helps)
    expect(host.item("Image/Rate") != nil && host.item("Other/Help") != nil, "\(row.name)")
    if row.role != .app { try checkGone() }
    let lua = try require(host.scripts?.lua)
    expect(clua_trip(lua.L) == CLUA_TRIP_NONE.rawValue)
  }

  private func checkAnswer(_ wanted: (reference: String, result: String)) {
    var outcome = host.perform(wanted.reference)
    for _ in 0..<8 where outcome.status != .handled { outcome = host.perform(wanted.reference) }
    expect(outcome.status == .handled && outcome.result.shownText == wanted.result, "\(row.name): \(outcome.line)")
  }

  private func checkGone() throws {
    for job in host.jobs { job.cancel() }
    if host.plugins.contains(where: { $0.manifest.name == "mallory" }) { try host.unload(plugin: "mallory") }
    _ = try? host.evaluate("focus(app:find('grid'))")
    host.onDiagnostic = nil
    // Once for the data that the host remembers of removed objects, and once to see that nothing is left.
    for _ in 0..<2 {
      for wanted in [HostileScript.rates, HostileScript.helps] {
        let outcome = host.perform(wanted.reference)
        expect(outcome.status == .handled && outcome.result.shownText == wanted.result, "\(row.name): \(outcome.line)")
      }
      _ = host.menus()
    }
    _ = host.takeDiagnostics()
    let lua = try require(host.scripts?.lua)
    // Collecting an element releases its values: one level of a menu at a time.
    var objects = Int32.max
    while LuaHoldings(lua).objects < objects {
      objects = LuaHoldings(lua).objects
      lua.collect()
    }
    let after = stage.portrait
    for (line, other) in zip(before, after) { expect(line, is: other, "\(row.name)") }
    expect(before.count, is: after.count, "\(row.name)")
    let holdings = LuaHoldings(lua)
    expect(holdings.top == self.holdings.top && holdings.hostDepth == self.holdings.hostDepth, "\(row.name)")
    expect(holdings.objects <= self.holdings.objects + 64, "\(row.name): \(self.holdings), then \(holdings)")
    // Lua's table of strings keeps its greatest size.
    expect(lua.memory <= memory + 3 << 20, "\(row.name): \(memory), then \(lua.memory) bytes")
  }
}
