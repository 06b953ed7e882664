---@meta
-- The script language of menuctl: every name that a script may meet. `menuctl help NAME`, `docs/reference.md`,
-- `menuctl stubs` and the completions are drawn from this file, and from no other.
--
-- `-- # Title` begins a group, of globals by default. After `---@class` the group has the fields of an object, which
-- the reference calls by the local's name. After `name = {}` it has the functions of a library.
--
-- A paragraph that begins with "It" says when an entry raises. An example is the body of a test, and `-->` shows its
-- output. `-- a script's own` marks a function that scripts write and the host calls, `-- Lua's` a function of Lua.

-- # Globals
-- The words that declare an app, and the few that act.

---The root responder, last in every chain. Scripts control the app with it.
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
---It raises if the name is taken, and names both places.
---
---```lua
---local main = window "main"
---local page = responder "page" { next = main }
---focus(page)
---
---print(main.first.name, main.is_key)  --> page  true
---```
---@param name string its name, unique among responders
---@return Window # call it with a table of fields, or leave it as it is
function window(name) end

---Makes a responder. Its 'next' is the app, unless you name another.
---
---It raises if the name is taken, and names both places.
---
---```lua
---local page = responder "page"
---local line = responder "line" { next = page, text = "" }
---focus(line)
---
---print(table.concat(app:chain(), " "))  --> line page app
---```
---@param name string its name, unique among responders
---@return Responder # call it with a table of fields, or leave it as it is
function responder(name) end

---Makes a class: behaviour and fields that responders share.
---
---It raises if the name is taken, and names both places.
---
---```lua
---local shape = class "shape" { sides = 0 }
---function shape.on:describe() return self.name .. " has " .. self.sides .. " sides" end
---local square = responder "square" { class = "shape", sides = 4 }
---
---print(square:perform("describe").result)  --> square has 4 sides
---```
---@param name string its name, unique among the script's classes
---@return Class # call it with a table of fields, or leave it as it is
function class(name) end

---Declares the body of a face, which is always in view. Each script or plugin does this once.
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
---@param elements Element[]|PanelFields its elements, in order
function panel(elements) end

---Declares the main menu.
---
---It raises at an owner's second call, and names both places.
---
---```lua
---menubar { menu "File" { item "Open…" { "open", key = "ctrl+o" } } }
---function app.on:open() end
---
---print(app:item("File/Open…").enabled)  --> true
---```
---@param menus Element[] the menus, in order
function menubar(menus) end

---Opens the palette in the face that began this action.
---
---```lua
---function app.on:search() return select(2, open_palette()) end
---
---print(app:perform("search").result)  --> nothing can be opened: this action wasn't started from the terminal UI or another face
---```
---@return true? # true, or nil if no face began the action
---@return string? # why nothing opens
function open_palette() end

---Opens a menu in the face that began this action.
---
---```lua
---menubar { menu "View" { item "Zoom" { "zoom" } } }
---function app.on:views() return select(2, open_menu("Veiw")) end
---
---print(app:perform("views").result)  --> there is no element 'Veiw'; did you mean 'View'?
---```
---@param id string its id
---@return true? # true, or nil if nothing opens
---@return string? # why nothing opens
function open_menu(id) end

---Opens the form of another action in the face that began this action. The face then performs that action.
---
---```lua
---app.takes.resize = { width = "integer" }
---function app.on:larger() return open_form("resize") end
---
---print(app:perform("larger").result)  --> nil
---```
---@param ref Reference the reference of the other action
---@return true? # true, or nil if no face began the action
---@return string? # why nothing opens
function open_form(ref) end

---Adds elements to a menu, a section, a pane or a layout of any script, while this script is loaded. Performing an
---action costs nothing more.
---
---Without a second argument the host adds them at the end. If the id is unknown, the host reports that, and adds them
---when the id appears.
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
---@param id string the id of the extended element; "root" is the menubar, "panel" the panel
---@param where ExtendFields|Element|nil where in it, or the first element
---@param ... Element the elements to add
function extend(id, where, ...) end

---Makes a menu, in a menubar or in another menu.
---
---```lua
---menubar { menu "View" { single = true, item "List" { "show(as: list)" }, item "Grid" { "show(as: grid)" } } }
---
---print(#app:menu("View").children)  --> 2
---```
---@param title Text its title
---@return Element # call it with its fields and children
function menu(title) end

---Makes a part of a menu. The host draws it between separators, and 'extend' finds it by name.
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
---@param name string its name, unique in its menu
---@return Element # call it with its children
function group(name) end

---Makes a menu item, which names an action, never a function.
---
---```lua
---menubar { menu "Edit" { item "Find…" { "find", key = "ctrl+f" } } }
---
---print(app:item("Edit/Find…").reason)  --> nobody handles 'find'
---```
---@param title string|Span its title
---@return Element # call it with its action and fields
function item(title) end

---A line between items. The host hides a separator at an end, or beside another.
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
---@param text Text its text
---@return Element # it
function label(text) end

---Makes a part of a text with a style. A title, a subtitle or a cell can be a text, a span, or a list of both.
---
---```lua
---menubar { menu "Branch" { item { "push", title = { "main ", span("↑2", "added"), span(" ↓1", "changed") } } } }
---
---local push = app:menu("Branch").children[1]
---print(push.title, push.spans[2].text, push.spans[2].style)  --> main ↑2 ↓1  ↑2  added
---```
---@param text string its text
---@param style Style its meaning
---@return Span # it
function span(text, style) end

---Reads the colours that a program prints for a terminal, and drops every other escape.
---
---```lua
---local parts = ansi("\27[32m+ new\27[0m line\27[2J")
---
---print(#parts, parts[1].text, parts[1].style, parts[2])  --> 2  + new  green   line
---```
---@param text string the program's output
---@return (string|Span)[] # its texts and spans
function ansi(text) end

---Makes a part of a menu with a row for each value of a list.
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
---@return Element # call it with its fields
function section(id) end

---Makes a pane: a list of rows in a divided panel. Its current row and its marked rows belong to the app, and its
---responder supplies them as 'row' and 'rows'.
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
---@return Element # call it with its fields
function pane(id) end

---Makes a text: an area of a panel that shows lines, which a person can scroll and search but not change.
---
---A function returns the lines, or adds them one by one. The host calls it while somebody sees the text: first, after
---each move in the pane of 'of', and after each action. The function's own actions don't count. It may wait, as 'exec'
---does. A new call cancels the last.
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
---@return Element # call it with its fields
function text(id) end

---Puts panes, texts and layouts into columns. A name in front lets others find it: beside "main" { … }.
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
---@param id string|LayoutFields its id, or its content at once
---@return Element # call it with its fields, if you gave an id
function beside(id) end

---Puts panes, texts and layouts below each other.
---
---```lua
---panel { stack { pane "files" { item "a.txt" { "open" } }, pane "log" { least = 5, item "First" { "show" } } } }
---
---print(app:panel().children[1].children[2].least)  --> 5
---```
---@param id string|LayoutFields its id, or its content at once
---@return Element # call it with its fields, if you gave an id
function stack(id) end

---Shows one of several panes at a time, under a line with the titles of all.
---
---```lua
---panel { tabs "lists" { pane "open" { item "Write" { "go" } }, pane "done" { item "Read" { "go" } } } }
---
---app:choose("done")
---print(app:panel().children[1].children[2].focused)  --> true
---```
---@param id string|LayoutFields its id, or its content at once
---@return Element # call it with its fields, if you gave an id
function tabs(id) end

---Makes a responder the first of its window, and that window the key window: the walk begins there.
---
---It returns false if the old or the new responder refuses.
---
---```lua
---local page = responder "page"
---
---print(focus(page), app:chain()[1])  --> true  page
---```
---@param responder Responder|string the new responder, or its name
---@return boolean # whether it has the focus now
function focus(responder) end

---Opens a modal session: only this responder, and responders that reach it by 'next', can act.
---
---It returns nil and the reason if the responder doesn't get the focus. It raises while a script loads.
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
---@param responder Responder|string the responder inside, or its name
---@param options? ModalOptions how
---@return Session? # the session, which you close with it
---@return string? # why nothing opened
function modal(responder, options) end

---Watches actions. The host calls the function before the first handler runs, and when the action is done or has
---failed.
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
---@param fn fun(event: Event) gets each stage
---@return Registration # its 'remove' ends it
function observe(pattern, fn) end

---Emits an event of scripts: the host calls its listeners in order when the action has ended. Its name has a dot in it.
---
---Events of listeners come in the same turn. It raises while the host asks, while a script loads, and beyond 1,000
---events in a turn.
---
---```lua
---function app.on:rate(ctx) emit("photo.changed", { stars = ctx.stars }) print("rated") end
---listen("photo.changed", function(photo) print("now " .. photo.stars) end)
---
---app:perform("rate(stars: 5)")
-----> rated
-----> now 5
---```
---@param name string the name of the event: words with dots between them
---@param data? any the value for the listeners
function emit(name, data) end

---Watches the host: phases, the focus, menus, validation, actions that nobody handles, and events that scripts emit.
---
---```lua
---listen("phase", function(new, old) print(old .. " → " .. new) end)
---
---app:enter("active")  --> inactive → active
---```
---@param event HostEvent|string the event; an event of scripts has a dot in its name
---@param fn function gets arguments that depend on the event
---@return Registration # its 'remove' ends it
function listen(event, fn) end

