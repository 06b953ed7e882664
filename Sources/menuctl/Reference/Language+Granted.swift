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
          ("arguments?", "string[]", "what it is given"), ("options?", "ProgramOptions", "how it is run"),
        ],
        returns: [
          ("ProgramResult?", "how it ended, and what it wrote"), ("string?", "what the system refused"),
        ], "Runs a program and waits for it as 'sleep' does. Capability 'exec=PROGRAM'.",
        """
        function app.on:echo(ctx)
          return exec("echo", { ctx.text }, { line = function(text) progress(0.5, text) end }).out
        end

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
      .call(
        "notify", [("title", "string", "what happened, in few words"), ("text?", "string", "more of it")],
        returns: [("boolean?", "whether it is shown"), ("string?", "what the system refused")],
        "Shows a notification, by the system's 'notify-send'. Capability 'notify'.",
        """
        function app.on:export(ctx) return notify("Exported", "3 photos") end

        print(app:perform("export").result)  --> true
        """),
    ])

  static let programOptions = LanguageGroup(
    title: "Options of a program", type: "ProgramOptions", receiver: .object("options"),
    says: "The last table for 'exec'.",
    entries: [
      .value("input", "string?", "What it reads; nothing where left out."),
      .value("folder", "string?", "The folder in which it works, from the script's own; else that of the tool."),
      .value(
        "line", "(fun(text: string, isError: boolean))?",
        "Called with each line as it comes, inside of the action: it may set fields and report progress, not wait."),
      .value(
        "terminal", "boolean?",
        "Whether it has the terminal meanwhile, as an editor or a pager needs; nil and a message where there is none.",
        """
        function app.on:edit() return (select(2, exec("echo", {}, { terminal = true }))) end

        print(app:perform("edit").result)  --> there is no terminal that 'echo' could have
        """),
    ])

  static let programResult = LanguageGroup(
    title: "What a program comes to", type: "ProgramResult", receiver: .object("result"), says: "What 'exec' gives.",
    entries: [
      .value(
        "status", "integer", "0 where it did what it was to do; 128 and more where a signal ended it.",
        """
        function app.on:greet() return exec("echo", { "hello" }).status end

        print(app:perform("greet").result)  --> 0
        """),
      .value(
        "out", "string", "What it wrote to its output; with 'line' the end of it, where that is more than 512 KiB."),
      .value("err", "string", "What it wrote of errors."),
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
        "Writes a whole file, which is never seen half-written; where a link is, the file that it names. Capability 'fs.write'.",
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

  static let json = LanguageGroup(
    title: "JSON", receiver: .library("json"),
    says: "What files hold and programs say, as values; this needs no capability.",
    entries: [
      .call(
        "read", [("text", "string", "one value, and nothing behind it")],
        returns: [
          ("any", "the value; 'null' where it is null"), ("string?", "what is wrong with the text, and where"),
        ],
        "Reads JSON: objects and lists become tables.", errors: "gives nil and a message for what is not JSON",
        """
        print(json.read('{"name": "pier", "sizes": [640, 0.5]}').sizes[2])  --> 0.5

        print(json.read("[1, ]"))  --> nil  line 1, column 5: a value can't begin so
        """),
      .call(
        "write", [("value", "any", "plain data: lists, tables by names, strings, numbers, booleans, 'null'")],
        returns: [("string", "on one line; names in their order")], "Writes JSON; an empty table is an object.",
        errors: "raises for what JSON can't say, and names where it stands",
        """
        print(json.write { sizes = { 640, 0.5 }, name = "pier" })  --> {"name": "pier", "sizes": [640, 0.5]}
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
