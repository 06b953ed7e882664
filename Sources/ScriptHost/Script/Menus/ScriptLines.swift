import CLua
import CScript

/// The fields of a text about its lines, as the script wrote them.
struct GivenLines {
  var of: [String] = []
  var isFollowing = false
  var isWrapped = false
  /// Whether a program has printed the lines, so that they may have its colours.
  var isPrinted = false
  var style = TextStyle()
  var isGiven = false
}

/// The `lines` of a text from a script: a text, a list, or a function that the host calls like a timer.
final class ScriptLines: TextSource {
  private unowned let engine: ScriptEngine
  private let described: String
  private let place: Place?
  private let style: TextStyle
  /// Reads the colours of a program's output; nil if no program printed the lines.
  private var reader: ANSIReader?
  private var given: [StyledText]?
  private var function: ScriptHandler?

  fileprivate init(_ element: ScriptElement, _ lines: GivenLines, engine: ScriptEngine) {
    self.engine = engine
    described = element.described
    place = element.place
    style = lines.style
    reader = lines.isPrinted ? ANSIReader() : nil
  }

  override var declared: [StyledText]? { given }
  override var handler: Handler? { function }
  override func willRun() { if reader != nil { reader = ANSIReader() } }

  /// Reads the value of `lines`, which is on top of the stack.
  fileprivate func take(_ L: OpaquePointer, for element: ScriptElement) throws {
    let value = try engine.lua.value(at: -1, on: L)
    guard case .function(let function) = value else {
      var lines: [StyledText] = []
      try read(value) { line in
        lines.append(line)
        element.share.add(line.bytesOfLine)
        try engine.checkKept()
        if lines.count > PaneText.most { throw LuaMisuse("\(described) can have \(PaneText.most) lines at most") }
      }
      return given = lines
    }
    guard let script = engine.script(of: element.owner) else { return }
    let add = engine.lua.function { [weak self] call in
      guard let self, let text else { return .nothing }
      let (value, replaces, areAll) = (try call[0], clua_bool(call.L, 3), clua_bool(call.L, 4))
      func take(_ line: StyledText) throws {
        text.add(line, replacing: replaces)
        try engine.checkKept()
      }
      guard areAll else {
        try line(value).forEach(take)
        return .nothing
      }
      do { try read(value, take) } catch let misuse as LuaMisuse {
        // The function has returned: the error is about its result, so the place is the function's.
        throw LuaError(.runtime, misuse.message, place: engine.lua.place(of: function))
      }
      return .nothing
    }
    let maker = try engine.linesMaker ?? engine.lua.load(own: Self.maker, name: "lines")
    engine.linesMaker = maker
    let values = try engine.lua.call(maker, .function(function), .function(add))
    guard case .function(let made)? = values.first else { return }
    let handler = ScriptHandler(made, of: script, engine: engine)
    handler.isReentrant = true
    self.function = handler
  }

  /// Makes a handler from a script's function. It gets a read-only context, and its result is added to the lines.
  private static let maker = """
    local lines, add = ...
    local function finish(answer)
      if answer ~= nil then add(answer, false, false, true) end
    end
    return function(_, ctx)
      return finish(lines(setmetatable({}, {
        __index = ctx,
        __newindex = function() error("the context can only be read here", 2) end,
        __pairs = function() return pairs(ctx) end,
      }), add))
    end
    """

  /// Reads lines: a text, or a list of lines.
  private func read(_ value: LuaValue, _ take: (StyledText) throws -> Void) throws {
    guard case .table(let list) = value, try engine.lua.rawCount(of: list) > 0 || isEmpty(list) else {
      return try line(value).forEach(take)
    }
    for index in 0..<(try engine.lua.rawCount(of: list)) {
      engine.charge(1)
      try line(try engine.lua.rawGet(.integer(index + 1), of: list)).forEach(take)
    }
  }

  private func isEmpty(_ list: LuaTable) throws -> Bool {
    var isEmpty = true
    try engine.lua.forEach(in: list) { _, _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }

  /// Returns the lines of a text; a single line for a span, or for a list of texts and spans.
  private func line(_ value: LuaValue) throws -> [StyledText] {
    let text: String
    switch value {
    case .text(let given): text = given
    case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
    case .integer(let number): text = "\(number)"
    case .table(let table):
      try engine.lua.push(table.reference, on: engine.lua.L)
      defer { clua_pop(engine.lua.L, 1) }
      guard let styled = try engine.styledText(at: -1, "a line of \(described)", at: place) else { return [] }
      return [StyledText(styled.spans.map { $0.style.isPlain ? StyledText.Span($0.text, style) : $0 })]
    default: throw LuaMisuse("a line of \(described) must be a string, not \(value.described)")
    }
    // Most lines are one line: they are not cut into the characters that people see, which takes as long as all the rest.
    if !text.utf8.contains(UInt8(ascii: "\n")) { return [line(of: text)] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { line(of: String($0)) }
  }

  private func line(of text: String) -> StyledText {
    if let line = reader?.read(text.cut(toBytes: PaneText.longest)) { return line }
    guard text.needsCare else { return StyledText([StyledText.Span(text, style)]) }
    let shown = text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { String($0).cut(toBytes: PaneText.longest).withoutControls(hasLines: false) }.joined(separator: "\t")
    return StyledText([StyledText.Span(shown, style)])
  }
}

extension ScriptEngine {
  /// Returns the text's part of an element's fields.
  func text(_ element: ScriptElement, _ lines: GivenLines, at index: Int32, _ L: OpaquePointer) throws -> TextPart {
    let source = ScriptLines(element, lines, engine: self)
    clua_pushHeld(L, index, 3)
    defer { clua_pop(L, 1) }
    try source.take(L, for: element)
    return TextPart(of: lines.of, source: source, follow: lines.isFollowing, wrap: lines.isWrapped)
  }
}