---Runs a function once, later. It may wait, and has its own allowance and undo group. The timer goes with its script,
---or with the action that began it if that fails.
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
---@param run fun() the function
---@return Registration # its 'remove' ends it
function after(seconds, run) end

---Runs a function again and again. A run never overlaps itself, and three failures in a row end the timer.
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
---@param run fun() the function
---@return Registration # its 'remove' ends it
function every(seconds, run) end

---Cuts a text into lines.
---
---```lua
---for _, line in ipairs(lines("main\ntopic\n")) do print(line) end
-----> main
-----> topic
---```
---@param text string any
---@return string[] # its lines, without their ends
function lines(text) end

---Waits inside an action, while the host goes on. In a test it moves the test's clock.
---
---It raises in 'can', 'look', 'provide' and builders, and while a script loads.
---
---```lua
---function app.on:brew() sleep(180) return "tea" end
---
---print(app:perform("brew").result)  --> tea
---```
---@param seconds number how long
function sleep(seconds) end

---Asks a person while an action runs: for answers, or to confirm something. The action waits as in 'sleep', and
---everything else goes on. A face shows a form, a verb asks at the terminal, a program answers with 'answer'.
---
---It returns nil if the person says no, and nil and "nobody can be asked" if there is no person. It raises where
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
---@param question AskFields the question
---@return table|true|nil # the answers by key; true without 'takes'; nil for no
---@return string? # "nobody can be asked"
function ask(question) end

---Reports the progress of the running action.
---
---It raises outside of an action, and if the fraction is not from 0 to 1.
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
---@param text? string the current step
function progress(fraction, text) end

---A handler or a 'can' returns this to say "not me, ask further up".
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

---JSON's null inside lists and objects. As an argument, null is nil.
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
---It raises for an unknown level.
---
---```lua
---log("info", "two files", 2)
---```
---@param level "debug"|"info"|"warn"|"error" its level
---@param ... any the values
function log(level, ...) end

---Writes values to the script's output, with tabs between them.
---
---```lua
---print("one", 2, true)  --> one  2  true
---```
---@param ... any the values
function print(...) end

-- # The app
---The root responder, with which scripts control the host. A call that performs returns an outcome, and raises nothing
---for a person's mistake.
---@class App: Responder
local app = {}

---The app's title, for people.
---
---```lua
---app.title = "Photos"
---
---print(app.title)  --> Photos
---```
---@type string?
app.title = nil

---The app's name, for programs and for plugins that require it. It is "app" at first.
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

---The values of '--set KEY=VALUE' on the command line. A script can't assign it.
---
---```lua
---print(app.settings.size)  --> nil
---```
---@type table<string, any>
app.settings = nil

---A table that survives a reload of this script: plain data, one table for each script and plugin.
---
---```lua
---app.keep.count = (app.keep.count or 0) + 1
---```
---@type table<string, any>
app.keep = nil

---A table that has the same values when the app next runs: plain data, at most 256 KiB, one table for each script and
---plugin. The app needs a name for that. The tool keeps it in a file in '$XDG_STATE_HOME/menuctl/stores', or
---'~/.local/state/menuctl/stores'; to begin with an empty store, remove the file. Several processes of one app share
---the store. An action that reads 'app.store' gets its current content, and no other process changes it until the
---action ends or waits. So read 'app.store' in each action, and again after a wait, and don't keep the table in a
---variable. Tests begin with an empty store, and 'menuctl record' leaves the file as it is.
---
---It raises if the app has no name. If the store can't be written, the host reports that, and the file stays as it was.
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

---The capabilities that the app asks the user for, for example { "exec=git" }. The host reads the list when it has
---loaded the script, and asks once, before the app does anything.
---@type string[]?
app.allow = nil

---The codes that 'menuctl check' ignores in this script.
---
---```lua
---app.allow_warnings = { "duplicate-title" }
---```
---@type string[]?
app.allow_warnings = nil

---True if the host looks only for whole references, and never for their last component. The host reads it when it has
---loaded the script.
---
---```lua
---function app.on:export() return "exported" end
---
---print(app.exact, app:perform("image.export").status)  --> nil  handled
---```
---@type boolean?
app.exact = nil

---The phase of the app: how visible it is. 'app:enter' sets it.
---
---```lua
---print(app.phase)  --> inactive
---```
---@type "inactive"|"active"|"background"
app.phase = nil

---The responder that the host asks right after the app.
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

---Performs an action: the first responder in the chain that handles it gets it.
---
---It raises while a script loads, and in 'can', 'look' and 'provide'.
---
---```lua
---function app.on:add(ctx) return ctx.a + ctx.b end
---
---print(app:perform("add(a: 1)", { b = 2 }).result)  --> 3
---print(app:perform("subtract").status)              --> unhandled
---```
---@param ref Reference the action
---@param args? table<string, any> arguments, which replace those of the reference
---@param options? PerformOptions how
---@return Outcome # the outcome
function app:perform(ref, args, options) end

---Presses keys. The host looks them up along the chain, then in the menus.
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
---@return Outcome # the outcome of the last stroke; 'pending' if a sequence only began
function app:press(keys, options) end

---Picks an item as a person does. It does nothing if the item is disabled.
---
---```lua
---menubar { menu "File" { item "Close" { "close" } } }
---
---print(app:pick("File/Close").reason)  --> nobody handles 'close'
---```
---@param id ElementID the id of an item, also of a row of the last context menu
---@param modifiers? table the held modifiers: { alt = true } or { "alt" }
---@param options? PickOptions how
---@return Outcome # the outcome
function app:pick(id, modifiers, options) end

---Undoes the last action of the nearest undo stack from the focus that has something to undo.
---
---```lua
---local page = responder "page" { text = "a" }
---function page.on:write(ctx) ctx:set(self, "text", ctx.text) end
---page:perform("write(text: b)")
---app:undo()
---
---print(page.text)  --> a
---```
---@return Outcome # the outcome
function app:undo() end

---Redoes the action that was undone last.
---
---```lua
---print(app:redo().reason)  --> there is nothing to redo
---```
---@return Outcome # the outcome
function app:redo() end

---Sets the phase of the app. Listeners for "phase" hear of a change.
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
---@return Outcome[] # the outcome of each; 'pending' until a responder handles 'openURL', or while another URL opens
function app:open_urls(urls) end

---Opens a menu as a session. Picking, closing and 'background' end it.
---
---It returns nil and the reason if the menu doesn't exist.
---
---```lua
---menubar { menu "Go" { item "Home" { "go(to: home)" } } }
---function app.on:go(ctx) return ctx.to end
---local open = app:open_menu("Go")
---
---print(open:pick("Go/Home").result, open.open)  --> home  false
---```
---@param menu ElementID|Snapshot the id of a menu, or a context menu
---@return OpenMenu? # the open menu, for picking and closing
---@return string? # why nothing opened
function app:open_menu(menu) end

---Makes the host build the menus again at the next snapshot: builders and sections run again.
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

---Makes the host validate the items again. Listeners for "validation" hear of the changes.
---
---```lua
---app:revalidate()
---```
function app:revalidate() end

---Moves the clock of a test. Actions and timers that become due go on.
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

---In a test, answers the next question of an action's 'ask'. Several answers wait in order.
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

---Returns whether an action can be done now, why not, and how its item looks.
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

---Returns a menu as plain tables, with whether each item can be done.
---
---```lua
---menubar { menu "File" {}, menu "Edit" {} }
---
---print(app:menu().children[2].title)  --> Edit
---```
---@param id? ElementID the menu; by default the root, whose children are the menus
---@return Snapshot? # the snapshot, validated; nil if it doesn't exist
function app:menu(id) end

---Returns one element as a plain table.
---
---```lua
---menubar { menu "Edit" { item "Paste" { "paste", enabled = "the clipboard is empty" } } }
---
---print(app:item("Edit/Paste").reason)  --> the clipboard is empty
---```
---@param id ElementID which
---@return Snapshot? # the snapshot, validated; nil if it doesn't exist
function app:item(id) end

---Returns the body of a face as a plain table.
---
---```lua
---panel { label "Photos", item "Harbour" { "open" } }
---
---print(app:panel().children[2].reason)  --> nobody handles 'open'
---```
---@return Snapshot? # its root, whose children are the rows; nil if nobody declared a panel
function app:panel() end

---Makes a row current, as a person does by moving to it. The row can be disabled. If the 'current' action of the row
---chosen before, in the same pane, still waits, it is cancelled.
---
---```lua
---panel { item "Harbour" { "open(n: 1)", current = "show" } }
---function app.on:show(ctx) return ctx.n end
---
---print(app:choose("Harbour").result)  --> 1
---```
---@param id ElementID a row of the panel, or a pane, which gets the focus
---@return Outcome # the outcome of its 'current', or of its section's; else handled
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
---@param pane string? the pane; by default the pane of the first row, or the pane with the focus
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
---@return string[]? # its lines, or nil if its function fails
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
---@param to integer? the number of the last line; it may be less than 'from'
function app:select(text, from, to) end

---Filters the rows of a pane: only rows with these letters in this order stay.
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
---@param kind string the kind of the subject, which chooses the builders
---@param subject? any the subject, as 'ctx.subject'
---@param options? ContextMenuOptions how
---@return Snapshot # the menu that the builders of the chain made, validated
function app:context_menu(kind, subject, options) end

---Returns the responders that the host asks, nearest first.
---
---```lua
---local page = responder "page"
---function page.on:save() end
---focus(page)
---
---print(table.concat(app:chain(), " "))  --> page app
---print(app:chain("save")[1].answer)     --> on: takes it
---```
---@param ref? Reference an action; each link then says what its responder would do
---@return string[]|Link[] # the names, nearest first; with a reference, the links
function app:chain(ref) end

