/// What the reference tells of and no script of an app finds: a plugin's word. A test expects exactly these to be
/// missing, so the list can only shrink.
let notThereYet: Set<String> = ["plugin"]

/// What is shown by examples that need files, programs or grants; the tests of these have their own.
let needsOutside: Set<String> = [
  "app:load_plugin", "app:unload_plugin", "app:reload_plugin", "require", "exec", "env", "open", "fs.read", "fs.list",
  "fs.stat", "fs.write", "fs.make", "fs.remove", "fs.rename", "clipboard.get", "clipboard.set",
]
