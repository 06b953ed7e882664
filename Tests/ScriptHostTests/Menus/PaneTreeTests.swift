import Expectations
import Testing

@testable import ScriptHost

@Suite("Trees in panes")
struct PaneTreeTests {
  private static let script = """
    local r = responder "r"
    panel { pane "tree" { responder = r, filter = true, marks = true,
      section "top" { items = { "a", "b", "c" }, id = function(v) return v end, row = function(v)
        return menu("dir " .. v) {
          section "in" { items = { v .. "1", v .. "2" }, id = function(w) return w end,
            row = function(w) return menu(w) { item(w .. "x") { "show", id = w .. "x" } } end } } end },
      item "last" { "show", id = "last" } } }
    function r.on:show(ctx) return #ctx.rows end
    """

  private func host(_ script: String = Self.script) throws -> ScriptHost { try ScriptStage(script).host }

  /// The rows of the pane, each with its level, a sign for a branch, and an asterisk for the current row.
  private func rows(of host: ScriptHost) throws -> [String] {
    let pane = try require(host.panel()?.find("tree"))
    expect(pane.area?.rows, is: pane.children.count)
    return pane.children.map { row in
      "\(row.level)\(row.isOpen.map { $0 ? "-" : "+" } ?? " ")\(row.title)\(row.isCurrent ? "*" : "")"
    }
  }

  @Test("P10, P12: A filter finds rows in closed branches, and shows the branches around them")
  func closed() throws {
    let host = try host()
    expect(try rows(of: host).first, is: "0+dir a*")
    try host.filter("tree", by: "b2x")
    expect(try rows(of: host), is: ["0-dir b", "1-b2", "2 b2x*"])
    try host.filter("tree", by: "x")
    expect(try rows(of: host).count, is: 15, "each matches or is around a row that matches")
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a*", "0+dir b", "0+dir c", "0 last"])
  }

  @Test("P10, P12: Without the filter a found row is in its closed branch again, and the branch is current")
  func cleared() throws {
    let host = try host()
    try host.filter("tree", by: "c1x")
    expect(host.choose("tree/c/c1/c1x").status == .handled || host.choose("c1x").status == .handled)
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a", "0+dir b", "0+dir c*", "0 last"])
    // A branch that somebody opens during a filter stays open.
    try host.filter("tree", by: "c1")
    host.pick("tree/c")
    try host.filter("tree", by: "")
    expect(try rows(of: host), is: ["0+dir a", "0+dir b", "0-dir c*", "1+c1", "1+c2", "0 last"])
  }

  @Test("P10: A branch around a found row can be chosen, but isn't current by itself; only rows that match are marked")
  func around() throws {
    let host = try host()
    try host.filter("tree", by: "2x")
    expect(try rows(of: host)[2], is: "2 a2x*")
    try host.mark(host.marked([], .all, in: "tree"), in: "tree")
    expect(host.panel()?.find("tree")?.children.filter(\.isMarked).map(\.title), is: ["a2x", "b2x", "c2x"])
    expect(host.choose("tree/b").status, is: .handled)
    expect(try rows(of: host)[3], is: "0-dir b*")
    try host.filter("tree", by: "2")
    expect(
      try rows(of: host).firstIndex { $0.hasSuffix("*") }, is: 4, "another filter goes to the next row that matches")
  }

  @Test("P9, P10, E3: A branch around found rows that somebody chose stays current over a reload")
  func chosenBranch() throws {
    let host = try host()
    try host.filter("tree", by: "b2x")
    host.choose("tree/b")
    expect(try rows(of: host), is: ["0-dir b*", "1-b2", "2 b2x"])
    try host.reload(text: Self.script + " -- new", name: "app.lua")
    expect(try rows(of: host), is: ["0-dir b*", "1-b2", "2 b2x"])
  }

