-- Everything once, in order, with one failure on purpose. `menuctl perform scripts/tour.lua tour` goes through it.

app.title, app.version = "Tour", "1.0"
app.allow_warnings = { "unnamed-handler" }  -- 'tour' is in no menu

-- 1. Menus: items name actions.
local places = { "harbour", "pier" }

menubar {
  menu "Walk" {
    item "Go On" { "step", key = "ctrl+g" },
    item "Turn Back" { "step(back: true)", key = "b b", alternates = { alt = item "Go Home" { "home" } } },
    item "Undo" { "undo", key = "ctrl+z" },
    item "Burn the Map" { "burn", destructive = true, confirm = "Burn it for good?" },
    separator,
    menu "Places" {
      single = true,
      section "places" {
        items = function() return places end,
        id = function(place) return "place " .. place end,
        row = function(place) return item(place) { "visit", args = { place = place } } end,
      },
    },
    label "the end",
  },
}

-- 2. Responders: a class, one that builds on it, a window, a helper, and the order in which they are asked.
class "walker" { speed = 1 }
local main = window "main"
local walker = responder "walker" { next = main, class = "walker", at = 0, map = true }
local porter = responder "porter" { next = main }
app.delegate = responder "guide"

function walker:provide(ctx) ctx.at, ctx.place = self.at, self.place end

-- 3. Actions: what does it, whether it can be done, how it looks, what it needs.
function walker.on:step(ctx)
  ctx:set(self, "at", self.at + (ctx:flag("back") and -self.speed or self.speed), "Step")
  return self.at
end

function walker.can:step(ctx) return not ctx:flag("back") or self.at > 0, "this is where it began" end

function walker.on:visit(ctx) ctx:set(self, "place", ctx.place, "Visit") end
function walker.look:visit(ctx) return { state = self.place == ctx.place } end

walker.needs.describe = { place = "visit a place first" }
function walker.on:describe(ctx) return "the " .. ctx.place end

function walker.on:burn(ctx) ctx:set(self, "map", false) end
function walker.on:home(ctx)
  ctx:set(self, "at", 0, "Way Home")
  return "home"
end

-- 4. Handing on: redirect, claims, catch-alls, pass, forward, super.
walker.redirect = function(_, action) return action == "carry" and porter or nil end
function porter.on:carry(ctx) return "the porter carries " .. (ctx.what or "nothing") end
walker.claims = { "whistle" }
function walker:unknown(ctx) return ctx.action == "whistle" and "a tune" or pass end
function app:unknown(ctx) return "nobody knows how to " .. ctx.action end
function walker.on:rest(ctx) return "first " .. (ctx:forward() or "") end
function main.on:rest() return "sit down" end
walker:derive("Tired", { on = { rest = function(_, ctx) return "at last, " .. ctx:super() end } })

-- 5. Time, errors, keys, and who watches.
function walker.on:sleep()
  progress(0.5, "dreaming")
  sleep(0.01)
  return "awake"
end

function walker.on:stumble()
  self.at = self.nowhere.at
end

function walker:failed(err) return "the walker stumbles: " .. err.message end
walker.keys = { ["ctrl+s"] = "sleep" }
function main.build:place(m, place) m:insert_last("root", item("Describe the " .. place) { "describe", id = "describe" }) end

focus(walker)

-- The tour.

local number = 0
local function show(what, ...)
  number = number + 1
  local values = {}
  for i = 1, select("#", ...) do values[i] = tostring((select(i, ...))) end
  print(("%2d. %-28s %s"):format(number, what, table.concat(values, ", ")))
end

function app.on:tour()
  show("the chain", table.concat(app:chain(), " → "))
  show("an action", app:perform("step").status, walker.at)
  show("by key, by sequence", app:press("ctrl+g").result, app:press("b").status, app:press("b").result)
  show("by menu", app:pick("Walk/Turn Back").result)
  show("why not", app:item("Walk/Turn Back").reason)
  show("an alternate", app:pick("Walk/Turn Back", { alt = true }).result)
  show("rows, one of them on", app:pick("place pier").status, app:item("place pier").state, app:item("place harbour").state)
  show("what it needs", app:perform("describe").result, app:validate("describe").enabled)
  show("taken back, but not within", app:undo().reason)
  show("asked first", app:pick("Walk/Burn the Map").status, app:pick("Walk/Burn the Map", nil, { confirmed = true }).status)
  show("redirected", app:perform("carry(what: \"the bag\")").result)
  show("claimed", app:perform("whistle").result, app:validate("whistle").enabled)
  show("nobody's", app:perform("fly").result, app:validate("fly").enabled)
  show("super and forward", app:perform("rest").result)
  show("a context menu", app:context_menu("place", "pier").children[1].title, app:pick("describe").result)

  local seen = {}
  local watch = observe("s*", function(event) seen[#seen + 1] = event.stage end)
  show("what takes time", app:press("ctrl+s").result)
  watch:remove()
  show("watched", table.concat(seen, " "))

  local session = modal(porter)
  show("a modal session", walker:perform("step").status, session.open)
  session:close()
  show("and after it", walker:perform("step").status, app:chain()[1])

  local handle = walker:define("sing", { on = function(_, ctx) return ctx.song end, needs = "song" })
  show("made at run time", app:perform("sing(song: la)").result, app:perform("sing").reason)
  handle:remove()
  show("and gone", app:validate("sing").reason)

  app:enter("active")
  show("the phase", app.phase)

  local outcome = app:perform("stumble")
  show("a failure, on purpose", outcome.status, (outcome.error.message:gsub(" %(.*", "")))
  show("and the walk goes on", app:perform("step").status, walker.at)
end
