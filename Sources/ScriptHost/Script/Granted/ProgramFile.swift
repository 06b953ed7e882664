import Glibc

/// A program for the system to start: a path, and the words before the script's arguments.
///
/// A program with a path is opened once, and the system starts its descriptor. So nobody can replace a part of the
/// path. For a program that begins with '#!', the interpreter is started with the path, as the system would do. A
/// descriptor would hide the path in '$0', by which these programs find their other files. The interpreter reads the
/// file that is at the path by then.
struct ProgramFile {
  let path: String
  let words: [String]
  /// The descriptor that the program inherits, because the system lets its interpreter read it; nil if there is none.
  let kept: Int32?
  private let file: OpenedFile?

  /// Finds a program; nil if there is none, with the reason in errno.
  init?(_ program: String) {
    guard program.utf8.contains(UInt8(ascii: "/")) else {
      guard let found = ProgramSearch.path(of: program) else { return nil }
      (path, words, kept, file) = (found, [program], nil, nil)
      return
    }
    guard let file = OpenedFile(program, .any) else { return nil }
    self.file = file
    let own = "/proc/self/fd/\(file.descriptor)"
    let beginning = Self.beginning(of: own)
    if let interpreter = Self.interpreter(beginning) {
      guard access(own, X_OK) == 0 else { return nil }
      (path, words, kept) = (interpreter[0], interpreter + [program], nil)
    } else {
      // Only a file that is no binary may have another interpreter.
      (path, words, kept) = (own, [program], beginning.starts(with: Self.binary) ? nil : file.descriptor)
    }
  }

  /// The number of bytes that the system reads to recognise a program.
  private static let lengthOfBeginning = 256
  private static let binary: [UInt8] = [0x7F] + Array("ELF".utf8)

  private static func beginning(of path: String) -> [UInt8] {
    let descriptor = Descriptor.file(path)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: lengthOfBeginning)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Returns the interpreter and its argument from a first line with '#!'; nil without this line, or if it isn't whole.
  static func interpreter(_ beginning: [UInt8]) -> [String]? {
    guard beginning.starts(with: "#!".utf8) else { return nil }
    let end = beginning.firstIndex(of: UInt8(ascii: "\n"))
    guard end != nil || beginning.count < lengthOfBeginning else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let line = beginning[2..<(end ?? beginning.count)].drop(while: isBlank)
    let name = line.prefix { !isBlank($0) }
    let argument = line[name.endIndex...].drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard !name.isEmpty, !line.contains(0) else { return nil }
    let words = [Array(name), Array(argument)].filter { !$0.isEmpty }.map { String(validating: $0, as: UTF8.self) }
    return words.contains(nil) ? nil : words.compactMap { $0 }
  }
}

// Recognises a program in a script's folder, to detect a replacement (S16).

extension ProgramFile {
  /// The most files of a program: interpreters may be scripts themselves.
  private static let fileLimit = 16

  /// Returns the files below a folder that the system reads to start a program: it, and the files in scripts' first
  /// lines.
  ///
  /// - Parameter working: the folders from which a relative path may lead.
  static func files(of program: String, below folder: String, workingIn working: [String]) -> [String] {
    let below = folder == "/" ? folder : folder + "/"
    var found: [String] = []
    var next = [program]
    while let path = next.popLast(), found.count < fileLimit {
      guard path.utf8.starts(with: below.utf8), !found.contains(where: path.hasSameBytes) else { continue }
      found.append(path)
      let words = (interpreter(beginning(of: path)) ?? []).flatMap { $0.split { $0 == " " || $0 == "\t" } }
      next += words.flatMap { places(of: String($0), working) }.filter { !ScriptFile.isFolder($0) }
    }
    return found
  }

