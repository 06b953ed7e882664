import CLua
import CScript

/// *Fused questions* are those of a menu's items that C asks in one crossing into Lua: all functions that they call are a script's and read only
/// plain keys of the context.
final class FusedQuestions: QuickQuestions {
  private unowned let engine: ScriptEngine
  /// Tells whether the interpreter still lives. This doesn't retain it, because a menu that a script holds open retains this.
  private let life: LuaLife
  private var lua: LuaState { engine.lua }
  private let pass = Cell(clua_Validation())
  private let prepared: UnsafeMutableBufferPointer<clua_Question>
  private let arguments: UnsafeMutableBufferPointer<clua_Argument>
  private let needs: UnsafeMutableBufferPointer<Int32>
  private var held: [Int32] = []
  private var names: [ByteText: Int32] = [:]
  /// The findings that don't fit into a row.
  private var odd: [Int: Finding] = [:]
  /// The reasons that were no text, or too long for a row.
  private var reasons: [Int: String?] = [:]
  private var isAsking = false

  init(_ questions: [Entry], engine: ScriptEngine) {
    self.engine = engine
    life = engine.lua.life
    let count = questions.count
    prepared = .allocate(capacity: count)
    arguments = .allocate(capacity: questions.reduce(0) { $0 + $1.request.arguments.members.count })
    needs = .allocate(capacity: questions.reduce(0) { $0 + $1.candidate.needs.count })
    super.init(questions)
    var argument = 0
    var need = 0
    for (index, question) in questions.enumerated() {
      prepared.initializeElement(at: index, to: prepare(question, &argument, &need))
      if index > 0 { prepared[index].isAlike = FusedQuestions.areAlike(prepared[index - 1], prepared[index]) }
    }
    pass.value.questions = UnsafePointer(prepared.baseAddress)
    pass.value.rows = .allocate(capacity: count)
    pass.value.before = .allocate(capacity: count)
    pass.value.changed = .allocate(capacity: count)
    // No answer equals this row, so the first answer counts as changed.
    var nothing = clua_Row()
    nothing.what = -1
    pass.value.rows.initialize(repeating: nothing, count: count)
    pass.value.before.initialize(repeating: nothing, count: count)
    pass.value.changed.initialize(repeating: 1, count: count)
    pass.value.count = Int32(clamping: count)
    pass.value.instructions = engine.questionInstructions
    pass.value.displaced = engine.displaced.id
  }

  deinit {
    clua_freeValidation(&pass.value)
    pass.value.rows.deallocate()
    pass.value.before.deallocate()
    pass.value.changed.deallocate()
    pass.free()
    prepared.deallocate()
    arguments.deallocate()
    needs.deallocate()
    if life.state != nil { life.dropped.pointee.references.append(contentsOf: held) }
  }

  // MARK: Preparing

  private func prepare(_ question: Entry, _ argument: inout Int, _ need: inout Int) -> clua_Question {
    let candidate = question.candidate
    var prepared = clua_Question()
    let first = (argument, need)
    for (key, value) in question.request.arguments.supplied {
      arguments.initializeElement(at: argument, to: clua_Argument(key, value, text: name))
      argument += 1
    }
    for wanted in candidate.needs {
      needs.initializeElement(at: need, to: name(wanted.key))
      need += 1
    }
    prepared.arguments = arguments.baseAddress.map { UnsafePointer($0 + first.0) }
    prepared.argumentCount = Int32(clamping: argument - first.0)
    prepared.asked.needs = needs.baseAddress.map { UnsafePointer($0 + first.1) }
    prepared.asked.needCount = Int32(clamping: need - first.1)
    if let can = candidate.can as? ScriptHandler {
      prepared.asked.can = can.handlerRef(for: candidate.responder)
      prepared.asked.canOnlyReads = can.onlyReadsContext
    }
    if let look = candidate.look as? ScriptHandler {
      prepared.look = look.handlerRef(for: candidate.responder)
      prepared.lookOnlyReads = look.onlyReadsContext
    }
    return prepared
  }

  /// Whether the arguments of two questions have the same names in the same order.
  private static func areAlike(_ one: clua_Question, _ other: clua_Question) -> Bool {
    let count = Int(one.argumentCount)
    return count > 0 && count == Int(other.argumentCount)
      && (0..<count).allSatisfy { one.arguments[$0].key == other.arguments[$0].key }
  }

  /// A reference to a text, made once for equal texts.
  private func name(_ text: String) -> Int32 {
    if let known = names[ByteText(text)] { return known }
    lua.push(text: text, on: lua.L)
    let reference = clua_reference(lua.L)
    held.append(reference)
    names[ByteText(text)] = reference
    return reference
  }

  // MARK: Asking

