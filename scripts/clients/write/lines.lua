-- Adds what write.py doesn't know: it sees the current line in the context, and edits by the text's own action.

plugin { name = "lines", version = "1.0.0", summary = "changes whole lines" }

extend("Edit", separator, item "Upper Case" { "upper_case", key = "ctrl+u" },
  item "Double Line" { "double", key = "ctrl+d" }, item "Delete Line" { "delete_line", key = "ctrl+k" })

function app.on:upper_case(ctx)
  app:perform("replace", { from = ctx.from, to = ctx.to, text = ctx.line:upper(), title = "Upper Case" })
end
function app.can:upper_case(ctx) return ctx.line:upper() ~= ctx.line, "there is nothing in lower case" end
app.needs.upper_case = { line = "no text has the focus" }

function app.on:double(ctx)
  app:perform("replace", { from = ctx.to, to = ctx.to, text = "\n" .. ctx.line, title = "Double Line" })
end
app.needs.double = { line = "no text has the focus" }

function app.on:delete_line(ctx)
  app:perform("replace", { from = ctx.from, to = ctx.to, text = "", title = "Delete Line" })
end
app.needs.delete_line = { line = "no text has the focus" }
