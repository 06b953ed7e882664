// What a plugin asks to be granted is granted by name, by a person, or it isn't loaded.

extension ScriptEngine {
  /// Whether what a plugin asks for is granted: by name, or by whoever is asked.
  func checkConsent(_ file: PluginFile) throws {
    let request = file.request(without: host.granted)
    if request.capabilities.isEmpty || host.onConsent?(request) ?? false { return }
    let wishes = request.capabilities.map { "'\($0)'" }.joined(separator: ", ")
    throw Failure(
      .capability, "the plugin '\(file.manifest.name)' asks for \(wishes), which nobody granted",
      place: file.manifest.place, owner: file.manifest.name)
  }
}
