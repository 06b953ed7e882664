// What is Lua's own, as far as it is let in. A test compares these lists with what a script finds.

extension LanguageReference {
  static let base = LanguageGroup(
    title: "Lua's own functions", receiver: .none,
    says:
      "They are as in Lua 5.4 where nothing else is said; 'menuctl help lua' says all of it. 'dofile', 'loadfile', 'warn', 'io', 'debug' and 'package' are not there.",
    entries: [
      .lua("_G", "The table of this script's globals."),
      .lua("_VERSION", "The version of Lua."),
      .lua("assert", "Raises its second value where the first is nil or false."),
      .lua("collectgarbage", "Only \"count\": how many KiB scripts use."),
      .lua("error", "Raises an error."),
      .lua(
        "getmetatable", "The metatable of a value; those of the host's objects are hidden.",
        """
        print(getmetatable(app))  --> false
        """),
      .lua("ipairs", "Walks a list in a 'for' loop."),
      .lua(
        "load",
        """
        As 'load(text, name, "t", environment)': compiles a text of 64 KiB at most, or the pieces that a function returns. The chunk has this \
        script's globals, or those of 'environment', a table, and then no others. Returns a function, or nil and an error.
        """,
        """
        local formula = load("return price * count", "formula", "t", { price = 3, count = 4 })
        print(formula())  --> 12

        print((pcall(load("print(price)", "alone", "t", {}))))  --> false
        """),
      .lua("next", "The next key and value of a table."),
      .lua("pairs", "Walks a table in a 'for' loop, in an order that is another each time that an app is loaded."),
      .lua("pcall", "Calls a function and catches what it raises, but for a spent limit and 'ctx:refuse'."),
      .lua("rawequal", "Compares without metatables."),
      .lua("rawget", "Reads a field without metatables."),
      .lua("rawlen", "The length without metatables."),
      .lua("rawset", "Writes a field without metatables; not of the host's objects."),
      .lua("select", "Some of its arguments, or how many there are."),
      .lua(
        "setmetatable",
        "Gives a table a metatable; not '__gc', '__close', '__concat', and '__mode' only \"v\"."
      ),
      .lua("tonumber", "Reads a number."),
      .lua("tostring", "A value as text."),
      .lua("type", "The type of a value."),
      .lua("xpcall", "As 'pcall', with a function that is told of the error."),
    ])

  static let libraries = LanguageGroup(
    title: "Lua's own libraries", receiver: .none,
    says: "Their tables are shared by all scripts and can't be changed.",
    entries: [
      .lua(
        "coroutine",
        "create, isyieldable, resume, running, status, wrap, yield. No 'close'; a handler waits with 'sleep', not with 'yield'."
      ),
      .lua(
        "math",
        """
        abs, acos, asin, atan, ceil, cos, deg, exp, floor, fmod, huge, log, max, maxinteger, min, mininteger, modf, pi, rad, random, \
        randomseed, sin, sqrt, tan, tointeger, type, ult.
        """),
      .lua("os", "clock, date, difftime, time. What reaches outside is not there."),
      .lua(
        "string",
        """
        byte, char, find, format, gmatch, gsub, len, lower, match, pack, packsize, rep, reverse, sub, unpack, upper. No 'dump'; \
        patterns count their steps.
        """),
      .lua("table", "concat, insert, move, pack, remove, sort, unpack."),
      .lua("utf8", "char, charpattern, codepoint, codes, len, offset."),
    ])
}
