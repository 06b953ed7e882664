import CLua

/// The version of Lua that is linked in, 504 for Lua 5.4.
public func probe() -> Int32 { clua_probe() }
