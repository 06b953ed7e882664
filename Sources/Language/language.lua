---@meta
-- The script language of menuctl: every name that a script may meet. `menuctl help NAME`, `docs/reference.md`, `menuctl stubs` and the completions
-- are drawn from this file; nothing of it stands anywhere else.
--
-- A group begins with `-- # Title`. What stands behind it belongs to it: globals; or, behind `---@class`, what an object has (the local's name is
-- what the reference calls such an object); or, behind `name = {}`, the functions of a library. A paragraph that begins with "It" says what an entry
-- raises. An example is the body of a test, and `-->` shows what is printed; the tests run each.
-- A function that ends with `-- a script's own` is written by scripts and called by the host; `-- Lua's` marks what Lua has itself.

-- # Globals
-- The words that declare an app, and the few that act.

---The root responder: last in every chain, and what the app is controlled with.
---
---```lua
---function app.on:greet(ctx) return "Hello, " .. ctx.name end
---
---print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
---```
---@type App
app = nil

---Makes a window: a responder that owns a first responder, an undo stack and a delegate.
---
---It raises when the name is taken, naming both places.
---
---```lua
---local main = window "main"
---local page = responder "page" { next = main }
---focus(page)
---
---print(main.first.name, main.is_key)  --> page  true
---```
---@param name string its name, which no other responder has
---@return Window # it, to be called with a table of its fields, or left as it is
function window(name) end

---Makes a responder, whose 'next' is the app where no other is named.
---
---It raises when the name is taken, naming both places.
---
---```lua
---local page = responder "page"
---local line = responder "line" { next = page, text = "" }
---focus(line)
---
---print(table.concat(app:chain(), " "))  --> line page app
---```
---@param name string its name, which no other responder has
---@return Responder # it, to be called with a table of its fields, or left as it is
function responder(name) end

---Makes a class: behaviour and fields that responders share.
---
---It raises when the name is taken, naming both places.
---
---```lua
---local shape = class "shape" { sides = 0 }
---function shape.on:describe() return self.name .. " has " .. self.sides .. " sides" end
---local square = responder "square" { class = "shape", sides = 4 }
---
---print(square:perform("describe").result)  --> square has 4 sides
---```
---@param name string its name, which no other class of this script has
---@return Class # it, to be called with a table of its fields, or left as it is
function class(name) end

---Declares what stands in the body of a face, a list that is always in view; each script or plugin does so once.
---
---```lua
---panel {
---  label "Photos",
---  section "photos" {
---    items = { "Harbour", "Pier" }, id = function(name) return name end, current = "show",
---    row = function(name) return item(name) { "open", args = { name = name } } end,
---  },
---}
---function app.on:show(ctx) return "shows " .. ctx.name end
---
---print(#app:panel().children, app:choose("Pier").result)  --> 3  shows Pier
---```
---@param elements Element[]|PanelFields what stands in it, in order
function panel(elements) end

---Declares the main menu.
---
---It raises on the second call by one owner, naming both places.
---
---```lua
---menubar { menu "File" { item "Open…" { "open", key = "ctrl+o" } } }
---function app.on:open() end
---
---print(app:item("File/Open…").enabled)  --> true
---```
---@param menus Element[] the menus, in order
function menubar(menus) end

---Has the palette opened by the face that began this action.
---
---```lua
---function app.on:search() return select(2, open_palette()) end
---
---print(app:perform("search").result)  --> no face began this action, so nothing can be opened
---```
---@return true? # true, or nil where no face began it
---@return string? # why nothing opens
function open_palette() end

---Has a menu opened by the face that began this action.
---
---```lua
---menubar { menu "View" { item "Zoom" { "zoom" } } }
---function app.on:views() return select(2, open_menu("Veiw")) end
---
---print(app:perform("views").result)  --> there is no element 'Veiw'; did you mean 'View'?
---```
---@param id string its id
---@return true? # true, or nil where nothing opens
---@return string? # why nothing opens
function open_menu(id) end

---Has the face that began this action ask for the arguments of another one, and perform that.
---
---```lua
---app.takes.resize = { width = "integer" }
---function app.on:larger() return open_form("resize") end
---
---print(app:perform("larger").result)  --> nil
---```
---@param ref Reference the reference of the action that asks
---@return true? # true, or nil where no face began it
---@return string? # why nothing opens
function open_form(ref) end

---Adds elements to a menu, a section, a pane or a layout of any script, for as long as this script is loaded. It declares
---them once; performing an action costs nothing for it.
---
---Without a second argument the host adds them at the end. It reports an id that is unknown, and adds them as soon as the
---id appears.
---
---```lua
---menubar { menu "Edit" { item "Cut" { "cut" }, item "Find" { "find" } } }
---extend("Edit", { after = "Cut" }, item "Copy" { "copy" }, item "Paste" { "paste" })
---
---for _, element in ipairs(app:menu("Edit").children) do print(element.title) end
-----> Cut
-----> Copy
-----> Paste
-----> Find
---```
---@param id string the id of what is extended; "root" is the menubar, "panel" the panel
---@param where ExtendFields|Element|nil where in it, or the first element
---@param ... Element what is added
function extend(id, where, ...) end

---Makes a menu, in a menubar or in another menu.
---
---```lua
---menubar { menu "View" { single = true, item "List" { "show(as: list)" }, item "Grid" { "show(as: grid)" } } }
---
---print(#app:menu("View").children)  --> 2
---```
---@param title Text what it is called
---@return Element # it, to be called with its fields and children
function menu(title) end

---Makes a part of a menu that is drawn between separators, and that 'extend' finds by its name.
---
---```lua
---menubar { menu "Edit" { group "clipboard" { item "Cut" { "cut" } }, item "Find" { "find" } } }
---extend("Edit", { group = "clipboard" }, item "Copy" { "copy" })
---
---for _, element in ipairs(app:menu("Edit").children) do print(element.kind, element.title) end
-----> item  Cut
-----> item  Copy
-----> separator  nil
-----> item  Find
---```
---@param name string its name among what is around it
---@return Element # it, to be called with its children
function group(name) end

---Makes a menu item, which names an action, never a function.
---
---```lua
---menubar { menu "Edit" { item "Find…" { "find", key = "ctrl+f" } } }
---
---print(app:item("Edit/Find…").reason)  --> nobody answers 'find'
---```
---@param title string|Span what it is called
---@return Element # it, to be called with its action and fields
function item(title) end

---A line between items; one at an end, or beside another, is not shown.
---
---```lua
---menubar { menu "File" { item "Open" { "open" }, separator, item "Quit" { "quit" } } }
---
---print(app:menu("File").children[2].kind)  --> separator
---```
---@type Element
separator = nil

---Makes a line of text in a menu, which can't be picked.
---
---```lua
---menubar { menu "Go" { label "Places", item "Home" { "go(to: home)" } } }
---
---print(app:menu("Go").children[1].title)  --> Places
---```
---@param text Text what it says
---@return Element # it
function label(text) end

---Makes a part of a text that has a style. Where a title, a subtitle or a cell is a text, it may be such a part, or a
---list of texts and parts.
---
---```lua
---menubar { menu "Branch" { item { "push", title = { "main ", span("↑2", "added"), span(" ↓1", "changed") } } } }
---
---local push = app:menu("Branch").children[1]
---print(push.title, push.spans[2].text, push.spans[2].style)  --> main ↑2 ↓1  ↑2  added
---```
---@param text string what it says
---@param style Style what it means
---@return Span # it
function span(text, style) end

---Reads the colours that a program prints for a terminal; every other escape of theirs is dropped.
---
---```lua
---local parts = ansi("\27[32m+ new\27[0m line\27[2J")
---
---print(#parts, parts[1].text, parts[1].style, parts[2])  --> 2  + new  green   line
---```
---@param text string what the program printed
---@return (string|Span)[] # its texts and spans
function ansi(text) end

---Makes a part of a menu whose rows are made of a list of values.
---
---```lua
---local files = { "a.txt", "b.txt" }
---menubar {
---  menu "Recent" {
---    section "files" {
---      items = function() return files end,
---      row = function(file) return item(file) { "open", args = { file = file } } end,
---      empty = "No files",
---    },
---  },
---}
---
---print(app:menu("Recent").children[2].title)  --> b.txt
---```
---@param id string its id
---@return Element # it, to be called with its fields
function section(id) end

---Makes a pane: a list of rows in a panel that is divided. Its current row and its marked rows belong to the app, and
---its responder supplies them as 'row' and 'rows'.
---
---```lua
---local files, names = responder "files", { "a.txt", "b.txt" }
---panel {
---  pane "files" { title = "Files", key = "2", responder = files, marks = true,
---    section "names" {
---      items = names, id = function(n) return n end, row = function(n) return item(n) { "open" } end } },
---}
---function files.on:open(ctx) return ctx.row end
---
---app:choose("b.txt")
---print(app:perform("open").result)  --> b.txt
---```
---@param id string its id
---@return Element # it, to be called with its fields
function pane(id) end

---Makes a text: an area of a panel that shows lines, which a person can scroll and search but not change.
---
---A function returns the lines, or adds them one by one. The host calls it while somebody sees the text: first, after each
---move in the pane of 'of', and after each action. It may wait, as 'exec' does. A new call cancels the one before.
---
---```lua
---local files = responder "files"
---panel {
---  beside {
---    pane "files" { responder = files, item "a.txt" { "open" }, item "b.txt" { "open" } },
---    text "about" { title = "About", of = "files", lines = function(ctx) return "about " .. ctx.row end },
---  },
---}
---
---app:choose("b.txt")
---print(app:text("about")[1])  --> about files/b.txt
---```
---@param id string its id
---@return Element # it, to be called with its fields
function text(id) end

---Puts panes, and what divides a panel, into columns. A name in front lets others find it: beside "main" { … }.
---
---```lua
---panel {
---  beside {
---    pane "files" { title = "Files", item "a.txt" { "open" } },
---    stack { share = 2, pane "log" { title = "Commits", item "First" { "show" } } },
---  },
---}
---
---print(app:panel().children[1].children[2].kind)  --> stack
---```
---@param id string|LayoutFields its id, or what stands in it at once
---@return Element # it, to be called with its fields where it was named
function beside(id) end

---Puts panes, and what divides a panel, below each other.
---
---```lua
---panel { stack { pane "files" { item "a.txt" { "open" } }, pane "log" { least = 5, item "First" { "show" } } } }
---
---print(app:panel().children[1].children[2].least)  --> 5
---```
---@param id string|LayoutFields its id, or what stands in it at once
---@return Element # it, to be called with its fields where it was named
function stack(id) end

---Shows one of several panes at a time, under a line with the titles of all.
---
---```lua
---panel { tabs "lists" { pane "open" { item "Write" { "go" } }, pane "done" { item "Read" { "go" } } } }
---
---app:choose("done")
---print(app:panel().children[1].children[2].focused)  --> true
---```
---@param id string|LayoutFields its id, or what stands in it at once
---@return Element # it, to be called with its fields where it was named
function tabs(id) end

---Makes a responder the first of its window, and that window key: the walk begins there.
---
---It gives false when who has the focus, or is to have it, refuses.
---
---```lua
---local page = responder "page"
---
---print(focus(page), app:chain()[1])  --> true  page
---```
---@param responder Responder|string who is to have it, or the name
---@return boolean # whether it has the focus now
function focus(responder) end

---Opens a modal session: only this responder, and what reaches it by 'next', can act.
---
---It gives nil and the reason when the responder doesn't get the focus; raises while a script loads.
---
---```lua
---local page, panel = responder "page", responder "panel"
---function page.on:type() end
---focus(page)
---local session = modal(panel)
---
---print(page:perform("type").status)  --> blocked
---session:close()
---print(page:perform("type").status)  --> handled
---```
---@param responder Responder|string who is inside, or the name
---@param options? ModalOptions how
---@return Session? # what the session is closed with
---@return string? # why there is none
function modal(responder, options) end

---Watches actions: it is told before the first handler of one runs, and when it is done or has failed.
---
---```lua
---function app.on:save() end
---observe("save", function(event) print(event.stage, event.action) end)
---
---app:perform("save")
-----> will  save
-----> did  save
---```
---@param pattern string|string[] an action, a list of them, "*", or the beginning of names and a "*"
---@param fn fun(event: Event) what is told of each stage
---@return Registration # what it is taken back with
function observe(pattern, fn) end

---Emits an event of one's own: those who listen for its name are told when the action has ended, in order. Its name has a
---dot in it.
---
---Events that listeners emit are told in the same turn. It raises while the host asks, while a script loads, and beyond
---1,000 events in a turn.
---
---```lua
---function app.on:rate(ctx) emit("photo.changed", { stars = ctx.stars }) print("rated") end
---listen("photo.changed", function(photo) print("now " .. photo.stars) end)
---
---app:perform("rate(stars: 5)")
-----> rated
-----> now 5
---```
---@param name string what the event is called: words with dots between them
---@param data? any what the listeners get
function emit(name, data) end

---Watches the host: phases, the focus, menus, validation, actions that nobody handles, and events that scripts emit.
---
---```lua
---listen("phase", function(new, old) print(old .. " → " .. new) end)
---
---app:enter("active")  --> inactive → active
---```
---@param event HostEvent|string what for; the name of a script's own event has a dot in it
---@param fn function what is told; what it gets depends on the event
---@return Registration # what it is taken back with
function listen(event, fn) end

---Runs a function once, later; it may wait, and has its own allowance and undo group. It goes with its script, or
---with the action that began it if that fails.
---
---It raises in 'can', 'look', 'provide', builders and sections, and beyond a thousand timers.
---
---```lua
---function app.on:start() after(60, function() print("a minute later") end) end
---app:perform("start")
---
---app:advance(60)  --> a minute later
---```
---@param seconds number how long it waits
---@param run fun() what it runs then
---@return Registration # what removes it
function after(seconds, run) end

---Runs a function again and again. A run never overlaps itself; one that fails three times in a row is removed.
---
---It raises where 'after' does.
---
---```lua
---local count = 0
---local ticking = every(1, function() count = count + 1 end)
---app:advance(3)
---ticking:remove()
---app:advance(3)
---
---print(count)  --> 3
---```
---@param seconds number how long it waits each time
---@param run fun() what it runs then
---@return Registration # what removes it
function every(seconds, run) end

---Cuts a text into lines.
---
---```lua
---for _, line in ipairs(lines("main\ntopic\n")) do print(line) end
-----> main
-----> topic
---```
---@param text string any
---@return string[] # its lines, without what ends them
function lines(text) end

---Waits inside an action, without holding the host; in a test it moves the test's clock.
---
---It raises where nothing may wait: in 'can', 'look', 'provide', builders, and while a script loads.
---
---```lua
---function app.on:brew() sleep(180) return "tea" end
---
---print(app:perform("brew").result)  --> tea
---```
---@param seconds number how long
function sleep(seconds) end

---Asks a person in the middle of an action: for answers, or to confirm something. The action waits as in 'sleep', and
---everything else goes on. A face shows a form, a verb asks at the terminal, a program answers with 'answer'.
---
---It gives nil where the person says no, and nil and "nobody can be asked" where there is no person. It raises where
---'sleep' raises. In a test, 'app:answer' answers before the action asks.
---
---```lua
---function app.on:rename(ctx)
---  local answers = ask { title = "Rename", takes = { name = { "string", from = 1 } } }
---  if not answers then return "kept" end
---  return "now " .. answers.name
---end
---
---app:answer { name = "Pier" }
---print(app:perform("rename").result)  --> now Pier
---app:answer(false)
---print(app:perform("rename").result)  --> kept
---```
---@param question AskFields what is asked
---@return table|true|nil # the answers by key; true where it has no 'takes'; nil for no
---@return string? # "nobody can be asked"
function ask(question) end

---Says how far the action is that runs.
---
---It raises outside of an action, and for a fraction that is not from 0 to 1.
---
---```lua
---function app.on:copy()
---  progress(0.5, "half of it")
---  sleep(1)
---end
---local job = app:perform("copy", nil, { wait = false }).job
---
---print(job.progress.fraction, job.progress.text)  --> 0.5  half of it
---```
---@param fraction number how far, from 0 to 1
---@param text? string what is being done
function progress(fraction, text) end

---What a handler or a 'can' returns to say "not me, ask further up".
---
---```lua
---local line = responder "line"
---function line.on:delete() return pass end
---function app.on:delete() return "the app did" end
---focus(line)
---
---print(app:perform("delete").result)  --> the app did
---```
---@type any
pass = nil

