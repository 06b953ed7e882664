// What scripts are written in.

extension Topic {
  static let lua = Topic(
    name: "lua", summary: "what is as in Lua 5.4, and what is not",
    text: """
      Scripts are Lua 5.4: its syntax, its numbers, its strings, tables, functions, coroutines and errors are as its manual has them, and so is \
      what there is of its libraries. What differs is here, whole; 'menuctl help language' has every name.

      Names. A global that nobody defined is an error where it is read, not nil, with the name that may be meant. Globals are defined while a \
      script loads, and can be given other values from then on; a new one in a handler is an error, because it is most likely a 'local' that was \
      forgotten. 'pairs(_G)' walks the globals that the script defined; the host's words and Lua's library are found in '_G' by their names. \
      'rawget(_G, "name")' looks for a global of the script's and raises nothing; for the host's words and Lua's library it is nil. To look whether \
      a name means anything at all: 'pcall(function() return name end)'.

      ```lua
      local count = 0
      for name in pairs(_G) do count = count + 1 end
      print(count, _G.print == print)                   --> 0  true
      print(rawget(_G, "prnt"), rawget(_G, "math"))     --> nil  nil
      print((pcall(function() return math end)))        --> true

      local ok, message = pcall(function() return prnt end)
      print(ok, message:match("'.*"))                   --> false  'prnt' is not defined; did you mean 'print'?
      ```

      What reaches outside is not there: 'dofile', 'loadfile', 'debug', 'package', 'warn', and of 'os' all but 'clock', 'date', 'difftime' and 'time'. \
      The functions of 'io', 'os.execute' and the like are there to say what there is instead: 'fs', 'exec', 'env', 'open', 'clipboard', each with a \
      capability. 'require' loads what lies beside the script. 'print' and 'log' are the host's.

      What could hurt the host is not there: 'string.dump', 'coroutine.close' and bytecode; the metamethods '__gc', '__close' and '__concat'; \
      '__mode' but for "v"; '%p' of 'string.format'. 'collectgarbage' only counts. A string, a table and a stack have 1 MiB at most, and a pattern \
      counts its steps, so one that would run for ever ends.

      ```lua
      print(select(2, pcall(string.format, "%p", {})))
      --> '%p' is not available to scripts: it would show an address
      print(select(2, pcall(string.rep, "x", 1 << 21)))  --> resulting string too large
      print(string.dump, coroutine.close)                --> nil  nil
      ```

      What scripts share can't be changed: Lua's tables 'string', 'math' and the others. 'getmetatable("")', as that of all the host's objects, is \
      false.

      ```lua
      print(getmetatable(""), getmetatable(app))         --> false  false
      print((pcall(function() string.len = print end)))  --> false
      ```

      A script has 128 KiB at most, what 'load' takes 64 KiB, and a name like 'a.b[c.d]' 32 parts: Lua takes long over longer ones, and nothing \
      could end it meanwhile. 'xpcall' hands its function no stack overflow: there is no stack left to run it on.

      ```lua
      print(load("return " .. ("a."):rep(40) .. "b"))  --> nil  line 1: a name, like a.b[c.d], can have 32 parts at most
      print(load((" "):rep(65537)))                    --> nil  a chunk that a script loads can have 65536 bytes at most

      local function deep() return 1 + deep() end
      print(select("#", xpcall(deep, function() return "never seen" end)))  --> 2
      ```

      Three small things. 'table.sort' takes any order, where Lua raises "invalid order function": what comes of one that contradicts itself is some \
      order of the same values. A wrong position for 'table.remove' is told of its second argument, as in Lua 5.4.6. In an error of a library's \
      function that was not called by its name stands '?' for it.

      ```lua
      local list = { 3, 1, 2 }
      table.sort(list, function() return true end)
      print(#list)  --> 3
      ```
      """)
}
