// Who answers an action.

extension Topic {
  static let references = Topic(
    name: "references", summary: "how an action is named, with its arguments",
    text: """
      A reference is the name of an action and, in parentheses, its arguments: save, export(format: jpeg), button.save. A name is letters \
      of any script, digits, '_' and '-', not beginning with a digit; dots join several.

      An argument is 'key: value', either side quoted or bare; none goes without its key. A value is a string, a number, true, false, null, a list \
      in brackets or an object in braces, as in JSON. A bare word is a string: letters, digits and any of _ - . / + # @ % * ~ are possible in it. \
      What has anything else in it, a blank too, stands in double quotes, never in single ones: say(text: "hello world"). In Lua that is \
      'say(text: "hello world")', and for a shell it stands in single quotes as well. Doubled keys and commas at the end are errors; blanks \
      between the parts are free.

      The whole name is tried first. Where nobody answers it, one leading part at a time is left out and the walk begins anew: \
      toolbar.button.save, button.save, save. What was left out is 'ctx.prefix'.

      ```lua
      function app.on:save(ctx) return ctx.prefix .. " as " .. ctx.as end
      function app.on:say(ctx) return ctx.text end

      print(app:perform("button.save(as: pdf)").result)  --> button as pdf
      print(app:perform('say(text: "hello world")').result)         --> hello world
      print(app:perform("say(text: hello world)").error.message)    --> what has blanks in it stands in double quotes: "hello world"
      print(app:perform("say('hello')").error.message)              --> a string stands in double quotes, not in single ones
      print(app:perform("say(5)").error.message)                    --> an argument needs its name: say(name: 5)
      ```

      A reference that can't be read is an error that shows the column, and nothing runs: in a menu the script does not load, on the command \
      line the exit status is 64.
      """)

  static let chain = Topic(
    name: "chain", summary: "who is asked about an action, in which order",
    text: """
      Responders stand in a chain: each has a 'next', which is the app where it names no other. An action walks the chain from where the \
      focus is, and the first responder that answers it gets it. Nothing is wired to a target, so the same menu item does another thing when \
      the focus is elsewhere.

      The walk begins at the responder that was focused last, else at the key window. A window is followed by its delegate. Where another \
      window is the main one, its first responder's chain comes next. The app is last, then its delegate, then what the embedding program \
      answers itself. Nobody is asked twice.

      At each responder the order is: 'on', then 'resolve', which may add a handler, then 'redirect', then 'claims' with 'unknown'. Only when \
      the whole walk finds nobody are the catch-alls asked, every 'unknown' from the nearest on. So a real handler anywhere beats a \
      catch-all everywhere.

      ```lua
      local page = responder "page"
      local line = responder "line" { next = page }
      function line.on:cut() return "the line" end
      function page.on:cut() return "the page" end
      function page.on:print() return "the page" end
      focus(line)

      print(app:perform("cut").result)         --> the line
      print(app:perform("print").result)       --> the page
      print(table.concat(app:chain(), " → "))  --> line → page → app
      ```

      'menuctl chain APP REF' shows what each would answer, 'menuctl why APP REF' the whole derivation.
      """)

  static let forwarding = Topic(
    name: "forwarding", summary: "handing an action on",
    text: """
      There are four ways to let another do it.

      - pass  A handler or a 'can' that returns 'pass' says "not me": the walk goes on as if it had no handler.
      - ctx:forward()  Calls the next responder in the chain that answers, and gives its result. Its 'needs' and 'can' are asked; a no gives nil \
      and the reason. Catch-alls are not asked.
      - ctx:super()  Calls the implementation below on the same responder: of a derived class, a layer below, the responder's own, its class's.
      - redirect  A responder that hands actions over to another responder, in its own place in the chain.

      ```lua
      local page = responder "page"
      local line = responder "line" { next = page }
      function line.on:delete(ctx)
        if ctx.word then return "a word" end
        return pass
      end
      function page.on:delete() return "the page" end
      function line.on:copy(ctx) return "the line, then " .. ctx:forward() end
      function page.on:copy() return "the page" end
      focus(line)

      print(app:perform("delete(word: film)").result)  --> a word
      print(app:perform("delete").result)              --> the page
      print(app:perform("copy").result)                --> the line, then the page
      ```
      """)

