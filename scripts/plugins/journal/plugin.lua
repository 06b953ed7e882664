-- Listens: what is done to the app stands in a menu of the plugin's own.

plugin {
  name = "journal", version = "1.0.0", summary = "remembers what was done",
  requires = { photos = ">=1 <2" },
}

local lines = {}

local function note(line)
  table.insert(lines, 1, line)
  lines[11] = nil
end

-- Told when an action is done, or came to nothing: never asked, and in nobody's way.
observe("*", function(event)
  if event.stage == "will" or event.action:match("^journal%.") then return end
  local outcome = event.outcome
  note(event.raw .. ": " .. (outcome.reason or outcome.result or outcome.status))
end)

listen("unhandled", function(event) note(event.raw .. ": nobody answers") end)

-- A plugin's menus stand behind the app's.
menubar {
  menu "Journal" {
    item "Clear" { "journal.clear" },
    separator,
    section "journal" {
      items = function() return lines end,
      row = function(line) return label(line) end,
      empty = "Nothing was done yet",
    },
  },
}

app.on["journal.clear"] = function() lines = {} end
app.can["journal.clear"] = function() return #lines > 0, "nothing was done yet" end
