import Testing

/// scripts/git with a real git, in repositories that its tests make. Without the grants they skip.
@Suite("The git client changes repositories")
struct GitAppTests {
  @Test("Its tests pass, and none is skipped")
  func tests() throws {
    let run = try Program.menuctl(["test", "scripts/git", "--allow", "exec=git", "--allow", "exec=sh"])
    #expect(run.status == 0 && run.out.contains(" passed") && !run.out.contains("skipped"), "\(run)")
  }
}
