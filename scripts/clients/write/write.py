#!/usr/bin/env python3
"""A text editor. Its menus, keys, palette, questions, undo and plugins are menuctl's: write.py [FILE]"""
import curses, json, locale, os, subprocess, sys

FOLDER = os.path.dirname(os.path.realpath(__file__))
NAMES = {curses.KEY_BACKSPACE: "backspace", "\x7f": "backspace", curses.KEY_DC: "delete", curses.KEY_F10: "f10",
         "\n": "enter", "\r": "enter", "\t": "tab", "\x1b": "esc", " ": "space"}
NAMES |= {getattr(curses, f"KEY_{name.upper()}"): name for name in ("left", "right", "up", "down", "home", "end")}

class Host:
    """menuctl, started beside this program: asks it, and hands on what it says in between."""
    def __init__(self, hear):
        words = [os.environ.get("MENUCTL", "menuctl"), "serve", f"{FOLDER}/write.lua", "--stdio"]
        words += ["--plugin", f"{FOLDER}/lines.lua"]
        pipe, self.hear, self.answers, self.last = subprocess.PIPE, hear, {}, 0
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
    def tell(self, method, params, **id):
        message = {"jsonrpc": "2.0", "method": method, "params": params} | id
        print(json.dumps(message), file=self.process.stdin, flush=True)
    def ask(self, method, **params):
        self.last = asked = self.last + 1
        self.tell(method, params, id=asked)
        while asked not in self.answers:
            message = json.loads(self.process.stdout.readline() or sys.exit("write: menuctl has ended"))
            if "method" in message: self.hear(message["method"], message["params"])
            else: self.answers[message["id"]] = message.get("result") or {"error": message["error"]}
        return self.answers.pop(asked)

class Text:
    """The responder: what it can do, each action a method that returns the members of its answer."""
    def __init__(self, path):
        self.path, self.place, self.stretch = path, 0, 0
        self.text = open(path, encoding="utf-8").read() if path and os.path.exists(path) else ""
        self.saved = self.text
    def line(self):
        start = self.text.rfind("\n", 0, self.place) + 1
        end = self.text.find("\n", self.place)
        return start, len(self.text) if end < 0 else end

    def replace(self, text, title="Edit", coalesce=None, **range):
        start, end = range["from"], range["to"]
        old, self.text = self.text[start:end], self.text[:start] + text + self.text[end:]
        self.place = start + len(text)
        back = {"from": start, "to": self.place, "text": old, "title": title}
        return {"undo": {"perform": "replace", "args": back, "title": title, "coalesce": coalesce}}
    def type(self, text):
        return self.replace(text, "Typing", f"typing {self.stretch}", **{"from": self.place, "to": self.place})
    def erase(self):
        start = max(0, self.place - 1)
        return self.replace("", "Erasing", f"erasing {self.stretch}", **{"from": start, "to": self.place})

    def move(self, to):
        start, end = self.line()
        self.stretch += 1
        ahead = {"left": self.place - 1, "right": self.place + 1, "start": start, "end": end, "up": start - 1,
                 "down": end + 1}[to]
        column, self.place = self.place - start, min(max(ahead, 0), len(self.text))
        if to in ("up", "down") and ahead >= 0: self.place = min(self.line()[0] + column, self.line()[1])
        return {}
    def find(self, text):
        place = self.text.find(text, self.place + 1)
        place = self.text.find(text) if place < 0 else place
        if place >= 0: self.place, self.stretch = place, self.stretch + 1
        return {} if place >= 0 else {"reason": f"“{text}” is not in the text"}
    def save(self, path=None):
        self.path = path or self.path
        if not self.path: return {"reason": "it has no file yet: save it as one"}
        try:
            with open(self.path, "w", encoding="utf-8") as file: file.write(self.text)
        except OSError as error: return {"error": f"'{self.path}' can't be written: {error.strerror}"}
        self.saved = self.text
        return {"result": f"saved {self.path}"}

    save_as = save
    TAKES = {"type": ["text"], "erase": [], "move": ["to"], "find": ["text"], "save": [], "save_as": ["path"]}
    KEYS = {"left": "move(to: left)", "right": "move(to: right)", "up": "move(to: up)", "down": "move(to: down)",
            "home": "move(to: start)", "end": "move(to: end)", "backspace": "erase", "enter": 'type(text: "\\n")'}

    def register(self, host):
        takes = {name: [{"key": key, "type": "string", "title": key.title()} for key in keys]
                 for name, keys in self.TAKES.items()}
        on = {"replace": {"reads": []}} | {name: {"takes": takes[name], "reads": []} for name in takes}
        host.ask("register", responder="text", window=True, on=on, keys=self.KEYS)
        host.ask("focus", name="text")
    def tell(self, host):
        """Tells ahead what menus, keys and plugins ask of it, so that nobody waits for this program."""
        start, end = self.line()
        changed = self.text != self.saved
        context = {"changed": changed, "file": self.path, "from": start, "to": end, "line": self.text[start:end]}
        actions = {"save": {"enabled": changed, "reason": "nothing has changed"}}
        host.tell("set", {"responder": "text", "context": context, "actions": actions})