  static let arguments = Topic(
    name: "arguments", summary: "what an action takes, and what it asks first",
    text: """
      'takes' says what arguments an action takes, a type for each: string, integer, number, boolean, file, folder, any, or 'one_of' with the \
      values. With it stand title, help, from, to, matches, many, order, optional, default, proposal, secret.

      ```lua
      local grid = responder "grid"
      grid.takes.rate = { rating = { "integer", from = 0, to = 5, title = "Stars" } }
      function grid.on:rate(ctx) return ctx.rating end
      function grid.confirm:clear() return "Clear everything?" end
      function grid.on:clear() return "cleared" end
      focus(grid)

      print(app:perform("rate(rating: 9)").reason)                    --> 'rating' must be an integer from 0 to 5, not 9
      print(app:perform("rate").status)                               --> asks
      print(app:perform("rate", { rating = 4 }).result)               --> 4
      print(app:perform("clear", nil, { asks = true }).asks.confirm)  --> Clear everything?
      ```

      What doesn't fit disables the action, before 'can' is asked. 'can' is asked with what is known before a form is shown: if it says no, nobody fills \
      in a form in vain; if it reads an argument that is missing, it decides later. What is missing is asked for: the outcome is 'asks', with 'asks.arguments', \
      and nothing was done; performing again with the arguments answers. 'confirm' is what a person is asked who picks or presses it; a script \
      that performs is not asked. At a terminal the tool asks, a line for each argument; '--arg KEY=VALUE' and '--yes' answer beforehand.

      'one_of' may be a function, and hears the other answers. The host calls it when it draws a form, again when an answer changes, and when it \
      checks a value; never to draw a menu. Give the argument that others depend on a lower 'order', so that it is asked for first. If the function \
      raises an error, its field shows it, and the person can go on with the form. Functions for 'default' and 'proposal' work in the same way.

      ```lua
      local cities = { CH = { "Bern", "Basel" }, FR = { "Lyon", "Nice" } }
      app.takes.book = {
        country = { one_of = { "CH", "FR" }, order = 1 },
        city = { one_of = function(self, ctx) return cities[ctx.country] or {} end, order = 2 },
      }
      function app.on:book(ctx) return ctx.city end

      print(app:perform("book(country: FR)").asks.arguments[1].one_of[2])  --> Nice
      print(app:perform("book(country: FR, city: Bern)").reason)           --> 'city' must be one of 'Lyon', 'Nice', not 'Bern'
      ```

      'about' says what an action is called where no item does. 'menuctl actions APP' lists every action with all of that.
      """)

  static let context = Topic(
    name: "context", summary: "what a handler knows",
    text: """
      Before an action is done, one context is built for it: every responder of the walk is asked by its 'provide', the app first, so that a \
      nearer one may read and replace what an outer one wrote. 'needs', 'can', 'look', the handler and the observers get that context.

      'ctx.k' is looked up in what this handler wrote, then the arguments of the reference, then what the caller passed as 'info', then what \
      providers supplied. The host's own names win over a provider: action, raw, prefix, args, sender, taker, modifiers, subject. An argument \
      with such a name is read as 'ctx.args.x'.

      ```lua
      local page = responder "page" { size = "A4" }
      function app:provide(ctx) ctx.size, ctx.user = "letter", "Ada" end
      function page:provide(ctx) ctx.size = self.size end
      function page.on:print(ctx) return ctx.user .. " prints " .. ctx.size end
      focus(page)

      print(app:perform("print").result)            --> Ada prints A4
      print(app:perform("print(size: A5)").result)  --> Ada prints A5
      ```

      In 'provide' the action and its arguments are not known, so one context serves a whole menu. In 'can' and 'look' it is read-only. \
      'menuctl context APP' shows each key with who supplied it.
      """)

  static let validation = Topic(
    name: "validation", summary: "whether an action can be done now, and why not",
    text: """
      An item is enabled when somebody takes its action. Whoever would do it is asked, in this order:

      - needs  The context keys without which it can't be done; the reason names the missing one, or is the one that was given.
      - can  A function: true, or false and a reason, or 'pass' for "not me, ask further up".
      - look  How the item looks now: title, subtitle, state, hidden, icon, destructive. It decides nothing.

      A no is final: nobody further up the chain is asked. The same questions are asked before every perform, so what is drawn disabled can't \
      be done by its key either. Every disabled item has a reason.

      ```lua
      local page = responder "page" { text = "" }
      function page.on:print() end
      function page.can:print() return self.text ~= "", "the page is empty" end
      focus(page)

      print(app:validate("print").reason)  --> the page is empty
      page.text = "words"
      print(app:perform("print").status)   --> handled
      ```

      Asking must never do: in these functions performing, focusing and registering raise. 'menuctl validate APP' shows all items, \
      'menuctl why APP ID' one with its derivation.
      """)
}
