import Testing

/// Differences between the sandbox and stock Lua, with their reasons.
enum StockDifferences {
  struct Difference: CustomTestStringConvertible {
    let chunk: String
    let sandbox: String
    let reason: String
    var testDescription: String { chunk }

    init(_ chunk: String, _ sandbox: String, _ reason: String) {
      self.chunk = chunk
      self.sandbox = sandbox
      self.reason = reason
    }
  }

  static let all: [Difference] = [
    Difference(
      "return io, debug, package, require, dofile, loadfile", "nil, nil, nil, nil, nil, nil",
      "nothing outside is reached"),
    Difference("return print, warn", "nil, nil", "what is printed is the host's business"),
    Difference(
      "return os.execute, os.exit, os.getenv, os.remove, os.rename, os.tmpname, os.setlocale",
      "nil, nil, nil, nil, nil, nil, nil", "of the system a script sees the time only"),
    Difference("return string.dump, coroutine.close", "nil, nil", "bytecode and chains of closing crash this Lua"),
    Difference(
      "return collectgarbage()",
      "error: case:1: collectgarbage can only \"count\" here: memory is the host's business",
      "a script could stop the collector"),
    Difference(
      "return load(string.char(27) .. 'Lua')", "nil, \"attempt to load a binary chunk (mode is 't')\"",
      "bytecode can crash this Lua"),
    Difference("return getmetatable('')", "false", "the metatable of all strings is shared"),
    Difference(
      "string.len = 1", "error: case:1: 'len' can't be set: this table is shared by all scripts and can't be changed",
      "the library is shared"),
    Difference(
      "rawset(math, 'pi', 3)",
      "error: case:1: this table is shared by all scripts and can't be changed",
      "the library is shared"),
    Difference(
      "return setmetatable({}, {__gc = type})",
      "error: case:1: metamethod '__gc' is not available to scripts: it would run where no limit holds; "
        + "release what you hold in a hook instead",
      "no hook runs in a finalizer"),
    Difference(
      "return setmetatable({}, {__close = type})",
      "error: case:1: metamethod '__close' is not available to scripts: it would run while errors unwind; "
        + "close what you hold before you return",
      "no limit would hold in it"),
    Difference(
      "return setmetatable({}, {__concat = type})",
      "error: case:1: metamethod '__concat' is not available to scripts: this Lua has a bug there; "
        + "write a function, or use __tostring",
      "this Lua's concatenation overflows"),
    Difference(
      "return setmetatable({}, {__mode = 'k'})",
      "error: case:1: metamethod '__mode' can only be \"v\": weak keys let a script stall the collector",
      "ephemerons take quadratic time"),
    Difference(
      "return ('%p'):format({})", "error: case:1: '%p' is not available to scripts: it would show an address",
      "an address helps an attack"),
    Difference(
      "return ('x'):rep(1 << 21)", "error: case:1: resulting string too large", "a block has a megabyte at most"),
    Difference(
      "return table.remove({1, 2}, 5)", "error: case:1: bad argument #2 to 'remove' (position out of bounds)",
      "5.4.4 blames the table; the Luas after it name the right argument"),
    Difference(
      "return pcall(pairs({}), nil)", "false, \"bad argument #1 to '?' (table expected, got nil)\"",
      "there is no table of loaded modules to find a function's name in"),
    Difference(
      "local t = {3, 1, 2, 5, 4}; table.sort(t, function() return true end); return #t", "5",
      "sorting is content with any order, which stock Lua reports as invalid"),
    Difference(
      "return load('return ' .. ('a.'):rep(40) .. 'b')",
      "nil, \"line 1: a name, like a.b[c.d], can have 32 parts at most\"",
      "Lua looks long for the name of what is nil"),
    Difference(
      "return load((' '):rep(65537))", "nil, \"a chunk that a script loads can have 65536 bytes at most\"",
      "nothing interrupts the compiler"),
    Difference(
      "local function f() return 1 + f() end return xpcall(f, function() return 'H' end)",
      "false, \"case:1: stack overflow\"", "there is no stack left to run the handler on"),
  ]
}
