import Glibc

/// What a script may say of the variables of a program that it runs, and what a variable says of a program.
///
/// A granted program decides by itself what its own variables mean, as it does of its arguments: `GIT_EDITOR` is no more than `git -c core.editor`. The
/// names below mean something to others before the program has a say, and would have other code run in its place: to the system, which finds programs and
/// libraries by them, and to the interpreters of programs that begin with '#!'.
enum ProgramVariable {
  /// How many a call may have, and how many bytes all names and values together.
  static let most = 64
  static let mostBytes = 64 << 10

  static func isName(_ name: String) -> Bool {
    let isLetter = { (byte: UInt8) in (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
  }

  /// The words of a variable that names a program, as `$EDITOR`: the program and its first arguments. Empty if it isn't set.
  static func words(of variable: String) -> [String] {
    let value = getenv(String(variable.dropFirst())).flatMap { String(validatingCString: $0) } ?? ""
    return value.split { [" ", "\t", "\n"].contains($0) }.map(String.init)
  }

  /// Whether a variable has the system, or the interpreter of a program, run other code than the program.
  static func choosesCode(_ name: String) -> Bool {
    name.hasPrefix("LD_") || name.hasPrefix("BASH_FUNC_") || names.contains(name)
  }

  private static let names: Set<String> = [
    // The system's: how programs and parts of its libraries are found. PATH also has 'env', shells and `git` find others.
    "PATH", "GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES", "GETCONF_DIR", "HOSTALIASES", "RESOLV_HOST_CONF",
    "TZDIR", "MALLOC_TRACE", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES",
    // Shells.
    "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "CDPATH", "GLOBIGNORE", "PROMPT_COMMAND", "ZDOTDIR",
    "FPATH", "NULLCMD", "READNULLCMD",
    // Perl, Python, Ruby, JavaScript, Java, Lua, PHP, awk, Tcl, Guile.
    "PERLLIB", "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLIO_DEBUG", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP",
    "PYTHONINSPECT", "PYTHONUSERBASE", "PYTHONBREAKPOINT", "PYTHONPLATLIBDIR", "PYTHONEXECUTABLE", "PYTHONWARNINGS",
    "RUBYLIB", "RUBYOPT", "RUBYSHELL", "GEM_HOME", "GEM_PATH", "NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "LUA_INIT", "LUA_INIT_5_1", "LUA_INIT_5_2", "LUA_INIT_5_3",
    "LUA_INIT_5_4", "LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR", "AWKPATH", "AWKLIBPATH", "TCLLIBPATH",
    "GUILE_LOAD_PATH", "GUILE_LOAD_COMPILED_PATH",
  ]
}
