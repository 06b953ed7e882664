import Expectations
import Testing

@Test("A wrong call is 64, with a suggestion", arguments: usages)
func usage(_ toolCase: ToolCase) throws { try toolCase.check() }

@Test(
  "Without arguments the tool prints the overview, with 64, since it did nothing"
)
func overview() throws {
  let help = try Program.menuctl(["help"])
  expect(help.out.contains("usage: menuctl VERB APP") && help.out.contains("\n  load APP "))
  try expect(Program.menuctl([]), is: Run(status: 64, out: help.out, err: ""))
}

private let usages: [ToolCase] = [
  ToolCase(
    name: "an unknown verb", words: ["laod", "Tests/Apps/photos.lua"],
    status: 64,
    err: """
      menuctl: error: there is no verb 'laod'; did you mean 'load'?
      'menuctl help' lists the verbs

      """),
  ToolCase(
    name: "a verb like no other", words: ["frobnicate"],
    status: 64,
    err: """
      menuctl: error: there is no verb 'frobnicate'
      'menuctl help' lists the verbs

      """),
  ToolCase(
    name: "an app instead of a verb", words: ["scripts/photos"],
    status: 64,
    err: """
      menuctl: error: there is no verb 'scripts/photos'
      to load it: menuctl load scripts/photos

      """),
  ToolCase(
    name: "an unknown option instead of a verb", words: ["--versoin"],
    status: 64,
    err: """
      menuctl: error: there is no option '--versoin'; did you mean '--version'?
      'menuctl help' lists the verbs

      """),
  ToolCase(
    name: "an unknown option", words: ["load", "Tests/Apps/photos.lua", "--perfrom", "x"],
    status: 64,
    err: """
      menuctl: error: 'load' has no option '--perfrom'; did you mean '--perform'?
      usage: menuctl load APP [OPTIONS]

      """),
  ToolCase(
    name: "an option of another verb", words: ["chain", "Tests/Apps/photos.lua", "--perform", "x"],
    status: 64,
    err: """
      menuctl: error: 'chain' has no option '--perform'
      usage: menuctl chain APP [REF|ID] [OPTIONS]

      """),
  ToolCase(
    name: "an option without its value", words: ["load", "Tests/Apps/photos.lua", "--perform"],
    status: 64,
    err: """
      menuctl: error: '--perform' needs a value: --perform REF
      usage: menuctl load APP [OPTIONS]

      """),
  ToolCase(
    name: "an option with a value that takes none",
    words: ["perform", "Tests/Apps/photos.lua", "rate", "--skip-validation=yes"],
    status: 64,
    err: """
      menuctl: error: '--skip-validation' takes no value
      usage: menuctl perform APP REF [OPTIONS]

      """),
  ToolCase(
    name: "no APP", words: ["load"],
    status: 64,
    err: """
      menuctl: error: APP is missing
      usage: menuctl load APP [OPTIONS]

      """),
  ToolCase(
    name: "no REF", words: ["perform", "Tests/Apps/photos.lua"],
    status: 64,
    err: """
      menuctl: error: REF is missing
      usage: menuctl perform APP REF [OPTIONS]

      """),
  ToolCase(
    name: "too much", words: ["why", "Tests/Apps/photos.lua", "a", "b"],
    status: 64,
    err: """
      menuctl: error: 'b' is one argument too many
      usage: menuctl why APP REF|ID|KEY [OPTIONS]

      """),
  ToolCase(
    name: "a malformed reference", words: ["validate", "Tests/Apps/photos.lua", "rate", "rate(rating: 5"],
    status: 64,
    err: """
      reference:1:15: error: expected ',' or ')' but the reference ends
        rate(rating: 5
                      ^

      """),
  ToolCase(
    name: "a malformed reference to perform first", words: ["load", "Tests/Apps/photos.lua", "--perform", "5"],
    status: 64,
    err: """
      reference:1:1: error: a name can't begin with a digit
        5
        ^

      """),
  ToolCase(
    name: "an unknown log level", words: ["load", "Tests/Apps/photos.lua", "--log", "warm"],
    status: 64,
    err: """
      menuctl: error: '--log' can't be 'warm'; did you mean 'warn'?
      debug, info, warn or error

      """),
  ToolCase(
    name: "help of an unknown verb", words: ["help", "lod"],
    status: 64,
    err: """
      menuctl: error: there is no verb, topic, code or name 'lod'; did you mean 'load'?
      'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language

      """),
  ToolCase(
    name: "no such file", words: ["load", "scripts/nosuch.lua"],
    status: 66,
    err: """
      menuctl: error: can't read 'scripts/nosuch.lua': No such file or directory

      """),
  ToolCase(
    name: "a folder without app.lua", words: ["load", "scripts"],
    status: 66,
    err: """
      menuctl: error: the folder 'scripts' has no app.lua

      """),
  ToolCase(
    name: "a folder with a plugin", words: ["load", "scripts/plugins/lock"],
    status: 66,
    err: """
      menuctl: error: the folder 'scripts/plugins/lock' has no app.lua
      it is a plugin, and is loaded with its app: menuctl load APP --plugin scripts/plugins/lock

      """),
  ToolCase(
    name: "a plugin that is not there", words: ["load", "scripts/photos", "--plugin", "nosuch"],
    status: 66,
    err: """
      menuctl: error: can't read 'nosuch': No such file or directory

      """),
  ToolCase(
    name: "a file below a file", words: ["load", "README.md/x"],
    status: 66,
    err: """
      menuctl: error: can't read 'README.md/x': Not a directory

      """),
  ToolCase(
    name: "an operand after --", words: ["load", "--", "-x.lua"],
    status: 66,
    err: """
      menuctl: error: can't read '-x.lua': No such file or directory

      """),
]