---Returns the context that a handler would get.
---
---```lua
---function app:provide(ctx) ctx.user = "Ada" end
---
---print(app:context().user)  --> Ada
---```
---@param ref? Reference an action, whose arguments are then in the context
---@return table<string, any> # the context as a plain table
function app:context(ref) end

---Explains which responder handles an action, or why nobody does.
---
---```lua
---function app.on:save() end
---
---print(app:why("save").by)  --> app
---```
---@param name Reference|ElementID an action, or an element by its id
---@return Explanation # the explanation, with its text
function app:why(name) end

---Lists every action that can be reached now. An action that only items or keys name has no 'by'.
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
---@return Reachable[] # each with its arguments, its responder, and the reason
function app:actions(reference) end

---Finds a responder by its name.
---
---```lua
---responder "page"
---
---print(app:find("page").name, app:find("line"))  --> page  nil
---```
---@param name string the name of a responder or window
---@return Responder? # the responder, or nil if it doesn't exist
function app:find(name) end

---Lists the windows.
---
---```lua
---window "one"
---window "two"
---
---print(table.concat(app:windows(), " "))  --> one two
---```
---@return string[] # their names, oldest first
function app:windows() end

---Returns the titles of the undo stacks that 'undo' and 'redo' use at the focus.
---
---```lua
---print(app:undo_stack().owner)  --> app
---```
---@return UndoTitles # the titles to undo and to redo
function app:undo_stack() end

---Drops the entry that 'undo' would take next, and undoes nothing. Use it if an undo can't succeed, because that entry
---blocks the entries before it. A plugin can drop only its own entries.
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
---@return string? # the title of the entry; nil if it dropped none
---@return string? # why it dropped none
function app:forget_undo() end

---Lists the actions that wait.
---
---```lua
---function app.on:wait() sleep(1) end
---app:perform("wait", nil, { wait = false })
---
---print(#app:jobs(), app:jobs()[1].action)  --> 1  wait
---```
---@return Job[] # the waiting actions, oldest first
function app:jobs() end

---Lists the plugins.
---
---```lua
---print(#app:plugins())  --> 0
---```
---@return table[] # for each its name, version, path, requirements, capabilities and registrations
function app:plugins() end

---Loads a plugin.
---
---It raises in a plugin: only the app and tests can call it.
---
---```lua
---print(app:load_plugin("plugins/exporter"))  --> true
---```
---@param path string a path below the calling file's folder, or a name in the folders of --plugins
---@return boolean # whether it loaded
---@return table[]? # the problems
function app:load_plugin(path) end

---Unloads a plugin with everything that it registered.
---
---It refuses if others require the plugin, and names them. It raises in a plugin.
---
---```lua
---app:load_plugin("plugins/exporter")
---
---print(app:unload_plugin("exporter").handlers)  --> 1
---```
---@param name string which
---@return table<string, integer>? # how many of each kind it removed
---@return string? # why not
function app:unload_plugin(name) end

---Loads a plugin again. If that fails, the old version stays.
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
---@return table[]? # the problems
function app:reload_plugin(name) end

-- # Responders
---A responder handles actions. Its tables hold behaviour by the name of an action, and the host calls its hooks. Every
---other field belongs to the script.
---@class Responder
local responder = {}

---Handles an action. Its return value is the result; 'pass' lets the walk go on; after an error the host undoes its
---changes. In the terminal the status line names what was done, unless the result is an empty text.
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

---The context keys without which an action is disabled: one key, a list, or a table of reasons.
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

---The arguments of an action: a type for each by its name. A wrong argument disables the action with the reason, and
---the host asks for a missing one.
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

---The question to a person before an action: a text, or a function that returns a text or nil. A script that performs
---gets no question.
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

---The title of an action without an item: a text, or a table with 'title'.
---
---```lua
---local grid = responder "grid"
---function grid.on:rate() end
---grid.about.rate = { title = "Rate the photo", help = "Gives it stars." }
---
---print(grid.about.rate.title)  --> Rate the photo
---```
---With 'form = true', a person who picks it without arguments first sees its form, even if no argument is missing.
---With 'looks = true', the action only moves or shows something: undo doesn't warn that it can't be undone.
---With 'internal = true', only keys, rows and scripts perform it: the palette doesn't list it, and no assistant gets it.
---Arguments in the call answer the form, also '{}'.
---@type table<string, string|{ title: string, help: string?, icon: string?, form: boolean?, looks: boolean?, internal: boolean? }>
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

---Key strokes, or sequences of them, and the action that each performs. Of a list, the host performs the first action
---that is possible now. A table may have a title, and a function 'when': if it returns false, the next binding of the
---stroke counts. With `all = { "mark", "down" }` instead, the host performs them in order until one isn't handled;
---together they are one step of undo. False removes the bindings of a stroke: earlier ones of this responder, those of
---responders farther up, and items of menus. A nearer responder and the user's keymap can still bind it.
---
---The key "text" means every stroke that types a character and that nothing is bound to; the action finds the
---character in `ctx.text`. It also gets the strokes of a sequence that the next stroke doesn't continue. With `wait`, a
---key that also begins a sequence acts alone after these seconds, or at a stroke that fits no sequence. With
---`exact = true` the host looks only for the whole of a dotted reference.
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

---True if digits before a stroke are its count, which the action finds in `ctx.count`. A bound digit is no count, and
---neither is a digit that `keys.text` of this responder or of a nearer one takes.
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

---Supplies values: the host calls it for each new context, the app's first, and it writes into the context.
---
---```lua
---local page = responder "page" { author = "Ada" }
---function page:provide(ctx) ctx.author = self.author end
---focus(page)
---
---print(app:context().author)  --> Ada
---```
---@param self Responder the responder
---@param ctx Context the context to write into
function responder.provide(self, ctx) end  -- a script's own

---Adds a handler on demand: the host calls it once for an action that is not in 'on'. It may add the handler and return
---true.
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

---Returns another responder that handles an action. It can also be that responder, or its name.
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
---@return Responder|string|nil # the responder that handles it
function responder.redirect(self, action) end  -- a script's own

---Returns true if 'unknown' handles an action in this place in the chain. It can also be true, or a list of actions.
---The function can return a table with the fields of 'look', and the 'reason' why it can't be done now.
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
---@return boolean|Claim|nil # whether its 'unknown' handles it
function responder.claims(self, action) end  -- a script's own

---Of the app: runs once when everything is loaded, and may wait. The tool waits for its end, and 'check' never runs it.
---
---```lua
---function app:start(ctx) print("ready") end
---
---print(type(app.start))  --> function
---```
---@param self Responder the app
---@param ctx Context the context
function responder.start(self, ctx) end  -- a script's own

---Handles actions that nobody in the whole chain handles. 'pass' leaves the action to the next 'unknown'.
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

---Returns whether it accepts the focus. It can also be a boolean.
---
---It may be assigned: `boolean|(fun(self: Responder): boolean)|nil`
---
---```lua
---local line = responder "line" { accepts_focus = false }
---
---print(focus(line))  --> false
---```
---@param self Responder the responder
---@return boolean # whether it accepts the focus
function responder.accepts_focus(self) end  -- a script's own

---Runs when it gets the focus, after the old responder has resigned.
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

---Runs before it loses the focus.
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

---Of the app, a plugin or a responder: runs once before it is removed, unloaded or reloaded, or before the host ends.
---It can't wait, and has the time of an action.
---
---```lua
---local page = responder "page"
---function page:stop() print("bye") end
---
---page:remove()  --> bye
---```
---@param self Responder the responder
function responder.stop(self) end  -- a script's own

---Gets an error of a script on its way up the chain.
---
---```lua
---function app.on:explode() error("boom", 0) end
---function app:failed(err) return "the engine says: " .. err.message end
---
---print(app:perform("explode").error.message)  --> the engine says: boom
---```
---@param self Responder the responder
---@param err Failure the error
---@return any # another error, or nil to end it here
function responder.failed(self, err) end  -- a script's own

---Its name, which can't be assigned.
---
---```lua
---print(responder("page").name)  --> page
---```
---@type string
responder.name = nil

---The responder that the host asks next; by default the app.
---
---It raises if this would make a circle, and names its members.
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

---True if it has an undo stack; a table also says how many levels it keeps.
---
---```lua
---local page = responder "page" { undo = { levels = 20 } }
---focus(page)
---
---print(app:undo_stack().owner)  --> page
---```
---@type boolean|UndoSetting|nil
responder.undo = nil

---True if it handles actions during a modal session that it is outside of.
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

---The responder before which the host asks it, wherever a walk reaches that responder, which is then its 'next'.
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
---@param ref Reference the action
---@param args? table<string, any> arguments, which replace those of the reference
---@param options? PerformOptions how
---@return Outcome # the outcome
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
---@param definition Definition the parts of the action
---@return Registration # its 'remove' ends it
function responder:define(action, definition) end

---Gives only this responder a new class above its own. The host makes a class of one name once.
---Of other fields, the responder's own value comes first, then those of its derived classes, then those of its class.
---
---```lua
---local page = responder "page"
---function page.on:write() return "written" end
---page:derive("Readonly", { can = { write = function() return false, "this page is read-only" end } })
---
---print(page:perform("write").reason)  --> this page is read-only
---```
---@param name string the class's name
---@param fields? ClassFields the fields that it overrides
---@return Responder # the responder itself
function responder:derive(name, fields) end

