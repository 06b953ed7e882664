// Undo, time, watching, errors.

extension Topic {
  static let undo = Topic(
    name: "undo", summary: "what can be taken back",
    text: """
      A handler makes what it does undoable: 'ctx:set(object, key, value)' writes a field, 'ctx:undo(title, fn)' registers a function that takes \
      something back. All that one top-level action did is one group. An action that fails, refuses or is cancelled is taken back at once.

      'ctx:insert(list, at, value)' and 'ctx:remove(list, value)' change a list, and are taken back by the value, wherever it is by then. Use them \
      rather than 'ctx:set(list, #list + 1, value)' where actions wait: another one may change the list meanwhile.

      Nothing takes away what a later action wrote with these calls. A cancelled action leaves such a field as it is; an undo is disabled, and \
      its reason names the later action. A list's place also counts as written if a later action wrote a higher one.

      ```lua
      local page = responder "page" { text = "" }
      function page.on:write(ctx)
        ctx:set(self, "text", ctx.text, "Writing")
        if ctx.text == "rude" then ctx:refuse("be polite") end
      end
      focus(page)

      app:perform("write(text: hello)")
      app:perform("write(text: rude)")
      print(page.text)                                 --> hello
      print(app:undo().status, #page.text)             --> handled  0
      print(app:redo().status, page.text)              --> handled  hello
      print(app:undo_stack().undo[1])                  --> Writing
      ```

      If an action registers nothing, it can't be undone. A face says so once before it undoes an earlier action of the same stack: \
      "'Send' can't be undone; undo again to take back 'Rename'". Programs, tests and 'app:undo()' are not held up.

      An undo that fails leaves its entry in place. 'app:forget_undo()' drops the entry that 'undo' would take next, so that you can undo the \
      entries before it.

      'undo' and 'redo' are ordinary actions, titled Undo Writing and the like. The app, each window, and each responder with 'undo = true' have \
      an undo stack. An action goes to the stack of the nearest of them upward from the responder that handles it. 'undo' takes the nearest \
      stack from the focus that has something to undo, and 'redo' the nearest that has something to redo: 'menuctl why undo' names each that \
      was looked at.

      '{ coalesce = "typing" }' merges an action with the one before that has the same key.
      """)

  static let time = Topic(
    name: "time", summary: "actions that wait",
    text: """
      A handler may 'sleep(seconds)', say how far it is with 'progress(fraction, text)', and wait for other actions; meanwhile the host answers. While \
      an action waits its item is disabled with the reason 'running', unless it was defined as 'reentrant'.

      'app:perform' waits for the end. With '{ wait = false }' it gives the status 'running' and a job at once.

      ```lua
      function app.on:copy()
        progress(0.5, "half of it")
        sleep(10)
        return "copied"
      end
      local job = app:perform("copy", nil, { wait = false }).job

      print(app:validate("copy").reason, job.progress.text)  --> running  half of it
      print(job:wait().result)                               --> copied
      ```

      'after(seconds, f)' runs a function later, 'every(seconds, f)' again and again; either gives a handle with 'remove'. Each run is like an \
      action without a taker: it has an allowance and an undo group of its own. A run never overlaps itself, and after three failures in a row \
      there are no more. 'start' of the app and of plugins runs once everything is loaded, and again after a reload.

      ```lua
      local ticks = 0
      local ticking = every(1, function() ticks = ticks + 1 end)
      function app:start(ctx) sleep(3.5) ticking:remove() end
      function app.on:ticks() return ticks end
      ```

      Only 'on', 'unknown', functions that take something back, 'start', timers, tests and lines of the REPL may wait; anywhere else 'sleep' \
      raises. In a test the clock is the test's: waiting takes no time, but for a program, which takes as long as it does, and \
      'app:advance(seconds)' moves it.
      """)

  static let observers = Topic(
    name: "observers", summary: "watching actions and the host",
    text: """
      'observe(pattern, fn)' watches actions: a name, a list of names, "*", or the beginning of names with a "*". The function is told before the \
      first handler runs ("will") and when it is done ("did") or came to nothing ("failed"). 'listen(event, fn)' watches the host: phase, focus, menu, \
      validation, unhandled, reload. Both give a handle with ':remove()'.

      ```lua
      function app.on:save() return "saved" end
      observe("s*", function(event) print(event.stage, event.action) end)
      listen("unhandled", function(event) print(event.action, event.near[1]) end)

      app:perform("save")
      --> will  save
      --> did  save
      print(app:perform("saev").status)
      --> saev  save
      --> unhandled
      ```

      What a watcher raises is reported and affects nobody else. What is refused before its handler runs is not observed.
      """)

  static let errors = Topic(
    name: "errors", summary: "what happens when a script raises",
    text: """
      An error of a handler makes the outcome 'failed', takes back what the action did, and travels up the chain: each 'failed' hook may return another \
      error, or nil to end it there. What arrives at the top is reported with its place. The host goes on.

      ```lua
      local page = responder "page"
      function page.on:print() error("no paper", 0) end
      function app:failed(err) return "printing: " .. err.message end
      focus(page)

      local outcome = app:perform("print")
      print(outcome.status, outcome.error.message)  --> failed  printing: no paper
      ```

      'outcome.error' has message, file, line, column, traceback, code, owner, and limit where one was spent. An item whose 'can' or 'look' raises is \
      disabled with the reason 'error: …'; all others are validated. Loading is all or nothing: a script that does not load leaves nothing behind.
      """)
}
