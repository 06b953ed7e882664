import Glibc

/// The variables of programs that scripts may set, and the variables that name programs.
///
/// A program that is granted by its name decides itself what its variables mean, as it does for its arguments:
/// `GIT_EDITOR` is no more than `git -c core.editor`. All other variables reach code that decides nothing. That is the
/// system, the interpreter of a program that begins with '#!', a library, or a program that the granted one starts. A new
/// variable of an interpreter begins like its others. So the host refuses the beginnings, and allows the few members
/// that are known to be harmless.
enum ProgramVariable {
  /// The most variables of a call, and the most bytes of all names and values together.
  static let most = 64
  static let mostBytes = 64 << 10

  static func isName(_ name: String) -> Bool {
    let isLetter = { (byte: UInt8) in (65...90).contains(byte) || (97...122).contains(byte) || byte == 95 }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) }
  }

  /// Returns the words of a variable that names a program, as `$EDITOR`: the program and arguments. Empty if unset.
  static func words(of variable: String) -> [String] {
    let value = getenv(String(variable.dropFirst())).flatMap { String(validatingCString: $0) } ?? ""
    return value.split { [" ", "\t", "\n"].contains($0) }.map(String.init)
  }

  /// Returns true if a variable makes the system, an interpreter or another program run other code than the program.
  ///
  /// - Parameter program: the name of the program, as the script wrote it.
  static func choosesCode(_ name: String, for program: String) -> Bool {
    if harmless.contains(name) || harmlessBeginnings.contains(where: name.hasPrefix) { return false }
    if names.contains(name) || families.contains(where: name.hasPrefix) { return true }
    if let owner = owned[program], name.hasPrefix(owner) { return false }
    return owned.values.contains(where: name.hasPrefix) || ends.contains(where: name.hasSuffix)
  }

  /// The programs whose variables name other programs. With a path, as in `bin/git`, the program may be a script that
  /// only calls the real one.
  private static let owned = ["git": "GIT_"]

  /// The beginnings of the names that belong to the system, to interpreters and to libraries.
  private static let families = [
    // The loader and the C library: parts of the library, traces, name services.
    "LD_", "DYLD_", "GLIBC_", "GCONV_", "GETCONF_", "MALLOC_", "RES_", "RESOLV_", "NSS_",
    // Libraries that load modules.
    "OPENSSL_", "KRB5", "SASL_", "GTK", "GDK_", "GIO_", "GI_", "GST_", "QT_", "QML", "LIBGL_", "MESA_", "VK_ICD",
    "VK_LAYER", "VK_DRIVER", "VK_ADD", "EGL_", "__EGL_", "__GLX_", "OCL_", "LTDL_", "ODBC", "DBUS_", "MAGICK_", "ALSA_",
    "PKCS11_", "P11_",
    // Folders of the user, where interpreters look for settings, packages and compiled code.
    "XDG_",
    // Shells.
    "BASH", "SHELL", "ZSH", "KSH", "fish_", "FISH_",
    // Python, Perl, Ruby, JavaScript, Java, Lua, PHP, Tcl, awk, Guile.
    "PYTHON", "PYENV_", "PIP_", "VIRTUAL_ENV", "CONDA_", "PERL", "PLENV_", "RUBY", "GEM_", "BUNDLE", "RBENV_", "NODE_",
    "NODENV_", "NPM_", "npm_", "NVM_", "DENO_", "BUN_", "ELECTRON_", "JAVA", "JDK_", "_JAVA", "JRE_", "CLASSPATH",
    "LUA", "PHP", "COMPOSER_", "TCL", "TK_", "AWK", "GAWK", "GUILE_",
    // R, Julia, Erlang and Elixir, Haskell, OCaml, .NET, Go, Rust, Swift, and what chooses their versions.
    "R_", "JULIA_", "ERL", "ELIXIR_", "MIX_", "GHC", "CABAL_", "OCAML", "CAML_", "OPAM", "DOTNET_", "COMPlus_",
    "CORECLR_", "COR_", "MONO_", "GOROOT", "GOPATH", "GOFLAGS", "GOENV", "GOTOOL", "CARGO_", "RUSTC", "RUSTUP_",
    "RUSTFLAGS", "SWIFT_", "ASDF_", "MISE_",
    // Programs that scripts call: compilers, make, editors, pagers, remote shells.
    "GCC_", "COMPILER_", "MAKE", "GNUMAKE", "EMACS", "VIM", "NVIM_", "EXINIT", "LESS", "SSH_", "RSYNC_", "CVS_", "SVN_",
    "HG", "SUDO_",
  ]

  /// The ends of names of variables that name programs, or folders of code.
  private static let ends = [
    "EDITOR", "VISUAL", "PAGER", "BROWSER", "_ASKPASS", "_RSH", "_SHELL", "_PRELOAD", "_STARTUP", "LIBPATH", "LIB_PATH",
    "LIBRARY_PATH", "MODULE_PATH", "MODULES_PATH", "PLUGIN_PATH", "PLUGINS_PATH", "LOAD_PATH", "INCLUDE_PATH",
  ]

  /// Single names.
  private static let names: Set<String> = [
    // The system: how it finds programs, the user's folder, and parts of the library. 'env', shells and `git` use PATH
    // too, and interpreters load the packages below HOME.
    "PATH", "HOME", "LOCPATH", "NLSPATH", "HOSTALIASES", "TZDIR",
    // Shells.
    "ENV", "IFS", "CDPATH", "GLOBIGNORE", "PROMPT_COMMAND", "ZDOTDIR", "FPATH", "NULLCMD", "READNULLCMD", "PS0", "PS1",
    "PS2", "PS3", "PS4", "PSModulePath", "MANPATH", "MANOPT",
  ]

  /// The members of families that choose no code.
  private static let harmless: Set<String> = [
    "PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE",
    "PYTHONNOUSERSITE", "PYTHONSAFEPATH", "PERL_UNICODE", "PERL_HASH_SEED", "NODE_ENV", "NODE_NO_WARNINGS",
    "NODE_DISABLE_COLORS", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "LESSCHARSET", "CARGO_TERM_COLOR",
    "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_INDEX_FILE", "GIT_LITERAL_PATHSPECS", "GIT_MERGE_AUTOEDIT",
  ]

  private static let harmlessBeginnings = ["GIT_AUTHOR_", "GIT_COMMITTER_"]
}
