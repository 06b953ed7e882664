extension LanguageReference {
  static let tests = LanguageGroup(
    title: "Tests", receiver: .none,
    says: "The words of files named '*_test.lua', which 'menuctl test' runs.",
    entries: [
      LanguageEntry(
        name: "test",
        shape: .call([("name", "string", "what is so"), ("fn", "fun(app: App)", "what shows it")], returns: []),
        says: "Registers a test, which has a host and an interpreter of its own.",
        errors: "raises for a name that is taken",
        example: .tests(
          """
          function app.on:greet(ctx) return "Hello, " .. ctx.name end

          test("it greets", function(app)
            expect(app:perform("greet(name: Ada)").result):is("Hello, Ada")
          end)
          """,
          shows: """
            example_test.lua
              ✓ it greets

            1 passed
            """)),
      LanguageEntry(
        name: "subject",
        shape: .call(
          [
            (
              "path", "string",
              "a file beside this one, or a folder with app.lua; with '..', one below the folder in which the tests are run"
            ),
            ("options?", "SubjectOptions", "what else is loaded"),
          ], returns: []),
        says: "Loads the script that is tested, for each test anew.", errors: "raises where it does not load",
        example: .file(
          """
          subject "photos.lua"

          test("nothing is selected at first", function(app)
            expect(app:context().photo):is_nil()
          end)
          """)),
      LanguageEntry(
        name: "describe",
        shape: .call([("name", "string", "of the group"), ("fn", "fun()", "what registers its tests")], returns: []),
        says: "Groups tests: its name stands before theirs.",
        example: .tests(
          """
          describe("a list", function()
            test("is empty at first", function() expect(#{}):is(0) end)
          end)
          """,
          shows: """
            example_test.lua
              ✓ a list / is empty at first

            1 passed
            """)),
      LanguageEntry(
        name: "before_each", shape: .call([("fn", "fun(app: App)", "what comes first")], returns: []),
        says: "Runs before each test of its group, or of the file.",
        example: .tests(
          """
          before_each(function(app) app:enter("active") end)

          test("it is active", function(app) expect(app.phase):is("active") end)
          """,
          shows: """
            example_test.lua
              ✓ it is active

            1 passed
            """)),
      LanguageEntry(
        name: "skip", shape: .call([("reason", "string", "why")], returns: []),
        says: "Ends a test as skipped; outside of one, skips the tests that its group registers after it.",
        example: .tests(
          """
          test("it prints", function()
            skip("there is no printer")
          end)
          """,
          shows: """
            example_test.lua
              - it prints  skipped: there is no printer

            0 passed, 1 skipped
            """)),
      .call(
        "expect", [("v", "any", "a value")], returns: [("Expectation", "what is expected of it is said with")],
        "Begins to say what is expected of a value; in a test only.",
        """
        expect(2 + 2):is(4)
        """),
    ])

  static let expectation = LanguageGroup(
    title: "Expectations", type: "Expectation", receiver: .object("expect(v)"),
    says: "What can be expected of a value. The first that doesn't hold ends the test.",
    entries: [
      .call(
        "is", [("x", "any", "the other")], "Both are the same, tables with everything in them.",
        """
        expect({ 1, { a = true } }):is({ 1, { a = true } })
        """),
      .call(
        "isnt", [("x", "any", "the other")], "They are not the same.",
        """
        expect("a"):isnt("b")
        """),
      .call(
        "is_true", "It is true, and nothing else.",
        """
        expect(1 < 2):is_true()
        """),
      .call(
        "is_false", "It is false, and nothing else.",
        """
        expect(2 < 1):is_false()
        """),
      .call(
        "is_nil", "It is nil.",
        """
        expect(app:find("nobody")):is_nil()
        """),
      .call(
        "contains", [("x", "any", "a part")], "A string has it in it, or a table has such a value.",
        """
        expect("harbour"):contains("arb")
        expect({ "a", "b" }):contains("b")
        """),
      .call(
        "matches", [("pattern", "string", "a pattern of Lua's")], "A string matches.",
        """
        expect("photo 12"):matches("%d+$")
        """),
      .call(
        "raises", [("pattern?", "string", "what its message matches")], "A function raises.",
        """
        expect(function() error("no film") end):raises("film")
        """),
      .call(
        "is_near", [("x", "number", "the other"), ("tolerance", "number", "how far at most")],
        "A number is near another.",
        """
        expect(0.1 + 0.2):is_near(0.3, 1e-9)
        """),
    ])

  static let subject = LanguageGroup(
    title: "Options of subject", type: "SubjectOptions", receiver: .object("options"),
    says: "The second table for 'subject'.",
    entries: [
      LanguageEntry(
        name: "plugins", shape: .value("string[]?"), says: "Plugins that are loaded with the subject, by path or name.",
        example: .file(
          """
          subject("photos.lua", { plugins = { "plugins/exporter" } })

          test("the plugin is there", function(app)
            expect(app:plugins()[1].name):is("exporter")
          end)
          """)),
      LanguageEntry(
        name: "stand_ins", shape: .value("table<string, function>?"),
        says: """
          Functions that stand in for what is granted, by their names: 'exec', 'open', 'notify', 'env', 'clipboard.get', 'fs.read' and the like; 'os.time', \
          'os.date' and 'os.clock' too, and 'math.randomseed', which gives the number that 'math.random' begins with. Nobody is asked for grants then.
          """,
        example: .file(
          """
          local told = {}
          subject("photos.lua", { stand_ins = { notify = function(title) told[#told + 1] = title return true end } })

          test("an export tells of itself", function(app)
            function app.on:export() return notify("Exported") end

            app:perform("export")
            expect(told):is({ "Exported" })
          end)
          """)),
    ])
}
