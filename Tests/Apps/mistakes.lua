-- Has a mistake of each kind that only "menuctl check" sees.

menubar {
  menu "File" {
    item "Save" { "svae", key = "ctrl+s" },
    item "Revert" { "revert", key = "ctrl+s" },
    item "Revert" { "revert(to: saved)", enabled = false },
  },
}

local page = responder "page"

function page:provide(ctx) ctx.text = self.text end
function page.on:save(ctx) return ctx.text end
function page.on:revert(ctx) return ctx.txet end
function page.can:rever() return true end

focus(page)
