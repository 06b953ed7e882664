-- The face of lamps.c, which has the lamps and does their actions. What they are comes with the context.

app.title, app.name = "Lamps", "lamps"
app.allow_warnings = { "unanswered-action", "unsupplied-key" }  -- lamps.c answers and supplies

menubar {
  menu "Lamp" {
    item "Brighter" { "brighter", key = "+" },
    item "Dimmer" { "dimmer", key = "-" },
    separator,
    item "Add…" { "add", key = "a" },
    item "Rename…" { "rename", key = "r" },
    item "Remove" { "remove", key = "delete" },
    separator,
    item "Quit" { "quit", key = "q" },
  },
  menu "Edit" { item "Undo" { "undo", key = "ctrl+z" }, item "Redo" { "redo", key = "ctrl+y" } },
  menu "House" { item "All Off" { "all_off", key = "o" }, item "Evening" { "evening", key = "e" } },
}

panel {
  typing = false,
  section "lamps" {
    items = function(ctx) return ctx.lamps or {} end,
    id = function(one) return one.name end,
    current = "select",
    row = function(one)
      return item(one.name) { "brighter", args = { lamp = one.lamp }, subtitle = ("█"):rep(one.level) .. ("░"):rep(8 - one.level) }
    end,
    empty = "No lamps: press a to add one",
  },
}

-- A script does with the lamps what the program never thought of; one undo takes all of it back.
function app.on:evening(ctx)
  for _, one in ipairs(ctx.lamps) do app:perform("level", { lamp = one.lamp, level = 2 }) end
end
app.needs.evening = { lamps = "the house is not there" }
