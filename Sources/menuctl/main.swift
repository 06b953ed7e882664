import ScriptHost

print("menuctl")