---JSON's null inside lists and objects; as an argument of its own null is nil.
---
---```lua
---function app.on:count(ctx) return ctx.list[2] == null end
---
---print(app:perform("count(list: [1, null])").result)  --> true
---```
---@type any
null = nil

---Writes to the log, which the host shows with the script's name and line; 'menuctl --log LEVEL' shows more of it.
---
---It raises for a level that there is not.
---
---```lua
---log("info", "two files", 2)
---```
---@param level "debug"|"info"|"warn"|"error" how much it matters
---@param ... any what to say
function log(level, ...) end

---Writes to the script's output, with tabs between the values.
---
---```lua
---print("one", 2, true)  --> one  2  true
---```
---@param ... any what to show
function print(...) end

-- # The app
---The root responder, and what drives the host. What answers raises nothing for what a person did: there is an
---outcome.
---@class App: Responder
local app = {}

---What people call the app.
---
---```lua
---app.title = "Photos"
---
---print(app.title)  --> Photos
---```
---@type string?
app.title = nil

---What programs call the app: plugins that require it name it so. It is "app" at first.
---
---```lua
---app.name = "photos"
---
---print(app.name)  --> photos
---```
---@type string
app.name = nil

---The app's version, as in "1.2.0".
---
---```lua
---app.version = "1.2.0"
---
---print(app.version)  --> 1.2.0
---```
---@type string?
app.version = nil

---What '--set KEY=VALUE' gave on the command line; a script can't assign it.
---
---```lua
---print(app.settings.size)  --> nil
---```
---@type table<string, any>
app.settings = nil

---What survives a reload of this script: plain data, one table for each script and plugin.
---
---```lua
---app.keep.count = (app.keep.count or 0) + 1
---```
---@type table<string, any>
app.keep = nil

---What is there again the next time that the app runs, which needs a name for that: plain data, 256 KiB at most, one
---table for each script and plugin. The tool keeps it in a file in '$XDG_STATE_HOME/menuctl/stores', or
---'~/.local/state/menuctl/stores': who removes that begins anew. Several processes of one app have one store: an
---action that reads 'app.store' gets it as it is now, and no other process changes it until the action ends or waits.
---So read 'app.store' in each action, and again after a wait, instead of keeping the table in a variable. Tests begin
---with nothing, and 'menuctl record' leaves it as it is.
---
---It raises where the app has no name; what can't be written is told, and what was written before stays.
---
---```lua
---app.name = "photos"
---
---function app.on:seen(ctx) app.store.seen = (app.store.seen or 0) + 1 return app.store.seen end
---
---print(app:perform("seen").result)  --> 1
---```
---@type table<string, any>
app.store = nil

---The capabilities that the app asks the user for, once; given before anything of it is done, and read when it was
---loaded, as in { "exec=git" }.
---@type string[]?
app.allow = nil

---The codes of what 'menuctl check' is not to find in this script.
---
---```lua
---app.allow_warnings = { "duplicate-title" }
---```
---@type string[]?
app.allow_warnings = nil

---Whether references are looked for as a whole everywhere: none falls back to its last component. It is read when the
---script was loaded.
---
---```lua
---function app.on:export() return "exported" end
---
---print(app.exact, app:perform("image.export").status)  --> nil  handled
---```
---@type boolean?
app.exact = nil

---How far the app is to the fore; 'app:enter' sets it.
---
---```lua
---print(app.phase)  --> inactive
---```
---@type "inactive"|"active"|"background"
app.phase = nil

---Who is asked right after the app.
---
---It may be assigned: `Responder|string|nil`
---
---```lua
---app.delegate = responder "helper"
---
---print(table.concat(app:chain(), " "))  --> app helper
---```
---@type Responder?
app.delegate = nil

---Performs an action: whoever in the chain answers it now gets it.
---
---It raises while a script loads, and in 'can', 'look' and 'provide'.
---
---```lua
---function app.on:add(ctx) return ctx.a + ctx.b end
---
---print(app:perform("add(a: 1)", { b = 2 }).result)  --> 3
---print(app:perform("subtract").status)              --> unhandled
---```
---@param ref Reference what to do
---@param args? table<string, any> arguments, over those of the reference
---@param options? PerformOptions how
---@return Outcome # what came of it
function app:perform(ref, args, options) end

---Presses keys: they are looked up along the chain, then in the menus.
---
---```lua
---app.keys = { ["g g"] = "top" }
---function app.on:top() return "at the top" end
---
---print(app:press("g").status)  --> pending
---print(app:press("g").result)  --> at the top
---```
---@param keys string a stroke, as "ctrl+k", or several, as "g g"
---@param options? PickOptions how
---@return Outcome # what came of the last stroke; 'pending' where a sequence only began
function app:press(keys, options) end

---Picks an item as a person does; one that is drawn disabled is not done.
---
---```lua
---menubar { menu "File" { item "Close" { "close" } } }
---
---print(app:pick("File/Close").reason)  --> nobody answers 'close'
---```
---@param id ElementID the id of an item, also of a row of the last context menu
---@param modifiers? table the modifiers that are held, as { alt = true } or { "alt" }
---@param options? PickOptions how
---@return Outcome # what came of it
function app:pick(id, modifiers, options) end

---Takes back the last action, of the nearest undo stack from the focus that has something to undo.
---
---```lua
---local page = responder "page" { text = "a" }
---function page.on:write(ctx) ctx:set(self, "text", ctx.text) end
---page:perform("write(text: b)")
---app:undo()
---
---print(page.text)  --> a
---```
---@return Outcome # what came of it
function app:undo() end

---Does again what was taken back last.
---
---```lua
---print(app:redo().reason)  --> there is nothing to redo
---```
---@return Outcome # what came of it
function app:redo() end

---Sets the phase of the app; who listens for it hears of a change.
---
---```lua
---app:enter("active")
---
---print(app.phase)  --> active
---```
---@param phase "inactive"|"active"|"background" which
function app:enter(phase) end

---Performs 'openURL' for each, with 'ctx.url'.
---
---```lua
---function app.on:openURL(ctx) print(ctx.url) end
---
---app:open_urls { "file:a", "file:b" }
-----> file:a
-----> file:b
---```
---@param urls string[] which, in order
---@return Outcome[] # what came of each; 'pending' until somebody answers 'openURL', or as long as another is being opened
function app:open_urls(urls) end

---Opens a menu as a session, which picking, closing and 'background' end.
---
---It gives nil and the reason when there is no such menu.
---
---```lua
---menubar { menu "Go" { item "Home" { "go(to: home)" } } }
---function app.on:go(ctx) return ctx.to end
---local open = app:open_menu("Go")
---
---print(open:pick("Go/Home").result, open.open)  --> home  false
---```
---@param menu ElementID|Snapshot the id of a menu, or a context menu
---@return OpenMenu? # what is picked from it, and what closes it
---@return string? # why there is none
function app:open_menu(menu) end

---Asks for the menus to be built anew at the next snapshot: builders and sections run again.
---
---```lua
---local names = { "one" }
---menubar {
---  menu "Names" { section "names" { items = names, row = function(name) return item(name) { "call" } end } },
---}
---print(#app:menu("Names").children)  --> 1
---names[2] = "two"
---app:rebuild()
---print(#app:menu("Names").children)  --> 2
---```
---@param text? string the id of a text: the host asks for its lines again, and leaves the menus alone
function app:rebuild(text) end

---Asks for a validation pass, of which those who listen for 'validation' hear.
---
---```lua
---app:revalidate()
---```
function app:revalidate() end

---Moves the clock of a test; what wakes up on the way goes on.
---
---It raises outside of tests.
---
---```lua
---function app.on:wait() sleep(10) print("awake") end
---app:perform("wait", nil, { wait = false })
---
---app:advance(9)
---print("not yet")  --> not yet
---app:advance(1)    --> awake
---```
---@param seconds number how far
function app:advance(seconds) end

---Answers, in a test, the next question that an action asks with 'ask'. Several answers wait in order.
---
---It raises outside of tests.
---
---```lua
---function app.on:leave() return ask { confirm = "Leave?" } and "left" or "stayed" end
---
---app:answer(true)
---print(app:perform("leave").result)  --> left
---print(app:perform("leave").result)  --> stayed
---```
---@param answers table|boolean the answers by key; true is yes, false is no
function app:answer(answers) end

---Says whether an action can be done now, why not, and how its item looks.
---
---```lua
---local page = responder "page"
---function page.on:save() end
---page.needs.save = { file = "open a file first" }
---focus(page)
---
---print(app:validate("save").enabled, app:validate("save").reason)  --> false  open a file first
---```
---@param ref Reference which action
---@return Validation # whether and why
function app:validate(ref) end

---Shows a menu as plain tables, each item with whether it can be done.
---
---```lua
---menubar { menu "File" {}, menu "Edit" {} }
---
---print(app:menu().children[2].title)  --> Edit
---```
---@param id? ElementID which; the root, whose children are the menus, where it is left out
---@return Snapshot? # it, validated; nil where there is none
function app:menu(id) end

---Shows one element as a plain table.
---
---```lua
---menubar { menu "Edit" { item "Paste" { "paste", enabled = "the clipboard is empty" } } }
---
---print(app:item("Edit/Paste").reason)  --> the clipboard is empty
---```
---@param id ElementID which
---@return Snapshot? # it, validated; nil where there is none
function app:item(id) end

---Shows what stands in the body of a face as a plain table.
---
---```lua
---panel { label "Photos", item "Harbour" { "open" } }
---
---print(app:panel().children[2].reason)  --> nobody answers 'open'
---```
---@return Snapshot? # its root, whose children are the rows; nil where none is declared
function app:panel() end

---Makes a row the current one, as a person does who moves to it; one that is disabled too.
---
---```lua
---panel { item "Harbour" { "open(n: 1)", current = "show" } }
---function app.on:show(ctx) return ctx.n end
---
---print(app:choose("Harbour").result)  --> 1
---```
---@param id ElementID a row of the panel, or a pane, which gets the focus
---@return Outcome # what came of its 'current', or of its section's; else handled
function app:choose(id) end

---Marks exactly these rows of a pane.
---
---```lua
---local files = responder "files"
---panel { pane "files" { responder = files, marks = true, item "a" { "open" }, item "b" { "open" } } }
---function files.on:count(ctx) return #ctx.rows end
---focus(files)
---
---app:mark({ "files/a", "files/b" })
---print(app:perform("count").result)  --> 2
---```
---@param ids ElementID[] the rows; none unmarks all
---@param pane string? the pane; where it is left out, that of the first row, or the one that has the focus
function app:mark(ids, pane) end

---Returns the lines of a text, without their styles. The host first calls the function of the text if the lines are old;
---a test waits for its end.
---
---```lua
---panel { text "notes" { lines = function(ctx, add) add("first") add("second") end } }
---
---print(#app:text("notes"), app:text("notes")[2])  --> 2  second
---```
---@param id string the text
---@return string[]? # its lines, or nil where its function fails
---@return string? # why it fails
function app:text(id) end

---Selects lines of a text. The last one becomes its current line; its responder gets them as 'lines' and 'line_numbers'.
---
---```lua
---local notes = responder "notes"
---panel { text "notes" { responder = notes, lines = { "a", "b", "c" } } }
---function notes.on:join(ctx) return table.concat(ctx.lines, "+") end
---focus(notes)
---
---app:select("notes", 2, 3)
---print(app:perform("join").result)  --> b+c
---```
---@param text string the text
---@param from integer the number of the first line, from 1
---@param to integer? the number of the last line; it may stand before 'from'
function app:select(text, from, to) end

---Narrows the rows of a pane to those that have these letters in this order.
---
---```lua
---panel { pane "files" { filter = true, item "alpha" { "open" }, item "beta" { "open" } } }
---
---app:filter("files", "ta")
---print(app:panel().children[1].children[1].title)  --> beta
---```
---@param pane string the pane
---@param text string the letters; an empty text shows all rows
function app:filter(pane, text) end

---Builds the context menu of a subject.
---
---```lua
---function app.build:url(m, url) m:insert_last("root", item("Copy " .. url) { "copy" }) end
---
---print(app:context_menu("url", "a.org").children[1].title)  --> Copy a.org
---```
---@param kind string the kind of the subject, for which builders are asked
---@param subject? any what it is about, as 'ctx.subject'
---@param options? ContextMenuOptions how
---@return Snapshot # what the builders of the chain made, validated
function app:context_menu(kind, subject, options) end

---Shows who is asked, nearest first.
---
---```lua
---local page = responder "page"
---function page.on:save() end
---focus(page)
---
---print(table.concat(app:chain(), " "))  --> page app
---print(app:chain("save")[1].answer)     --> on: takes it
---```
---@param ref? Reference an action; then each link says what its responder would answer
---@return string[]|Link[] # the names, nearest first; with a reference, the links
function app:chain(ref) end

---Shows what a handler would find in its context.
---
---```lua
---function app:provide(ctx) ctx.user = "Ada" end
---
---print(app:context().user)  --> Ada
---```
---@param ref? Reference an action, whose arguments are then in it
---@return table<string, any> # the context as a plain table
function app:context(ref) end

---Explains who takes an action, or why nobody does.
---
---```lua
---function app.on:save() end
---
---print(app:why("save").by)  --> app
---```
---@param name Reference|ElementID an action, or an element by its id
---@return Explanation # the derivation, with its text
function app:why(name) end

---Lists every action that can be reached now; what only items or keys name, and nobody answers, has no 'by'.
---
---```lua
---app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
---app.about.rate = "Rate the photo"
---function app.on:rate() end
---app.keys = { r = "rate" }
---local rate = app:actions("rate")[1]
---
---print(rate.title, rate.by, rate.takes[1].to, rate.keys[1])  --> Rate the photo  app  5  r
---```
---@param reference? Reference one action; without it all
---@return Reachable[] # each with what it takes, who answers, and why not
function app:actions(reference) end

---Finds a responder by its name.
---
---```lua
---responder "page"
---
---print(app:find("page").name, app:find("line"))  --> page  nil
---```
---@param name string the name of a responder or window
---@return Responder? # it, or nil where there is none
function app:find(name) end

---Lists the windows.
---
---```lua
---window "one"
---window "two"
---
---print(table.concat(app:windows(), " "))  --> one two
---```
---@return string[] # their names, in the order in which they were made
function app:windows() end

---Shows the titles of the undo stacks that 'undo' and 'redo' take at the focus.
---
---```lua
---print(app:undo_stack().owner)  --> app
---```
---@return UndoTitles # what can be taken back and done again
function app:undo_stack() end

---Drops the entry that 'undo' would take next, without taking anything back. Use it where an undo fails for good: it
---would keep the entries before it from being undone. A plugin drops only what it registered itself.
---
---It raises in 'can' and 'look', and while a script loads.
---
---```lua
---function app.on:send(ctx) ctx:undo("Send", function() error("it was sent") end) end
---app:perform("send")
---print(app:undo().status)                           --> failed
---
---print(app:undo_stack().undo[1], app:forget_undo())  --> Send  Send
---print(#app:undo_stack().undo)                       --> 0
---```
---@return string? # the title of the entry; nil if none was dropped
---@return string? # why none was dropped
function app:forget_undo() end

---Lists the actions that wait.
---
---```lua
---function app.on:wait() sleep(1) end
---app:perform("wait", nil, { wait = false })
---
---print(#app:jobs(), app:jobs()[1].action)  --> 1  wait
---```
---@return Job[] # what waits, in the order in which it was begun
function app:jobs() end

---Lists the plugins.
---
---```lua
---print(#app:plugins())  --> 0
---```
---@return table[] # of each its name, version, path, and what it requires, asks for and holds
function app:plugins() end

---Loads a plugin.
---
---It raises in a plugin: it is the app's and the tests' only.
---
---```lua
---print(app:load_plugin("plugins/exporter"))  --> true
---```
---@param path string below the folder of the calling file; a bare name is looked up in those of --plugins
---@return boolean # whether it loaded
---@return table[]? # what is wrong with it
function app:load_plugin(path) end

---Unloads a plugin with everything that it registered.
---
---It is refused, naming them, when others require it; raises in a plugin.
---
---```lua
---app:load_plugin("plugins/exporter")
---
---print(app:unload_plugin("exporter").handlers)  --> 1
---```
---@param name string which
---@return table<string, integer>? # how much of each kind was removed
---@return string? # why not
function app:unload_plugin(name) end

---Loads a plugin anew; where that fails the old one stays.
---
---It raises in a plugin.
---
---```lua
---app:load_plugin("plugins/exporter")
---
---print(app:reload_plugin("exporter"))  --> true
---```
---@param name string which
---@return boolean # whether it loaded
---@return table[]? # what is wrong with it
function app:reload_plugin(name) end