---Removes it. A responder that had it as 'next' gets its 'next', and its name is free.
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

---Makes it the main window. The host asks its chain after the key window's.
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

---Its first responder; at first the window itself.
---
---```lua
---print(window("one").first.name)  --> one
---```
---@type Responder
window.first = nil

---The responder that the host asks right after it.
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
---A class has the tables and hooks of a responder. Its responders read its fields if they lack them. A class may have a
---class.
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

-- # Definitions of actions
---The parts of one action, in the table for 'responder:define'.
---@class Definition
local definition = {}

---The handler.
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

---Its arguments.
---@type table<string, ArgumentType>?
definition.takes = nil

---The question to a person before it.
---@type string|(fun(self: Responder, ctx: Context): string?)|nil
definition.confirm = nil

---Its title.
---@type string|{ title: string, help: string?, icon: string? }|nil
definition.about = nil

---Whether it can be done again while it waits.
---@type boolean?
definition.reentrant = nil

-- # The context
---The values of a handler. 'ctx.k' comes from the first of these that has it: this handler's writes, the arguments, the
---caller's 'info', the providers, nearest first. In 'can' and 'look' it is read-only.
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

---The whole reference.
---
---```lua
---function app.on:save(ctx) print(ctx.raw) end
---
---app:perform("button.save(as: pdf)")  --> button.save(as: pdf)
---```
---@type string
ctx.raw = nil

---The leading part of the reference that the host dropped, or "".
---
---```lua
---function app.on:save(ctx) print(ctx.prefix) end
---
---app:perform("toolbar.button.save")  --> toolbar.button
---```
---@type string
ctx.prefix = nil

---The arguments, in a plain table of this perform.
---
---```lua
---function app.on:save(ctx) print(ctx.args.as) end
---
---app:perform("save(as: pdf)")  --> pdf
---```
---@type table<string, any>
ctx.args = nil

---For an item its id, title, action and key; else the app.
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

---The held modifiers.
---
---```lua
---function app.on:save(ctx) print(ctx.modifiers.alt) end
---
---app:perform("save", nil, { modifiers = { alt = true } })  --> true
---```
---@type table<string, boolean>
ctx.modifiers = nil

---In a context menu, its subject.
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

---Walks a list, nearest values first.
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
---@return fun(): any # an iterator for a 'for' loop
function ctx:each(key) end

---Reads a switch. It is on if the value is true, a number other than 0, "true", "yes", "on" or "1".
---
---```lua
---function app.on:show(ctx) print(ctx:flag("all"), ctx:flag("deep")) end
---
---app:perform("show(all: yes, deep: 0)")  --> true  false
---```
---@param key string of the switch
---@return boolean # whether it is on
function ctx:flag(key) end

---Returns whether a key has a value.
---
---```lua
---function app.on:show(ctx) print(ctx:has("all"), ctx:has("deep")) end
---
---app:perform("show(all: false)")  --> true  false
---```
---@param key string which
---@return boolean # whether it has a value
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
---@param value? any the new value; none after a table of keys and values
---@param title? string the title for undo
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
---@param value any the value
---@param title? string the title for undo
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
---@param value any the value to remove
---@param title? string the title for undo
---@param options? UndoOptions how
---@return boolean # whether it was in the list
function ctx:remove(list, value, title, options) end

---Registers the function or the action that undoes this action. Its own registrations are the redo, under the same
---title. An action starts at the responder of this action, by its name.
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
---@param title string? the title for undo; by default the item's title or the action's name
---@param by string|fun(ctx: Context) the action or the function that undoes it
---@param args? table the arguments of the action, plain data; after a function these are the options
---@param options? UndoOptions how
function ctx:undo(title, by, args, options) end

---Ends the handler: the outcome is 'disabled', and the host undoes the changes. It doesn't return.
---
---```lua
---function app.on:save(ctx) ctx:refuse("the disk is full") end
---
---print(app:perform("save").status, app:perform("save").reason)  --> disabled  the disk is full
---```
---@param reason string why not
function ctx:refuse(reason) end

---Calls the layer below: of another owner, of the responder itself, or of its class. In `unknown` it calls the
---`unknown` below.
---
---```lua
---local base = class "animal"
---function base.on:speak() return "a sound" end
---local dog = responder "dog" { class = "animal" }
---function dog.on:speak(ctx) return ctx:super() .. ": woof" end
---
---print(dog:perform("speak").result)  --> a sound: woof
---```
---@return any # its result; without one, true in 'can', else nil
function ctx:super() end

---Calls the next responder in the chain that handles the action, if it can do it. It skips catch-alls.
---If the handler then returns 'pass', the outcome is that of the called responder: the host asks none of them again.
---
---```lua
---local line = responder "line"
---function app.on:save() return "saved" end
---function line.on:save(ctx) return "first " .. ctx:forward() end
---
---print(line:perform("save").result)  --> first saved
---```
---@return any # its result; nil without one
---@return string? # why it said no
function ctx:forward() end

-- # Fields of look
---How an item looks now. A missing field is as declared.
---@class Look
local look = {}

---Its title now.
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

---Its subtitle.
---@type Text?
look.subtitle = nil

---Whether it is ticked.
---@type boolean|"on"|"off"|"mixed"|nil
look.state = nil

---True if it is hidden.
---@type boolean?
look.hidden = nil

---The name of its picture, or a glyph.
---@type string|Span|nil
look.icon = nil

---True if it destroys something: faces mark it.
---@type boolean?
look.destructive = nil

-- # Fields of claims
---Replaces 'can' and 'look' for a claimed action: the fields of Look, and a reason.
---@class Claim
local claim = {}

---Why it can't be done now; nil if it can.
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

---Its title now.
---@type string?
claim.title = nil

---Its subtitle.
---@type string?
claim.subtitle = nil

---Whether it is ticked.
---@type boolean|"on"|"off"|"mixed"|nil
claim.state = nil

---True if it is hidden.
---@type boolean?
claim.hidden = nil

---The name of its picture.
---@type string?
claim.icon = nil

---True if it destroys something: faces mark it.
---@type boolean?
claim.destructive = nil

-- # Fields of an item
---The fields in the table of `item "Title" { … }`. The values are plain; 'look' returns values that change.
---@class ItemFields
local item = {}

---The action, as the first value.
---
---```lua
---menubar { menu "Image" { item "★★★" { "rate(stars: 3)", key = "3", subtitle = "good" } } }
---function app.on:rate(ctx) return ctx.stars end
---
---print(app:press("3").result, app:item("Image/★★★").subtitle)  --> 3  good
---```
---@type Reference?
item[1] = nil

---Its id; by default its path of titles.
---@type string|integer|nil
item.id = nil

---The stroke, or sequence of strokes, that picks it: "ctrl+s", "g g".
---@type string?
item.key = nil

---Arguments of any kind, merged over those of the reference.
---@type table<string, any>?
item.args = nil

---Its title, if no title comes before the fields; by default its action's name.
---
---```lua
---panel { item { "go", title = { "main ", span("↑2", "added") } } }
---
---local row = app:panel().children[1]
---print(row.title, row.spans[2].style)  --> main ↑2  added
---```
---@type Text?
item.title = nil

---The cells of a row, for the columns of its section; false is an empty cell. Joined by blanks they are its title.
---@type (Text|false)[]?
item.cells = nil

---Its subtitle.
---@type Text?
item.subtitle = nil

---The name of its picture, or a glyph.
---@type string|Span|nil
item.icon = nil

---Whether it is ticked, unless a 'look' says.
---@type boolean|"on"|"off"|"mixed"|nil
item.state = nil

---True if it is hidden.
---@type boolean?
item.hidden = nil

---False, or the reason why it is disabled.
---@type boolean|string|nil
item.enabled = nil

---The items that replace it while modifiers are held, by modifier.
---
---```lua
---menubar { menu "File" { item "Close" { "close", alternates = { alt = item "Close All" { "close(all: true)" } } } } }
---function app.on:close(ctx) return ctx.all end
---
---print(app:pick("File/Close", { alt = true }).result)  --> true
---```
---@type table<string, Element>?
item.alternates = nil

---True if it destroys something: faces mark it.
---@type boolean?
item.destructive = nil

---Whether an open menu stays open when it is picked.
---@type boolean?
item.keeps_open = nil

---The question before it is done. Without an answer the outcome is 'asks'.
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

---True if the host looks only for its whole reference, and not for its last component.
---
---```lua
---function app.on:export() return "the app's" end
---menubar { menu "Image" { item "Export" { "image.export", exact = true } } }
---
---print(app:item("Image/Export").reason, app:perform("image.export").result)
-----> nobody handles 'image.export'  the app's
---```
---@type boolean?
item.exact = nil

---A sentence about it, which faces show for the current item.
---@type string?
item.help = nil

---The action that the host performs, with the item's arguments, when it becomes the current row of a panel.
---@type Reference?
item.current = nil

---The letter or digit of its title that picks it in an open menu.
---@type string?
item.mnemonic = nil

---Returns how it looks in this place, over the 'look' of the responder that handles its action.
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
---@param ctx Context the context of the item
---@return Look? # how it looks here
function item.look(ctx) end  -- a script's own

---Returns whether it can be picked in this place, in addition to the 'can' of the responder.
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
---@param ctx Context the context of the item
---@return boolean # whether it can
---@return string? # why not
function item.can(ctx) end  -- a script's own

