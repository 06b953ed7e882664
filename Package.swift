// swift-tools-version:6.1
import PackageDescription

/// How the tests are compiled, also where what they test is optimized: to optimize them takes longer than they gain.
/// Not those of `Terminal`, which compare millions of cells.
let asWritten: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

let package = Package(
  name: "menuctl",
  products: [
    .library(name: "ScriptHost", targets: ["ScriptHost"]),
    .library(name: "LiveHost", targets: ["LiveHost"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .executable(name: "menuctl", targets: ["menuctl"]),
  ],
  targets: [
    .target(
      name: "CLua",
      cSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m")]),
    .target(
      name: "CScript", dependencies: ["CLua"], cSettings: [.headerSearchPath("."), .headerSearchPath("../CLua")]),
    .target(name: "ScriptHost", dependencies: ["CLua", "CScript"]),
    .target(name: "CSocket"),
    .target(name: "LiveHost", dependencies: ["ScriptHost", "CSocket"]),
    .target(name: "Terminal", dependencies: ["ScriptHost", "LiveHost"]),
    .target(name: "Assistant", dependencies: ["ScriptHost", "LiveHost"]),
    .target(name: "Language", exclude: ["language.lua", "topics"]),
    .executableTarget(name: "menuctl", dependencies: ["ScriptHost", "LiveHost", "Assistant", "Terminal", "Language"]),
    .target(
      name: "CMatchOracle", dependencies: ["CLua"], path: "Tests/CMatchOracle",
      cSettings: [.headerSearchPath("../../Sources/CLua"), .headerSearchPath("../../Sources/CLua/Matcher")]),
    .target(
      name: "CInside", dependencies: ["CLua", "CScript"], path: "Tests/CInside",
      cSettings: [.headerSearchPath("../../Sources/CLua"), .headerSearchPath("../../Sources/CScript")]),
    .target(
      name: "CStockOracle", path: "Tests/CStockOracle",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m")]),
    .target(name: "Expectations", path: "Tests/Expectations"),
    .target(name: "HostileScripts", path: "Tests/HostileScripts"),
    // What the oracle of the chain computes with: optimized, as it does so 120,000 times.
    .target(name: "ChainModel", path: "Tests/ChainModel"),
    .executableTarget(name: "EmbeddingFirst", dependencies: ["ScriptHost"], path: "Tests/EmbeddingFirst"),
    .executableTarget(name: "EmbeddingExample", dependencies: ["ScriptHost"], path: "Tests/EmbeddingExample"),
    .executableTarget(name: "EmbeddingMenus", dependencies: ["ScriptHost"], path: "Tests/EmbeddingMenus"),
    .executableTarget(name: "EmbeddingActions", dependencies: ["ScriptHost"], path: "Tests/EmbeddingActions"),
    .executableTarget(name: "EmbeddingFunctions", dependencies: ["ScriptHost"], path: "Tests/EmbeddingFunctions"),
    .executableTarget(name: "LiveExample", dependencies: ["LiveHost"], path: "Tests/LiveExample"),
    .executableTarget(name: "OwnLoopExample", dependencies: ["LiveHost"], path: "Tests/OwnLoopExample"),
    .testTarget(
      name: "menuctlTests",
      dependencies: [
        "menuctl", "ScriptHost", "LiveHost", "EmbeddingFirst", "EmbeddingExample", "EmbeddingMenus",
        "EmbeddingActions", "EmbeddingFunctions", "LiveExample", "OwnLoopExample", "HostileScripts",
        "Expectations",
      ], swiftSettings: asWritten),
    .testTarget(
      name: "AssistantTests", dependencies: ["Assistant", "LiveHost", "ScriptHost", "Expectations"],
      swiftSettings: asWritten),
    .testTarget(
      name: "LiveHostTests", dependencies: ["LiveHost", "ScriptHost", "CSocket", "Expectations"],
      swiftSettings: asWritten),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "LiveHost", "ScriptHost", "Expectations"]),
    .testTarget(
      name: "ScriptHostTests",
      dependencies: [
        "ScriptHost", "CLua", "CScript", "CInside", "CMatchOracle", "CStockOracle", "HostileScripts", "ChainModel",
        "Expectations",
      ], swiftSettings: asWritten),
  ],
  swiftLanguageModes: [.v6]
)
