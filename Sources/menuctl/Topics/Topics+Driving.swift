import ScriptHost

// Menus, keys, focus, sessions.

extension Topic {
  static let menus = Topic(
    name: "menus", summary: "what is declared, what is built, what is shown",
    text: """
      'menubar' declares the main menu, of menus, items, labels, separators and sections. An item names an action, never a function. A section \
      makes rows of a list of values. Fields are plain values; what changes is said by 'look'.

      ```lua
      local names = { "Ada", "Grace" }
      menubar {
        menu "People" {
          item "Add" { "add", key = "ctrl+n" },
          separator,
          section "names" {
            items = function() return names end,
            row = function(name) return item(name) { "greet", args = { name = name } } end,
            empty = "Nobody",
          },
        },
      }
      function app.on:greet(ctx) return "Hello, " .. ctx.name end

      print(app:pick("People/Grace").result)  --> Hello, Grace
      print(app:item("People/Add").reason)    --> nobody answers 'add'
      ```

      An element's id is its 'id', or else its path of titles: People/Add. A '/' in a title is written '\\/'; the second equal path gets '#2'.

      Functions in 'build' edit the built tree: 'main' the main menu, any other kind the context menu of such a subject. Builders and sections \
      run when something happened after which they may have something else to say: a load, a finished action, a change of focus or shape, \
      'app:rebuild()'. Validation runs for every snapshot. The nearest builder is asked first; 'm:forward()' in it runs the farther ones now, \
      'm:stop()' keeps them out.

      'panel' declares in the same way what stands in the body of a face, always in view. A row that becomes the current one performs its \
      'current', or its section's, with the arguments of its action. Ids are one name space with the menus'; the panel itself is 'panel', and \
      'build.panel' edits it as 'root'.

      ```lua
      panel {
        label "People",
        item "Ada" { "greet(name: Ada)", current = "show" },
      }
      function app.on:show(ctx) return "This is " .. ctx.name end

      print(app:choose("Ada").result)  --> This is Ada
      ```

      'menuctl menu APP' shows all menus, 'menuctl help item' the fields of an item.
      """)

  static let keys = Topic(
    name: "keys", summary: "strokes, sequences, and who gets them",
    text: """
      A stroke is a key with modifiers before it: ctrl+shift+k. The modifiers are ctrl, alt, shift, super, and mod, which is ctrl here and cmd \
      on Apple's systems; their order and case don't matter. Strokes with blanks between them are a sequence: "g g".

      A stroke is looked up along the chain, nearest first, in the tables 'keys', then in the items of the menus in order. The first match \
      consumes it: if that is disabled, the outcome is disabled, and nobody else is asked.

      ```lua
      local page = responder "page"
      page.keys = { ["ctrl+k"] = "clear", ["g g"] = "go(to: top)" }
      function page.on:go(ctx) return ctx.to end
      focus(page)

      print(app:press("g g").result)     --> top
      print(app:press("ctrl+k").status)  --> unhandled
      ```

      The first strokes of a sequence are 'pending'; esc clears them, unless a sequence is bound that goes on with it. A key bound to a list, \
      as page.keys.tab = { "indent", "complete" }, performs the first of it that can be done now. A key that is bound alone and as the beginning of a sequence acts alone. \
      'menuctl keys APP' lists every key, what it does and whose it is; ✗ stands before those that something else has first, or that are out of the chain, and why behind them.

      What writes a character is called by it, in lower case; the other keys have names:

      \(KeyNames.groups.map { "- \($0.title)  \($0.names.joined(separator: ", "))" }.joined(separator: "\n"))
      - Functions  f1 to f24
      """)

  static let focus = Topic(
    name: "focus", summary: "windows, first responders, phases",
    text: """
      A window has a first responder; 'focus(r)' makes r the first of its window and that window key. The key window is where the walk begins. \
      The main window is asked after it, where it is another one. The first window that is made is both.

      'accepts_focus' of who is to have the focus, and 'resign' of who has it, may refuse with false; then nothing changes. 'become' is told last.

      ```lua
      local main = window "main"
      local page = responder "page" { next = main }
      local line = responder "line" { next = main }
      function line:resign() return self.text ~= "", "write something first" end
      line.text = ""
      focus(line)

      print(focus(page), main.first.name)  --> false  line
      ```

      The app has a phase: inactive at first, active, background. 'app:enter(phase)' sets it; 'listen("phase", …)' and 'listen("focus", …)' hear \
      of changes.
      """)

  static let modal = Topic(
    name: "modal", summary: "sessions in which only some may act",
    text: """
      'modal(r)' focuses r and opens a session on it. Inside are r, whatever reaches r by 'next', responders with 'works_when_modal', and the host's \
      'undo' and 'redo'. The walk runs as usual, but who stands outside and would answer is 'blocked', and nothing runs.

      ```lua
      local page = responder "page"
      local panel = responder "panel"
      function page.on:type() return "typed" end
      function panel.on:close() return "closed" end
      focus(page)
      local session = modal(panel)

      print(page:perform("type").status)  --> blocked
      print(app:perform("close").result)  --> closed
      session:close()
      print(app:perform("type").result)   --> typed
      ```

      Sessions stack; closing one closes those above it and puts the focus back. One with 'dismissable = true' is closed by the first action from \
      outside, which is consumed. A session ends by its handle, by an error in it that nobody ends, on reload, when its responder is removed, and \
      when the app goes to the background. An open menu is such a session.
      """)
}
