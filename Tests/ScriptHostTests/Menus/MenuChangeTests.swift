import Expectations
import FoundationEssentials
import Testing

@testable import ScriptHost

@Suite("Changes between snapshots")
struct MenuChangeTests {
  /// Random trees over few ids, so that most elements are in both.
  private struct Generator {
    var random: Chance

    mutating func tree() -> MenuElement {
      var ids = (0..<Int.random(in: 0...24, using: &random)).map { "e\($0)" }
      ids.shuffle(using: &random)
      if Bool.random(using: &random) { ids.sort() }
      var root = MenuElement(nothingOf: "root")
      root.children = children(&ids, depth: 0)
      return root
    }

    private mutating func children(_ ids: inout [String], depth: Int) -> [MenuElement] {
      var children: [MenuElement] = []
      while let id = ids.popLast() {
        let isMenu = depth < 4 && Int.random(in: 0..<4, using: &random) == 0
        let titles = ["t", "u"]
        var element = MenuElement(
          id: id, facts: Facts(isMenu ? .menu : .item, title: titles.randomElement(using: &random) ?? ""),
          isEnabled: Bool.random(using: &random), isHidden: false, state: .off)
        if isMenu { element.children = self.children(&ids, depth: depth + 1) }
        children.append(element)
        if depth > 0, Int.random(in: 0..<4, using: &random) == 0 { break }
      }
      return children
    }
  }

  @Test("M5: Applying the changes to the old snapshot gives the new snapshot, for any two snapshots")
  func applying() {
    var generator = Generator(random: Chance(seed: 4711))
    var old = generator.tree()
    for _ in 0..<5000 {
      let new = generator.tree()
      let changes = MenuChanges(from: old, to: new)
      expect(old.applying(changes.all), is: new)
      expect(MenuChanges(from: new, to: new).isEmpty)
      // No element is inserted, removed or moved twice.
      let placed = changes.declared.filter { $0.name != "update" }.map(\.id)
      expect(Set(placed).count, is: placed.count)
      old = new
    }
  }

  @Test("M6: Of the siblings that stay, as few as possible move, and none is inserted again")
  func fewest() {
    func tree(_ ids: [Int]) -> MenuElement {
      var root = MenuElement(nothingOf: "root")
      root.children = ids.map {
        MenuElement(id: "\($0)", facts: Facts(.item), isEnabled: true, isHidden: false, state: .off)
      }
      return root
    }
    var random = Chance(seed: 42)
    for _ in 0..<500 {
      let ids = Array(0..<Int.random(in: 0...9, using: &random))
      let shuffled = ids.shuffled(using: &random)
      let changes = MenuChanges(from: tree(ids), to: tree(shuffled)).all
      expect(changes.allSatisfy { $0.name == "move" })
      expect(changes.count, is: shuffled.count - longest(shuffled))
    }
    let all = Array(0..<10_000)
    let turned = MenuChanges(from: tree(all), to: tree([9999] + all.dropLast())).all
    expect(turned, is: [.move(id: "9999", parent: "root", after: nil)])
    expect(MenuChanges(from: tree(all), to: tree(all.reversed())).all.count, is: 9999)
  }

  /// The length of a longest increasing subsequence, found by trying all.
  private func longest(_ numbers: [Int]) -> Int {
    (0..<(1 << numbers.count)).reduce(0) { best, mask in
      let chosen = numbers.indices.filter { mask & (1 << $0) != 0 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy(<) ? max(best, chosen.count) : best
    }
  }

  @Test("M6: An element that goes into another menu, even a new menu, moves with all its children")
  func acrossMenus() {
    func element(_ id: String, _ children: [MenuElement] = []) -> MenuElement {
      var element = MenuElement(id: id, facts: Facts(.menu), isEnabled: true, isHidden: false, state: .off)
      element.children = children
      return element
    }
    let old = element("root", [element("a", [element("x"), element("y")]), element("b")])
    let new = element("root", [element("c", [element("b", [element("y")]), element("d")])])
    let changes = MenuChanges(from: old, to: new).all
    expect(
      changes.map { "\($0.name) \($0.id)" }, is: ["insert c", "move b", "move y", "remove a"])
    expect(old.applying(changes), is: new)
  }

  @Test("M5: Each fact that a pass sets on an element makes a change, even if nothing else differs")
  func everything() {
    let before = MenuElement(id: "a", facts: Facts(.item), isEnabled: true, isHidden: false, state: .off)
    let ways: [(String, (inout MenuElement) -> Void)] = [
      ("enabled", { $0.isEnabled = false }), ("hidden", { $0.isHidden = true }), ("state", { $0.state = .on }),
      ("reason", { $0.reason = "no" }), ("by", { $0.by = "r" }), ("blocked", { $0.isBlocked = true }),
      ("elsewhere", { $0.elsewhere = "r" }), ("asks", { $0.asks = true }), ("mark", { $0.mark = .radio }),
      ("current", { $0.isCurrent = true }), ("marked", { $0.isMarked = true }),
      ("area", { $0.extras = MenuElement.Extras(look: Look(), alternates: [], area: MenuElement.Area()) }),
    ]
    for (name, change) in ways {
      var after = before
      change(&after)
      var (old, new) = (MenuElement(nothingOf: "root"), MenuElement(nothingOf: "root"))
      (old.children, new.children) = ([before], [after])
      expect(MenuChanges(from: old, to: new).all.map(\.id), is: ["a"], "\(name)")
    }
  }

  @Test("M5: A snapshot and its changes survive JSON, except for the ids of labels and separators")
  func coding() throws {
    let stage = try ScriptStage(
      """
      menubar { menu "A" { item "T" { "x(a: 1)", key = "k", subtitle = "s", icon = "i", state = true, keeps_open = true, confirm = "c",
        alternates = { alt = item "O" { "x" } } }, separator, label "L", menu "B" { item "u" { "y" }, item "v" { "z" } } } }
      function app.on:x() end
      local other = responder "other"
      function other.on:z() end
      """)
    let menus = stage.host.menus()
    let read = try JSONDecoder().decode(MenuElement.self, from: try JSONEncoder().encode(menus))
    expect(read.drawn, is: menus.drawn)
    expect(read.find("A/T")?.arguments, is: menus.find("A/T")?.arguments)
    expect(read.find("A/B/v")?.elsewhere, is: "other", "\(read)")
    expect(read.find("A/O")?.action == "x" && read.find("A/T")?.confirm == "c")
    let changes =
      stage.host.changes() + [
        .move(id: "a", parent: "b", after: nil), .remove(id: "c"), .update(menus.children[0].children[0]),
      ]
    try expect(
      JSONDecoder().decode([MenuChange].self, from: try JSONEncoder().encode(changes)).map(\.id), is: changes.map(\.id))
  }
}