-- # Responders
---A responder answers actions. Its tables hold behaviour by the name of an action, its hooks are asked as the host
---needs them, and every other field is the script's own state.
---@class Responder
local responder = {}

---What does an action; anything it returns is the result, 'pass' goes on, an error takes back what was done.
---
---```lua
---local page = responder "page"
---function page.on:count(ctx) return #ctx.text end
---page.on["file.open"] = function(self, ctx) return "opened" end
---
---print(page:perform("count(text: abc)").result)  --> 3
---print(page:perform("file.open").result)         --> opened
---```
---@type table<string, fun(self: Responder, ctx: Context): any>
responder.on = nil

---Whether an action can be done now: true, or false and the reason, or 'pass' for "not me".
---
---```lua
---local page = responder "page" { text = "" }
---function page.on:print() end
---function page.can:print() return self.text ~= "", "the page is empty" end
---focus(page)
---
---print(app:validate("print").reason)  --> the page is empty
---```
---@type table<string, fun(self: Responder, ctx: Context): any, string?>
responder.can = nil

---How the item of an action looks now; nil is as declared.
---
---```lua
---local page = responder "page" { bold = true }
---function page.on:bold() self.bold = not self.bold end
---function page.look:bold() return { state = self.bold } end
---focus(page)
---
---print(app:validate("bold").state)  --> on
---```
---@type table<string, fun(self: Responder, ctx: Context): Look?>
responder.look = nil

---The context keys without which an action is disabled: one, a list, or each with the reason.
---
---```lua
---local page = responder "page"
---function page.on:print() end
---page.needs.print = { printer = "choose a printer first" }
---focus(page)
---
---print(app:perform("print").reason)  --> choose a printer first
---```
---@type table<string, string|string[]|table<string, string>>
responder.needs = nil

---What arguments an action takes, a type for each by its name. What doesn't fit disables it with the reason; what is
---missing is asked for.
---
---```lua
---local grid = responder "grid"
---grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
---grid.takes.export = { format = { one_of = { "jpeg", "png" }, default = "jpeg" }, to = { "folder", optional = true } }
---function grid.on:rate(ctx) return ctx.rating end
---function grid.on:export(ctx) return ctx.format end
---focus(grid)
---
---print(app:perform("rate(rating: 9)").reason)           --> 'rating' must be an integer from 0 to 5, not 9
---print(app:perform("rate").asks.arguments[1].title)     --> Stars
---print(app:perform("export").result)                    --> jpeg
---```
---@type table<string, table<string, ArgumentType>>
responder.takes = nil

---What a person is asked before an action is done: the question, or a function that gives one or nil. Scripts that
---perform are not asked.
---
---```lua
---local grid = responder "grid" { photo = "sea" }
---function grid.on:delete() return "deleted" end
---function grid.confirm:delete() return "Delete '" .. self.photo .. "' for good?" end
---grid.keys = { delete = "delete" }
---focus(grid)
---
---print(app:press("delete").asks.confirm)                  --> Delete 'sea' for good?
---print(app:press("delete", { confirmed = true }).result)  --> deleted
---```
---@type table<string, string|fun(self: Responder, ctx: Context): string?>
responder.confirm = nil

---What an action is called where no item says so: a title, or a table with one.
---
---```lua
---local grid = responder "grid"
---function grid.on:rate() end
---grid.about.rate = { title = "Rate the photo", help = "Gives it stars." }
---
---print(grid.about.rate.title)  --> Rate the photo
---```
---With 'form = true' a person who picks it without arguments is shown its form, even if none has to be given. Arguments in
---the call answer the form, '{}' too.
---@type table<string, string|{ title: string, help: string?, icon: string?, form: boolean? }>
responder.about = nil

