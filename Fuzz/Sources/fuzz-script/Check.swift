@testable import ScriptHost

/// The planted fault: an action of the program's own takes something away that belongs to a plugin.
let check = ScriptCheck(isPlanted: isPlanted)
