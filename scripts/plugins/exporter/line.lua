local line = {}

function line.of(photo)
  return ("%-16s %s%s"):format(photo.name, ("★"):rep(photo.rating), ("☆"):rep(5 - photo.rating))
end

return line
