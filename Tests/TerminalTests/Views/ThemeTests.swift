import Testing

@testable import Terminal

@Suite("Themes") struct ThemeTests {
  @Test("X2: The colours are the terminal's own unless a theme is asked for; each has as many as the terminal has")
  func colours() throws {
    func colours(_ theme: Theme) -> [Color] {
      [theme.reason, theme.subtitle, theme.key, theme.destructive, theme.disabled].map(\.ink)
    }
    #expect(colours(Theme()) == colours(try #require(Theme(named: "terminal"))))
    #expect(colours(Theme()).allSatisfy { if case .rgb = $0 { false } else { true } })
    for name in ["dark", "light"] {
      let theme = try #require(Theme(named: name))
      #expect(colours(theme).allSatisfy { if case .rgb = $0 { true } else { false } }, "\(name)")
      #expect(colours(theme).allSatisfy { if case .own = $0.reduced(to: .sixteen) { true } else { false } })
      #expect(theme.current == Theme().current, "what is current is told by no colour")
    }
    #expect(Theme(named: "solarized") == nil && Theme.names.allSatisfy { Theme(named: $0) != nil })
  }
}
