// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "menuctl", path: "..")],
  targets: [
    .target(
      name: "Floor",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .unsafeFlags(["-Xlinker", "--wrap=time"])]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Floor", .product(name: "ScriptHost", package: "menuctl"), .product(name: "Terminal", package: "menuctl"),
        .product(name: "LiveHost", package: "menuctl"),
      ]),
    .executableTarget(
      name: "Soak",
      dependencies: [
        "Floor", .product(name: "ScriptHost", package: "menuctl"), .product(name: "LiveHost", package: "menuctl"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
