-- Paints the photos of the example, because it has no files: a sky, a ground or water, a sun with its glow, ridges, and shapes.
-- A picture is a list of lines in the colours of a program's output; each cell is two points, one above the other.

local width, height = 36, 24

-- The three parts of a colour such as 0xFFAA00.
local function parts(colour) return { colour >> 16, colour >> 8 & 255, colour & 255 } end

local function mix(one, other, part)
  local mixed = {}
  for index = 1, 3 do mixed[index] = one[index] + (other[index] - one[index]) * part end
  return mixed
end

local function point(scene, x, y)
  local level, sun, colour = scene.level, scene.sun, nil
  local isSky = y < level
  if isSky then
    colour = mix(parts(scene.sky[1]), parts(scene.sky[2]), y / level)
  else
    colour = mix(parts(scene.ground[1]), parts(scene.ground[2]), (y - level) / (height - level))
  end
  if sun and isSky then
    local far = math.sqrt((x - sun.x) ^ 2 + (y - sun.y) ^ 2)
    if far <= sun.size then return parts(sun.colour) end
    colour = mix(colour, parts(sun.colour), 0.6 * math.max(0, 1 - (far - sun.size) / (sun.glow or 9)))
  elseif sun and scene.water and math.abs(x - sun.x) < 1 + (y - level) * 0.35 and (x * 5 + y * 3) % 4 < 2 then
    colour = mix(colour, parts(sun.colour), 0.55)
  end
  for _, ridge in ipairs(scene.ridges or {}) do
    local top = math.sin(x / ridge.wide + ridge.at) + 0.4 * math.sin(x / ridge.wide * 2.3 + ridge.at)
    if ridge.steps then top = (x // ridge.steps * 37 + ridge.at) % 11 / 5 - 1 end
    if isSky and y >= level - ridge.high * (1 + top / 2) then colour = parts(ridge.colour) end
    if isSky and ridge.lamps and y > level - ridge.high * (1 + top / 2) and (x * 7 + y * 13 + x * y) % 9 == 0 then colour = parts(ridge.lamps) end
  end
  for _, shape in ipairs(scene.shapes or {}) do
    local row = shape[y - shape.y + 1]
    local column = x - shape.x + 1
    if row and column > 0 and row:sub(column, column) == "#" then colour = parts(shape.colour) end
  end
  return colour
end

local painted = {}

-- Without colour the glyphs are a picture too: full where it is light, empty where it is dark.
local function paint(scene)
  local picture = painted[scene] or {}
  if painted[scene] then return picture end
  for y = 0, height - 2, 2 do
    local cells = {}
    for x = 0, width - 1 do
      local upper, lower = point(scene, x, y), point(scene, x, y + 1)
      local light, other = upper[1] + upper[2] + upper[3], lower[1] + lower[2] + lower[3]
      local glyph = light + other > 2 * scene.light and "█" or " "
      if math.abs(light - other) > 40 then
        glyph = light > other and "▀" or "▄"
      else
        upper, lower = mix(upper, lower, 0.5), mix(upper, lower, 0.5)
      end
      if glyph == "▄" then upper, lower = lower, upper end
      for index = 1, 3 do upper[index], lower[index] = math.floor(upper[index]), math.floor(lower[index]) end
      cells[#cells + 1] = ("\27[38;2;%d;%d;%d;48;2;%d;%d;%dm%s"):format(upper[1], upper[2], upper[3], lower[1], lower[2], lower[3], glyph)
    end
    picture[#picture + 1] = table.concat(cells) .. "\27[0m"
  end
  painted[scene] = picture
  return picture
end

return paint
