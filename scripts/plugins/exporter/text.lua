local text = {}

function text.of(photo) return photo.name .. ": " .. (photo.stars or "no") .. " stars\n" end

return text
