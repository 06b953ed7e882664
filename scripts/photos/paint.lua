-- Paints the photos of the example, because it has no files: a sky, a ground or water, a sun with its glow, ridges, and shapes.
-- A picture is a list of lines in the colours of a program's output; each cell is two points, one above the other.

local width, height = 36, 24

-- The three parts of a colour such as 0xFFAA00.
local function parts(colour) return colour >> 16, colour >> 8 & 255, colour & 255 end

-- A part of the way from one colour to another.
local function mixed(red, green, blue, other, part)
  local red2, green2, blue2 = parts(other)
  return red + (red2 - red) * part, green + (green2 - green) * part, blue + (blue2 - blue) * part
end

-- Where a ridge begins in each column.
local function skyline(scene, ridge)
  local tops = {}
  for x = 0, width - 1 do
    local top = math.sin(x / ridge.wide + ridge.at) + 0.4 * math.sin(x / ridge.wide * 2.3 + ridge.at)
    if ridge.steps then top = (x // ridge.steps * 37 + ridge.at) % 11 / 5 - 1 end
    tops[x] = scene.level - ridge.high * (1 + top / 2)
  end
  return tops
end

-- The colour of the sun in a point of the sky or of the water, and how much of it; nil if there is none.
local function light(scene, x, y)
  local sun = scene.sun
  if not sun then return nil end
  if y < scene.level then
    local far = math.sqrt((x - sun.x) ^ 2 + (y - sun.y) ^ 2)
    return sun.colour, far <= sun.size and 1 or 0.6 * math.max(0, 1 - (far - sun.size) / (sun.glow or 9)), far <= sun.size
  end
  local isLit = scene.water and math.abs(x - sun.x) < 1 + (y - scene.level) * 0.35 and (x * 5 + y * 3) % 4 < 2
  return isLit and sun.colour or nil, 0.55
end

-- The colour of what is before the sky in a point; nil if nothing is.
local function covered(scene, tops, x, y)
  local colour
  for index, ridge in ipairs(y < scene.level and scene.ridges or {}) do
    local top = tops[index][x]
    if y >= top then colour = ridge.lamps and y > top and (x * 7 + y * 13 + x * y) % 9 == 0 and ridge.lamps or ridge.colour end
  end
  return colour
end

-- The colour of the last shape that has a point; nil if none has.
local function shaped(scene, x, y)
  local colour
  for _, shape in ipairs(scene.shapes or {}) do
    local row = shape[y - shape.y + 1]
    if row and x >= shape.x and row:byte(x - shape.x + 1) == 35 then colour = shape.colour end
  end
  return colour
end

-- The points of a row, three numbers for each.
local function row(scene, tops, y)
  local points, colours, part = {}, scene.sky, y / scene.level
  if y >= scene.level then colours, part = scene.ground, (y - scene.level) / (height - scene.level) end
  local red0, green0, blue0 = parts(colours[1])
  red0, green0, blue0 = mixed(red0, green0, blue0, colours[2], part)
  for x = 0, width - 1 do
    local red, green, blue = red0, green0, blue0
    local lit, much, isSun = light(scene, x, y)
    local front = shaped(scene, x, y) or not isSun and covered(scene, tops, x, y)
    if front then
      red, green, blue = parts(front)
    elseif lit then
      red, green, blue = mixed(red, green, blue, lit, much)
    end
    table.move({ red, green, blue }, 1, 3, 3 * x + 1, points)
  end
  return points
end

local painted = {}

-- Without colour the glyphs are a picture too: full where it is light, empty where it is dark.
local function paint(scene)
  if painted[scene] then return painted[scene] end
  local picture, tops = {}, {}
  for index, ridge in ipairs(scene.ridges or {}) do tops[index] = skyline(scene, ridge) end
  for y = 0, height - 2, 2 do
    local upper, lower, cells = row(scene, tops, y), row(scene, tops, y + 1), {}
    for at = 1, 3 * width, 3 do
      local red, green, blue, red2, green2, blue2 = upper[at], upper[at + 1], upper[at + 2], lower[at], lower[at + 1], lower[at + 2]
      local one, other = red + green + blue, red2 + green2 + blue2
      local glyph = math.abs(one - other) > 40 and (one > other and "▀" or "▄") or one + other > 2 * scene.light and "█" or " "
      if glyph == "█" or glyph == " " then
        red, green, blue = (red + red2) / 2, (green + green2) / 2, (blue + blue2) / 2
        red2, green2, blue2 = red, green, blue
      elseif glyph == "▄" then
        red, green, blue, red2, green2, blue2 = red2, green2, blue2, red, green, blue
      end
      cells[#cells + 1] = ("\27[38;2;%d;%d;%d;48;2;%d;%d;%dm%s"):format(
        red // 1, green // 1, blue // 1, red2 // 1, green2 // 1, blue2 // 1, glyph)
    end
    picture[#picture + 1] = table.concat(cells) .. "\27[0m"
  end
  painted[scene] = picture
  return picture
end

return paint