  /// Returns possible paths of a word in a script's first line. For 'env' it names a program, perhaps after '-S'.
  private static func places(of word: String, _ working: [String]) -> [String] {
    let word = word.hasPrefix("-S") ? String(word.dropFirst(2)) : word
    if word.utf8.first == UInt8(ascii: "/") { return [Grant.real(word)].compactMap { $0 } }
    let named = word.utf8.contains(UInt8(ascii: "/")) ? nil : ProgramSearch.path(of: word)
    return (working.map { "\($0)/\(word)" } + [named].compactMap { $0 }).compactMap(Grant.real)
  }
}

extension Grant {
  /// Returns the seal of a program that is below a folder, or that a variable names; nil for everything else.
  func seal(below folder: String) -> ProgramSeal? {
    guard capability.kind == .exec else { return nil }
    let words = capability.programVariable.map(ProgramVariable.words)
    let folder = Self.real(folder)
    var files: [String] = []
    if let path = programPath(words), let folder {
      let working = [folder, ScriptFile.folder(of: path), Self.real(".")].compactMap { $0 }
      files = ProgramFile.files(of: path, below: folder, workingIn: working)
    }
    if files.isEmpty, words == nil { return nil }
    return ProgramSeal(files: files.map(ProgramSeal.File.init), folder: folder ?? "", words: words)
  }

  /// Returns the path of the program; nil for a program that is found by its name.
  private func programPath(_ words: [String]?) -> String? {
    path ?? words?.first.flatMap { $0.utf8.first == UInt8(ascii: "/") ? Self.real($0) : nil }
  }

  /// Returns true if the program may run in a folder: it isn't sealed, or it and its interpreters haven't changed.
  func isWhole(workingIn folder: String?) -> Bool {
    guard let seal else { return true }
    let words = capability.programVariable.map(ProgramVariable.words)
    guard words == seal.words, let working = folder ?? Self.real(".") else { return false }
    guard let path = programPath(words), !seal.folder.isEmpty else { return words != nil }
    return ProgramFile.files(of: path, below: seal.folder, workingIn: [working]).allSatisfy { file in
      seal.files.contains { $0.path.hasSameBytes(as: file) && $0.isSame }
    }
  }
}

extension ProgramSeal.File {
  /// The most bytes of a program that are read for a digest.
  private static let limit = 16 << 20
  /// The seconds within which two writes may leave a file with the same times.
  private static let tick = 2

  fileprivate init(path: String) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let stamp = Self.stamp(of: path)
    self.path = path
    self.stamp = stamp.flatMap { now.tv_sec - $0.changed.seconds > Self.tick ? $0 : nil }
    digest = Self.digest(of: path, stamp)
  }

  fileprivate var isSame: Bool {
    let now = Self.stamp(of: path)
    return stamp != nil && now == stamp || Self.digest(of: path, now) == digest
  }

  /// Returns a digest of its bytes. For a long or unreadable file it is the change time, which nobody can set.
  private static func digest(of path: String, _ stamp: ProgramSeal.Stamp?) -> String {
    if let bytes = OpenedFile(path)?.read(most: limit), bytes.count <= limit { return Digest.of(bytes) }
    guard let stamp else { return "nothing" }
    return "\(stamp.inode) \(stamp.size) \(stamp.changed.seconds) \(stamp.changed.nanoseconds)"
  }

  private static func stamp(of path: String) -> ProgramSeal.Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return ProgramSeal.Stamp(
      device: status.st_dev, inode: status.st_ino, size: status.st_size, written: .init(status.st_mtim),
      changed: .init(status.st_ctim))
  }
}

extension ProgramSeal.Moment {
  fileprivate init(_ time: timespec) { self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec) }
}

/// Finds programs by their names.
enum ProgramSearch {
  /// Returns the path of a program; nil if there is none of that name, with the reason in errno.
  ///
  /// Folders in PATH that depend on the working folder are skipped. Otherwise a script could put a program of the
  /// granted name into its folder and run it.
  static func path(of name: String, in folders: String? = nil) -> String? {
    let folders = folders ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    var reason = ENOENT
    for folder in folders.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0, !ScriptFile.isFolder(path) { return path }
      if errno == EACCES { reason = EACCES }
    }
    errno = reason
    return nil
  }
}

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