---Menu builders by kind: 'main' edits the main menu, any other the context menu of subjects of that kind.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:insert_last("File", item "Close" { "close" }) end
---
---print(app:menu("File").children[2].title)  --> Close
---```
---@type table<string, fun(self: Responder, m: Builder, subject: any)>
responder.build = nil

---Key strokes, or sequences of them, and the action that each performs. Of a list, the host performs the first action that
---is possible now. A table may have a title, and a function 'when': if it returns false, the next binding of the stroke
---counts. With `all = { "mark", "down" }` instead, the host performs each after the one before, until one isn't handled;
---together they are one step of undo. The value false removes a stroke from earlier bindings, from responders farther up and from the menus.
---
---The key "text" means every stroke that types a character and that nothing else is bound to; the action finds the
---character in `ctx.text`. With `wait`, a key that also begins a sequence acts alone after these seconds, or at a stroke
---that fits no sequence.
---
---```lua
---menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
---local page = responder "page" { typing = false }
---page.keys = { ["ctrl+s"] = false, ["g g"] = "go(to: top)" }
---page.keys.x = { "erase", title = "Erase a letter", when = function(ctx) return not page.typing end }
---function page.on:erase() return "erased" end
---focus(page)
---
---print(app:press("ctrl+s").reason, app:press("x").result)  --> nothing is bound to 'ctrl+s'  erased
---
---page.keys = { text = "type", g = { "down", wait = 0.5 }, ["g g"] = "top" }
---function page.on:type(ctx) return ctx.text end
---
---print(app:press("shift+a").result, app:press("g").status)  --> A  pending
---
---page.keys.f2 = { all = { "type(text: x)", "erase" } }
---
---print(app:press("f2").result)  --> erased
---```
---@type table<string, Reference|Reference[]|false>
responder.keys = nil

---Whether digits before a stroke are its count, which the action finds in `ctx.count`. A digit that something is bound to
---is no count, and neither is one that `keys.text` of this responder or of a nearer one takes.
---
---```lua
---local list = responder "list" { counts = true, keys = { j = "down" } }
---function list.on:down(ctx) return ctx.count or 1 end
---focus(list)
---
---print(app:press("1 2 j").result, app:press("j").result)  --> 12  1
---```
---@type boolean?
responder.counts = nil

---Is asked while a context is being built, the app first; it writes what it knows into the context.
---
---```lua
---local page = responder "page" { author = "Ada" }
---function page:provide(ctx) ctx.author = self.author end
---focus(page)
---
---print(app:context().author)  --> Ada
---```
---@param self Responder the responder
---@param ctx Context what to write into
function responder.provide(self, ctx) end  -- a script's own

---Is asked once for an action that is not in 'on'; it may add it and return true.
---
---```lua
---local page = responder "page"
---function page:resolve(action)
---  if action == "zoom" then
---    self.on.zoom = function() return "zoomed" end
---    return true
---  end
---end
---
---print(page:perform("zoom").via, page:perform("zoom").via)  --> resolve  on
---```
---@param self Responder the responder
---@param action string the name of an action
---@return boolean? # whether it added a handler
function responder.resolve(self, action) end  -- a script's own

---Names another responder that should take an action; may also be that responder, or its name.
---
---It may be assigned: `Responder|string|(fun(self: Responder, action: string): Responder|string|nil)|nil`
---
---```lua
---local clerk = responder "clerk"
---function clerk.on:file() return "filed" end
---local desk = responder "desk" { redirect = "clerk" }
---
---print(desk:perform("file").by, desk:perform("file").via)  --> clerk  redirect
---```
---@param self Responder the responder
---@param action string the name of an action
---@return Responder|string|nil # who should take it
function responder.redirect(self, action) end  -- a script's own

---Says that 'unknown' takes an action here, in its place in the chain; may also be true, or a list of actions. The
---function may answer a table: what 'look' may answer, and the 'reason' for which it can't be done now.
---
---It may be assigned: `boolean|string|string[]|(fun(self: Responder, action: string): boolean|Claim|nil)|nil`
---
---```lua
---local shell = responder "shell"
---function shell:claims(action)
---  if action == "run" then return { title = "Run It" } end
---  if action == "stop" then return { reason = "nothing runs" } end
---end
---function shell:unknown(ctx) return "ran " .. ctx.action end
---focus(shell)
---
---print(app:validate("run").title, app:perform("run").result)  --> Run It  ran run
---print(app:perform("stop").reason)  --> nothing runs
---```
---@param self Responder the responder
---@param action string the name of an action
---@return boolean|Claim|nil # whether its 'unknown' takes it
function responder.claims(self, action) end  -- a script's own

---Of the app: runs once, when everything is loaded; it may wait. The tool waits for its end, and 'check' never runs
---it.
---
---```lua
---function app:start(ctx) print("ready") end
---
---print(type(app.start))  --> function
---```
---@param self Responder the app
---@param ctx Context the context
function responder.start(self, ctx) end  -- a script's own

---Is asked when nobody in the whole chain takes an action; 'pass' goes on to the next that has one.
---
---```lua
---function app:unknown(ctx) return "what is " .. ctx.action .. "?" end
---
---print(app:perform("fly").result, app:perform("fly").via)  --> what is fly?  unknown
---```
---@param self Responder the responder
---@param ctx Context the context
---@return any # the result
function responder.unknown(self, ctx) end  -- a script's own

---Whether it takes the focus; may also be a boolean.
---
---It may be assigned: `boolean|(fun(self: Responder): boolean)|nil`
---
---```lua
---local line = responder "line" { accepts_focus = false }
---
---print(focus(line))  --> false
---```
---@param self Responder the responder
---@return boolean # whether it takes the focus
function responder.accepts_focus(self) end  -- a script's own

---Is told that it gets the focus, after the other has resigned.
---
---```lua
---local line = responder "line"
---function line:become() print("here I am") end
---
---focus(line)  --> here I am
---```
---@param self Responder the responder
---@return boolean? # false refuses
function responder.become(self) end  -- a script's own

---Is told that it is about to lose the focus.
---
---```lua
---local line, other = responder "line", responder "other"
---function line:resign() return false end
---focus(line)
---
---print(focus(other))  --> false
---```
---@param self Responder the responder
---@return boolean? # false keeps the focus
function responder.resign(self) end  -- a script's own

---Of the app, a plugin or a responder: runs once when that goes, because it is removed, unloaded or reloaded, or because
---the host ends. It may not wait, and has the time of an action.
---
---```lua
---local page = responder "page"
---function page:stop() print("bye") end
---
---page:remove()  --> bye
---```
---@param self Responder the responder
function responder.stop(self) end  -- a script's own

---Is told of a script's error that passes on its way up the chain.
---
---```lua
---function app.on:explode() error("boom", 0) end
---function app:failed(err) return "the engine says: " .. err.message end
---
---print(app:perform("explode").error.message)  --> the engine says: boom
---```
---@param self Responder the responder
---@param err Failure what went wrong
---@return any # another error, or nil to end it here
function responder.failed(self, err) end  -- a script's own

---Its name, which can't be assigned.
---
---```lua
---print(responder("page").name)  --> page
---```
---@type string
responder.name = nil

---Who is asked after it: the app where nobody was named.
---
---It raises where it would make a circle, naming its members.
---
---It may be assigned: `Responder|string|nil`
---
---```lua
---local page, line = responder "page", responder "line"
---line.next = "page"
---
---print(line.next.name)  --> page
---```
---@type Responder?
responder.next = nil

---The class that it builds on.
---
---It may be assigned: `Class|string|nil`
---
---```lua
---class "button"
---local ok = responder "ok" { class = "button" }
---
---print(ok.class)  --> button
---```
---@type string?
responder.class = nil

---Whether it has an undo stack of its own, and how many levels it keeps.
---
---```lua
---local page = responder "page" { undo = { levels = 20 } }
---focus(page)
---
---print(app:undo_stack().owner)  --> page
---```
---@type boolean|UndoSetting|nil
responder.undo = nil

---Whether it answers during a modal session that it stands outside of.
---
---```lua
---local help = responder "help" { works_when_modal = true }
---function help.on:help() end
---modal(responder "panel")
---
---print(help:perform("help").status)  --> handled
---```
---@type boolean?
responder.works_when_modal = nil

---Whom it is asked before, wherever a walk gets there; that one is its 'next' then.
---
---It may be assigned: `Responder|string|nil`
---
---```lua
---local grid = responder "grid"
---responder "guard" { before = "grid" }
---```
---@type Responder?
responder.before = nil

---Performs an action; the walk starts here.
---
---```lua
---local page = responder "page"
---function page.on:read() return "words" end
---
---print(page:perform("read").result)  --> words
---```
---@param ref Reference what to do
---@param args? table<string, any> arguments, over those of the reference
---@param options? PerformOptions how
---@return Outcome # what came of it
function responder:perform(ref, args, options) end

---Registers an action at run time, all its parts at once.
---
---```lua
---local page = responder "page"
---local handle = page:define("read", { on = function() return "words" end })
---
---print(page:perform("read").result)  --> words
---handle:remove()
---print(page:perform("read").status)  --> unhandled
---```
---@param action string its name
---@param definition Definition what to register
---@return Registration # what removes it again
function responder:define(action, definition) end

---Gives this one responder a class of its own on top of what it has; one of the same name is made once.
---
---```lua
---local page = responder "page"
---function page.on:write() return "written" end
---page:derive("Readonly", { can = { write = function() return false, "this page is read-only" end } })
---
---print(page:perform("write").reason)  --> this page is read-only
---```
---@param name string the class's name
---@param fields? ClassFields what it overrides
---@return Responder # the responder itself
function responder:derive(name, fields) end

---Takes it out: whoever had it as 'next' gets its 'next', and its name is free.
---
---```lua
---local page = responder "page"
---page:remove()
---
---print(app:find("page"))  --> nil
---```
function responder:remove() end

-- # Windows
---A window is a responder that owns a first responder, an undo stack and a delegate.
---@class Window: Responder
local window = {}

---Makes it the key window: the walk begins at its first responder.
---
---```lua
---local one, two = window "one", window "two"
---two:make_key()
---
---print(one.is_key, two.is_key)  --> false  true
---```
function window:make_key() end

---Makes it the main window, whose chain is asked after the key window's.
---
---```lua
---local one, two = window "one", window "two"
---two:make_main()
---
---print(two.is_main)  --> true
---```
function window:make_main() end

---Whether it is the key window.
---
---```lua
---print(window("one").is_key)  --> true
---```
---@type boolean
window.is_key = nil

---Whether it is the main window.
---
---```lua
---print(window("one").is_main)  --> true
---```
---@type boolean
window.is_main = nil

---Its first responder; the window itself until one was set.
---
---```lua
---print(window("one").first.name)  --> one
---```
---@type Responder
window.first = nil

---Who is asked right after it.
---
---It may be assigned: `Responder|string|nil`
---
---```lua
---local main = window "main" { delegate = responder "helper" }
---focus(main)
---
---print(table.concat(app:chain(), " "))  --> main helper app
---```
---@type Responder?
window.delegate = nil

-- # Classes
---A class has the tables and hooks of a responder, and fields that its responders read where they have none of their
---own. A class may name its own class.
---@class Class: ClassFields
local class = {}

---Its name, which can't be assigned.
---
---```lua
---print(class("button").name)  --> button
---```
---@type string
class.name = nil

---The class that it builds on.
---
---It may be assigned: `Class|string|nil`
---
---```lua
---class "control" { size = 10 }
---class "button" { class = "control" }
---
---print(responder("ok") { class = "button" }.size)  --> 10
---```
---@type string?
class.class = nil

-- # What define takes
---The parts of one action, in the table for 'responder:define'.
---@class Definition
local definition = {}

---What does it.
---
---```lua
---app:define("greet", { on = function(_, ctx) return "Hello, " .. ctx.name end, needs = "name" })
---
---print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
---```
---@type (fun(self: Responder, ctx: Context): any)?
definition.on = nil

---Whether it can be done now.
---@type (fun(self: Responder, ctx: Context): any, string?)?
definition.can = nil

---How its item looks.
---@type (fun(self: Responder, ctx: Context): Look?)?
definition.look = nil

---The context keys without which it is disabled.
---@type string|string[]|table<string, string>|nil
definition.needs = nil

---What arguments it takes.
---@type table<string, ArgumentType>?
definition.takes = nil

---What a person is asked first.
---@type string|(fun(self: Responder, ctx: Context): string?)|nil
definition.confirm = nil

---What it is called.
---@type string|{ title: string, help: string?, icon: string? }|nil
definition.about = nil

---Whether it can be done again while it waits.
---@type boolean?
definition.reentrant = nil

-- # The context
---What a handler knows. 'ctx.k' is looked up in what this handler wrote, then the arguments, then what the caller
---passed as 'info', then what providers supplied, the nearest first. In 'can' and 'look' it is read-only.
---@class Context
local ctx = {}

---The name of the action.
---
---```lua
---function app:unknown(ctx) print(ctx.action, ctx.prefix) end
---
---app:perform("button.save")  --> save  button
---```
---@type string
ctx.action = nil

---The whole reference, as it was given.
---
---```lua
---function app.on:save(ctx) print(ctx.raw) end
---
---app:perform("button.save(as: pdf)")  --> button.save(as: pdf)
---```
---@type string
ctx.raw = nil

---What was dropped of the reference until somebody answered, or "".
---
---```lua
---function app.on:save(ctx) print(ctx.prefix) end
---
---app:perform("toolbar.button.save")  --> toolbar.button
---```
---@type string
ctx.prefix = nil

---The arguments, in a plain table of this perform's own.
---
---```lua
---function app.on:save(ctx) print(ctx.args.as) end
---
---app:perform("save(as: pdf)")  --> pdf
---```
---@type table<string, any>
ctx.args = nil

---Of an item its id, title, action and key; else the app.
---
---```lua
---menubar { menu "File" { item "Save" { "save" } } }
---function app.on:save(ctx) print(ctx.sender.id) end
---
---app:pick("File/Save")  --> File/Save
---```
---@type Sender|App
ctx.sender = nil

---The responder whose function runs.
---
---```lua
---function app.on:save(ctx) print(ctx.taker.name) end
---
---app:perform("save")  --> app
---```
---@type Responder
ctx.taker = nil

---The modifiers that were held.
---
---```lua
---function app.on:save(ctx) print(ctx.modifiers.alt) end
---
---app:perform("save", nil, { modifiers = { alt = true } })  --> true
---```
---@type table<string, boolean>
ctx.modifiers = nil

---In a context menu, what it is about.
---
---```lua
---function app.build:url(m) m:insert_last("root", item "Copy" { "copy", id = "copy" }) end
---function app.on:copy(ctx) print(ctx.subject) end
---app:context_menu("url", "a.org")
---
---app:pick("copy")  --> a.org
---```
---@type any
ctx.subject = nil

---Adds to a list; several responders may add to the same. `nil` adds nothing.
---
---```lua
---local page = responder "page"
---function app:provide(ctx) ctx:append("tags", "app") end
---function page:provide(ctx) ctx:append("tags", "page") end
---focus(page)
---
---print(table.concat(app:context().tags, " "))  --> page app
---```
---@param key string of the list
---@param value any what to add
function ctx:append(key, value) end

---Walks a list, what was added nearest first.
---
---```lua
---function app:provide(ctx) ctx.tag = "one" end
---function app.on:show(ctx)
---  for tag in ctx:each("tag") do print(tag) end
---end
---
---app:perform("show")  --> one
---```
---@param key string of the list
---@return fun(): any # what a 'for' loop takes
function ctx:each(key) end

---Reads a switch: true, a number that is not 0, and "true", "yes", "on", "1" are on.
---
---```lua
---function app.on:show(ctx) print(ctx:flag("all"), ctx:flag("deep")) end
---
---app:perform("show(all: yes, deep: 0)")  --> true  false
---```
---@param key string of the switch
---@return boolean # whether it is on
function ctx:flag(key) end

---Whether there is something under a key.
---
---```lua
---function app.on:show(ctx) print(ctx:has("all"), ctx:has("deep")) end
---
---app:perform("show(all: false)")  --> true  false
---```
---@param key string which
---@return boolean # whether somebody supplied it
function ctx:has(key) end

---Writes a field and makes that undoable.
---
---It raises in 'can' and 'look', and for a field of the host's.
---
---```lua
---local photo = { stars = 1 }
---function app.on:rate(ctx) ctx:set(photo, "stars", ctx.stars, "Rating") end
---app:perform("rate(stars: 5)")
---print(photo.stars, app:undo_stack().undo[1])  --> 5  Rating
---app:undo()
---print(photo.stars)                            --> 1
---```
---@param object table a plain table, or a responder
---@param key any a key, or a table of keys and values
---@param value? any what it becomes; left out behind a table of keys and values
---@param title? string what undo calls it
---@param options? UndoOptions how
function ctx:set(object, key, value, title, options) end

---Inserts a value into a list and makes that undoable. Undo removes this value, wherever it is by then.
---
---It raises in 'can' and 'look', and for a place that the list doesn't have.
---
---```lua
---local list = { "b" }
---function app.on:add(ctx) ctx:insert(list, ctx.at, ctx.word, "Add") end
---app:perform("add(word: a, at: 1)")
---table.insert(list, 1, "first")
---app:undo()
---print(table.concat(list, " "))  --> first b
---```
---@param list any[] a list, not a responder
---@param at integer the place, from 1 to #list + 1
---@param value any what is inserted
---@param title? string what undo calls it
---@param options? UndoOptions how
function ctx:insert(list, at, value, title, options) end

---Removes the first value of a list that is equal, and makes that undoable. Undo inserts it behind the value that was
---in front of it.
---
---It raises in 'can' and 'look'.
---
---```lua
---local list = { "a", "b", "c" }
---function app.on:drop(ctx) return ctx:remove(list, ctx.word, "Drop") end
---print(app:perform("drop(word: b)").result, table.concat(list, " "))  --> true  a c
---app:undo()
---print(table.concat(list, " "))                                       --> a b c
---```
---@param list any[] a list, not a responder
---@param value any the value that is removed
---@param title? string what undo calls it
---@param options? UndoOptions how
---@return boolean # whether it was in the list
function ctx:remove(list, value, title, options) end

---Registers the function or the action that takes this action back. What it registers in turn is what redo does, under
---the same title. The action starts at the responder that handles this one, by its name.
---
---```lua
---local names = {}
---function app.on:enter(ctx)
---  table.insert(names, ctx.name)
---  ctx:undo("Enter", "strike", { name = ctx.name })
---end
---function app.on:strike(ctx)
---  table.remove(names)
---  ctx:undo("Strike", "enter", { name = ctx.name })
---end
---
---app:perform("enter(name: Ann)")
---app:undo()
---print(#names, app:undo_stack().redo[1])  --> 0  Enter
---
---local list = {}
---local function add(ctx, word)
---  list[#list + 1] = word
---  ctx:undo("Add", function(ctx)
---    list[#list] = nil
---    ctx:undo("Add", function(ctx) add(ctx, word) end)
---  end)
---end
---function app.on:add(ctx) add(ctx, ctx.word) end
---
---app:perform("add(word: a)")
---app:undo()
---print(#list)  --> 0
---app:redo()
---print(#list)  --> 1
---```
---@param title string? what undo calls it; the item's title or the action's name where it is nil
---@param by string|fun(ctx: Context) the action or the function that takes it back
---@param args? table the arguments of the action, plain data; behind a function the options stand here
---@param options? UndoOptions how
function ctx:undo(title, by, args, options) end

---Ends the handler: the action is disabled after all, and what it did is taken back. It doesn't return.
---
---```lua
---function app.on:save(ctx) ctx:refuse("the disk is full") end
---
---print(app:perform("save").status, app:perform("save").reason)  --> disabled  the disk is full
---```
---@param reason string why not
function ctx:refuse(reason) end

---Calls the implementation below this one: of a layer, of the responder itself, of its class. In `unknown` it calls
---the `unknown` below.
---
---```lua
---local base = class "animal"
---function base.on:speak() return "a sound" end
---local dog = responder "dog" { class = "animal" }
---function dog.on:speak(ctx) return ctx:super() .. ": woof" end
---
---print(dog:perform("speak").result)  --> a sound: woof
---```
---@return any # what it answers; where there is none, true in 'can' and else nil
function ctx:super() end

---Calls the next responder in the chain that answers, if it can do it; never a catch-all.
---
---```lua
---local line = responder "line"
---function app.on:save() return "saved" end
---function line.on:save(ctx) return "first " .. ctx:forward() end
---
---print(line:perform("save").result)  --> first saved
---```
---@return any # what it answers; nil where there is none
---@return string? # why it said no
function ctx:forward() end

-- # What look answers
---How an item looks now. What is left out is as declared.
---@class Look
local look = {}

---What it is called now.
---
---```lua
---function app.on:mute() end
---function app.look:mute() return { title = "Unmute", state = "mixed", subtitle = "two of three" } end
---
---local found = app:validate("mute")
---print(found.title, found.subtitle, found.state)  --> Unmute  two of three  mixed
---```
---@type Text?
look.title = nil

---What stands below the title.
---@type Text?
look.subtitle = nil

---Whether it is ticked.
---@type boolean|"on"|"off"|"mixed"|nil
look.state = nil

---Whether it is left out of what is drawn.
---@type boolean?
look.hidden = nil

---The name of its picture, or a glyph.
---@type string|Span|nil
look.icon = nil

---Whether it destroys something, so that it is drawn with care.
---@type boolean?
look.destructive = nil

-- # What claims answers
---What stands for 'can' and 'look' of an action that is claimed: the fields of Look, and a reason.
---@class Claim
local claim = {}

---Why it can't be done now; left out where it can.
---
---```lua
---local shell = responder "shell"
---function shell:claims(action) return action == "run" and { title = "Run It", reason = "nothing is open" } end
---function shell:unknown(ctx) return "ran " .. ctx.action end
---focus(shell)
---
---local found = app:validate("run")
---print(found.title, found.enabled, found.reason)  --> Run It  false  nothing is open
---```
---@type string?
claim.reason = nil

---What it is called now.
---@type string?
claim.title = nil

---What stands below the title.
---@type string?
claim.subtitle = nil

---Whether it is ticked.
---@type boolean|"on"|"off"|"mixed"|nil
claim.state = nil

---Whether it is left out of what is drawn.
---@type boolean?
claim.hidden = nil

---The name of its picture.
---@type string?
claim.icon = nil

---Whether it destroys something, so that it is drawn with care.
---@type boolean?
claim.destructive = nil

-- # Fields of an item
---What stands in the table of `item "Title" { … }`. The values are plain; what changes is said by 'look'.
---@class ItemFields
local item = {}

---The action, which stands first.
---
---```lua
---menubar { menu "Image" { item "★★★" { "rate(stars: 3)", key = "3", subtitle = "good" } } }
---function app.on:rate(ctx) return ctx.stars end
---
---print(app:press("3").result, app:item("Image/★★★").subtitle)  --> 3  good
---```
---@type Reference?
item[1] = nil

---Its id; its path of titles where it is left out.
---@type string|integer|nil
item.id = nil

---The stroke, or sequence of strokes, that picks it: "ctrl+s", "g g".
---@type string?
item.key = nil

---Arguments of any kind, merged over those of the reference.
---@type table<string, any>?
item.args = nil

---What it is called, where nothing stands before its fields; its action's name where this is left out too.
---
---```lua
---panel { item { "go", title = { "main ", span("↑2", "added") } } }
---
---local row = app:panel().children[1]
---print(row.title, row.spans[2].style)  --> main ↑2  added
---```
---@type Text?
item.title = nil

---What a row shows in the columns of its section; false is an empty cell. Joined by blanks they are its title.
---@type (Text|false)[]?
item.cells = nil

---What stands below the title.
---@type Text?
item.subtitle = nil

---The name of its picture, or a glyph.
---@type string|Span|nil
item.icon = nil

---Whether it is ticked, where no 'look' says.
---@type boolean|"on"|"off"|"mixed"|nil
item.state = nil

---Whether it is left out of what is drawn.
---@type boolean?
item.hidden = nil

---False, or the reason why it is disabled.
---@type boolean|string|nil
item.enabled = nil

---The items that stand here while modifiers are held, by modifier.
---
---```lua
---menubar { menu "File" { item "Close" { "close", alternates = { alt = item "Close All" { "close(all: true)" } } } } }
---function app.on:close(ctx) return ctx.all end
---
---print(app:pick("File/Close", { alt = true }).result)  --> true
---```
---@type table<string, Element>?
item.alternates = nil

---Whether it destroys something, so that it is drawn with care.
---@type boolean?
item.destructive = nil

---Whether an open menu stays open when it is picked.
---@type boolean?
item.keeps_open = nil

---What is asked before it is done; without an answer the outcome is 'asks'.
---
---```lua
---menubar { menu "Edit" { item "Delete" { "delete", confirm = "Delete it for good?" } } }
---function app.on:delete() end
---
---print(app:pick("Edit/Delete").status)                        --> asks
---print(app:pick("Edit/Delete", { confirmed = true }).status)  --> handled
---```
---@type string?
item.confirm = nil

---Whether only the whole of its reference is looked for, and not its last component.
---
---```lua
---function app.on:export() return "the app's" end
---menubar { menu "Image" { item "Export" { "image.export", exact = true } } }
---
---print(app:item("Image/Export").reason, app:perform("image.export").result)
-----> nobody answers 'image.export'  the app's
---```
---@type boolean?
item.exact = nil

---A sentence about it, which faces show for the current item.
---@type string?
item.help = nil

---What is performed, with its arguments, when it becomes the current row of a panel.
---@type Reference?
item.current = nil

---The letter or digit of its title by which it is picked in an open menu.
---@type string?
item.mnemonic = nil

---How it looks in this place, over what the look of whoever takes its action says.
---
---```lua
---local filter = "all"
---function app.on:show() end
---
---menubar { menu "View" {
---  item "All" { "show(what: all)", id = "all", look = function(ctx) return { state = ctx.what == filter } end },
---} }
---
---print(app:item("all").state)  --> on
---```
---@param ctx Context with what the item asks
---@return Look? # how it looks here
function item.look(ctx) end  -- a script's own

---Whether it can be picked in this place, beside what the responder says that takes its action.
---
---```lua
---function app.on:delete() end
---menubar { menu "Photos" {
---  item "Delete" { "delete" },
---  item "Delete Here" { "delete", id = "here", can = function(ctx) return false, "choose a photo first" end },
---} }
---
---print(app:item("Photos/Delete").enabled, app:item("here").reason)  --> true  choose a photo first
---```
---@param ctx Context with what the item asks
---@return boolean # whether it can
---@return string? # why not
function item.can(ctx) end  -- a script's own

-- # Fields of a menu
---What stands in the table of `menu "Title" { … }`, beside its children.
---@class MenuFields
local menu = {}

---Its children in order; nil and false are skipped, so `cond and item …` works.
---
---```lua
---local expert = false
---menubar { menu "File" { item "Open" { "open" }, expert and item "Inspect" { "inspect" } } }
---
---print(#app:menu("File").children)  --> 1
---```
---@type Element|false|nil
menu[integer] = nil

---Its id; its path of titles where it is left out.
---@type string?
menu.id = nil

---Whether its children are shown in its place, between separators.
---@type boolean?
menu.inline = nil

---Whether one item at most is on, submenus included.
---@type boolean?
menu.single = nil

---Whether it is left out of what is drawn.
---@type boolean?
menu.hidden = nil

---False leaves enabling its items to their own 'enabled'.
---@type boolean?
menu.auto = nil

---Its title now, and whether it is hidden.
---
---```lua
---menubar { menu "Window" { look = function() return { title = "2 Windows" } end, item "Next" { "next" } } }
---
---print(app:menu("Window").title)  --> 2 Windows
---```
---@type (fun(ctx: Context): Look?)?
menu.look = nil

-- # Fields of extend
---What stands in the second argument of `extend`. One of the first five says where.
---@class ExtendFields
local where = {}

---True adds them at the beginning.
---
---```lua
---menubar { menu "Edit" { item "Cut" { "cut" } } }
---extend("Edit", { first = true, order = 2 }, item "Redo" { "redo" })
---extend("Edit", { first = true, order = 1 }, item "Undo" { "undo" })
---
---for _, element in ipairs(app:menu("Edit").children) do print(element.title) end
-----> Undo
-----> Redo
-----> Cut
---```
---@type boolean?
where.first = nil

---True adds them at the end, as without this table.
---@type boolean?
where.last = nil

---Adds them before the element with this id or title.
---@type string?
where.before = nil

---Adds them after the element with this id or title.
---@type string?
where.after = nil

---Adds them to the group with this name.
---@type string?
where.group = nil

---A lower number comes first at the same place; the default is 0.
---@type number?
where.order = nil

-- # Fields of a section
---What stands in the table of `section "id" { … }`.
---@class SectionFields
local section = {}

---The values, or a function that answers them.
---
---```lua
---function app:provide(ctx) ctx.places = { { name = "Home", path = "/home" } } end
---menubar {
---  menu "Go" {
---    section "places" {
---      header = "Places",
---      items = function(ctx) return ctx.places end,
---      id = function(place) return place.path end,
---      row = function(place) return item(place.name) { "go", args = { to = place.path } } end,
---      empty = "No places",
---    },
---  },
---}
---function app.on:go(ctx) return ctx.to end
---
---print(app:pick("/home").result)  --> /home
---```
---@type any[]|fun(ctx: Context): any[]?
section.items = nil

---The number of rows, in place of 'items', for a section of a pane with too many rows to list. It needs 'value' too.
---
---The host calls 'value' only for rows that a person sees, finds or chooses, so a million rows open as fast as a thousand.
---A snapshot holds the rows that the host knows, and their number.
---
---```lua
---local numbers = responder "numbers"
---function numbers.on:double(ctx) return ctx.row * 2 end
---panel {
---  pane "numbers" { responder = numbers,
---    section "all" {
---      count = 1000000,
---      value = function(i) return i end,
---      id = function(n) return n end,
---      index = function(id) return math.tointeger(tonumber(id)) end,
---      row = function(n) return item("Number " .. n) { "double" } end,
---    },
---  },
---}
---
---app:choose "500000"
---print(app:panel().children[1].rows, app:perform("double").result)  --> 1000000  1000000
---```
---@type integer|(fun(ctx: Context): integer)|nil
section.count = nil

---The value of the row with a number, from 1; nil if it is gone.
---@type (fun(number: integer, ctx: Context): any)?
section.value = nil

---Returns the number of the row with an id. Without it the host finds only ids of rows that it knows.
---@type (fun(id: string, ctx: Context): integer?)?
section.index = nil

---Returns the numbers of the rows that match a filter. Without it the host searches the first 10000 rows.
---@type (fun(text: string, ctx: Context): integer[])?
section.find = nil

---The id of a value's row.
---@type (fun(value: any): string|integer)?
section.id = nil

---Makes the row of a value: an item or a menu, but no section. With 'count' it must be an item.
---@type fun(value: any, ctx: Context): Element|false|nil
section.row = nil

---A line above the rows.
---@type Text?
section.header = nil

---A line below the rows.
---@type Text?
section.footer = nil

---A line where there are no rows.
---@type Text?
section.empty = nil

---How the cells of its rows are lined up, a column for each. No other section's columns move them.
---
---```lua
---panel {
---  section "files" {
---    items = { { "M", "Sources/main.c", "12k" } }, columns = { {}, { grow = true, cut = "middle" }, { style = "quiet" } },
---    row = function(file) return item { "open", cells = file } end,
---  },
---}
---
---local row = app:panel().children[1]
---print(row.title, row.cells[3].spans[1].style)  --> M Sources/main.c 12k  quiet
---```
---@type ColumnFields[]?
section.columns = nil

---What is performed, with a row's arguments, when that becomes the current one of a panel.
---@type Reference?
section.current = nil

---The kind of its rows' context menu: a row's value is the subject that builders are given.
---@type string?
section.kind = nil

---Whether the palette lists the rows of this section of a panel. By default it doesn't.
---@type boolean?
section.palette = nil

-- # Spans
---A part of a text with a style, as 'span' makes it. Styles are meanings: strong, quiet, accent, heading, added, removed,
---changed, warning, error, link, match; or what a program's colours come to: bold, red, on-#202030.
---@class Span
local part = {}

---What it says.
---
---```lua
---local part = span("new", "added")
---
---print(part.text, part.style)  --> new  added
---```
---@type string
part.text = nil

---Its style; left out where it has none.
---@type Style?
part.style = nil

-- # Fields of a column
---What stands in a table of a section's 'columns'.
---@class ColumnFields
local column = {}

---Whether it gets the room that is left.
---
---```lua
---panel { section "files" { items = { { "a.txt", "2k" } }, columns = { { grow = true }, { align = "right" } },
---  row = function(file) return item { "open", cells = file } end } }
---
---local cells = app:panel().children[1].cells
---print(cells[1].grow, cells[2].align)  --> true  right
---```
---@type boolean?
column.grow = nil

---At which side its cells begin; left where it is left out.
---@type "left"|"right"|nil
column.align = nil

---The style of what has none.
---@type Style?
column.style = nil

---The fewest columns of the screen that it gets.
---@type integer?
column.least = nil

---The most columns of the screen that it gets.
---@type integer?
column.most = nil

---Where a cell is cut that has no room: at its end, or in the middle, as paths are.
---@type "end"|"middle"|nil
column.cut = nil

-- # Fields of a panel
---What stands in the table of `panel { … }`, beside its elements.
---@class PanelFields
local panel = {}

---Whether letters that nothing is bound to find the row that begins with them. 'false' turns that off: every letter is
---a key then.
---
---```lua
---panel { typing = false, item "Ada" { "greet", key = "a" } }
---function app.on:greet() return "Hello" end
---
---print(app:press("a").result)  --> Hello
---```
---@type boolean?
panel.typing = nil

-- # Fields of a pane
---What stands in the table of `pane "id" { … }`. Its rows stand in it in order.
---@class PaneFields
local pane = {}

---Its sections, items and labels. A menu is a branch of a tree: 'enter', 'right' and 'left' open and close it, and the
---children of an open branch are rows below it.
---
---```lua
---panel { pane "tree" { menu "src" { item "main.lua" { "open" } }, item "README" { "open" } } }
---
---print(app:pick("tree/src").status)  --> handled
---for _, row in ipairs(app:panel().children[1].children) do print(row.title, row.open, row.level) end
-----> src  true  nil
-----> main.lua  nil  1
-----> README  nil  nil
---```
---@type Element|false|nil
pane[integer] = nil

---What stands above its rows.
---@type Text?
pane.title = nil

---The stroke that gives it the focus, unless something else is bound to it.
---@type string?
pane.key = nil

---Who gets the app's focus with it, and supplies 'row' and 'rows'; no other pane has the same.
---@type Responder|string|nil
pane.responder = nil

---Whether a person can narrow its rows, with '/'.
---@type boolean?
pane.filter = nil

---Whether its rows can be marked, with space.
---@type boolean?
pane.marks = nil

---Its part of the space, compared with its neighbours'; 1 where it is left out.
---@type number?
pane.share = nil

---Its smallest width or height in cells.
---@type integer?
pane.least = nil

---Its title now, what stands at the right of it, and whether it is hidden.
---
---```lua
---panel { pane "files" { title = "Files", look = function() return { subtitle = "main" } end, item "a" { "open" } } }
---
---print(app:panel().children[1].subtitle)  --> main
---```
---@type (fun(ctx: Context): Look?)?
pane.look = nil

-- # Fields of a text
---What stands in the table of `text "id" { … }`.
---@class TextFields
local text = {}

---What stands above its lines.
---@type string?
text.title = nil

---The stroke that gives it the focus, unless something else is bound to it.
---@type string?
text.key = nil

---Who gets the app's focus with it. It supplies 'row' and 'rows' of the pane that 'of' names, and 'lines' and
---'line_numbers', the selected lines or else the current one. Without a responder no line can be current.
---@type Responder|string|nil
text.responder = nil

---Its lines: a text, a list, or a function that gives them to 'add' as they come, or returns them. A third argument of
---'add' that is true replaces the last line, so `line = add` shows what a program overwrites.
---
---```lua
---panel { text "sum" { lines = function(ctx, add) for i = 1, 3 do add(i .. " squared is " .. i * i) end end } }
---
---print(app:text("sum")[3])  --> 3 squared is 9
---```
---@type string|Span[]|string[]|fun(ctx: Context, add: fun(line: string|Span|Span[], error?: boolean, replaces?: boolean)): (string|string[]|Span[]|nil)
text.lines = nil

---The pane whose current row it is about, or several; "focus" is whichever pane had the focus last.
---@type string|string[]|nil
text.of = nil

---How its lines look.
---@type "strong"|"quiet"|"accent"|"heading"|"added"|"removed"|"changed"|"warning"|"error"|"link"|"match"|nil
text.style = nil

---Whether its lines have the colours of the program that printed them.
---@type boolean?
text.ansi = nil

---Whether it stays at its end while lines come.
---@type boolean?
text.follow = nil

---Whether a line that doesn't fit goes on in the next row.
---@type boolean?
text.wrap = nil

---Its part of the space, compared with its neighbours'; 1 where it is left out.
---@type number?
text.share = nil

---Its smallest width or height in cells.
---@type integer?
text.least = nil

---Its title now, what stands at the right of it, and whether it is hidden.
---@type (fun(ctx: Context): Look?)?
text.look = nil

-- # Fields of what divides a panel
---What stands in the table of 'beside', 'stack' and 'tabs': panes, texts, and others of these.
---@class LayoutFields
local layout = {}

---What stands in it, in order.
---@type Element|false|nil
layout[integer] = nil

---Its part of the space, compared with its neighbours'; 1 where it is left out.
---
---```lua
---panel { beside { stack { pane "a" { item "x" { "x" } } }, stack { share = 2, pane "b" { item "y" { "y" } } } } }
---
---print(app:panel().children[1].children[2].share)  --> 2
---```
---@type number?
layout.share = nil

---Its smallest width or height in cells.
---@type integer?
layout.least = nil

-- # Menu elements
---What 'menu', 'item', 'label', 'section', 'separator', 'pane', 'text', 'beside', 'stack' and 'tabs' give. It
---can't be changed. What may stand in their tables: ItemFields, MenuFields, SectionFields, PaneFields, TextFields,
---LayoutFields.
---@class Element
local element = {}

---What it is.
---
---```lua
---local quit = item "Quit" { "quit", id = "the end" }
---
---print(quit.kind, quit.title, quit.action, quit.id)  --> item  Quit  quit  the end
---```
---@type "item"|"menu"|"separator"|"label"|"section"|"pane"|"text"|"beside"|"stack"|"tabs"
element.kind = nil

---What it is called.
---@type string
element.title = nil

---Its id, where it says one or stands in a tree.
---@type string?
element.id = nil

---The action of an item.
---@type Reference?
element.action = nil

-- # Builders
---What a function in 'build' edits a menu with. An id that is not there, or one that would stand twice, gives false,
---a message and a diagnostic.
---@class Builder
local m = {}

---Finds an element.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) print(m:find("File/Open").title, m:find("File/Shut")) end
---
---app:menu()  --> Open  false  there is no element 'File/Shut'
---```
---@param id ElementID which
---@return Element|false # it
---@return string? # why not
function m:find(id) end

---Puts an element in front of another.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:insert_before("File/Open", item "New" { "new" }) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> New Open
---```
---@param id ElementID of the other
---@param element Element what to put there
---@return boolean # whether it was done
---@return string? # why not
function m:insert_before(id, element) end

---Puts an element behind another.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:insert_after("File/Open", item "New" { "new" }) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> Open New
---```
---@param id ElementID of the other
---@param element Element what to put there
---@return boolean # whether it was done
---@return string? # why not
function m:insert_after(id, element) end

---Puts an element as the first child of a menu.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:insert_first("File", item "New" { "new" }) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> New Open
---```
---@param id ElementID of the other
---@param element Element what to put there
---@return boolean # whether it was done
---@return string? # why not
function m:insert_first(id, element) end

---Puts an element as the last child of a menu.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:insert_last("File", item "New" { "new" }) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> Open New
---```
---@param id ElementID of the other
---@param element Element what to put there
---@return boolean # whether it was done
---@return string? # why not
function m:insert_last(id, element) end

---Puts an element in the place of another.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:replace("File/Open", item "New" { "new" }) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> New
---```
---@param id ElementID of the other
---@param element Element what to put there
---@return boolean # whether it was done
---@return string? # why not
function m:replace(id, element) end

---Replaces the children of a menu.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } } }
---function app.build:main(m) m:replace_children("File", function(children) return { children[1], label "the end" } end) end
---
---local titles = {}
---for i, child in ipairs(app:menu("File").children) do titles[i] = child.title end
---print(table.concat(titles, " "))  --> Open the end
---```
---@param id ElementID of a menu
---@param fn fun(children: Element[]): Element[] what comes instead
---@return boolean # whether it was done
---@return string? # why not
function m:replace_children(id, fn) end

---Has the builders farther up run now, so that what follows edits their result.
---
---It raises a second time, and after 'stop'.
---
---```lua
---local page = responder "page"
---function page.build:main(m)
---  m:forward()
---  m:insert_last("root", menu "Last" {})
---end
---function app.build:main(m) m:insert_last("root", menu "First" {}) end
---focus(page)
---
---print(app:menu().children[1].title, app:menu().children[2].title)  --> First  Last
---```
function m:forward() end

---Keeps the builders farther up out.
---
---It raises after 'forward'.
---
---```lua
---local page = responder "page"
---function page.build:main(m)
---  m:stop()
---  m:insert_last("root", menu "Only" {})
---end
---function app.build:main(m) m:insert_last("root", menu "Never" {}) end
---focus(page)
---
---print(#app:menu().children, app:menu().children[1].title)  --> 1  Only
---```
function m:stop() end

---Removes an element.
---
---```lua
---menubar { menu "File" { item "Open" { "open" } }, menu "Help" {} }
---function app.build:main(m) m:remove("Help") end
---
---print(#app:menu().children)  --> 1
---```
---@param id ElementID which
---@return boolean # whether it was done
---@return string? # why not
function m:remove(id) end

-- # Snapshots
---An element of a menu as it is now, which 'app:menu', 'app:item' and 'app:context_menu' show.
---@class Snapshot
local snapshot = {}

---What it is; the panel itself is a section.
---
---```lua
---menubar { menu "File" { item "Save" { "save(as: pdf)", key = "ctrl+s" } } }
---local save = app:item("File/Save")
---
---print(save.kind, save.action, save.args.as, save.key)  --> item  save(as: pdf)  pdf  ctrl+s
---```
---@type "item"|"menu"|"separator"|"label"|"section"|"pane"|"text"|"beside"|"stack"|"tabs"
snapshot.kind = nil

---Its id.
---@type string
snapshot.id = nil

---What it is called now.
---@type string?
snapshot.title = nil

---Whether it can be picked now.
---@type boolean?
snapshot.enabled = nil

---Whether it is left out of what is drawn.
---@type boolean?
snapshot.hidden = nil

---Why it is disabled.
---@type string?
snapshot.reason = nil

---What is in a menu, or in the panel.
---@type Snapshot[]?
snapshot.children = nil

---Its title with styles, if it has any.
---@type Span[]?
snapshot.spans = nil

---What stands below its title, with styles, if it has any.
---@type Span[]?
snapshot.subtitle_spans = nil

---The style of its icon.
---@type Style?
snapshot.icon_style = nil

---The cells of a row: 'text', 'spans', and what its column says.
---@type table[]?
snapshot.cells = nil

---The section of a row that has cells.
---@type string?
snapshot.section = nil

---What stands below its title.
---@type string?
snapshot.subtitle = nil

---The action of an item.
---@type Reference?
snapshot.action = nil

---The arguments of its action.
---@type table<string, any>?
snapshot.args = nil

---The stroke that picks it.
---@type string?
snapshot.key = nil

---Whether it is ticked.
---@type "on"|"off"|"mixed"|nil
snapshot.state = nil

---Who takes its action, or refuses it.
---@type string?
snapshot.by = nil

---A responder outside of the chain that would take it; nobody in the chain does.
---@type string?
snapshot.elsewhere = nil

---The pane whose responder would take it, as a person calls it; nobody in the chain does.
---@type string?
snapshot.only_in = nil

---Whether only a modal session keeps it from being picked.
---@type boolean?
snapshot.blocked = nil

---The name of its picture.
---@type string?
snapshot.icon = nil

---What is asked before it is done.
---@type string?
snapshot.confirm = nil

---A sentence about it.
---@type string?
snapshot.help = nil

---Whether its action asks for arguments first.
---@type boolean?
snapshot.asks = nil

---How it shows whether it is on: by itself, or as one of several.
---@type "check"|"radio"|nil
snapshot.mark = nil

---Whether it is drawn with care.
---@type boolean?
snapshot.destructive = nil

---Whether an open menu stays open when it is picked.
---@type boolean?
snapshot.keeps_open = nil

---The items that stand here while modifiers are held.
---@type table<string, Snapshot>?
snapshot.alternates = nil

---Of a row, whether it is the current one of its pane; of a pane, the id of that row.
---@type boolean|string|nil
snapshot.current = nil

---Whether it is a marked row; of a pane, the number of its marked rows.
---@type boolean|integer|nil
snapshot.marked = nil

---Whether a branch of a tree is open; nil for what is no branch.
---@type boolean?
snapshot.open = nil

---How many open branches are around a row.
---@type integer?
snapshot.level = nil

---Whether the palette lists this row of the panel.
---@type boolean?
snapshot.palette = nil

---Whether it is the pane that has the focus.
---@type boolean?
snapshot.focused = nil

---What narrows the rows of a pane, where it can be filtered.
---@type string?
snapshot.filter = nil

---Whether the rows of a pane can be marked.
---@type boolean?
snapshot.marks = nil

---The number of a pane's rows, headers included.
---@type integer?
snapshot.rows = nil

---Whether a section of the pane has 'count', so that the snapshot holds only the rows that the host knows.
---@type boolean?
snapshot.counted = nil

---The number of a pane's current row.
---@type integer?
snapshot.number = nil

---The part of the space of a pane, or of what divides a panel, where that isn't 1.
---@type number?
snapshot.share = nil

---The smallest width or height of a pane, or of what divides a panel.
---@type integer?
snapshot.least = nil

---The panes whose current rows a text is about.
---@type string[]?
snapshot.of = nil

---How many lines a text has.
---@type integer?
snapshot.lines = nil

---A number that goes up when the lines of a text change, or which are selected.
---@type integer?
snapshot.version = nil

---A number that goes up when a text is about other rows.
---@type integer?
snapshot.subject = nil

---Whether the function of a text goes on, so that more lines may come.
---@type boolean?
snapshot.running = nil

---Whether a text stays at its end while lines come.
---@type boolean?
snapshot.follow = nil

---Whether lines of a text that don't fit go on in the next row.
---@type boolean?
snapshot.wrap = nil

---The number of a text's current line, where one can be.
---@type integer?
snapshot.line = nil

---The numbers of the first and the last selected line of a text.
---@type integer[]?
snapshot.selected = nil

-- # Changes of menus
---What those who listen for 'menu' or 'validation' are told of, in a list.
---@class Change
local change = {}

---What happened.
---
---```lua
---local name = "one"
---menubar { menu "Names" { section "s" { items = function() return { name } end, row = function(n) return item(n) {} end } } }
---listen("menu", function(changes) print(changes[1].change, changes[1].id) end)
---app:menu()
---name = "two"
---app:rebuild()
---
---app:menu()  --> insert  Names/two
---```
---@type "insert"|"remove"|"move"|"update"
change.change = nil

---Of which element.
---@type string
change.id = nil

---Where it stands now: the id of a menu.
---@type string?
change.parent = nil

---The id of the element before it, if there is one.
---@type string?
change.after = nil

---What was inserted, or what it is now.
---@type Snapshot?
change.element = nil

-- # What an argument may be
---An entry of 'takes': a type, as "integer", or a table that begins with one, or that has 'one_of'.
---@class ArgumentType
local argument = {}

---The type. An integer may be given as 3.0; nothing else is converted.
---
---```lua
---app.takes.greet = { name = { "string", matches = "^%a+$", title = "Name" }, loud = { "boolean", default = false } }
---function app.on:greet(ctx) return "Hello, " .. ctx.name .. (ctx.loud and "!" or "") end
---
---print(app:perform("greet(name: Ada)").result)  --> Hello, Ada
---print(app:perform("greet(name: 4)").reason)    --> 'name' must be a string that matches '^%a+$', not 4
---```
---@type "string"|"integer"|"number"|"boolean"|"file"|"folder"|"any"|nil
argument[1] = nil

---The values that it may be, each as it is or with a title: { "png", "PNG" }; or a function that returns them, whose
---context has the other answers.
---
---```lua
---app.takes.move = { to = { one_of = function(self, ctx) return { "sea", { "land", "The land" } } end } }
---function app.on:move(ctx) return ctx.to end
---
---print(app:perform("move(to: air)").reason)                      --> 'to' must be one of 'sea', 'land', not 'air'
---print(app:perform("move").asks.arguments[1].one_of[2].title)    --> The land
---```
---@type any[]|(fun(self: Responder, ctx: Context): any[])|nil
argument.one_of = nil

---What a person calls it.
---@type string?
argument.title = nil

---A sentence about it.
---@type string?
argument.help = nil

---The least number, or how many characters a string has at least.
---@type number?
argument.from = nil

---The largest number, or how many characters a string has at most.
---@type number?
argument.to = nil

---A pattern that a string has to match.
---@type string?
argument.matches = nil

---Whether it is a list of these.
---@type boolean?
argument.many = nil

---Where it stands among what is asked for; what has none comes last.
---@type number?
argument.order = nil

---Whether it can be left out.
---@type boolean?
argument.optional = nil

---The value where nothing is given; or a function that returns it, which the host calls for a form or a perform.
---@type any
argument.default = nil

---What a form begins with, to be changed or taken, or a function that gives it. It is asked for all the same: nothing
---is taken that nobody has seen.
---
---```lua
---app.takes.rename = { to = { "string", proposal = function() return app.title end } }
---function app.on:rename(ctx) app.title = ctx.to return ctx.to end
---app.title = "Old"
---
---print(app:perform("rename").status)                      --> asks
---print(app:perform("rename").asks.arguments[1].proposal)  --> Old
---```
---@type any
argument.proposal = nil

---Whether nobody but who does it may see it.
---@type boolean?
argument.secret = nil

---Makes a string a text of several lines: so many of them are seen in a form. There 'enter' begins a new line, 'alt+enter'
---or 'ctrl+enter' does it, and 'ctrl+e' opens the text in '$EDITOR'.
---
---```lua
---app.takes.commit = { message = { "string", lines = 10, wide = 72 } }
---function app.on:commit(ctx) return #ctx.message end
---
---print(app:perform("commit").asks.arguments[1].lines)           --> 10
---print(app:perform("commit", { message = "One\n\nTwo" }).result)  --> 8
---```
---@type integer?
argument.lines = nil

---The columns after which a form highlights the rest of the first line, beside 'lines'.
---@type integer?
argument.wide = nil

---Values that a form suggests: a list like that of 'one_of', or a function that returns one. Others may be given too.
---
---```lua
---app.takes.go = { branch = { "string", suggest = function(self, ctx) return { "main", "next" } end } }
---function app.on:go(ctx) return ctx.branch end
---
---print(app:perform("go").asks.arguments[1].suggest[2])  --> next
---print(app:perform("go(branch: other)").result)         --> other
---```
---@type any[]|(fun(self: Responder, ctx: Context): any[])|nil
argument.suggest = nil

---Says whether it is wanted, after the answers so far: where it isn't, forms leave it out, and nobody has to give it.
---
---```lua
---app.takes.export = {
---  format = { one_of = { "jpeg", "png" } },
---  quality = { "integer", when = function(self, ctx) return ctx.format == "jpeg" end },
---}
---function app.on:export(ctx) return ctx.quality or "no quality" end
---
---print(app:perform("export(format: png)").result)                    --> no quality
---print(app:perform("export(format: jpeg)").asks.arguments[1].key)    --> quality
---```
---@param self Responder the responder
---@param ctx Context the context, with the arguments known so far
---@return boolean # whether it is wanted
function argument.when(self, ctx) end  -- a script's own

-- # Fields of ask
---What stands in the table of `ask { … }`: 'takes', 'confirm' or both.
---@class AskFields
local question = {}

---What the form is called.
---@type string?
question.title = nil

---A sentence above its fields.
---@type string?
question.help = nil

---What is asked for, as in 'takes' of an action. Its functions get the context, with the answers so far.
---
---```lua
---function app.on:trip(ctx)
---  local answers = ask { takes = { city = { one_of = { "Bern", "Nice" } }, nights = { "integer", default = 2 } } }
---  return answers.nights .. " nights in " .. answers.city
---end
---
---app:answer { city = "Nice" }
---print(app:perform("trip").result)  --> 2 nights in Nice
---```
---@type table<string, ArgumentType>?
question.takes = nil

---What is to be confirmed.
---@type string?
question.confirm = nil

-- # What a job asks
---What 'job.asks' gives.
---@class AskedQuestion
local pending = {}

---What it is called.
---@type string?
pending.title = nil

---A sentence about it.
---@type string?
pending.help = nil

---The arguments that it asks for.
---
---```lua
---function app.on:rename() return ask { takes = { name = "string" } }.name end
---local job = app:perform("rename", nil, { wait = false }).job
---
---print(job.asks.arguments[1].key)  --> name
---```
---@type Asked[]
pending.arguments = nil

---What is to be confirmed.
---@type string?
pending.confirm = nil

-- # Questions
---What is to be answered before an action is done: perform it again with the answers.
---@class Question
local asks = {}

---The arguments that were not given: first those that it can't be done without.
---
---```lua
---app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
---function app.on:rate(ctx) return ctx.rating end
---
---print(app:perform("rate").asks.arguments[1].key)       --> rating
---print(app:perform("rate", { rating = 4 }).result)      --> 4
---```
---@type Asked[]
asks.arguments = nil

---What is to be confirmed.
---@type string?
asks.confirm = nil

-- # Actions that can be reached
---One of what 'app:actions' lists.
---@class Reachable
local reachable = {}

---The name that performs it.
---
---```lua
---function app.on:clear() end
---function app.can:clear() return false, "there is nothing to clear" end
---local clear = app:actions("clear")[1]
---
---print(clear.name, clear.enabled, clear.reason)  --> clear  false  there is nothing to clear
---```
---@type string
reachable.name = nil

---What it is called: what 'look' or 'about' says, else its name.
---@type string
reachable.title = nil

---What 'about' says of it.
---@type string?
reachable.help = nil

---The name of its picture.
---@type string?
reachable.icon = nil

---Who answers it.
---@type string?
reachable.by = nil

---How that responder came to it.
---@type "on"|"resolve"|"redirect"|"claims"|"unknown"|"native"|nil
reachable.via = nil

---What it takes, where that is declared; nobody is asked for choices.
---@type Asked[]?
reachable.takes = nil

---What a person is asked first; true where a function says so.
---@type string|true|nil
reachable.confirm = nil

---Whether it can be done now, or asks.
---@type boolean
reachable.enabled = nil

---Why not.
---@type string?
reachable.reason = nil

---The keys that are bound to it.
---@type string[]
reachable.keys = nil

---The items that perform it.
---@type ElementID[]
reachable.items = nil

---Whether it has 'takes': what declares nothing takes anything.
---@type boolean?
reachable.declared = nil

-- # Arguments that are asked for
---One of 'asks.arguments', with what a form needs to know.
---@class Asked
local asked = {}

---Its name.
---
---```lua
---app.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
---function app.on:rate(ctx) return ctx.rating end
---local asked = app:validate("rate").asks.arguments[1]
---
---print(asked.key, asked.type, asked.title, asked.from, asked.to)  --> rating  integer  Stars  0  5
---```
---@type string
asked.key = nil

---Its type, or 'one_of'.
---@type string
asked.type = nil

---What a person calls it.
---@type string?
asked.title = nil

---A sentence about it.
---@type string?
asked.help = nil

---What it may be; one with a title is { value =, title = }.
---@type any[]?
asked.one_of = nil

---What a form suggests, where other values may be given too.
---@type any[]?
asked.suggest = nil

---The least number, or the least length of a string.
---@type number?
asked.from = nil

---The largest number, or the greatest length of a string.
---@type number?
asked.to = nil

---What is taken where nothing is given.
---@type any
asked.default = nil

---What a form begins with.
---@type any
asked.proposal = nil

---Whether it can be left out.
---@type boolean?
asked.optional = nil

---Whether it is a list of these.
---@type boolean?
asked.many = nil

---Whether nobody but who does it may see it.
---@type boolean?
asked.secret = nil

---How many lines of a text with several a form shows.
---@type integer?
asked.lines = nil

---The columns after which a form highlights the rest of the first line.
---@type integer?
asked.wide = nil

-- # Options of perform
---The last table for 'perform'.
---@class PerformOptions
local options = {}

---Ask this responder alone, then its own 'unknown'; never the chain.
---
---```lua
---local page = responder "page"
---function app.on:save() return "the app" end
---
---print(app:perform("save", nil, { from = page }).result)  --> the app
---print(app:perform("save", nil, { to = page }).status)    --> unhandled
---```
---@type Responder|string|nil
options.to = nil

---Begin the walk here.
---@type Responder|string|nil
options.from = nil

---Who it comes from, as 'ctx.sender'.
---@type Responder|string|nil
options.sender = nil

---Values for the context, nearer than any provider's.
---@type table<string, any>?
options.info = nil

---The modifiers that are held, as { alt = true } or { "alt" }.
---@type table?
options.modifiers = nil

---Leave out 'needs' and 'can'.
---@type boolean?
options.skip_validation = nil

---False doesn't wait for its end: the status is 'running' and there is a job.
---@type boolean?
options.wait = nil

---What is told of the stages of this perform.
---@type fun(event: Event)|nil
options.observe = nil

---Whether a person asks for it, who is asked in turn what is to be confirmed.
---
---```lua
---app.confirm.clear = "Clear everything?"
---function app.on:clear() return "cleared" end
---
---print(app:perform("clear").result)                                         --> cleared
---print(app:perform("clear", nil, { asks = true }).asks.confirm)             --> Clear everything?
---print(app:perform("clear", nil, { asks = true, confirmed = true }).result) --> cleared
---```
---@type boolean?
options.asks = nil

---Whether only the whole of the reference is looked for, and not its last component.
---@type boolean?
options.exact = nil

---What that person answered; where it is left out, the outcome is 'asks'.
---@type boolean?
options.confirmed = nil

-- # Options of pick
---The last table for 'pick' and 'press'.
---@class PickOptions
local options = {}

---The answer to what asks to be confirmed; where it is left out, the outcome is 'asks' and tells the question.
---
---```lua
---menubar { menu "Edit" { item "Delete" { "delete", confirm = "Delete it?" } } }
---function app.on:delete() end
---
---print(app:pick("Edit/Delete", nil, { confirmed = true }).status)  --> handled
---```
---@type boolean?
options.confirmed = nil

---Arguments, laid over those of what is performed.
---@type table<string, any>?
options.args = nil

-- # Options of context_menu
---The last table for 'app:context_menu'.
---@class ContextMenuOptions
local options = {}

---Where the chain begins whose builders are asked.
---
---```lua
---local page = responder "page"
---function page.build:word(m, word) m:insert_last("root", label(word)) end
---
---print(#app:context_menu("word", "film", { from = page }).children)  --> 1
---```
---@type Responder|string|nil
options.from = nil

-- # Options of modal
---The last table for 'modal'.
---@class ModalOptions
local options = {}

---Whether the first action from outside closes the session.
---
---```lua
---function app.on:save() return "saved" end
---local session = modal(responder "panel", { dismissable = true })
---
---print(app:perform("save").reason, session.open)  --> dismissed  false
---```
---@type boolean?
options.dismissable = nil

-- # Options of ctx:set and ctx:undo
---Their last table.
---@class UndoOptions
local options = {}

---A key: what follows on an action with the same one is undone together with it.
---
---```lua
---local page = { text = "" }
---function app.on:type(ctx) ctx:set(page, "text", page.text .. ctx.key, "Typing", { coalesce = "typing" }) end
---app:perform("type(key: a)")
---app:perform("type(key: b)")
---app:undo()
---
---print(page.text == "")  --> true
---```
---@type string?
options.coalesce = nil

-- # An undo stack's setting
---What the field 'undo' may hold.
---@class UndoSetting
local undo = {}

---How many actions it keeps, 100 where nothing is said.
---
---```lua
---local page = responder "page" { undo = { levels = 1 }, text = "" }
---function page.on:write(ctx) ctx:set(self, "text", ctx.text) end
---focus(page)
---app:perform("write(text: a)")
---app:perform("write(text: b)")
---
---print(#app:undo_stack().undo)  --> 1
---```
---@type integer?
undo.levels = nil

---Whether the history is there again after a reload, and when the app next runs. Only what actions take back is kept:
---the newest entries, down to the first that has a function, 'ctx:set', 'ctx:insert' or 'ctx:remove', or a secret.
---
---```lua
---app.name = "notes"
---local page = responder "page" { undo = { levels = 20, keep = true } }
---
---print(page.undo.keep)  --> true
---```
---@type boolean?
undo.keep = nil

-- # Items as senders
---What 'ctx.sender' tells of an item.
---@class Sender
local sender = {}

---Its id.
---
---```lua
---menubar { menu "File" { item "Save" { "save", key = "ctrl+s" } } }
---function app.on:save(ctx) print(ctx.sender.title, ctx.sender.action, ctx.sender.key) end
---
---app:press("ctrl+s")  --> Save  save  ctrl+s
---```
---@type string
sender.id = nil

---What it is called.
---@type string
sender.title = nil

---Its action.
---@type Reference
sender.action = nil

---The stroke that picks it.
---@type string?
sender.key = nil

-- # Outcomes
---What came of an action. There is one for each perform.
---@class Outcome
local outcome = {}

---What came of it, in a word.
---
---```lua
---function app.on:divide(ctx) return ctx.a // ctx.b end
---
---local outcome = app:perform("divide(a: 6, b: 2)")
---print(outcome.status, outcome.by, outcome.via, outcome.result)  --> handled  app  on  3
---print(app:perform("divide(a: 6, b: 0)").error.message)          --> attempt to divide by zero
---```
---@type "handled"|"unhandled"|"disabled"|"blocked"|"failed"|"cancelled"|"asks"|"running"|"pending"
outcome.status = nil

---The responder whose function ran.
---@type string?
outcome.by = nil

---How that responder came to it.
---@type "on"|"resolve"|"redirect"|"claims"|"unknown"|"native"|nil
outcome.via = nil

---What the handler returned.
---@type any
outcome.result = nil

---Why it was not done; of what failed the error's message.
---@type string?
outcome.reason = nil

---What went wrong.
---@type Failure?
outcome.error = nil

---What is to be answered first, where nothing was done for that.
---
---```lua
---menubar { menu "Edit" { item "Delete" { "delete", key = "delete", confirm = "Delete it?" } } }
---function app.on:delete() end
---
---print(app:press("delete").asks.confirm)                     --> Delete it?
---print(app:press("delete", { confirmed = true }).status)   --> handled
---print(app:press("delete", { confirmed = false }).status)  --> cancelled
---```
---@type Question?
outcome.asks = nil

---A responder outside of the chain that would take it; nobody in the chain does.
---@type string?
outcome.elsewhere = nil

---The argument that it was not done for.
---@type string?
outcome.argument = nil

---What that argument may be, in words.
---@type string?
outcome.expected = nil

---What waits, where nobody waited for it.
---@type Job?
outcome.job = nil

-- # Errors
---What went wrong in a script; 'tostring' gives the message.
---@class Failure
local err = {}

---What is wrong, in one sentence.
---
---```lua
---function app.on:explode() error("boom") end
---local err = app:perform("explode").error
---
---print(err.message, err.code, tostring(err) == err.message)  --> boom  script  true
---```
---@type string
err.message = nil

---The script.
---@type string?
err.file = nil

---The line.
---@type integer?
err.line = nil

---The column, where it is known.
---@type integer?
err.column = nil

---Who called whom.
---@type string?
err.traceback = nil

---What kind of error it is, for programs.
---@type string
err.code = nil

---Whose script it is.
---@type string?
err.owner = nil

---The limit that was spent.
---@type "time"|"instructions"|"memory"|nil
err.limit = nil

---Whether a 'failed' hook ended it, so that it is not reported.
---@type boolean?
err.ended = nil

-- # Validations
---What 'app:validate' answers.
---@class Validation
local validation = {}

---Whether it can be done now.
---
---```lua
---local found = app:validate("save")
---
---print(found.enabled, found.reason)  --> false  nobody answers 'save'
---```
---@type boolean
validation.enabled = nil

---Why not; there always is one where it is disabled.
---@type string?
validation.reason = nil

---Who takes it, or refuses it.
---@type string?
validation.by = nil

---What is to be answered before it is done; 'enabled' is true then.
---@type Question?
validation.asks = nil

---The argument that disables it.
---@type string?
validation.argument = nil

---What that argument may be, in words.
---@type string?
validation.expected = nil

---What its item is called, where 'look' says so.
---@type string?
validation.title = nil

---What stands below that title.
---@type string?
validation.subtitle = nil

---Whether its item is ticked.
---@type "on"|"off"|"mixed"
validation.state = nil

---Whether its item is left out of what is drawn.
---@type boolean
validation.hidden = nil

---The name of its item's picture.
---@type string?
validation.icon = nil

---Whether its item is drawn with care.
---@type boolean?
validation.destructive = nil

-- # Explanations
---What 'app:why' answers.
---@class Explanation
local explanation = {}

---All of it, in sentences.
---
---```lua
---local why = app:why("save")
---
---print(why.text)
-----> disabled: nobody answers 'save'
----->   app: on save → doesn't answer
---```
---@type string
explanation.text = nil

---Whether it can be done now.
---@type boolean
explanation.enabled = nil

---Who takes it, or refuses it.
---@type string?
explanation.by = nil

---Why it can't be done.
---@type string?
explanation.reason = nil

---The questions in the order in which they were asked.
---@type Step[]
explanation.steps = nil

---The context keys that were read.
---@type ContextKey[]
explanation.keys = nil

-- # Steps of an explanation
---One question that was asked.
---@class Step
local step = {}

---The responder that was asked.
---
---```lua
---function app.on:save() end
---local step = app:why("save").steps[1]
---
---print(step.node, step.asked, step.answer)  --> app  on save  takes it
---```
---@type string
step.node = nil

---What it was asked.
---@type string
step.asked = nil

---What it said.
---@type string
step.answer = nil

---The script in which its function stands.
---@type string?
step.file = nil

---The line of its function.
---@type integer?
step.line = nil

-- # Context keys of an explanation
---One key of the context that was read.
---@class ContextKey
local key = {}

---Its name.
---
---```lua
---function app.on:save() end
---app.needs.save = "file"
---local key = app:why("save").keys[1]
---
---print(key.key, key.by, #key.candidates)  --> file  nil  0
---```
---@type string
key.key = nil

---Who supplied it.
---@type string?
key.by = nil

---Who could supply it.
---@type string[]
key.candidates = nil

-- # Links of the chain
---What 'app:chain' tells of a responder when it is asked about an action.
---@class Link
local link = {}

---The responder.
---
---```lua
---function app.on:save() end
---local link = app:chain("save")[1]
---
---print(link.name, link.answer)  --> app  on: takes it
---```
---@type string
link.name = nil

---Who made it.
---@type string
link.owner = nil

---How it would take the action.
---@type string?
link.answer = nil

-- # Titles of an undo stack
---What 'app:undo_stack' answers.
---@class UndoTitles
local stack = {}

---What can be taken back, the newest first.
---
---```lua
---local page = { text = "" }
---function app.on:write(ctx) ctx:set(page, "text", ctx.text) end
---app:perform("write(text: a)")
---
---print(app:undo_stack().undo[1], #app:undo_stack().redo)  --> write  0
---```
---@type string[]
stack.undo = nil

---What can be done again, the newest first.
---@type string[]
stack.redo = nil

---The responder whose stack 'undo' takes: the nearest that has something to undo.
---@type string
stack.owner = nil

---The responder whose stack 'redo' takes: the nearest that has something to redo.
---@type string
stack.redo_owner = nil

-- # Jobs
---An action that waits.
---@class Job
local job = {}

---Unwinds it: it is cancelled, and what it did is taken back.
---
---```lua
---function app.on:wait() sleep(60) end
---local job = app:perform("wait", nil, { wait = false }).job
---job:cancel()
---
---print(#app:jobs())  --> 0
---```
function job:cancel() end

---Waits for its end.
---
---```lua
---function app.on:brew() sleep(180) return "tea" end
---local job = app:perform("brew", nil, { wait = false }).job
---
---print(job:wait().result)  --> tea
---```
---@return Outcome # what came of it
function job:wait() end

---Answers what it asks. The first answer counts.
---
---It raises where an answer is missing or doesn't fit.
---
---```lua
---function app.on:rename() return ask { takes = { name = "string" } }.name end
---local job = app:perform("rename", nil, { wait = false }).job
---job:answer { name = "Pier" }
---
---print(job:wait().result)  --> Pier
---```
---@param answers table|boolean the answers by key; true is yes, false is no
---@return boolean # whether it asked something
---@return string? # that it asks nothing
function job:answer(answers) end

---The name of the action.
---
---```lua
---function app.on:wait() sleep(60) end
---local job = app:perform("wait", nil, { wait = false }).job
---
---print(job.action, job.by)  --> wait  app
---```
---@type string
job.action = nil

---The responder whose function runs.
---@type string
job.by = nil

---How far it is, where it has said so.
---@type Progress?
job.progress = nil

---What it asks, or what the action asks for which it waits; nil where it asks nothing.
---
---```lua
---function app.on:leave() return ask { title = "Leave", confirm = "Leave the room?" } end
---local job = app:perform("leave", nil, { wait = false }).job
---
---print(job.asks.title, job.asks.confirm)  --> Leave  Leave the room?
---```
---@type AskedQuestion?
job.asks = nil

-- # Progress
---How far a job is.
---@class Progress
local progress = {}

---From 0 to 1.
---
---```lua
---function app.on:copy() progress(0.25) sleep(1) end
---local job = app:perform("copy", nil, { wait = false }).job
---
---print(job.progress.fraction, job.progress.text)  --> 0.25  nil
---```
---@type number
progress.fraction = nil

---What is being done.
---@type string?
progress.text = nil

-- # Registrations
---What 'observe', 'listen' and 'define' give.
---@class Registration
local handle = {}

---Takes the registration back; it does nothing once a later one has replaced it.
---
---```lua
---local handle = listen("phase", print)
---handle:remove()
---app:enter("active")
---```
function handle:remove() end

-- # Modal sessions
---What 'modal' gives.
---@class Session
local session = {}

---Ends the session, and those above it; key window and focus are as before.
---
---```lua
---local session = modal(responder "panel")
---session:close()
---
---print(session.open)  --> false
---```
function session:close() end

---Whether it goes on.
---@type boolean
session.open = nil

-- # Open menus
---What 'app:open_menu' gives.
---@class OpenMenu: Session
local open = {}

---Picks an item, which closes the menu.
---
---```lua
---menubar { menu "Go" { item "Home" { "go(to: home)" } } }
---function app.on:go(ctx) return ctx.to end
---
---print(app:open_menu("Go"):pick("Go/Home").result)  --> home
---```
---@param id ElementID the id of an item in it
---@param modifiers? table the modifiers that are held
---@param options? PickOptions how
---@return Outcome # what came of it
function open:pick(id, modifiers, options) end

-- # Events of actions
---What 'observe' is told.
---@class Event
local event = {}

---Who asked: an item, a responder, else the app.
---@type Responder|Sender
event.sender = nil

---Before the first handler, when it is done, or when it came to nothing.
---
---```lua
---function app.on:save() return 1 end
---observe("*", function(event) print(event.stage, event.raw, event.by, event.outcome and event.outcome.result) end)
---
---app:perform("save(as: pdf)")
-----> will  save(as: pdf)  app  nil
-----> did  save(as: pdf)  app  1
---```
---@type "will"|"did"|"failed"
event.stage = nil

---The name of the action.
---@type string
event.action = nil

---The whole reference.
---@type string
event.raw = nil

---The arguments.
---@type table<string, any>
event.args = nil

---The responder whose function runs.
---@type string?
event.by = nil

---What came of it.
---@type Outcome?
event.outcome = nil

---What it waits as.
---@type Job?
event.job = nil

---For 'unhandled': the nearest names that somebody answers.
---@type string[]?
event.near = nil

-- # What can be listened for
---The first argument of 'listen', and what its function is told.
listen = {}

---The phase of the app has changed.
---
---```lua
---listen("phase", function(new, old) print(new, old) end)
---
---app:enter("background")  --> background  inactive
---```
---@param new string the phase now
---@param old string the one before
function listen.phase(new, old) end  -- a script's own

---The focus has moved.
---
---```lua
---local page = responder "page"
---listen("focus", function(new, old) print(new.name, old.name) end)
---
---focus(page)  --> page  app
---```
---@param new Responder who has it
---@param old Responder who had it
function listen.focus(new, old) end  -- a script's own

---What is declared in the menus has changed, or its order.
---
---```lua
---local names = {}
---menubar { menu "Names" { section "s" { items = names, row = function(n) return item(n) {} end } } }
---listen("menu", function(changes) print(#changes) end)
---app:menu()
---names[1] = "one"
---app:rebuild()
---
---app:menu()  --> 1
---```
---@param changes Change[] what changed, in order
function listen.menu(changes) end  -- a script's own

---What 'can' and 'look' say of items has changed.
---
---```lua
---local page = responder "page" { text = "" }
---function page.on:clear() self.text = "" end
---function page.can:clear() return self.text ~= "", "it is empty" end
---function page.on:write() self.text = "words" end
---menubar { menu "Edit" { item "Clear" { "clear" } } }
---focus(page)
---listen("validation", function(changes) print(changes[1].change, changes[1].element.enabled) end)
---app:menu()
---
---app:perform("write")  --> update  true
---```
---@param changes Change[] what changed, in order
function listen.validation(changes) end  -- a script's own

---Nobody handled an action.
---
---```lua
---function app.on:save() end
---listen("unhandled", function(event) print(event.action, event.near[1]) end)
---
---print(app:perform("safe").status)
-----> safe  save
-----> unhandled
---```
---@param event Event the action, with the nearest known names
function listen.unhandled(event) end  -- a script's own

---A script was loaded anew.
---
---```lua
---listen("reload", function(ok) log("info", ok and "reloaded" or "the old version stays") end)
---```
---@param ok boolean whether the new version runs; the old one does otherwise
function listen.reload(ok) end  -- a script's own

-- # Tests
-- The words of files named '*_test.lua', which 'menuctl test' runs.

---Registers a test, which has a host and an interpreter of its own.
---
---It raises for a name that is taken.
---
---```lua tests
---function app.on:greet(ctx) return "Hello, " .. ctx.name end
---
---test("it greets", function(app)
---  expect(app:perform("greet(name: Ada)").result):is("Hello, Ada")
---end)
---```
---```text
---example_test.lua
---  ✓ it greets
---
---1 passed
---```
---@param name string what is so
---@param fn fun(app: App) what shows it
function test(name, fn) end

---Loads the script that is tested, for each test anew.
---
---It raises where it does not load.
---
---```lua file
---subject "photos.lua"
---
---test("nothing is selected at first", function(app)
---  expect(app:context().photo):is_nil()
---end)
---```
---@param path string a file beside this one, or a folder with app.lua; with '..', one below the folder in which the tests are run
---@param options? SubjectOptions what else is loaded
function subject(path, options) end

---Groups tests: its name stands before theirs.
---
---```lua tests
---describe("a list", function()
---  test("is empty at first", function() expect(#{}):is(0) end)
---end)
---```
---```text
---example_test.lua
---  ✓ a list / is empty at first
---
---1 passed
---```
---@param name string of the group
---@param fn fun() what registers its tests
function describe(name, fn) end

---Runs before each test of its group, or of the file.
---
---```lua tests
---before_each(function(app) app:enter("active") end)
---
---test("it is active", function(app) expect(app.phase):is("active") end)
---```
---```text
---example_test.lua
---  ✓ it is active
---
---1 passed
---```
---@param fn fun(app: App) what comes first
function before_each(fn) end

---Ends a test as skipped; outside of one, skips the tests that its group registers after it.
---
---```lua tests
---test("it prints", function()
---  skip("there is no printer")
---end)
---```
---```text
---example_test.lua
---  - it prints  skipped: there is no printer
---
---0 passed, 1 skipped
---```
---@param reason string why
function skip(reason) end

---Begins to say what is expected of a value; in a test only.
---
---```lua
---expect(2 + 2):is(4)
---```
---@param v any a value
---@return Expectation # what is expected of it is said with
function expect(v) end

-- # Expectations
---What can be expected of a value. The first that doesn't hold ends the test.
---@class Expectation
local expected = {}  -- expect(v)

---Both are the same, tables with everything in them.
---
---```lua
---expect({ 1, { a = true } }):is({ 1, { a = true } })
---```
---@param x any the other
function expected:is(x) end

---They are not the same.
---
---```lua
---expect("a"):isnt("b")
---```
---@param x any the other
function expected:isnt(x) end

---It is true, and nothing else.
---
---```lua
---expect(1 < 2):is_true()
---```
function expected:is_true() end

---It is false, and nothing else.
---
---```lua
---expect(2 < 1):is_false()
---```
function expected:is_false() end

---It is nil.
---
---```lua
---expect(app:find("nobody")):is_nil()
---```
function expected:is_nil() end

---A string has it in it, or a table has such a value.
---
---```lua
---expect("harbour"):contains("arb")
---expect({ "a", "b" }):contains("b")
---```
---@param x any a part
function expected:contains(x) end

---A string matches.
---
---```lua
---expect("photo 12"):matches("%d+$")
---```
---@param pattern string a pattern of Lua's
function expected:matches(pattern) end

---A function raises.
---
---```lua
---expect(function() error("no film") end):raises("film")
---```
---@param pattern? string what its message matches
function expected:raises(pattern) end

---A number is near another.
---
---```lua
---expect(0.1 + 0.2):is_near(0.3, 1e-9)
---```
---@param x number the other
---@param tolerance number how far at most
function expected:is_near(x, tolerance) end

-- # Options of subject
---The second table for 'subject'.
---@class SubjectOptions
local options = {}

---Plugins that are loaded with the subject, by path or name.
---
---```lua file
---subject("photos.lua", { plugins = { "plugins/exporter" } })
---
---test("the plugin is there", function(app)
---  expect(app:plugins()[1].name):is("exporter")
---end)
---```
---@type string[]?
options.plugins = nil

---Functions that stand in for what is granted, by their names: 'exec', 'open', 'notify', 'env', 'watch',
---'clipboard.get', 'fs.read' and the like; 'os.time', 'os.date' and 'os.clock' too, and 'math.randomseed', which gives
---the number that 'math.random' begins with. Nobody is asked for grants then.
---
---```lua file
---local told = {}
---subject("photos.lua", { stand_ins = { notify = function(title) told[#told + 1] = title return true end } })
---
---test("an export tells of itself", function(app)
---  function app.on:export() return notify("Exported") end
---
---  app:perform("export")
---  expect(told):is({ "Exported" })
---end)
---```
---@type table<string, function>?
options.stand_ins = nil

-- # JSON
---What files hold and programs say, as values; this needs no capability.
json = {}

---Reads JSON: objects and lists become tables.
---
---It gives nil and a message for what is not JSON.
---
---```lua
---print(json.read('{"name": "pier", "sizes": [640, 0.5]}').sizes[2])  --> 0.5
---
---print(json.read("[1, ]"))  --> nil  line 1, column 5: a value can't begin so
---```
---@param text string one value, and nothing behind it
---@return any # the value; 'null' where it is null
---@return string? # what is wrong with the text, and where
function json.read(text) end

---Writes JSON; an empty table is an object.
---
---It raises for what JSON can't say, and names where it stands.
---
---```lua
---print(json.write { sizes = { 640, 0.5 }, name = "pier" })  --> {"name": "pier", "sizes": [640, 0.5]}
---```
---@param value any plain data: lists, tables by names, strings, numbers, booleans, 'null'
---@return string # on one line; names in their order
function json.write(value) end

-- # With a capability
-- What a script may do outside of the host, once it is granted with '--allow' or by the user's consent. Without,
-- these raise and name the capability.

---Runs a Lua file below the script's own folder, once; this needs no capability.
---
---```lua
---local words = require "lib.words"
---
---print(words.greeting)  --> hello
---```
---@param module string its name, as "lib.words" for lib/words.lua
---@return any # what the file returns
function require(module) end

---Runs a program and waits for it as 'sleep' does. Capability 'exec=PROGRAM'.
---
---exec("$EDITOR", { path }, { terminal = true }) runs the user's editor, with the capability 'exec=$EDITOR', and
---exec("$PAGER") their pager: the variable is split at blanks.
---
---```lua
---function app.on:echo(ctx)
---  return exec("echo", { ctx.text }, { line = function(text) progress(0.5, text) end }).out
---end
---
---print(app:perform("echo(text: hello)").result)  --> hello
---```
---@param program string its name, or its path from the script's own folder
---@param arguments? string[] what it is given
---@param options? ProgramOptions how it is run
---@return ProgramResult? # how it ended, and what it wrote
---@return string? # what the system refused
function exec(program, arguments, options) end

---Calls a function when something at or below a path has changed. Capability 'fs.read=PATH'.
---
---The function runs once for all that changes within 0.1 s. While programs of the app run ('exec'), it waits for their
---end, for 10 s at most. It runs again for what it changes there itself. A script may call 'watch' while it loads: the host
---begins to watch when everything is loaded, and ends with the script.
---
---```lua
---local count = 0
---watch(".", function() count = count + 1 end)
---fs.write("one.txt", "1")
---fs.write("two.txt", "2")
---app:advance(0.1)
---
---print(count)  --> 1
---```
---@param path string a file or folder, from the script's own folder
---@param run fun() what it runs then
---@return Registration? # what ends it
---@return string? # why the path can't be watched: it has too many folders, for example
function watch(path, run) end

---Reads a variable of the environment. Capability 'env=NAME'.
---
---```lua
---print(env("LANG"))  --> C.UTF-8
---```
---@param name string of the variable
---@return string? # its value
function env(name) end

---Opens a URL with the user's program for it. Capability 'open'.
---
---```lua
---function app.on:visit(ctx) return open("https://example.org") end
---
---print(app:perform("visit").result)  --> true
---```
---@param url string what to open
---@return boolean? # whether it was opened
---@return string? # what the system refused
function open(url) end

---Shows a notification, by the system's 'notify-send'. Capability 'notify'.
---
---```lua
---function app.on:export(ctx) return notify("Exported", "3 photos") end
---
---print(app:perform("export").result)  --> true
---```
---@param title string what happened, in few words
---@param text? string more of it
---@return boolean? # whether it is shown
---@return string? # what the system refused
function notify(title, text) end

-- # Options of a program
---The last table for 'exec'.
---@class ProgramOptions
local options = {}

---Variables over those of the tool's environment, as { LC_ALL = "C" }: 64 at most, with 64 KiB. 'PATH', 'LD_PRELOAD'
---and others that make other code run than the granted program are refused.
---
---```lua
---function app.on:plain() return exec("echo", { "hello" }, { env = { LC_ALL = "C" } }).status end
---
---print(app:perform("plain").result)  --> 0
---```
---@type table<string, string|number>?
options.env = nil

---What it reads; nothing where left out.
---@type string?
options.input = nil

---The folder in which it works, from the script's own; else the one where the tool was called.
---@type string?
options.folder = nil

---Called with each line as it comes, inside of the action: it may set fields and report progress, not wait. A '\r' ends
---a line too; 'replaces' is true if the program wrote this line over the one before, as the steps of a progress.
---
---```lua
---function app.on:list(ctx)
---  local lines = {}
---  exec("echo", { "10%\r100%" }, { line = function(text, isError, replaces)
---    lines[replaces and #lines or #lines + 1] = text
---  end })
---  return table.concat(lines, ", ")
---end
---
---print(app:perform("list").result)  --> 100%
---```
---@type (fun(text: string, isError: boolean, replaces: boolean))?
options.line = nil

---Whether it has the terminal meanwhile, as an editor or a pager needs; nil and a message where there is none.
---
---```lua
---function app.on:edit() return (select(2, exec("echo", {}, { terminal = true }))) end
---
---print(app:perform("edit").result)  --> there is no terminal that 'echo' could have
---```
---@type boolean?
options.terminal = nil

-- # What a program comes to
---What 'exec' gives.
---@class ProgramResult
local result = {}

---0 where it did what it was to do; 128 and more where a signal ended it.
---
---```lua
---function app.on:greet() return exec("echo", { "hello" }).status end
---
---print(app:perform("greet").result)  --> 0
---```
---@type integer
result.status = nil

---What it wrote to its output, at most 8 MiB; with 'line' the end of it, where that is more than 512 KiB.
---@type string
result.out = nil

---What it wrote of errors.
---@type string
result.err = nil

-- # Files
---Files below the folder that was granted: capability 'fs.read=PATH', 'fs.write=PATH'; without PATH the script's own
---folder. What the system refuses is nil and a message.
fs = {}

---Reads a file. Capability 'fs.read'.
---
---```lua
---print(fs.read("notes.txt"))  --> buy film
---```
---@param path string which
---@return string? # all of it
---@return string? # what was refused
function fs.read(path) end

---Lists a folder. Capability 'fs.read'.
---
---```lua
---for _, name in ipairs(fs.list("photos")) do print(name) end
-----> harbour.jpg
-----> pier.jpg
---```
---@param path string a folder
---@return string[]? # the names in it, in order
---@return string? # what was refused
function fs.list(path) end

---Tells of a file or folder. Capability 'fs.read'.
---
---```lua
---print(fs.stat("notes.txt").kind, fs.stat("notes.txt").size)  --> file  9
---```
---@param path string which
---@return table? # its 'kind', 'size' and when it was 'modified'
---@return string? # what was refused
function fs.stat(path) end

---Writes a whole file, which is never seen half-written; where a link is, the file that it names. Capability
---'fs.write'.
---
---```lua
---print(fs.write("notes.txt", "buy film\n"))  --> true
---```
---@param path string which
---@param text string what it is to hold
---@return boolean? # whether it was written
---@return string? # what was refused
function fs.write(path, text) end

---Makes a folder. Capability 'fs.write'.
---
---```lua
---print(fs.make("exports"))  --> true
---```
---@param path string of the folder
---@return boolean? # whether it was made
---@return string? # what was refused
function fs.make(path) end

---Removes a file or an empty folder. Capability 'fs.write'.
---
---```lua
---print(fs.remove("notes.txt"))  --> true
---```
---@param path string which
---@return boolean? # whether it was removed
---@return string? # what was refused
function fs.remove(path) end

---Renames or moves a file or folder. Capability 'fs.write'.
---
---```lua
---print(fs.rename("notes.txt", "old.txt"))  --> true
---```
---@param from string which
---@param to string what it is to be called
---@return boolean? # whether it was renamed
---@return string? # what was refused
function fs.rename(from, to) end

-- # The clipboard
---Capability 'clipboard'.
clipboard = {}

---Reads the clipboard.
---
---```lua
---clipboard.set("harbour")
---
---print(clipboard.get())  --> harbour
---```
---@return string? # its text
---@return string? # what was refused
function clipboard.get() end

---Writes to the clipboard.
---
---```lua
---print(clipboard.set("harbour"))  --> true
---```
---@param text string what it is to hold
---@return boolean? # whether it does
---@return string? # what was refused
function clipboard.set(text) end

-- # Plugins
-- What makes a script a plugin.

---Says that this script is a plugin; its first statement.
---
---```lua file
---plugin { name = "exporter", version = "1.2.0", requires = { photos = ">=1" }, allow = { "fs.read" } }
---```
---@param manifest Manifest who it is and what it needs
function plugin(manifest) end

-- # Manifests
---The table for 'plugin'.
---@class Manifest
local manifest = {}

---What it is called, by 'unload_plugin' and by what requires it.
---
---```lua file
---plugin { name = "stars", version = "1.0.0", requires = { menuctl = ">=0.1" } }
---```
---@type string
manifest.name = nil

---Its version, as in "1.2.0".
---@type string
manifest.version = nil

---What it does, in a sentence.
---@type string?
manifest.summary = nil

---Plugins, 'menuctl' or the 'app.name' of the app, each with the versions that will do.
---@type table<string, string>?
manifest.requires = nil

---The capabilities that it asks the user for.
---@type string[]?
manifest.allow = nil

-- # Lua's own functions
-- They are as in Lua 5.4 where nothing else is said; 'menuctl help lua' says all of it. 'dofile', 'loadfile', 'warn',
-- 'io', 'debug' and 'package' are not there.

---The table of this script's globals.
---@type table<string, any>
_G = nil  -- Lua's

---The version of Lua.
---@type string
_VERSION = nil  -- Lua's

---Raises its second value where the first is nil or false.
---@generic T
---@param v T what is to be true
---@param message? any what is raised else
---@param ... any what is given back behind it
---@return T # the same
---@return any ... # what stood behind it
function assert(v, message, ...) end  -- Lua's

---Only "count": how many KiB scripts use.
collectgarbage = collectgarbage  -- Lua's

---Raises an error.
---@param message any what is raised
---@param level? integer whose line is blamed: 1 the caller of 'error', 2 its caller, 0 nobody's
function error(message, level) end  -- Lua's

---The metatable of a value; those of the host's objects are hidden.
---
---```lua
---print(getmetatable(app))  --> false
---```
---@param object any of what
---@return any # the metatable; false for an object of the host's
function getmetatable(object) end  -- Lua's

---Walks a list in a 'for' loop.
---@generic V
---@param t V[] the list
---@return fun(t: V[], i?: integer): integer, V # what 'for' calls
---@return V[] # the list
---@return integer # 0
function ipairs(t) end  -- Lua's

---As 'load(text, name, "t", environment)': compiles a text of 64 KiB at most, or the pieces that a function returns.
---The chunk has this script's globals, or those of 'environment', a table, and then no others. Returns a function, or
---nil and an error.
---
---```lua
---local formula = load("return price * count", "formula", "t", { price = 3, count = 4 })
---print(formula())  --> 12
---
---print((pcall(load("print(price)", "alone", "t", {}))))  --> false
---```
---@param chunk string|function a text, or what gives it in pieces
---@param name? string what it is called in errors
---@param mode? "t" only texts are loaded
---@param env? table its globals
---@return function? # nil where it can't be compiled
---@return string? # why it can't be
function load(chunk, name, mode, env) end  -- Lua's

---The next key and value of a table.
---@generic K, V
---@param t table<K, V> of which table
---@param index? K behind which key
---@return K? # nil at the end
---@return V? # its value
function next(t, index) end  -- Lua's

---Walks a table in a 'for' loop, in an order that is another each time that an app is loaded.
---@generic K, V
---@param t table<K, V> the table
---@return fun(t: table<K, V>, index?: K): K, V # what 'for' calls
---@return table<K, V> # the table
---@return nil # where it begins
function pairs(t) end  -- Lua's

---Calls a function and catches what it raises, but for a spent limit and 'ctx:refuse'.
---@param f function what is called
---@param ... any what it is given
---@return boolean # whether it came to its end
---@return any ... # what it gave, or what was raised
function pcall(f, ...) end  -- Lua's

---Compares without metatables.
---@param a any one
---@param b any another
---@return boolean # whether they are the same
function rawequal(a, b) end  -- Lua's

---Reads a field without metatables.
---@param t table of which table
---@param key any which field
---@return any # its value
function rawget(t, key) end  -- Lua's

---The length without metatables.
---@param v table|string of what
---@return integer # the length
function rawlen(v) end  -- Lua's

---Writes a field without metatables; not of the host's objects.
---@param t table of which table
---@param key any which field
---@param value any what it becomes
---@return table # the table
function rawset(t, key, value) end  -- Lua's

---Some of its arguments, or how many there are.
---@param n integer|"#" from which on, or how many there are
---@param ... any of what
---@return any ... # these
function select(n, ...) end  -- Lua's

---Gives a table a metatable; not '__gc', '__close', '__concat', and '__mode' only "v".
---@generic T
---@param t T to which table
---@param metatable? table what it gets
---@return T # the table
function setmetatable(t, metatable) end  -- Lua's

---Reads a number.
---@param v any what is read
---@param base? integer from 2 to 36
---@return number? # nil where it is no number
function tonumber(v, base) end  -- Lua's

---A value as text.
---@param v any of what
---@return string # the text
function tostring(v) end  -- Lua's

---The type of a value.
---@param v any of what
---@return "nil"|"boolean"|"number"|"string"|"table"|"function"|"thread"|"userdata" # its name
function type(v) end  -- Lua's

---As 'pcall', with a function that is told of the error.
---@param f function what is called
---@param handler function what is told of an error
---@param ... any what the first is given
---@return boolean # whether it came to its end
---@return any ... # what it gave, or what the handler did
function xpcall(f, handler, ...) end  -- Lua's

-- # Lua's own libraries
-- Their tables are shared by all scripts and can't be changed.

---create, isyieldable, resume, running, status, wrap, yield. No 'close'; a handler waits with 'sleep', not with
---'yield'.
coroutine = coroutine  -- Lua's

---abs, acos, asin, atan, ceil, cos, deg, exp, floor, fmod, huge, log, max, maxinteger, min, mininteger, modf, pi,
---rad, random, randomseed, sin, sqrt, tan, tointeger, type, ult.
math = math  -- Lua's

---clock, date, difftime, time. What reaches outside is not there.
os = os  -- Lua's

---byte, char, find, format, gmatch, gsub, len, lower, match, pack, packsize, rep, reverse, sub, unpack, upper. No
---'dump'; patterns count their steps.
string = string  -- Lua's

---concat, insert, move, pack, remove, sort, unpack.
table = table  -- Lua's

---char, charpattern, codepoint, codes, len, offset.
utf8 = utf8  -- Lua's

-- # Lua's own 'os'
---What there is of Lua's 'os'.
os = {}

---The processor's time that scripts have used.
---@return number # in seconds
function os.clock() end

---A time as text, or in parts.
---@param format? string as of the C library; "*t" for a table
---@param time? integer now where it is left out
---@return any # a string, or a table
function os.date(format, time) end

---How far two times are apart.
---@param later integer one time
---@param earlier integer another
---@return number # in seconds
function os.difftime(later, earlier) end

---The time as a number.
---@param parts? table year, month, day and more; now where it is left out
---@return integer # in seconds
function os.time(parts) end
