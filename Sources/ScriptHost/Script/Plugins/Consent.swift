// What a plugin asks to be granted is granted by name, by a person, or it isn't loaded.

extension ScriptEngine {
  /// As much of a capability as an error has room for.
  private static func short(_ capability: Capability) -> String {
    let text = capability.description
    return text.utf8.count > 100 ? text.cut(toBytes: 100) + "…" : text
  }

  /// Whether what a plugin asks for is granted: by name, or by whoever is asked.
  func checkConsent(_ file: PluginFile) throws {
    let request = file.request(without: host.granted)
    if request.capabilities.isEmpty || host.onConsent?(request) ?? false { return }
    let wishes = request.capabilities.map { "'\(Self.short($0))'" }.joined(separator: ", ")
    let elsewhere = file.elsewhere(request, granted: host.granted).map { ": \($0)" } ?? ""
    throw Failure(
      .capability, "the plugin '\(file.manifest.name)' asks for \(wishes), which nobody granted\(elsewhere)",
      place: file.manifest.place, owner: file.manifest.name)
  }
}
