// swift-tools-version:6.1
import PackageDescription

/// A program that libFuzzer drives; what must hold stands in the tests, which ask it too.
func fuzzing(_ name: String, of modules: Target.Dependency...) -> Target {
  .executableTarget(name: "fuzz-\(name)", dependencies: modules, swiftSettings: [.unsafeFlags(["-parse-as-library"])])
}

// The product's own sources, by links: the tool is no library elsewhere, and all of them must belong to one package.
let package = Package(
  name: "Fuzz",
  targets: [
    .target(
      name: "CLua", cSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m")]),
    .target(
      name: "CScript", dependencies: ["CLua"], cSettings: [.headerSearchPath("."), .headerSearchPath("../CLua")]),
    .target(name: "ScriptHost", dependencies: ["CLua", "CScript"]),
    .target(name: "CSocket"),
    .target(name: "LiveHost", dependencies: ["ScriptHost", "CSocket"]),
    .target(name: "Terminal", dependencies: ["ScriptHost", "LiveHost"]),
    .target(name: "Assistant", dependencies: ["ScriptHost", "LiveHost"]),
    .target(name: "Language", exclude: ["language.lua", "topics"]),
    .target(
      name: "menuctl", dependencies: ["ScriptHost", "LiveHost", "Assistant", "Terminal", "Language"],
      exclude: ["main.swift"]),
    fuzzing("reference", of: "ScriptHost"),
    fuzzing("keys", of: "ScriptHost"),
    fuzzing("ansi", of: "ScriptHost"),
    fuzzing("menu", of: "ScriptHost"),
    fuzzing("script", of: "ScriptHost"),
    fuzzing("json", of: "LiveHost"),
    fuzzing("recording", of: "menuctl", "LiveHost"),
    fuzzing("protocol", of: "LiveHost", "CSocket"),
    fuzzing("clients", of: "LiveHost", "CSocket"),
    fuzzing("mcp", of: "Assistant", "LiveHost"),
    fuzzing("terminal", of: "Terminal"),
    fuzzing("layout", of: "Terminal"),
    fuzzing("face", of: "Terminal", "LiveHost", "ScriptHost"),
  ],
  swiftLanguageModes: [.v6]
)