  override func ask(in context: Context) {
    guard let context = context as? ScriptContext else { return }
    let L = lua.L
    let top = clua_top(L)
    clua_swapRows(&pass.value)
    pass.value.context = context.reference.id
    odd.removeAll()
    reasons.removeAll()
    if !areGatesOpen { closeGates() }
    isAsking = true
    defer { isAsking = false }
    while pass.value.index < pass.value.count {
      let status = clua_validate(L, &pass.value)
      if pass.value.index >= pass.value.count { break }
      note(status)
      clua_setTop(L, top)
    }
    clua_setTop(L, top)
    if !areGatesOpen { noteGates() }
    for index in odd.keys { noteOdd(index) }
    for index in reasons.keys { noteOdd(index) }
  }

  private func closeGates() {
    for index in questions.indices {
      if case .open = gate(index) { prepared[index].isClosed = false } else { prepared[index].isClosed = true }
    }
  }

  /// Marks the questions whose gate is another than before, which no row tells.
  private func noteGates() {
    for index in questions.indices where hasOtherGate(index) { pass.value.changed[index] = 1 }
  }

  /// Marks a question as changed, now and at its next answer, because its row doesn't hold what was answered.
  private func noteOdd(_ index: Int) {
    pass.value.changed[index] = 1
    pass.value.rows[index].lacking = Int32(CLUA_ROW_TELLS_LITTLE)
  }

  /// Takes an unusual answer, which is on top of the stack.
  private func note(_ status: Int32) {
    let index = Int(pass.value.index)
    let candidate = questions[index].candidate
    if status == CLUA_OK.rawValue, !pass.value.isLooking {
      // The reason doesn't fit into a row. C goes on with the `look` of the same question.
      reasons[index] = .some(engine.reason(at: -1, on: lua.L))
      pass.value.rows[index].what = Int8(CLUA_ROW_NO.rawValue)
      pass.value.isLooking = true
      return
    }
    defer {
      pass.value.index += 1
      pass.value.isLooking = false
    }
    guard pass.value.isLooking else {
      odd[index] = Finding(verdict: .failed(failure(status, of: candidate.can ?? candidate.handler)))
      return
    }
    var answer = answer(index)
    if status == CLUA_OK.rawValue, let look = candidate.look as? ScriptHandler {
      switch engine.look(at: -1, of: look) {
      case .success(let look): answer.look = look
      case .failure(let failure): answer.failure = failure
      }
    } else {
      answer.failure = failure(status, of: candidate.look ?? candidate.handler)
    }
    odd[index] = answer
  }

  private func failure(_ status: Int32, of handler: Handler) -> Failure {
    engine.failure(lua.takeError(status, on: lua.L), owner: handler.owner)
  }

  // MARK: Answers

  override var current: Entry? { isAsking ? questions[Int(pass.value.index)] : nil }

  override func hasChanged(_ range: Range<Int>) -> Bool {
    let changed = UnsafeBufferPointer(start: pass.value.changed + range.lowerBound, count: range.count)
    return changed.contains { $0 != 0 }
  }

  override func answer(_ index: Int) -> Finding {
    if let odd = odd[index] { return odd }
    let row = pass.value.rows[index]
    var answer = Finding(verdict: verdict(row, index))
    answer.look = Look(state: Int32(row.state), hidden: Int32(row.hidden), destructive: Int32(row.destructive))
    answer.look.title = text(row.title)
    answer.look.subtitle = text(row.subtitle)
    answer.look.icon = text(row.icon)
    return answer
  }

  private func verdict(_ row: clua_Row, _ index: Int) -> Verdict {
    switch clua_RowWhat(UInt32(row.what)) {
    case CLUA_ROW_YES: .yes
    case CLUA_ROW_PASSES: .pass
    default:
      .no(
        row.lacking >= 0
          ? questions[index].candidate.needs[Int(row.lacking)].reasonOrDerived
          : reasons[index] ?? text(row.reason))
    }
  }

  private func text(_ span: clua_Span) -> String? {
    guard span.at >= 0, let bytes = pass.value.texts.bytes else { return nil }
    let start = UnsafeRawPointer(bytes + Int(span.at)).assumingMemoryBound(to: UInt8.self)
    return String(decoding: UnsafeBufferPointer(start: start, count: Int(span.count)), as: UTF8.self)
  }
}

extension ScriptEngine {
  /// Whether C can ask a question: its functions are a script's, and read nothing of the context but what was supplied.
  func canAsk(_ question: QuickQuestions.Entry) -> Bool {
    let candidate = question.candidate
    return candidate.whySetAside == nil && candidate.takes == nil && isPlain(candidate.can) && isPlain(candidate.look)
      && candidate.needs.allSatisfy { !HostNames.contains($0.key) }
      && question.request.info.members.isEmpty
      && question.request.arguments.members.allSatisfy { $0.value.isScalar }
  }

  private func isPlain(_ handler: Handler?) -> Bool {
    guard let handler else { return true }
    guard let use = (handler as? ScriptHandler)?.fieldUse else { return false }
    return use.isComplete && !use.reads.contains(where: HostNames.contains)
      && use.calls.allSatisfy(["each", "flag", "has"].contains)
  }

  func prepare(_ questions: [QuickQuestions.Entry]) -> QuickQuestions { FusedQuestions(questions, engine: self) }
}
