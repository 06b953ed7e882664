-- Shows the menus of a live app, performs what it is told to, and follows what changes: nvim -l client.lua NAME [REF…]
-- Before 0.9: nvim --headless -u NONE -S client.lua NAME [REF…]
local words, uv = arg and #arg > 0 and arg or vim.fn.argv(), vim.uv or vim.loop
local name, folder = words[1], os.getenv("XDG_RUNTIME_DIR")
folder = folder and folder .. "/menuctl" or (os.getenv("TMPDIR") or "/tmp") .. "/menuctl-" .. uv.getuid()
local app, rest, results, ended = uv.new_pipe(false), "", {}, false

local function say(line) io.stdout:write(line, "\n") io.stdout:flush() end

local function show(elements, depth)
  for _, element in ipairs(elements) do
    if element.title then say(("  "):rep(depth) .. element.title .. "  " .. (element.reason or "")) end
    show(element.children or {}, depth + 1)
  end
end

local function receive(failure, bytes)
  if failure or not bytes then ended = true return end
  rest = rest .. bytes
  for line in rest:gmatch("([^\n]*)\n") do
    local message = vim.json.decode(line)
    if message.id then results[message.id] = message.result end
    for _, change in ipairs(message.method == "menus" and message.params.changes or {}) do
      say(change.change .. "  " .. change.id .. "  " .. (change.element and change.element.reason or ""))
    end
  end
  rest = rest:match("[^\n]*$")
end

local function ask(method, params)
  results[method] = nil
  app:write(vim.json.encode({ jsonrpc = "2.0", id = method, method = method, params = params }) .. "\n")
  vim.wait(10000, function() return results[method] or ended end, 10)
  return results[method]
end

app:connect(name:find("/") and name or folder .. "/" .. name .. ".sock", function(failure)
  if not failure then return app:read_start(receive) end
  say("'" .. name .. "' lets nobody in: " .. failure)
  ended = true
end)
ask("subscribe", { to = { "menus" } })
show((ask("menus") or {}).menus or {}, 0)
for index = 2, #words do say(words[index] .. ": " .. (ask("perform", { ref = words[index] }) or {}).status) end
while not ended do vim.wait(1000, function() return ended end, 50) end
vim.cmd("qa!")