-- # Fields of a menu
---The fields in the table of `menu "Title" { … }`, beside its children.
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

---Its id; by default its path of titles.
---@type string?
menu.id = nil

---True if its children replace it, between separators.
---@type boolean?
menu.inline = nil

---True if at most one item is on, submenus included.
---@type boolean?
menu.single = nil

---True if it is hidden.
---@type boolean?
menu.hidden = nil

---With false, only the field 'enabled' of its items disables them.
---@type boolean?
menu.auto = nil

---The cells of a branch among the rows of a pane, as 'item.cells'. If a section in it has no columns, the branch and
---the rows below it share the columns of the section around.
---
---```lua
---panel { pane "processes" {
---  section "all" { items = { "init" }, columns = { { grow = true }, { align = "right" } }, row = function(name)
---    return menu(name) { open = true, cells = { name, "1" }, item { "show", cells = { "login", "552" } } }
---  end },
---} }
---
---for _, row in ipairs(app:panel().children[1].children) do print(row.cells[1].text, row.cells[2].text, row.level) end
-----> init  1  nil
-----> login  552  1
---```
---@type (Text|number|false)[]?
menu.cells = nil

---True if a branch among the rows of a pane is open at first. Once somebody opens or closes it, that counts.
---@type boolean?
menu.open = nil

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
---The second argument of `extend`. One of the first five says where.
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
---The fields in the table of `section "id" { … }`.
---@class SectionFields
local section = {}

---The values, or a function that returns them.
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

---A line if there are no rows.
---@type Text?
section.empty = nil

---The columns that line up the cells of its rows. Each section has its own widths.
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

---The action that the host performs, with a row's arguments, when the row becomes current.
---@type Reference?
section.current = nil

---The kind of its rows' context menu; a row's value is the subject.
---@type string?
section.kind = nil

---Whether the palette lists the rows of this section of a panel. By default it doesn't.
---@type boolean?
section.palette = nil

-- # Spans
---A part of a text with a style, as 'span' makes it. Styles are meanings: strong, quiet, accent, heading, added,
---removed, changed, warning, error, link, match; or colours of a program: bold, red, on-#202030.
---@class Span
local part = {}

---Its text.
---
---```lua
---local part = span("new", "added")
---
---print(part.text, part.style)  --> new  added
---```
---@type string
part.text = nil

---Its style, if it has one.
---@type Style?
part.style = nil

-- # Fields of a column
---The fields of a table in a section's 'columns'.
---@class ColumnFields
local column = {}

---Its title. If a column has one, a line of titles stays above the rows while they scroll.
---
---```lua
---panel { section "files" { items = { { "a.txt", "2k" } }, columns = { { title = "Name" }, { title = "Size" } },
---  row = function(file) return item { "open", cells = file } end } }
---
---print(app:panel().children[1].cells[2].title)  --> Size
---```
---@type string?
column.title = nil

---True if it gets the remaining room.
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

---The side at which its cells begin; the default is left.
---@type "left"|"right"|nil
column.align = nil

---The style of cells without one.
---@type Style?
column.style = nil

---The fewest columns of the screen that it gets. Where the rows don't fit, the other columns give way first.
---@type integer?
column.least = nil

---The most columns of the screen that it gets.
---@type integer?
column.most = nil

---Where a long cell is cut: at its end, or in the middle, as for paths.
---@type "end"|"middle"|nil
column.cut = nil

-- # Fields of a panel
---The fields in the table of `panel { … }`, beside its elements.
---@class PanelFields
local panel = {}

---True if unbound letters find the row that begins with them. With 'false' every letter is a key, and in the terminal
---'j', 'k', 'g' and 'G' move, if nothing is bound to them.
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
---The fields in the table of `pane "id" { … }`, beside its rows.
---@class PaneFields
local pane = {}

---Its sections, items and labels. A menu is a branch of a tree: 'enter', 'right' and 'left' open and close it, and the
---children of an open branch are rows below it. A filter searches closed branches too, and shows the branches around
---each found row.
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

---Its title.
---@type Text?
pane.title = nil

---The stroke that gives it the focus, unless something else is bound to it.
---@type string?
pane.key = nil

---The responder that gets the focus with it, and supplies 'row' and 'rows'. Each pane needs a different one.
---@type Responder|string|nil
pane.responder = nil

---Whether a person can narrow its rows, with '/'.
---@type boolean?
pane.filter = nil

---Whether its rows can be marked, with space.
---@type boolean?
pane.marks = nil

---Its part of the space, compared with its neighbours; the default is 1.
---@type number?
pane.share = nil

---Its smallest width or height in cells.
---@type integer?
pane.least = nil

---Whether it is no higher than its rows need. The neighbours above and below it get the rest of its share.
---
---```lua
---panel { pane "stash" { fit = true, item "a" { "open" } }, pane "log" { item "b" { "show" } } }
---
---print(app:panel().children[1].fit)  --> true
---```
---@type boolean?
pane.fit = nil

---Its title now, the text at the right of it, and whether it is hidden.
---
---```lua
---panel { pane "files" { title = "Files", look = function() return { subtitle = "main" } end, item "a" { "open" } } }
---
---print(app:panel().children[1].subtitle)  --> main
---```
---@type (fun(ctx: Context): Look?)?
pane.look = nil

-- # Fields of a text
---The fields in the table of `text "id" { … }`.
---@class TextFields
local text = {}

---Its title.
---@type string?
text.title = nil

---The stroke that gives it the focus, unless something else is bound to it.
---@type string?
text.key = nil

---The responder that gets the focus with it. It supplies 'row' and 'rows' of the pane in 'of', and 'lines' and
---'line_numbers': the selected lines, or else the current line. Without a responder no line can be current.
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

---The pane whose current row it is about, or several; "focus" is the pane that had the focus last. Of several panes,
---'row' and 'rows' are those of the last one that has rows.
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

---Its part of the space, compared with its neighbours; the default is 1.
---@type number?
text.share = nil

---Its smallest width or height in cells.
---@type integer?
text.least = nil

---Whether it is no higher than its lines need. The neighbours above and below it get the rest of its share.
---@type boolean?
text.fit = nil

---Its title now, the text at the right of it, and whether it is hidden.
---@type (fun(ctx: Context): Look?)?
text.look = nil

-- # Fields of a layout
---The fields in the table of 'beside', 'stack' and 'tabs': panes, texts and layouts.
---@class LayoutFields
local layout = {}

---Its elements, in order.
---@type Element|false|nil
layout[integer] = nil

---Its part of the space, compared with its neighbours; the default is 1.
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
---The value that 'menu', 'item', 'label', 'section', 'separator', 'pane', 'text', 'beside', 'stack' and 'tabs' return.
---You can't change it. Their tables are ItemFields, MenuFields, SectionFields, PaneFields, TextFields, LayoutFields.
---@class Element
local element = {}

---Its kind.
---
---```lua
---local quit = item "Quit" { "quit", id = "the end" }
---
---print(quit.kind, quit.title, quit.action, quit.id)  --> item  Quit  quit  the end
---```
---@type "item"|"menu"|"separator"|"label"|"section"|"pane"|"text"|"beside"|"stack"|"tabs"
element.kind = nil

---Its title.
---@type string
element.title = nil

---Its id, if it has one or is in a tree.
---@type string?
element.id = nil

---The action of an item.
---@type Reference?
element.action = nil

-- # Builders
---A function in 'build' edits a menu with it. For an unknown id, or an id that the menu would have twice, a call
---returns false, a message and a diagnostic.
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
---@return boolean # whether it succeeded
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
---@return boolean # whether it succeeded
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
---@return boolean # whether it succeeded
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
---@return boolean # whether it succeeded
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
---@return boolean # whether it succeeded
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
---@param fn fun(children: Element[]): Element[] returns the new children
---@return boolean # whether it succeeded
---@return string? # why not
function m:replace_children(id, fn) end

---Runs the builders farther up now, so that the next calls edit their result.
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

---Skips the builders farther up.
---
---It raises after 'forward'. A plugin can't stop another's builder: if that calls 'forward', the farther builders run.
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
---@return boolean # whether it succeeded
---@return string? # why not
function m:remove(id) end

-- # Snapshots
---An element of a menu as it is now, from 'app:menu', 'app:item' and 'app:context_menu'.
---@class Snapshot
local snapshot = {}

---Its kind; the panel itself is a section.
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

---Its title now.
---@type string?
snapshot.title = nil

---Whether it can be picked now.
---@type boolean?
snapshot.enabled = nil

---True if it is hidden.
---@type boolean?
snapshot.hidden = nil

---Why it is disabled.
---@type string?
snapshot.reason = nil

---The content of a menu, or of the panel.
---@type Snapshot[]?
snapshot.children = nil

---Its title with styles, if it has any.
---@type Span[]?
snapshot.spans = nil

---Its subtitle with styles, if it has any.
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

---Its subtitle.
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

---The responder that handles its action, or refuses it.
---@type string?
snapshot.by = nil

---A responder outside of the chain that would handle it, if nobody in the chain does.
---@type string?
snapshot.elsewhere = nil

---The title of the pane whose responder would handle it, if nobody in the chain does.
---@type string?
snapshot.only_in = nil

---True if only a modal session blocks it.
---@type boolean?
snapshot.blocked = nil

---The name of its picture.
---@type string?
snapshot.icon = nil

---The question before it is done.
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

---True if faces mark it as destructive.
---@type boolean?
snapshot.destructive = nil

