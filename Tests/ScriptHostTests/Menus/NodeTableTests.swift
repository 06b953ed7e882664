import Testing

@testable import ScriptHost

@Suite("The table of a tree's nodes")
struct NodeTableTests {
  @Test("It finds what a dictionary finds, whatever comes and goes", arguments: 1...20)
  func dictionary(seed: UInt64) {
    var random = Chance(seed: seed)
    var table = NodeTable()
    var known: [ByteText: MenuNode] = [:]
    for step in 0..<3000 {
      let id =
        ["", "root", "é", "e\u{301}", "n\(Int.random(in: 0..<400, using: &random))"].randomElement(using: &random) ?? ""
      let wide = Int.random(in: 0..<10, using: &random) < 8 ? "n\(Int.random(in: 0..<400, using: &random))" : id
      let node = MenuNode(Element(Facts(.label)))
      node.id = wide
      if Bool.random(using: &random) || step < 200 {
        let other = table.insert(node)
        #expect(other === known[ByteText(wide)])
        if other == nil { known[ByteText(wide)] = node }
      } else if let other = known.removeValue(forKey: ByteText(wide)) {
        table.remove(node)
        #expect(table[wide] === other)
        table.remove(other)
      } else {
        table.remove(node)
      }
      #expect(table[wide] === known[ByteText(wide)])
    }
    #expect(table.all.count == known.count)
    for (id, node) in known { #expect(table[id.text] === node) }
  }
}
