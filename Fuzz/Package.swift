// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "menuctl", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz-reference",
      dependencies: [.product(name: "ScriptHost", package: "menuctl")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "fuzz-json",
      dependencies: [.product(name: "ScriptHost", package: "menuctl")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
  ],
  swiftLanguageModes: [.v6]
)