---Whether an open menu stays open when it is picked.
---@type boolean?
snapshot.keeps_open = nil

---The items that replace it while modifiers are held.
---@type table<string, Snapshot>?
snapshot.alternates = nil

---For a row, whether it is current in its pane. For a pane, the id of that row; for `tabs`, the id of the shown child.
---@type boolean|string|nil
snapshot.current = nil

---For a row, whether it is marked; for a pane, the number of its marked rows that match the filter.
---@type boolean|integer|nil
snapshot.marked = nil

---Whether a branch of a tree is open; nil without a branch.
---@type boolean?
snapshot.open = nil

---How many open branches are around a row.
---@type integer?
snapshot.level = nil

---Whether the palette lists this row of the panel.
---@type boolean?
snapshot.palette = nil

---Whether the pane has the focus.
---@type boolean?
snapshot.focused = nil

---The filter of a pane, if it can be filtered.
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

---The part of the space of a pane or a layout, if it isn't 1.
---@type number?
snapshot.share = nil

---The smallest width or height of a pane or a layout.
---@type integer?
snapshot.least = nil

---Whether a pane or a text is no higher than its rows or lines need.
---@type boolean?
snapshot.fit = nil

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

---The number of a text's current line, if it has one.
---@type integer?
snapshot.line = nil

---The numbers of the first and the last selected line of a text.
---@type integer[]?
snapshot.selected = nil

-- # Changes of menus
---A listener for "menu" or "validation" gets a list of these.
---@class Change
local change = {}

---The kind of change.
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

---The id of the element.
---@type string
change.id = nil

---Its place now: the id of a menu.
---@type string?
change.parent = nil

---The id of the element before it, if there is one.
---@type string?
change.after = nil

---The inserted element, or the element as it is now.
---@type Snapshot?
change.element = nil

-- # Fields of an argument
---An entry of 'takes': a type, as "integer", or a table that begins with one, or that has 'one_of'.
---@class ArgumentType
local argument = {}

---The type. 3.0 counts as an integer; the host converts nothing else.
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

---The possible values, with or without a title: { "png", "PNG" }; or a function that returns them, whose context has
---the other answers. If the function waits, for example for 'exec', forms show the values when they come, and the host
---refuses no value before the action.
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

---Its title for people.
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

---Its place in the form. Required arguments come first, then optional ones and those with 'when'. Of each the lowest
---'order' comes first, and those without it last.
---
---```lua
---app.takes.write = {
---  kind = { one_of = { "note", "task" }, default = "note", order = 1 },
---  due = { "string", order = 2, when = function(ctx) return ctx.kind == "task" end },
---}
---function app.on:write(ctx) return ctx.kind end
---
---print(app:perform("write(kind: task)").asks.arguments[1].key)  --> due
---```
---@type number?
argument.order = nil

---True if it is optional.
---@type boolean?
argument.optional = nil

---The value of a missing argument; or a function that returns it, which the host calls for a form or a perform.
---@type any
argument.default = nil

---The value with which a form begins, or a function that returns it. The person sees it, and can change it.
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

---True if only the person who enters it may see it.
---@type boolean?
argument.secret = nil

---Makes a string a text of several lines: a form shows this many lines. There 'enter' begins a new line, 'alt+enter' or
---'ctrl+enter' does it, and 'ctrl+e' opens the text in '$EDITOR'. In a field above an empty text, 'enter' goes to the
---next field first.
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

---Values that a form suggests: a list like that of 'one_of', or a function that returns a list. Other values are
---possible too.
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

---Returns whether the argument applies, after the answers so far. If it doesn't, forms skip it, and it is optional.
---
---```lua
---app.takes.export = {
---  format = { one_of = { "jpeg", "png" } },
---  quality = { "integer", when = function(ctx) return ctx.format == "jpeg" end },
---}
---function app.on:export(ctx) return ctx.quality or "no quality" end
---
---print(app:perform("export(format: png)").result)                    --> no quality
---print(app:perform("export(format: jpeg)").asks.arguments[1].key)    --> quality
---```
---@param ctx Context the context, with the arguments known so far
---@return boolean # whether it applies
function argument.when(ctx) end  -- a script's own

-- # Fields of ask
---The fields in the table of `ask { … }`: 'takes', 'confirm' or both.
---@class AskFields
local question = {}

---The title of the form.
---@type string?
question.title = nil

---A sentence above its fields.
---@type string?
question.help = nil

---The arguments to ask for, as in 'takes' of an action. Its functions get the context, with the answers so far.
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

---The question to confirm.
---@type string?
question.confirm = nil

-- # Questions of jobs
---The question of a job, in 'job.asks'.
---@class AskedQuestion
local pending = {}

---Its title.
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

---The question to confirm.
---@type string?
pending.confirm = nil

-- # Questions
---The question before an action: perform the action again with the answers.
---@class Question
local asks = {}

---The missing arguments, in the order of the form.
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

---The question to confirm.
---@type string?
asks.confirm = nil

-- # Actions that can be reached
---An entry of 'app:actions'.
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

---Its title, from 'look' or 'about', else its name.
---@type string
reachable.title = nil

---Its help, from 'about'.
---@type string?
reachable.help = nil

---The name of its picture.
---@type string?
reachable.icon = nil

---The responder that handles it.
---@type string?
reachable.by = nil

---How that responder was found.
---@type "on"|"resolve"|"redirect"|"claims"|"unknown"|"native"|nil
reachable.via = nil

---Its declared arguments, without choices of functions.
---@type Asked[]?
reachable.takes = nil

---The question to a person before it; true if a function makes it.
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

---Whether it has 'takes'. Without 'takes' an action accepts any argument.
---@type boolean?
reachable.declared = nil

-- # Missing arguments
---An entry of 'asks.arguments', with all that a form needs.
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

---Its title for people.
---@type string?
asked.title = nil

---A sentence about it.
---@type string?
asked.help = nil

---The possible values; a value with a title is { value =, title = }.
---@type any[]?
asked.one_of = nil

---Whether its values are still to come, because the function that lists them waits.
---@type boolean?
asked.waits = nil

---The values that a form suggests; others are possible too.
---@type any[]?
asked.suggest = nil

---The least number, or the least length of a string.
---@type number?
asked.from = nil

---The largest number, or the greatest length of a string.
---@type number?
asked.to = nil

---The value of a missing argument.
---@type any
asked.default = nil

---The value with which a form begins.
---@type any
asked.proposal = nil

---True if it is optional.
---@type boolean?
asked.optional = nil

---Whether it is a list of these.
---@type boolean?
asked.many = nil

---True if only the person who enters it may see it.
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

---Ask only this responder, then its 'unknown'; never the chain.
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

---The sender, as 'ctx.sender'.
---@type Responder|string|nil
options.sender = nil

---Values for the context, nearer than any provider's.
---@type table<string, any>?
options.info = nil

---The modifiers that are held, as { alt = true } or { "alt" }.
---@type table?
options.modifiers = nil

---Skip 'needs' and 'can'.
---@type boolean?
options.skip_validation = nil

---False doesn't wait for its end: the status is 'running' and there is a job.
---@type boolean?
options.wait = nil

---Gets the stages of this perform.
---@type fun(event: Event)|nil
options.observe = nil

---True if a person performs it, and can answer 'confirm'.
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

---True if the host looks only for the whole reference, and not for its last component.
---@type boolean?
options.exact = nil

---The person's answer; without one, the outcome is 'asks'.
---@type boolean?
options.confirmed = nil

-- # Options of pick
---The last table for 'pick' and 'press'.
---@class PickOptions
local options = {}

---The answer to 'confirm'; without one, the outcome is 'asks' and has the question.
---
---```lua
---menubar { menu "Edit" { item "Delete" { "delete", confirm = "Delete it?" } } }
---function app.on:delete() end
---
---print(app:pick("Edit/Delete", nil, { confirmed = true }).status)  --> handled
---```
---@type boolean?
options.confirmed = nil

---Arguments, which replace those of the action.
---@type table<string, any>?
options.args = nil

-- # Options of context_menu
---The last table for 'app:context_menu'.
---@class ContextMenuOptions
local options = {}

---The responder from which the chain of builders begins.
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

---A key: consecutive actions with the same key are undone together.
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
---The fields of 'undo' as a table.
---@class UndoSetting
local undo = {}

---How many actions it keeps; the default is 100.
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

---True if the history survives a reload, and is there when the app next runs. The host keeps only entries that actions
---undo: the newest, down to the first with a function, 'ctx:set', 'ctx:insert', 'ctx:remove' or a secret.
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
---The value of 'ctx.sender' for an item.
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

---Its title.
---@type string
sender.title = nil

---Its action.
---@type Reference
sender.action = nil

---The stroke that picks it.
---@type string?
sender.key = nil

-- # Outcomes
---The outcome of an action. Each perform has one.
---@class Outcome
local outcome = {}

---The status in a word.
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

---How that responder was found.
---@type "on"|"resolve"|"redirect"|"claims"|"unknown"|"native"|nil
outcome.via = nil

---The handler's return value.
---@type any
outcome.result = nil

---Why it was not done; after a failure the error's message.
---@type string?
outcome.reason = nil

---The error.
---@type Failure?
outcome.error = nil

---The question, if it asks and nothing was done.
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

---A responder outside of the chain that would handle it, if nobody in the chain does.
---@type string?
outcome.elsewhere = nil

---The wrong argument.
---@type string?
outcome.argument = nil

---The possible values of that argument, in words.
---@type string?
outcome.expected = nil

