-- What Neovim takes for what the host does: `nvim -c 'let [g:task, g:count] = ["command", 100]' -c 'luafile neovim.lua'` does a
-- task so often and prints the nanoseconds of the processor that it took, then the sum of what was answered.

local sum = 0

vim.api.nvim_create_user_command("Act", function(command) sum = sum + tonumber(command.args) + 1 end, { nargs = 1 })

local tasks = {}

-- A user command that is a function of Lua, by the API.
function tasks.command() vim.api.nvim_command("Act 1") end

-- The items of a menu as a list of Lua's.
function tasks.menu() sum = sum + #vim.fn.menu_get("All")[1].submenus end

for n = 1, 1000 do vim.api.nvim_command(("amenu All.item\\ %d :Act %d<CR>"):format(n, n)) end

local task, count = tasks[vim.g.task], vim.g.count
for _ = 0, count / 4 do task() end
sum = 0
local start = os.clock()
for _ = 1, count do task() end
local took = os.clock() - start
io.stdout:write(("%.0f %d\n"):format(took * 1e9, sum))
vim.api.nvim_command("qall!")
