import ScriptHost
print(probe())
