import Expectations
import Testing

@testable import ScriptHost

@Suite("References, written")
struct ReferenceFormatterTests {
  @Test(
    "I8: The canonical spelling quotes only the texts that need quotes",
    arguments: [
      (" save ", "save"), ("save ( )", "save()"), ("a.b(x:1,\"y\":\"z\")", "a.b(x: 1, y: z)"),
      (#"a("true":"true","5":"5",k:null)"#, #"a(true: "true", 5: "5", k: null)"#),
      (
        #"a(k:["null","01","1.","-","+1","1e5","-0","false."])"#, #"a(k: ["null", 01, 1., -, +1, "1e5", "-0", false.])"#
      ),
      (#"a("":"","a b":"a b","x:y":"x,y")"#, #"a("": "", "a b": "a b", "x:y": "x,y")"#),
      (#"a(k:[ ],o:{ },n:[[{x:[1]}]])"#, "a(k: [], o: {}, n: [[{x: [1]}]])"),
      ("a(k:[-0,-0.0,0e9,1.50,1e2,12345678901234567890])", "a(k: [0, -0.0, 0.0, 1.5, 100.0, 1.2345678901234567e+19])"),
      (#"a(k:"\u0041\u00e9\/\"\\\n\u0000\u007f\u2028\ud83d\ude00")"#, #"a(k: "Aé/\"\\\n\u0000\u007F\u2028😀")"#),
      ("a(k:\"\u{301}x\")", "a(k: \"\u{301}x\")"), ("größe(日本:\"हिन्दी\")", "größe(日本: हिन्दी)"),
      (#"a(k:"\u0301")"#, "a(k: \"\u{301}\")"), (##"a(k:"#f00", p:"~/a%20b")"##, "a(k: #f00, p: ~/a%20b)"),
    ])
  func canonical(text: String, expected: String) throws {
    let reference = try Reference.parse(text)
    expect(reference.format(), is: expected)
    try expect(Reference.parse(expected), is: reference)
  }

  @Test("I8: Each ASCII character and some others, alone and in a word, survive as key and as value")
  func everyCharacter() throws {
    let letters = ["é", "e\u{301}", "\u{301}", "日", "٣", "😀"]
    let others = letters + ["\u{A0}", "\u{200D}", "\u{2028}", "\u{85}", "\u{FFFF}", "\u{FEFF}"]
    for character in (0..<128).map({ String(Unicode.Scalar($0)) }) + others {
      for text in [character, "x\(character)y", "1\(character)2", "\(character)5", "-\(character)"] {
        let member = LiteralObject.Member(key: text, value: .text(text))
        let reference = Reference(id: "a", arguments: LiteralObject(distinct: [member]))
        try expect(Reference.parse(reference.format()), is: reference, "\(text.debugDescription)")
      }
    }
  }

  @Test("I8: Every kind of float survives bit by bit")
  func floats() throws {
    var chance = Chance(seed: 8)
    let special: [Double] = [
      0, -0.0, 1, 1e15, 1e16, 1e17, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, .pi, 0.1,
      9_007_199_254_740_992, 123_456_789.125,
    ]
    let drawn = (0..<20_000).map { _ in Double(bitPattern: chance.next()) }.filter(\.isFinite)
    for value in special + drawn {
      let text = Literal.number(value).format()
      try expect(Reference.parse("a(k: \(text))").arguments?["k"], is: .number(value), "\(text)")
    }
  }

  @Test("I8: 100,000 references, in random spellings, are read correctly and survive their canonical spelling")
  func property() throws {
    var generator = ReferenceGenerator(seed: 2026)
    for _ in 0..<100_000 {
      let (reference, text) = generator.next()
      let read = try Reference.parse(text)
      try require(read == reference, "\(text)")
      let canonical = read.format()
      try require(try Reference.parse(canonical) == reference, "\(canonical)")
      try require(try Reference.parse(canonical).format() == canonical)
    }
  }
}