class Window:
    def __init__(self, screen, path):
        self.screen, self.message, self.menus, self.opens, self.top = screen, "F10 menus  ctrl+p commands", [], False, 0
        curses.raw()
        curses.set_escdelay(25)
        self.text, self.host = Text(path), Host(self.hear)
        self.host.ask("hello", client={"name": "write", "quits": True})
        self.text.register(self.host)
        while True:
            self.text.tell(self.host)
            self.menus = self.host.ask("menus")["menus"]
            self.draw()
            self.press(*self.stroke())
            if self.opens: self.choose(self.items(self.menus), 0, isPalette=True)

    def hear(self, method, params):
        if method == "do":
            answer = getattr(self.text, params["action"])(**params["args"])
            self.text.tell(self.host)
            self.host.tell("done", {"call": params["call"]} | answer)
        if params.get("quit"): sys.exit()
        if "open" in params: self.opens = "palette" in params["open"]

    def stroke(self):
        key = self.screen.get_wch()
        if key in NAMES: return NAMES[key], key
        if isinstance(key, str) and key < " ": return f"ctrl+{chr(ord(key) + 96)}", key
        return str(key), key
    def press(self, name, key):
        if name == "f10": return self.menu(0)
        outcome = self.deed("press", keys=name, wait=True)
        if outcome.get("status", "unhandled") == "unhandled" and isinstance(key, str) and key >= " ":
            self.deed("perform", ref="type", args={"text": key}, wait=True)

    def deed(self, method, **params):
        outcome = self.host.ask(method, **params)
        while outcome.get("status") == "asks":
            asks, args = outcome["asks"], dict(params.get("args", {}))
            for argument in asks["arguments"]:
                args[argument["key"]] = self.line(argument.get("title", argument["key"]) + ": ")
            if None in args.values(): return outcome
            if "confirm" in asks and self.line(asks["confirm"] + " (y/n) ") != "y": return outcome
            params |= {"args": args, "confirmed": True}
            outcome = self.host.ask(method, **params)
        self.message = outcome.get("error", outcome).get("message", outcome.get("reason", outcome.get("result", "")))
        if outcome.get("status") == "unhandled": self.message = ""
        return outcome
    def line(self, prompt):
        """A line that a person types below; None for esc."""
        typed = ""
        while True:
            self.message = prompt + typed
            self.draw()
            name, key = self.stroke()
            if name in ("esc", "enter"): return typed if name == "enter" else None
            if name == "backspace": typed = typed[:-1]
            elif isinstance(key, str) and key >= " ": typed += key

    def items(self, elements, path=""):
        for element in elements:
            if element["kind"] == "menu": yield from self.items(element["children"], f"{path}{element['title']}: ")
            elif element["kind"] == "item": yield element | {"title": path + element["title"]}
    def menu(self, index):
        while index is not None:
            index %= len(self.menus)
            column = sum(len(menu["title"]) + 2 for menu in self.menus[:index])
            side = self.choose(self.items(self.menus[index]["children"]), column)
            index = None if side is None else index + side

    def choose(self, items, column, isPalette=False):
        """A list of items, of which a person picks one; -1 or 1 for the menu to the left or right."""
        items, typed, current, self.opens = list(items), "", 0, False
        while True:
            rows = [item for item in items if typed.lower() in item["title"].lower()]
            current = max(0, min(current, len(rows) - 1))
            self.message = f"> {typed}" if isPalette else (rows[current].get("reason", "") if rows else "")
            self.draw()
            for row, item in enumerate(rows[: self.screen.getmaxyx()[0] - 2]):
                words = f" {item['title']:<28} {item.get('key', ''):>12} "
                look = (row == current and curses.A_REVERSE) | (not item["enabled"] and curses.A_DIM)
                self.screen.addnstr(row + 1, column, words, self.screen.getmaxyx()[1] - column - 1, look)
            name, key = self.stroke()
            if name == "esc": return None
            if name in ("up", "down"): current += 1 if name == "down" else -1
            elif name in ("left", "right") and not isPalette: return 1 if name == "right" else -1
            elif name == "enter" and rows: return self.deed("pick", id=rows[current]["id"], wait=True) and None
            elif name == "backspace": typed = typed[:-1]
            elif isPalette and isinstance(key, str) and key >= " ": typed += key

    def draw(self):
        rows, columns = self.screen.getmaxyx()
        self.screen.erase()
        bar = "  ".join(menu["title"] for menu in self.menus).ljust(columns)
        self.screen.addnstr(0, 0, bar, columns, curses.A_REVERSE)
        before = self.text.text[: self.text.place].split("\n")
        self.top = min(max(self.top, len(before) - rows + 2), len(before) - 1)
        for row, line in enumerate(self.text.text.split("\n")[self.top : self.top + rows - 2]):
            self.screen.addnstr(row + 1, 0, line, columns)
        state = f"{self.text.path or 'no file'}{'*' * (self.text.text != self.text.saved)}  {self.message}"
        self.screen.addnstr(rows - 1, 0, state.ljust(columns), columns - 1, curses.A_DIM)
        self.screen.move(len(before) - self.top, min(len(before[-1]), columns - 1))
        self.screen.refresh()

locale.setlocale(locale.LC_ALL, "")
curses.wrapper(Window, sys.argv[1] if len(sys.argv) > 1 else None)
