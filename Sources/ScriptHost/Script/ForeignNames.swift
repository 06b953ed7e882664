/// Names that other programs have for what scripts find here: they are suggested in errors, and not accepted.
enum ForeignNames {
  /// The methods of what the host hands out.
  static let methods = [
    "click": "pick", "choose": "pick", "select": "pick", "type": "press", "key": "press", "send": "perform",
    "run": "perform", "execute": "perform", "call": "perform", "dispatch": "perform", "get": "find",
    "next": "forward", "tick": "advance",
  ]

  /// The functions of the tables among the globals.
  static let functions = [
    "json": [
      "encode": "write", "stringify": "write", "dump": "write", "dumps": "write", "decode": "read", "parse": "read",
      "load": "read", "loads": "read",
    ],
    "fs": [
      "exists": "stat", "size": "stat", "open": "read", "load": "read", "save": "write", "mkdir": "make",
      "delete": "remove", "unlink": "remove", "rm": "remove", "move": "rename", "dir": "list", "ls": "list",
      "readdir": "list",
    ],
    "clipboard": ["read": "get", "paste": "get", "write": "set", "copy": "set"],
  ]

  /// The options of `exec`.
  static let programOptions = [
    "cwd": "folder", "dir": "folder", "directory": "folder", "path": "folder", "stdin": "input", "tty": "terminal",
    "on_line": "line", "stdout": "line",
  ]

  /// What `exec` gives.
  static let programResults = [
    "stdout": "out", "output": "out", "text": "out", "stderr": "err", "error": "err", "code": "status",
    "exitcode": "status", "exit_code": "status",
  ]
}