---The job, if it waits and nobody waited for it.
---@type Job?
outcome.job = nil

-- # Errors
---An error of a script; 'tostring' returns the message.
---@class Failure
local err = {}

---The message, in one sentence.
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

---The column, if it is known.
---@type integer?
err.column = nil

---The traceback.
---@type string?
err.traceback = nil

---The code of the error, for programs.
---@type string
err.code = nil

---The owner of the script.
---@type string?
err.owner = nil

---The limit that was spent.
---@type "time"|"instructions"|"memory"|nil
err.limit = nil

---True if a 'failed' hook ended it, so that the host doesn't report it.
---@type boolean?
err.ended = nil

-- # Validations
---The result of 'app:validate'.
---@class Validation
local validation = {}

---Whether it can be done now.
---
---```lua
---local found = app:validate("save")
---
---print(found.enabled, found.reason)  --> false  nobody handles 'save'
---```
---@type boolean
validation.enabled = nil

---Why not; a disabled action always has a reason.
---@type string?
validation.reason = nil

---The responder that handles it, or refuses it.
---@type string?
validation.by = nil

---The question before it is done; 'enabled' is then true.
---@type Question?
validation.asks = nil

---The argument that disables it.
---@type string?
validation.argument = nil

---The possible values of that argument, in words.
---@type string?
validation.expected = nil

---The title of its item, if 'look' returns one.
---@type string?
validation.title = nil

---The subtitle of its item.
---@type string?
validation.subtitle = nil

---Whether its item is ticked.
---@type "on"|"off"|"mixed"
validation.state = nil

---Whether its item is hidden.
---@type boolean
validation.hidden = nil

---The name of its item's picture.
---@type string?
validation.icon = nil

---Whether faces mark its item as destructive.
---@type boolean?
validation.destructive = nil

-- # Explanations
---The result of 'app:why'.
---@class Explanation
local explanation = {}

---All of it, in sentences.
---
---```lua
---local why = app:why("save")
---
---print(why.text)
-----> disabled: nobody handles 'save'
----->   app: on save → doesn't answer
---```
---@type string
explanation.text = nil

---Whether it can be done now.
---@type boolean
explanation.enabled = nil

---The responder that handles it, or refuses it.
---@type string?
explanation.by = nil

---Why it can't be done.
---@type string?
explanation.reason = nil

---The steps, in their order.
---@type Step[]
explanation.steps = nil

---The context keys that the steps read.
---@type ContextKey[]
explanation.keys = nil

-- # Steps of an explanation
---A step of an explanation.
---@class Step
local step = {}

---The responder.
---
---```lua
---function app.on:save() end
---local step = app:why("save").steps[1]
---
---print(step.node, step.asked, step.answer)  --> app  on save  takes it
---```
---@type string
step.node = nil

---The question to it.
---@type string
step.asked = nil

---Its answer.
---@type string
step.answer = nil

---The script of its function.
---@type string?
step.file = nil

---The line of its function.
---@type integer?
step.line = nil

-- # Context keys of an explanation
---A key of the context that a step read.
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

---Its supplier.
---@type string?
key.by = nil

---The responders that could supply it.
---@type string[]
key.candidates = nil

-- # Links of the chain
---An entry of 'app:chain' for an action.
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

---Its owner.
---@type string
link.owner = nil

---How it would handle the action.
---@type string?
link.answer = nil

-- # Titles of an undo stack
---The result of 'app:undo_stack'.
---@class UndoTitles
local stack = {}

---The titles to undo, newest first.
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

---The titles to redo, newest first.
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

---Cancels it, and undoes what it did.
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
---@return Outcome # the outcome
function job:wait() end

---Answers its question. The first answer counts.
---
---It raises if an answer is missing or wrong.
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

---Its progress, if it reported any.
---@type Progress?
job.progress = nil

---Its question, or the question of the action for which it waits; nil without one.
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
---The progress of a job.
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

---The current step.
---@type string?
progress.text = nil

-- # Registrations
---A handle from 'observe', 'listen' and 'define'.
---@class Registration
local handle = {}

---Removes the registration. It does nothing if a later registration replaced this one.
---
---```lua
---local handle = listen("phase", print)
---handle:remove()
---app:enter("active")
---```
function handle:remove() end

-- # Modal sessions
---A session from 'modal'.
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
---An open menu from 'app:open_menu'.
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
---@param modifiers? table the held modifiers
---@param options? PickOptions how
---@return Outcome # the outcome
function open:pick(id, modifiers, options) end

-- # Events of actions
---The event that an observer gets.
---@class Event
local event = {}

---The sender: an item, a responder, else the app.
---@type Responder|Sender
event.sender = nil

---Before the first handler ("will"), when it is done ("did"), or when it wasn't ("failed").
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

---The outcome.
---@type Outcome?
event.outcome = nil

---Its job, if it waits.
---@type Job?
event.job = nil

---For 'unhandled': the nearest names that a responder handles.
---@type string[]?
event.near = nil

-- # Events of the host
---The first argument of 'listen', and the arguments of its function.
listen = {}

---The phase of the app has changed.
---
---```lua
---listen("phase", function(new, old) print(new, old) end)
---
---app:enter("background")  --> background  inactive
---```
---@param new string the phase now
---@param old string the old phase
function listen.phase(new, old) end  -- a script's own

---The focus has moved.
---
---```lua
---local page = responder "page"
---listen("focus", function(new, old) print(new.name, old.name) end)
---
---focus(page)  --> page  app
---```
---@param new Responder the new responder
---@param old Responder the old responder
function listen.focus(new, old) end  -- a script's own

---The elements of the menus changed, or their order.
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
---@param changes Change[] the changes, in order
function listen.menu(changes) end  -- a script's own

---The results of 'can' and 'look' changed for some items.
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
---@param changes Change[] the changes, in order
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

---A script was loaded again.
---
---```lua
---listen("reload", function(ok) log("info", ok and "reloaded" or "the old version stays") end)
---```
---@param ok boolean whether the new version runs; otherwise the old one goes on
function listen.reload(ok) end  -- a script's own

-- # Tests
-- The words of files named '*_test.lua', which 'menuctl test' runs.

---Registers a test, which has its own host and interpreter.
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
---@param name string a sentence about the app
---@param fn fun(app: App) the test
function test(name, fn) end

---Names the script to test, which each test loads again.
---
---It raises if the script does not load.
---
---```lua file
---subject "photos.lua"
---
---test("nothing is selected at first", function(app)
---  expect(app:context().photo):is_nil()
---end)
---```
---@param path string a file beside this file, or a folder with app.lua; with '..', a path below the folder in which you run the tests
---@param options? SubjectOptions more to load
function subject(path, options) end

---Groups tests: its name comes before theirs.
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
---@param fn fun() registers its tests
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
---@param fn fun(app: App) runs before each test
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

---Begins an expectation about a value; only in a test.
---
---```lua
---expect(2 + 2):is(4)
---```
---@param v any a value
---@return Expectation # the expectation, with its methods
function expect(v) end

-- # Expectations
---The expectations about a value. The first that doesn't hold ends the test.
---@class Expectation
local expected = {}  -- expect(v)

---Both are equal, tables with all their content.
---
---```lua
---expect({ 1, { a = true } }):is({ 1, { a = true } })
---```
---@param x any the other
function expected:is(x) end

---They are not equal.
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

---A string contains it, or a table has an equal value.
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
---@param pattern string a Lua pattern
function expected:matches(pattern) end

---A function raises.
---
---```lua
---expect(function() error("no film") end):raises("film")
---```
---@param pattern? string the pattern of its message
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

---Plugins to load with the subject, by path or name.
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

---Functions that replace granted calls, by their names: 'exec', 'open', 'notify', 'env', 'watch', 'clipboard.get',
---'fs.read' and the like. Also 'os.time', 'os.date', 'os.clock', and 'math.randomseed', which returns the number with
---which 'math.random' begins. They need no grants.
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
---Converts the text of files and programs to values. This needs no capability.
json = {}

---Reads JSON: objects and lists become tables.
---
---It returns nil and a message if the text is not JSON.
---
---```lua
---print(json.read('{"name": "pier", "sizes": [640, 0.5]}').sizes[2])  --> 0.5
---
---print(json.read("[1, ]"))  --> nil  line 1, column 5: a value can't begin like this
---```
---@param text string one value, and nothing after it
---@return any # the value; 'null' for null
---@return string? # what is wrong with the text, and where
function json.read(text) end

---Writes JSON; an empty table is an object.
---
---It raises for a value that JSON can't express, and names its place.
---
---```lua
---print(json.write { sizes = { 640, 0.5 }, name = "pier" })  --> {"name": "pier", "sizes": [640, 0.5]}
---```
---@param value any plain data: lists, tables by names, strings, numbers, booleans, 'null'
---@return string # on one line; names in their order
function json.write(value) end

-- # With a capability
-- Calls outside of the host. Each needs a grant with '--allow', or the user's consent. Without it,
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
---@param program string its name, or its path from the script's folder
---@param arguments? string[] its arguments
---@param options? ProgramOptions options
---@return ProgramResult? # its status and its output
---@return string? # why the system refused
function exec(program, arguments, options) end

---Calls a function when something at or below a path changes. Capability 'fs.read=PATH'.
---
---The function runs once for all changes within 0.1 s. While programs of the app run ('exec'), it waits for their end,
---for at most 10 s. It runs again for its own changes. A script may call 'watch' while it loads: the host begins to
---watch when everything is loaded, and ends with the script.
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
---@param path string a file or folder, from the script's folder
---@param run fun() the function
---@return Registration? # its 'remove' ends it
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
---@return string? # why the system refused
function open(url) end

