import LiveHost
import ScriptHost

extension JSONRenderer {
  static func json(_ app: Shown.GrantedApp) -> JSON {
    .object([
      ("name", .text(app.name)), ("path", .text(app.path)), ("granted", .list(app.grants.map { .text($0) })),
    ])
  }

  static func json(_ plugin: Shown.Plugin) -> JSON {
    var members: [(String, JSON)] = [("path", .text(plugin.path))]
    if let manifest = plugin.manifest {
      members.insert(("name", .text(manifest.name)), at: 0)
      members.append(("version", .text(manifest.version.description)))
      if let summary = manifest.summary { members.append(("summary", .text(summary))) }
      members.append(("requires", .object(manifest.requires.map { ($0.name, .text($0.versions.description)) })))
      members.append(("allow", .list(manifest.allow.map { .text($0.description) })))
      members.append(("granted", .bool(plugin.isGranted)))
    }
    if let holds = plugin.holds {
      members.append(("holds", .object(holds.counts.map { ($0.kind, .integer($0.count)) })))
    }
    if let problem = plugin.problem { members.append(("problem", .text(problem))) }
    return .object(members)
  }
}
