/// A *manifest misuse* is a field of a plugin's manifest that doesn't fit what is there, as another plugin or the version of the app.
struct ManifestMisuse: Error {
  /// The fields that may be to blame.
  enum Field: String {
    case name, version, requires
  }

  let manifest: Manifest
  let field: Field
  /// Why it doesn't fit, in one sentence.
  let message: String

  init(_ file: PluginFile, _ field: Field, _ message: String) {
    manifest = file.manifest
    self.field = field
    self.message = message
  }
}
