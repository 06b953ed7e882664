extension LanguageReference {
  static let granted = LanguageGroup(
    title: "With a capability", receiver: .none,
    says: """
      What a script may do outside of the host, once it is granted with '--allow' or by the user's consent. Without, these raise and \
      name the capability.
      """,
    entries: [
      .call(
        "require", [("module", "string", "its name, as \"lib.words\" for lib/words.lua")],
        returns: [("any", "what the file returns")],
        "Runs a Lua file below the script's own folder, once; this needs no capability.",
        """
        local words = require "lib.words"

        print(words.greeting)  --> hello
        """),
      .call(
        "exec",
        [
          ("program", "string", "its name, or its path from the script's own folder"),
          ("arguments?", "string[]", "what it is given"),
        ],
        returns: [
          ("table?", "its 'status', and what it wrote: 'out' and 'err'"), ("string?", "what the system refused"),
        ], "Runs a program and waits for it as 'sleep' does. Capability 'exec=PROGRAM'.",
        """
        function app.on:echo(ctx) return exec("echo", { ctx.text }).out end

        print(app:perform("echo(text: hello)").result)  --> hello
        """),
      .call(
        "env", [("name", "string", "of the variable")], returns: [("string?", "its value")],
        "Reads a variable of the environment. Capability 'env=NAME'.",
        """
        print(env("LANG"))  --> C.UTF-8
        """),
      .call(
        "open", [("url", "string", "what to open")],
        returns: [("boolean?", "whether it was opened"), ("string?", "what the system refused")],
        "Opens a URL with the user's program for it. Capability 'open'.",
        """
        function app.on:visit(ctx) return open("https://example.org") end

        print(app:perform("visit").result)  --> true
        """),
    ])

  static let files = LanguageGroup(
    title: "Files", receiver: .library("fs"),
    says: """
      Files below the folder that was granted: capability 'fs.read=PATH', 'fs.write=PATH'; without PATH the script's own folder. What \
      the system refuses is nil and a message.
      """,
    entries: [
      .call(
        "read", [("path", "string", "which")], returns: [("string?", "all of it"), ("string?", "what was refused")],
        "Reads a file. Capability 'fs.read'.",
        """
        print(fs.read("notes.txt"))  --> buy film
        """),
      .call(
        "list", [("path", "string", "a folder")],
        returns: [("string[]?", "the names in it, in order"), ("string?", "what was refused")],
        "Lists a folder. Capability 'fs.read'.",
        """
        for _, name in ipairs(fs.list("photos")) do print(name) end
        --> harbour.jpg
        --> pier.jpg
        """),
      .call(
        "stat", [("path", "string", "which")],
        returns: [("table?", "its 'kind', 'size' and when it was 'modified'"), ("string?", "what was refused")],
        "Tells of a file or folder. Capability 'fs.read'.",
        """
        print(fs.stat("notes.txt").kind, fs.stat("notes.txt").size)  --> file  9
        """),
      .call(
        "write", [("path", "string", "which"), ("text", "string", "what it is to hold")],
        returns: [("boolean?", "whether it was written"), ("string?", "what was refused")],
        "Writes a whole file, which is never seen half-written. Capability 'fs.write'.",
        """
        print(fs.write("notes.txt", "buy film\\n"))  --> true
        """),
      .call(
        "make", [("path", "string", "of the folder")],
        returns: [("boolean?", "whether it was made"), ("string?", "what was refused")],
        "Makes a folder. Capability 'fs.write'.",
        """
        print(fs.make("exports"))  --> true
        """),
      .call(
        "remove", [("path", "string", "which")],
        returns: [("boolean?", "whether it was removed"), ("string?", "what was refused")],
        "Removes a file or an empty folder. Capability 'fs.write'.",
        """
        print(fs.remove("notes.txt"))  --> true
        """),
      .call(
        "rename", [("from", "string", "which"), ("to", "string", "what it is to be called")],
        returns: [("boolean?", "whether it was renamed"), ("string?", "what was refused")],
        "Renames or moves a file or folder. Capability 'fs.write'.",
        """
        print(fs.rename("notes.txt", "old.txt"))  --> true
        """),
    ])

  static let clipboard = LanguageGroup(
    title: "The clipboard", receiver: .library("clipboard"), says: "Capability 'clipboard'.",
    entries: [
      .call(
        "get", returns: [("string?", "its text"), ("string?", "what was refused")], "Reads the clipboard.",
        """
        clipboard.set("harbour")

        print(clipboard.get())  --> harbour
        """),
      .call(
        "set", [("text", "string", "what it is to hold")],
        returns: [("boolean?", "whether it does"), ("string?", "what was refused")], "Writes to the clipboard.",
        """
        print(clipboard.set("harbour"))  --> true
        """),
    ])

  static let plugin = LanguageGroup(
    title: "Plugins", receiver: .none, says: "What makes a script a plugin.",
    entries: [
      LanguageEntry(
        name: "plugin", shape: .call([("manifest", "Manifest", "who it is and what it needs")], returns: []),
        says: "Says that this script is a plugin; its first statement.",
        example: .file(
          """
          plugin { name = "exporter", version = "1.2.0", requires = { photos = ">=1" }, allow = { "fs.read" } }
          """))
    ])

  static let pluginManifest = LanguageGroup(
    title: "Manifests", type: "Manifest", receiver: .object("manifest"), says: "The table for 'plugin'.",
    entries: [
      LanguageEntry(
        name: "name", shape: .value("string"), says: "What it is called, by 'unload_plugin' and by what requires it.",
        example: .file(
          """
          plugin { name = "stars", version = "1.0.0", requires = { menuctl = ">=0.1" } }
          """)),
      .value("version", "string", "Its version, as in \"1.2.0\"."),
      .value("summary", "string?", "What it does, in a sentence."),
      .value(
        "requires", "table<string, string>?",
        "Plugins, 'menuctl' or the 'app.name' of the app, each with the versions that will do."),
      .value("allow", "string[]?", "The capabilities that it asks the user for."),
    ])
}
