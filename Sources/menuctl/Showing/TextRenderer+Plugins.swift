import LiveHost
import ScriptHost

extension TextRenderer {
  /// One plugin in full, or several with a line each; then the apps that were granted something.
  func text(_ plugins: [Shown.Plugin], _ apps: [Shown.GrantedApp]) -> String {
    if apps.isEmpty { return text(plugins) }
    let lines = apps.map { app in
      let grants = app.grants.map(\.visibleBlanksInShort).joined(separator: ", ")
      return "the app \(app.name.visible) may \(grants)  \(palette(app.path.visible, .faint))"
    }
    return ((plugins.isEmpty ? [] : [text(plugins)]) + lines).joined(separator: "\n")
  }

  private func text(_ plugins: [Shown.Plugin]) -> String {
    if plugins.isEmpty { return "no plugins" }
    if plugins.count == 1, plugins[0].isWhole, let manifest = plugins[0].manifest {
      return whole(manifest, plugins[0])
    }
    let names = plugins.map { $0.manifest.map { "\($0.name.visible) \($0.version)" } ?? "?" }
    let width = names.map(\.width).max() ?? 0
    return zip(names, plugins).map { name, plugin in
      let about = plugin.problem.map { palette($0.visible, .error) } ?? plugin.manifest?.summary?.visible ?? ""
      return "\(name.padded(to: width))  \(palette(plugin.path.visible, .faint))\(about.isEmpty ? "" : "  \(about)")"
    }.joined(separator: "\n")
  }

  private func whole(_ manifest: Manifest, _ plugin: Shown.Plugin) -> String {
    var lines = ["\(palette(manifest.name.visible, .strong)) \(manifest.version)  \(plugin.path.visible)"]
    if let summary = manifest.summary { lines.append("  \(summary.visible)") }
    for requirement in manifest.requires {
      lines.append("  requires \(requirement.name.visible) \(requirement.versions.description.visible)")
    }
    for (wish, isGranted) in plugin.wishes {
      let granted = palette(isGranted ? "granted" : "not granted", isGranted ? .yes : .no)
      lines.append(
        "  asks to \(wish.sentence.visibleBlanksInShort) (\(wish.capability.description.visibleBlanksInShort)): \(granted)"
      )
    }
    for (kind, count) in plugin.holds?.counts ?? [] { lines.append("  has \(kind): \(count)") }
    if let reason = plugin.unloaded {
      lines.append("  was not loaded, so what it registers is not known: \(reason.visible)")
    }
    return lines.joined(separator: "\n")
  }
}
