import CLua
public func probe() -> Int32 { clua_probe() }
