import Expectations
import Testing

@testable import ScriptHost

@Suite("Sources")
struct LuaSourceTests {
  @Test(
    "Sources from editors are valid scripts",
    arguments: [
      "return 7", "\u{FEFF}return 7", "#!/usr/bin/env menuctl\nreturn 7", "\u{FEFF}#!/usr/bin/lua\r\nreturn 7",
      "return 7\n", "\r\nreturn\r\n7\r\n",
      "#!/bin/sh\n\nreturn 7",
    ])
  func accepted(text: String) throws {
    try withLua { lua in
      try expect(lua.run(text).shown, is: "7")
    }
  }

  @Test(
    "Only a first line for the shell is skipped",
    arguments: ["# comment\nreturn 7", " #!x\nreturn 7", "\n#!x\nreturn 7"])
  func refused(text: String) throws {
    try withLua { lua in
      try expect(lua.error(of: text).kind, is: .syntax)
    }
  }

  @Test("Lines keep their numbers after a first line for the shell, and are shown without their ends")
  func numbers() throws {
    try withLua { lua in
      let error = try lua.error(of: "\u{FEFF}#!/usr/bin/env menuctl\r\n\r\nerror('x')\r\n")
      expect(error.place, is: LuaError.Place(source: "test.lua", line: 3, column: nil, text: "error('x')"))
    }
  }

  static let lines: [(text: String, number: Int, line: String?)] = [
    ("a\nb", 1, "a"), ("a\nb", 2, "b"), ("a\nb\n", 2, "b"), ("a\nb\n", 3, ""), ("a\nb", 3, nil), ("a\nb", 0, nil),
    ("a\nb", -1, nil),
    ("", 1, ""), ("", 2, nil), ("\n\n", 2, ""), ("a\r\nb\r\n", 1, "a"), ("a\r\nb\r", 2, "b"), ("ä\nö", 2, "ö"),
    ("a", .max, nil),
  ]

  @Test("A line is found by its number")
  func line() {
    for (text, number, line) in Self.lines {
      expect(LuaSource(Array(text.utf8)).line(number), is: line, "\(text.debugDescription), \(number)")
    }
  }
}