  @Test("P10: To filter thousands of rows in closed branches calls no function of the app")
  func many() throws {
    let host = try host(
      """
      made = 0
      local branches, names = {}, {}
      for i = 1, 10 do branches[i] = i end
      for i = 1, 200 do names[i] = i end
      panel { pane "tree" { filter = true, section "top" { items = branches, row = function(b)
        return menu("b" .. b) { section "in" { items = names, row = function(n)
          made = made + 1
          return item(b .. "n" .. n) { "show" } end } } end } } }
      """)
    expect(try rows(of: host).count, is: 10)
    try host.filter("tree", by: "7n199")
    expect(try rows(of: host), is: ["0-b7", "1 7n199*"])
    try host.filter("tree", by: "")
    expect(try rows(of: host).count, is: 10)
    expect("\(try host.evaluate("return made"))", is: "[ScriptHost.Value.integer(2000)]")
  }

  @Test("P12: A branch with 'open' begins open; what somebody opens or closes counts from then on, also after a reload")
  func beginsOpen() throws {
    let script = """
      panel { pane "tree" {
        menu "a" { open = true, item "x" { "show" } }, menu "b" { item "y" { "show" } } } }
      menubar { menu "M" { menu "N" { open = true, item "z" { "show" } } } }
      """
    let host = try host(script)
    expect(try rows(of: host), is: ["0-a*", "1 x", "0+b"])
    host.pick("tree/a")
    host.pick("tree/b")
    expect(try rows(of: host), is: ["0+a*", "0-b", "1 y"])
    try host.reload(text: script, name: "app.lua")
    expect(try rows(of: host), is: ["0+a*", "0-b", "1 y"])
    expect(host.menus().find("M/N")?.isOpen, is: nil, "a menu that isn't a row has no such state")
  }

  @Test("P11: A branch has cells; rows of a section without columns share those of the section around")
  func cells() throws {
    let host = try host(
      """
      panel { pane "tree" { section "top" { items = { "a" }, columns = { {}, { align = "right" } }, row = function(v)
        return menu(v) { open = true, cells = { v, 1 },
          item { "show", cells = { "x", 12 } },
          section "in" { items = { "y" }, row = function(w) return item { "show", cells = { w, "3" } } end },
          section "own" { items = { "z" }, columns = { { grow = true } },
            row = function(w) return item { "show", cells = { w } } end } } end } } }
      """)
    let rows = try require(host.panel()?.find("tree")).children
    expect(rows.map { $0.cells?.section }, is: ["top", "top", "top", "tree/a/own"])
    expect(rows[0].cells?.all.map { "\($0.text.text) \($0.column.isRight)" }, is: ["a false", "1 true"])
    expect(rows[2].cells?.all.map { "\($0.text.text) \($0.column.isRight)" }, is: ["y false", "3 true"])
    expect(rows[0].json.contains(#""section": "top", "cells": [{"text": "a"}, {"text": "1", "align": "right"}]"#))
    #expect(throws: LoadError.self) { try self.host(#"panel { pane "p" { menu "m" { cells = 1 } } }"#) }
  }

  @Test("P11: Columns have titles, which each row of the section knows")
  func titles() throws {
    let host = try host(
      """
      panel { pane "tree" { section "s" { items = { 1 }, columns = { { title = "Name" }, {}, { title = "Size" } },
        row = function() return item { "show", cells = { "a" } } end } } }
      """)
    let cells = try require(host.panel()?.find("tree")?.children[0].cells?.all)
    expect(cells.map(\.column.title), is: ["Name", nil, "Size"])
    expect(cells.map(\.text.text), is: ["a", "", ""])
    let json = try require(host.panel()?.find("tree")?.children[0].json)
    expect(json.contains(#"{"text": "a", "title": "Name"}, {"text": ""}, {"text": "", "title": "Size"}"#))
    let read = try MenuElement(read: JSONReader.literal(json.utf8), at: "")
    expect(read.cells?.all, is: cells)
    #expect(throws: LoadError.self) {
      try self.host(#"panel { section "s" { items = {}, row = print, columns = { { title = 1 } } } }"#)
    }
  }
}
