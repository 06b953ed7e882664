// The functions of Lua that scripts have. Editors know more of them: 'dofile', 'os.remove', 'io'. If the editor's own libraries are switched
// off, as in the settings that 'menuctl new' writes, it offers only these. 'collectgarbage' is left out: scripts can only count memory with
// it, so nobody means to complete it. The settings list it as known, so that using it gives no warning.

extension Stubs {
  /// The annotations of Lua's own functions, each with the sentence of its entry.
  var lua: String {
    let functions = LanguageReference.base.entries.compactMap { entry -> String? in
      Self.base[entry.name].map { "---\(entry.says)\n\($0)" }
    }
    return (functions + ["---What there is of Lua's 'os'.\nos = {}"] + Self.os).joined(separator: "\n\n")
  }

  private static let base: [String: String] = [
    "_G": "---@type table<string, any>\n_G = nil",
    "_VERSION": "---@type string\n_VERSION = nil",
    "assert": """
    ---@generic T
    ---@param v T what is to be true
    ---@param message? any what is raised else
    ---@param ... any what is given back behind it
    ---@return T # the same
    ---@return any ... # what stood behind it
    function assert(v, message, ...) end
    """,
    "error": """
    ---@param message any what is raised
    ---@param level? integer whose line is blamed: 1 the caller of 'error', 2 its caller, 0 nobody's
    function error(message, level) end
    """,
    "getmetatable": """
    ---@param object any of what
    ---@return any # the metatable; false for an object of the host's
    function getmetatable(object) end
    """,
    "ipairs": """
    ---@generic V
    ---@param t V[] the list
    ---@return fun(t: V[], i?: integer): integer, V # what 'for' calls
    ---@return V[] # the list
    ---@return integer # 0
    function ipairs(t) end
    """,
    "load": """
    ---@param chunk string|function a text, or what gives it in pieces
    ---@param name? string what it is called in errors
    ---@param mode? "t" only texts are loaded
    ---@param env? table its globals
    ---@return function? # nil where it can't be compiled
    ---@return string? # why it can't be
    function load(chunk, name, mode, env) end
    """,
    "next": """
    ---@generic K, V
    ---@param t table<K, V> of which table
    ---@param index? K behind which key
    ---@return K? # nil at the end
    ---@return V? # its value
    function next(t, index) end
    """,
    "pairs": """
    ---@generic K, V
    ---@param t table<K, V> the table
    ---@return fun(t: table<K, V>, index?: K): K, V # what 'for' calls
    ---@return table<K, V> # the table
    ---@return nil # where it begins
    function pairs(t) end
    """,
    "pcall": """
    ---@param f function what is called
    ---@param ... any what it is given
    ---@return boolean # whether it came to its end
    ---@return any ... # what it gave, or what was raised
    function pcall(f, ...) end
    """,
    "rawequal": """
    ---@param a any one
    ---@param b any another
    ---@return boolean # whether they are the same
    function rawequal(a, b) end
    """,
    "rawget": """
    ---@param t table of which table
    ---@param key any which field
    ---@return any # its value
    function rawget(t, key) end
    """,
    "rawlen": """
    ---@param v table|string of what
    ---@return integer # the length
    function rawlen(v) end
    """,
    "rawset": """
    ---@param t table of which table
    ---@param key any which field
    ---@param value any what it becomes
    ---@return table # the table
    function rawset(t, key, value) end
    """,
    "select": """
    ---@param n integer|"#" from which on, or how many there are
    ---@param ... any of what
    ---@return any ... # these
    function select(n, ...) end
    """,
    "setmetatable": """
    ---@generic T
    ---@param t T to which table
    ---@param metatable? table what it gets
    ---@return T # the table
    function setmetatable(t, metatable) end
    """,
    "tonumber": """
    ---@param v any what is read
    ---@param base? integer from 2 to 36
    ---@return number? # nil where it is no number
    function tonumber(v, base) end
    """,
    "tostring": """
    ---@param v any of what
    ---@return string # the text
    function tostring(v) end
    """,
    "type": """
    ---@param v any of what
    ---@return "nil"|"boolean"|"number"|"string"|"table"|"function"|"thread"|"userdata" # its name
    function type(v) end
    """,
    "xpcall": """
    ---@param f function what is called
    ---@param handler function what is told of an error
    ---@param ... any what the first is given
    ---@return boolean # whether it came to its end
    ---@return any ... # what it gave, or what the handler did
    function xpcall(f, handler, ...) end
    """,
  ]

  private static let os = [
    """
    ---The processor's time that scripts have used.
    ---@return number # in seconds
    function os.clock() end
    """,
    """
    ---A time as text, or in parts.
    ---@param format? string as of the C library; "*t" for a table
    ---@param time? integer now where it is left out
    ---@return any # a string, or a table
    function os.date(format, time) end
    """,
    """
    ---How far two times are apart.
    ---@param later integer one time
    ---@param earlier integer another
    ---@return number # in seconds
    function os.difftime(later, earlier) end
    """,
    """
    ---The time as a number.
    ---@param parts? table year, month, day and more; now where it is left out
    ---@return integer # in seconds
    function os.time(parts) end
    """,
  ]
}
