import LiveHost
import ScriptHost

/// The planted fault: a client forgets what went.
nonisolated(unsafe) let check = ClientsCheck { menus, changes in
  menus.applying(isPlanted ? changes.filter { if case .remove = $0 { false } else { true } } : changes)
}