---Shows a notification, by the system's 'notify-send'. Capability 'notify'.
---
---```lua
---function app.on:export(ctx) return notify("Exported", "3 photos") end
---
---print(app:perform("export").result)  --> true
---```
---@param title string the title, in few words
---@param text? string more text
---@return boolean? # whether it appears
---@return string? # why the system refused
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

---Its input; the default is none.
---@type string?
options.input = nil

---Its working folder, from the script's folder; the default is the folder in which you call the tool.
---@type string?
options.folder = nil

---Called with each line as it comes, inside of the action: it may set fields and report progress, not wait. A '\r' ends
---a line too; 'replaces' is true if the program wrote this line over the last, as in a progress.
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

---True if it gets the terminal meanwhile, as an editor or a pager needs. Without a terminal, 'exec' returns nil and a
---message.
---
---```lua
---function app.on:edit() return (select(2, exec("echo", {}, { terminal = true }))) end
---
---print(app:perform("edit").result)  --> 'echo' needs a terminal, and there is none
---```
---@type boolean?
options.terminal = nil

-- # Results of programs
---The result of 'exec'.
---@class ProgramResult
local result = {}

---0 if it succeeded; 128 and more if a signal ended it.
---
---```lua
---function app.on:greet() return exec("echo", { "hello" }).status end
---
---print(app:perform("greet").result)  --> 0
---```
---@type integer
result.status = nil

---Its output, at most 8 MiB; with 'line' only the last 512 KiB.
---@type string
result.out = nil

---Its error output.
---@type string
result.err = nil

-- # Files
---Files below the granted folder: capability 'fs.read=PATH', 'fs.write=PATH'; without PATH the script's folder. If the
---system refuses, a call returns nil and a message.
fs = {}

---Reads a file. Capability 'fs.read'.
---
---```lua
---print(fs.read("notes.txt"))  --> buy film
---```
---@param path string which
---@return string? # its content
---@return string? # why the system refused
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
---@return string? # why the system refused
function fs.list(path) end

---Describes a file or folder. Capability 'fs.read'.
---
---```lua
---print(fs.stat("notes.txt").kind, fs.stat("notes.txt").size)  --> file  9
---```
---@param path string which
---@return table? # its 'kind', 'size' and the time when it was 'modified'
---@return string? # why the system refused
function fs.stat(path) end

---Writes a whole file; nobody sees it half-written. Through a link it writes the file that the link names. Capability
---'fs.write'.
---
---```lua
---print(fs.write("notes.txt", "buy film\n"))  --> true
---```
---@param path string which
---@param text string its new content
---@return boolean? # whether it was written
---@return string? # why the system refused
function fs.write(path, text) end

---Makes a folder. Capability 'fs.write'.
---
---```lua
---print(fs.make("exports"))  --> true
---```
---@param path string of the folder
---@return boolean? # whether it was made
---@return string? # why the system refused
function fs.make(path) end

---Removes a file or an empty folder. Capability 'fs.write'.
---
---```lua
---print(fs.remove("notes.txt"))  --> true
---```
---@param path string which
---@return boolean? # whether it was removed
---@return string? # why the system refused
function fs.remove(path) end

---Renames or moves a file or folder. Capability 'fs.write'.
---
---```lua
---print(fs.rename("notes.txt", "old.txt"))  --> true
---```
---@param from string which
---@param to string its new path
---@return boolean? # whether it was renamed
---@return string? # why the system refused
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
---@return string? # why the system refused
function clipboard.get() end

---Writes to the clipboard.
---
---```lua
---print(clipboard.set("harbour"))  --> true
---```
---@param text string its new content
---@return boolean? # whether it succeeded
---@return string? # why the system refused
function clipboard.set(text) end

-- # Plugins
-- A script becomes a plugin with this.

---Declares that this script is a plugin. It is the script's first statement.
---
---```lua file
---plugin { name = "exporter", version = "1.2.0", requires = { photos = ">=1" }, allow = { "fs.read" } }
---```
---@param manifest Manifest its name and its needs
function plugin(manifest) end

-- # Manifests
---The table for 'plugin'.
---@class Manifest
local manifest = {}

---Its name, for 'unload_plugin' and for plugins that require it.
---
---```lua file
---plugin { name = "stars", version = "1.0.0", requires = { menuctl = ">=0.1" } }
---```
---@type string
manifest.name = nil

---Its version, as in "1.2.0".
---@type string
manifest.version = nil

---A sentence about it.
---@type string?
manifest.summary = nil

---Plugins, 'menuctl' or the 'app.name' of the app, each with a range of versions.
---@type table<string, string>?
manifest.requires = nil

---The capabilities that it asks the user for.
---@type string[]?
manifest.allow = nil

-- # Lua's own functions
-- They work as in Lua 5.4, unless this page says otherwise; 'menuctl help lua' says all of it. 'dofile', 'loadfile', 'warn',
-- 'io', 'debug' and 'package' are not there.

---The table of this script's globals.
---@type table<string, any>
_G = nil  -- Lua's

---The version of Lua.
---@type string
_VERSION = nil  -- Lua's

---Raises its second value if the first is nil or false.
---@generic T
---@param v T the value
---@param message? any the error
---@param ... any more results
---@return T # the value
---@return any ... # the other arguments
function assert(v, message, ...) end  -- Lua's

---Only "count": how many KiB scripts use.
collectgarbage = collectgarbage  -- Lua's

---Raises an error.
---@param message any the error
---@param level? integer the line to name: 1 the caller of 'error', 2 its caller, 0 none
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
---@param chunk string|function a text, or a function that returns it in pieces
---@param name? string its name in errors
---@param mode? "t" only texts are loaded
---@param env? table its globals
---@return function? # nil if it can't be compiled
---@return string? # why it can't be
function load(chunk, name, mode, env) end  -- Lua's

---The next key and value of a table.
---@generic K, V
---@param t table<K, V> of which table
---@param index? K behind which key
---@return K? # nil at the end
---@return V? # its value
function next(t, index) end  -- Lua's

---Walks a table in a 'for' loop. The order differs each time that an app is loaded.
---@generic K, V
---@param t table<K, V> the table
---@return fun(t: table<K, V>, index?: K): K, V # what 'for' calls
---@return table<K, V> # the table
---@return nil # where it begins
function pairs(t) end  -- Lua's

---Calls a function and catches its errors, except a spent limit and 'ctx:refuse'.
---@param f function the function
---@param ... any its arguments
---@return boolean # whether it ended without an error
---@return any ... # its results, or the error
function pcall(f, ...) end  -- Lua's

---Compares without metatables.
---@param a any one
---@param b any another
---@return boolean # whether they are the value
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

---Returns some of its arguments, or their number.
---@param n integer|"#" the first to return, or "#" for their number
---@param ... any of what
---@return any ... # these
function select(n, ...) end  -- Lua's

---Gives a table a metatable; not '__gc', '__close', '__concat', and '__mode' only "v".
---@generic T
---@param t T to which table
---@param metatable? table its metatable
---@return T # the table
function setmetatable(t, metatable) end  -- Lua's

---Reads a number.
---@param v any the value
---@param base? integer from 2 to 36
---@return number? # nil if it is not a number
function tonumber(v, base) end  -- Lua's

---A value as text.
---@param v any of what
---@return string # the text
function tostring(v) end  -- Lua's

---The type of a value.
---@param v any of what
---@return "nil"|"boolean"|"number"|"string"|"table"|"function"|"thread"|"userdata" # its name
function type(v) end  -- Lua's

---Like 'pcall', with a function that gets the error.
---@param f function the function
---@param handler function gets the error
---@param ... any arguments of the function
---@return boolean # whether it ended without an error
---@return any ... # its results, or the handler's
function xpcall(f, handler, ...) end  -- Lua's

-- # Lua's own libraries
-- Their tables are shared by all scripts and can't be changed.

---create, isyieldable, resume, running, status, wrap, yield. No 'close'; a handler waits with 'sleep', not with
---'yield'.
coroutine = coroutine  -- Lua's

---abs, acos, asin, atan, ceil, cos, deg, exp, floor, fmod, huge, log, max, maxinteger, min, mininteger, modf, pi,
---rad, random, randomseed, sin, sqrt, tan, tointeger, type, ult.
math = math  -- Lua's

---clock, date, difftime, time. Scripts have no other functions of 'os'.
os = os  -- Lua's

---byte, char, find, format, gmatch, gsub, len, lower, match, pack, packsize, rep, reverse, sub, unpack, upper. No
---'dump'; patterns count their steps.
string = string  -- Lua's

---concat, insert, move, pack, remove, sort, unpack.
table = table  -- Lua's

---char, charpattern, codepoint, codes, len, offset.
utf8 = utf8  -- Lua's

-- # Lua's own 'os'
---The part of Lua's 'os' that scripts have.
os = {}

---The processor time that scripts used.
---@return number # in seconds
function os.clock() end

---A time as text, or in parts.
---@param format? string a format of the C library; "*t" for a table
---@param time? integer the default is now
---@return any # a string, or a table
function os.date(format, time) end

---How far two times are apart.
---@param later integer one time
---@param earlier integer another
---@return number # in seconds
function os.difftime(later, earlier) end

---The time as a number.
---@param parts? table year, month, day and more; the default is now
---@return integer # in seconds
function os.time(parts) end
