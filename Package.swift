// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "menuctl",
  products: [
    .library(name: "ScriptHost", targets: ["ScriptHost"]),
    .executable(name: "menuctl", targets: ["menuctl"]),
  ],
  targets: [
    .target(
      name: "CLua",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m")]),
    .target(name: "ScriptHost", dependencies: ["CLua"]),
    .executableTarget(name: "menuctl", dependencies: ["ScriptHost"]),
    .target(
      name: "CMatchOracle", dependencies: ["CLua"], path: "Tests/CMatchOracle",
      cSettings: [.headerSearchPath("../../Sources/CLua")]),
    .target(
      name: "CStockOracle", path: "Tests/CStockOracle",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m")]),
    .executableTarget(name: "EmbeddingExample", dependencies: ["ScriptHost"], path: "Tests/EmbeddingExample"),
    .testTarget(name: "menuctlTests", dependencies: ["menuctl", "ScriptHost", "EmbeddingExample"]),
    .testTarget(name: "ScriptHostTests", dependencies: ["ScriptHost", "CLua", "CMatchOracle", "CStockOracle"]),
  ],
  swiftLanguageModes: [.v6]
)
