app.title = "Hello"

local page = responder "page"

function page:provide(ctx)   ctx.name = self.guest end
function page.on:invite(ctx) self.guest = ctx.name end
function page.on:greet(ctx)  return "What now, " .. ctx.name .. "?" end
page.needs.greet = { name = "invite somebody first" }

focus(page)
