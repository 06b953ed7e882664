import CStockOracle
import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// Runs one case and shows all results, or the error. The same text runs in the sandbox and in stock Lua.
private let runner = #"""
  local text = ...
  local function show(value)
    if type(value) == "string" then return string.format("%q", value) end
    if math.type(value) == "float" then return string.format("%.17g", value) .. "f" end
    if type(value) ~= "table" then return tostring(value) end
    local parts = {}
    for i = 1, #value do parts[i] = show(value[i]) end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  local chunk, message = load(text, "=case")
  if not chunk then return "syntax: " .. message end
  local results = table.pack(pcall(chunk))
  if not results[1] then return "error: " .. (type(results[2]) == "string" and results[2] or show(results[2])) end
  for i = 2, results.n do results[i - 1] = show(results[i]) end
  return table.concat(results, ", ", 1, results.n - 1)
  """#

private func inStock(_ text: some StringProtocol) -> String {
  guard let result = stock_run(runner, String(text)) else { return "no memory" }
  defer { free(result) }
  return String(
    decoding: UnsafeBufferPointer(start: result, count: strlen(result)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func inSandbox(_ text: some StringProtocol) throws -> String {
  let lua = try LuaState()
  switch try lua.run(runner, .text(String(text)), name: "runner").first {
  case .text(let result): return result
  case .bytes(let result): return String(decoding: result, as: UTF8.self)
  default: return "no string"
  }
}

@Suite("The sandbox behaves like Lua where it keeps Lua")
struct StockTests {
  @Test("A chunk has the same results and the same errors as in stock Lua", arguments: StockCases.all)
  func agrees(group: StockCases.Group) throws {
    for text in group.chunks {
      let stock = inStock(text)
      let sandbox = try inSandbox(text)
      expect(sandbox, is: stock, "\(text)")
    }
  }

  @Test("There are at least 500 chunks to compare")
  func areMany() {
    expect(StockCases.all.map(\.chunks.count).reduce(0, +) >= 500)
  }

  @Test("Each difference of the sandbox has a reason", arguments: StockDifferences.all)
  func differs(difference: StockDifferences.Difference) throws {
    try expect(inSandbox(difference.chunk), is: difference.sandbox, "\(difference.reason)")
    expect(
      inStock(difference.chunk) != difference.sandbox, "no difference any more: move it to the table of what agrees")
  }
}
