"""Decks of Squib: a script in Ruby, layouts in YAML, and tables.

The script never runs. What its usual lines say is read: which table, which layouts, and which columns are printed
where. See https://squib.readthedocs.io.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import yaml

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import WORKBOOK_SUFFIXES
from cardgen.scaffold.decks.foreign import (
    Column,
    Element,
    Files,
    ForeignDeck,
    ForeignTable,
    PictureBox,
    Shape,
    TextBox,
    Words,
    columns_of,
    decoded,
    markup,
)
from cardgen.scaffold.decks.squib_script import (
    CHANGE,
    COLUMN,
    DECK,
    STRING,
    ScriptedDeck,
    Settings,
    arguments_of,
    decks_of,
)
from cardgen.tables.csv_file import read_csv
from cardgen.tables.table import as_text, grid_table
from cardgen.tables.workbook import read_workbook
from cardgen.units import Box

SUFFIXES = (".rb", ".yml", ".yaml")
_TABLES = (".csv", *sorted(WORKBOOK_SUFFIXES))
_NUMBER = re.compile(r"(-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))\s*(in|cm|mm|pt|cell|px)?")
_MAPPED = re.compile(r"\.(?:map|collect)\s*(?:\{|do)\s*\|\s*(\w+)\s*\|(.*)(?:\}|\bend)", re.DOTALL)
# What a script does about empty cells: 't.nil? ? nil : …', '… unless t.nil?'.
_FOR_EMPTY = re.compile(
    r"^\s*\w+\.(?:nil|empty)\?\s*\?\s*(?:nil|''|\"\")\s*:|(?<!\s)\s++(?:unless|if)\s++[\w.!?]++\s*+$"
)
_INSERTED = re.compile(r"#\{([^{}]*)\}")
_MORE = re.compile(r"\+=\s*(.*)|-=\s*(.*)|\*=\s*(.*)|/=\s*(.*)")
_DPI = 300.0
_WIDTH, _HEIGHT = 825.0, 1125.0
_TRIM = 37.5  # an eighth of an inch, which print services cut off
# Before version 0.14, a size of type was that of a screen of 96 dots to the inch; see the changelog of Squib.
_LARGEST_TYPE = 24.0
# Bytes of the layouts of a deck together, entries of one, and characters of a value.
_MOST_LAYOUT = 256 << 10
_MOST_ENTRIES = 5_000
_LONGEST_VALUE = 1_000
_DEEPEST = 20
_DPIS = (50.0, 2_400.0)


def read_squib(files: Files, name: str = "") -> ForeignDeck:
    """Return the decks of a script, or of all scripts in a folder; without one, those of its layouts and tables.

    Raises CardgenError if no table with cards can be found.
    """
    scripts = [each for each in files.names if each.endswith(".rb") and DECK.search(files.text(each))]
    if name.endswith(".rb"):
        scripts = [name]
    reader = _Reader(files)
    # Backs come after the fronts to which they belong.
    for script in sorted(scripts, key=lambda script: "back" in PurePosixPath(script).stem):
        for deck in decks_of(files.text(script), reader.deck.lose):
            reader.add(deck, PurePosixPath(script).stem)
    if not reader.deck.tables:
        reader.add_without_script([name] if name and not name.endswith(".rb") else [])
    if not reader.deck.tables:
        advice = "pass a spreadsheet, the folder of a deck of Squib or Cider, or a set of Magic Set Editor"
        raise files.error("no deck with a table of cards was found", advice)
    return reader.deck


class _Reader:
    """Reads the tables, layouts, and pictures of decks."""

    def __init__(self, files: Files) -> None:
        self.deck = ForeignDeck("Squib")
        self._files = files
        # The first table that is made from a source, of all scripts and by the title of one.
        self._by_source: dict[tuple[str, str], ForeignTable] = {}
        self._read_layouts: dict[str, dict[str, Settings]] = {}
        self._left = _MOST_LAYOUT
        config = next((self._layouts(each) for each in ("config.yml", "config.yaml") if each in files.names), {})
        self._config = config.get("", {})
        self._colours = config.get("custom_colors", {})

    def add(self, deck: ScriptedDeck, title: str) -> None:
        """Add a deck of a script; one without a table of its own is noted."""
        arguments = deck.tables.get(deck.most_used, "")
        rows = self._table(arguments)
        if not rows:
            self.deck.lose("decks without a table of cards", title)
            return
        layouts: dict[str, Settings] = {}
        for command, settings in (("use_layout", {"file": deck.settings.get("layout", "")}), *deck.commands):
            if command == "use_layout":
                for _, file in STRING.findall(settings.get("file", "")):
                    layouts |= self._layouts(file)
        table = ForeignTable(title, rows)
        face = _Face(self, layouts, deck, rows)
        elements = [element for command in deck.commands for element in face.element(*command)]
        front = self._by_source.get((title, arguments))
        if "back" in title:
            front = front or self._by_source.get(("", arguments))
        if front and ("back" in title or ".back" not in front.faces):
            front.faces = {**front.faces, ".back": elements}
        elif any(any(columns_of(element)) for element in elements):
            self._finish(table, elements, face)
            for each in (title, ""):
                self._by_source.setdefault((each, arguments), table)
        else:
            self.deck.lose("decks that print no column of their table", title)

    def add_without_script(self, names: list[str]) -> None:
        """Add the tables of a folder, with the layouts whose names are those of their columns."""
        layouts: dict[str, Settings] = {}
        for name in names or [each for each in self._files.names if "layout" in each and each.endswith(SUFFIXES[1:])]:
            layouts |= self._layouts(name)
        if not layouts:
            return
        for file in self._files.names:
            rows = self._table(f"file: '{file}'") if file.endswith(_TABLES) and "/." not in file else []
            headings = {heading.lower(): heading for row in rows for heading in row}
            named = [name for name in layouts if name.lower() in headings]
            if not named:
                continue
            commands = [("text", {"str": f"data['{headings[name.lower()]}']", "layout": f"'{name}'"}) for name in named]
            table = ForeignTable(PurePosixPath(file).stem, rows)
            face = _Face(self, layouts, ScriptedDeck({}, commands, {"data": file}, "data"), rows)
            self._finish(table, [element for command in commands for element in face.element(*command)], face)
            self.deck.lose("the script, without which layouts belong to the columns of their names", "")

    def _finish(self, table: ForeignTable, elements: list[Element], face: _Face) -> None:
        table.faces = {"": tuple(elements)} if elements else {}
        table.width, table.height = face.trimmed_size
        pictures = face.picture_columns
        table.rows = [
            {heading: value if heading in pictures else markup(value) for heading, value in row.items()}
            for row in table.rows
        ]
        titles = Counter(each.title for each in self.deck.tables)
        table.title = f"{table.title} {titles[table.title] + 1}" if titles[table.title] else table.title
        self.deck.tables.append(table)

    def _table(self, arguments: str) -> list[dict[str, str]]:
        """Return the rows of the table that `csv` or `xlsx` reads."""
        settings = arguments_of(re.sub(r"\)?\s*(?:do\b.*|\{\s*\|.*)?$", "", arguments))
        file = next((text for _, text in STRING.findall(settings.get("file", ""))), "")
        name = self._find(file, _TABLES)
        if not name:
            return []
        content = self._files.read(name) or b""
        try:
            if name.endswith(".csv"):
                sheets = [read_csv(decoded(content), name)]
            else:
                sheets = list(read_workbook(content, name, {}).values())
        except CardgenError as error:
            self.deck.lose("tables that cannot be read", f"{name} ({error.diagnostics[0].message})")
            return []
        number = settings.get("sheet", "0")
        index = int(number) if number.isdecimal() and len(number) < 4 else 0
        table = grid_table(sheets[index : index + 1] or sheets[-1:])
        rows = [{heading: _cell(row.values.get(heading)) for heading in table.columns} for row in table.rows]
        explode = next((text for _, text in STRING.findall(settings.get("explode", "'qty'"))), "qty")
        for row in rows:
            for heading in [each for each in row if each.lower() == explode.lower() and each != "qty"]:
                row["qty"] = row.pop(heading)
        return rows

    def _find(self, name: str, suffixes: tuple[str, ...]) -> str:
        """Return the file of the deck that a script names, which may be in a folder above that of the script."""
        plain = name.replace("\\", "/").removeprefix("./").lstrip("/")
        while plain.startswith("../"):
            plain = plain[3:]
        if plain.lower().endswith(suffixes):
            return self._files.ending(plain)
        return ""

    def _layouts(self, file: str) -> dict[str, Settings]:
        """Return the entries of a layout; those of the configuration that are not maps are under ''."""
        name = self._find(file, SUFFIXES[1:])
        if name not in self._read_layouts:
            self._read_layouts[name] = self._layout(file, name)
        return self._read_layouts[name]

    def _layout(self, file: str, name: str) -> dict[str, Settings]:
        content = self._files.read(name) if name else None
        if content is None:
            if file:
                self.deck.lose("layouts that are not in the deck, such as those of Squib itself", file)
            return {}
        if len(content) > self._left:
            self.deck.lose(f"layouts of more than {_MOST_LAYOUT >> 10} KiB together", name)
            return {}
        self._left -= len(content)
        try:
            # Only nodes are made: aliases of aliases would grow to gigabytes as data.
            return _entries(yaml.compose(decoded(content), Loader=yaml.SafeLoader))
        except (yaml.YAMLError, RecursionError, ValueError):
            self.deck.lose("layouts that cannot be read", name)
            return {}

    def picture(self, name: str) -> str:
        """Return the path of a picture in the new project, or '' if the deck does not have it."""
        folder = self._config.get("img_dir", "")
        names = [each for each in (f"{folder}/{name}", f"img/{name}", name) if self._find(each, ("",))]
        return self.deck.add_picture(
            name, lambda name: self._files.read(self._find(names[0], ("",))) if names else None
        )

    def colour(self, text: str) -> str:
        """Return a color of CSS; Squib writes names with low lines, and the configuration can have more."""
        return str(self._colours.get(text.strip(": "), text)).replace("_", "").strip("'\" :")


def _cell(value: Any) -> str:
    return "" if value is None else as_text(value)


def _entries(node: yaml.Node | None) -> dict[str, Settings]:
    """Return the entries of a layout, with what they merge; values that are lists or maps are left out."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    entries: dict[str, Settings] = {"": {}}
    known: dict[int, Settings] = {}
    for key, value in node.value[:_MOST_ENTRIES]:
        if isinstance(value, yaml.MappingNode):
            entries[str(key.value)] = _merged(value, known, 0)
        elif isinstance(value, yaml.ScalarNode):
            entries[""][str(key.value)] = str(value.value)[:_LONGEST_VALUE]
    return entries


def _merged(node: yaml.Node, known: dict[int, Settings], depth: int) -> Settings:
    """Return the settings of an entry, each only once read, however often others merge it."""
    if id(node) not in known:
        found: Settings = {}
        known[id(node)] = found
        for key, value in node.value if isinstance(node, yaml.MappingNode) and depth < _DEEPEST else ():
            if key.value == "<<":
                for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    found |= {name: text for name, text in _merged(each, known, depth + 1).items() if name not in found}
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(value, yaml.ScalarNode) and key.value != "<<":
                found[str(key.value)] = str(value.value)[:_LONGEST_VALUE]
            elif isinstance(value, yaml.SequenceNode) and key.value == "extends":
                found["extends"] = ",".join(
                    str(each.value) for each in value.value if isinstance(each, yaml.ScalarNode)
                )
    return known[id(node)]


class _Face:
    """Converts the commands of a deck to elements."""

    def __init__(
        self, reader: _Reader, layouts: Mapping[str, Settings], deck: ScriptedDeck, rows: list[dict[str, str]]
    ) -> None:
        self._reader, self._layouts, self._deck, self._rows = reader, layouts, deck, rows
        self._headings = {_plain(heading): heading for row in rows for heading in row}
        dpi = _NUMBER.fullmatch(reader._config.get("dpi", ""))
        self._dpi = min(max(float(dpi[1]), _DPIS[0]), _DPIS[1]) if dpi else _DPI
        self._entries: dict[str, Settings] = {}
        self.width = self._pixels(deck.settings.get("width", ""), _WIDTH)
        self.height = self._pixels(deck.settings.get("height", ""), _HEIGHT)
        for side in ("width", "height"):
            if (code := deck.settings.get(side, "")) and self._pixels(code, -1.0) < 0:
                reader.deck.lose("sizes of cards that the script computes; they have that of poker", f"{side}: {code}")
        self._trim = _TRIM * self._dpi / _DPI
        fonts = [size for entry in layouts.values() if (size := _type_size(entry))]
        self._type = self._dpi / 96 if max(fonts, default=0.0) > _LARGEST_TYPE else 1.0
        self.picture_columns: set[str] = set()

    @property
    def trimmed_size(self) -> tuple[float, float]:
        """The size of the cut cards in millimeters."""
        return tuple(round((side - 2 * self._trim) * 25.4 / self._dpi, 2) for side in (self.width, self.height))  # type: ignore[return-value]

    def element(self, command: str, settings: Settings) -> Iterator[Element]:
        """Yield the elements of a command, which has a layout for each card or one for all."""
        if command == "use_layout":
            return
        names = self._values(settings.get("layout", ""))
        entry: Settings = {}
        if settings.get("layout"):
            name = names[0] if len(names) == 1 and isinstance(names[0], str) else self._likely(settings["layout"])
            if not name:
                self._reader.deck.lose("commands whose layout depends on the card", f"{command} {settings['layout']}")
                return
            entry = self._entry(name)
            if not entry:
                self._reader.deck.lose("layouts that are not in the deck", name)
                return
        values = {**entry, **{key: value for key, value in settings.items() if key != "layout"}}
        write = {"text": self._text, "png": self._picture, "svg": self._picture, "background": self._background}
        yield from write.get(command, self._shape)(values, command)

    def _likely(self, code: str) -> str:
        """Return the first layout whose name fits one with placeholders, such as "title_#{palette}"."""
        string = STRING.fullmatch(code.strip())
        parts = _INSERTED.split(string[2])[::2] if string else []
        return next((name for name in self._layouts if parts and _fits(name, parts)), "")

    def _entry(self, name: str, depth: int = 0) -> Settings:
        """Return a layout with what it extends; each is read once, and one that extends itself without that."""
        if name not in self._entries:
            self._entries[name] = self._layouts.get(name, {})
            self._entries[name] = self._extended(dict(self._entries[name]), depth)
        return self._entries[name]

    def _extended(self, entry: Settings, depth: int) -> Settings:
        """Return an entry with what it extends; '+= 10' is added to the number that it extends."""
        bases = entry.pop("extends", "")
        if not bases or depth > _DEEPEST:
            return entry
        inherited: Settings = {}
        for base in bases.split(","):
            inherited |= self._entry(base.strip(), depth + 1)
        for key, value in entry.items():
            if change := _MORE.fullmatch(value.strip()):
                before = self._pixels(inherited.get(key, ""), 0.0)
                plus, minus, times, over = change.groups()
                value = str(
                    before + self._pixels(plus or "", 0) - self._pixels(minus or "", 0)
                    if plus or minus
                    else before * self._pixels(times, 1) if times else before / (self._pixels(over or "", 1) or 1)
                )  # fmt: skip
            inherited[key] = value
        return inherited

    def _box(self, values: Settings, width: float, height: float) -> Box:
        x, y = self._pixels(values.get("x", ""), 0.0), self._pixels(values.get("y", ""), 0.0)
        width, height = self._pixels(values.get("width", ""), width), self._pixels(values.get("height", ""), height)
        scale = 25.4 / self._dpi
        return Box((x - self._trim) * scale, (y - self._trim) * scale, width * scale, height * scale)

    def _text(self, values: Settings, command: str) -> Iterator[Element]:
        words = self._words(values.get("str", ""), markup)
        if not words:
            self._reader.deck.lose("texts that the script computes", values.get("str", "")[:60])
            return
        if "angle" in values:
            self._reader.deck.lose("turned texts, which are printed upright")
        x, y = self._pixels(values.get("x", ""), 0.0), self._pixels(values.get("y", ""), 0.0)
        box = self._box(values, self.width - x - self._trim, max(min(self.height - y - self._trim, 300.0), 40.0))
        font = _string(values.get("font", ""))
        size = (_type_size(values) or 10.5 * self._type) / self._type
        if font:
            self._reader.deck.lose(
                "fonts; put their files into fonts/, and name their families in the theme",
                re.sub(r"[ ,]*[0-9.]*$", "", font[:_LONGEST_VALUE]),
            )
        yield TextBox(
            box,
            words,
            max(size, 4.5),
            (self._reader.colour(_string(values.get("color", "black"))),),
            _one_of(values.get("align", ""), ("left", "center", "right"), "left"),
            _one_of(values.get("valign", ""), ("top", "middle", "bottom"), "top"),
            bool(re.search(r"\b(?:bold|heavy|black|extrabold|semibold)\b", font, re.IGNORECASE)),
        )

    def _picture(self, values: Settings, command: str) -> Iterator[Element]:
        words = self._words(values.get("file", ""), str)
        if not words:
            self._reader.deck.lose("pictures that the script computes", values.get("file", values.get("data", ""))[:60])
            return
        if "angle" in values or "mask" in values:
            self._reader.deck.lose("masks and angles of pictures")
        box = self._box(
            values,
            self.width - self._pixels(values.get("x", ""), 0.0),
            self.height - self._pixels(values.get("y", ""), 0.0),
        )
        columns = [part for part in words if isinstance(part, Column)]
        if not columns and "proof" in str(words[0]):
            self._reader.deck.lose("overlays of proofs")
            return
        if not columns:
            path = self._reader.picture("".join(map(str, words)))
            yield from (PictureBox(box, path, "contain", self._condition(values["file"])),) if path else ()
            return
        heading = columns[0].heading if len(words) == 1 else f"{columns[0].heading} picture"
        if heading not in self.picture_columns:
            self.picture_columns.add(heading)
            for row in self._rows:
                name = "".join(row.get(part.heading, "") if isinstance(part, Column) else part for part in words)
                row[heading] = self._reader.picture(name) if all(row.get(part.heading) for part in columns) else ""
        yield PictureBox(box, Column(heading), "contain")

    def _background(self, values: Settings, command: str) -> Iterator[Element]:
        scale = 25.4 / self._dpi
        trim = self._trim * scale
        yield Shape(
            Box(-trim, -trim, self.width * scale, self.height * scale),
            (self._reader.colour(_string(values.get("color", "black"))),),
        )

    def _shape(self, values: Settings, command: str) -> Iterator[Element]:
        if command == "line":
            self._reader.deck.lose("lines")
            return
        names = (values.get("layout", ""), _string(values.get("stroke_color", "black")))
        fill = _string(values.get("fill_color", "")).strip(":")
        is_clear = not fill or fill in ("#0000", "#00000000")
        width = self._pixels(values.get("stroke_width", ""), 2.0) * 25.4 / self._dpi
        box = self._box(values, self.width, self.height)
        if command == "circle":
            radius = self._pixels(values.get("radius", ""), 100.0) * 25.4 / self._dpi
            box = Box(box.x - radius, box.y - radius, 2 * radius, 2 * radius)
        rounded = self._pixels(values.get("radius", values.get("x_radius", "")), 0.0) * 25.4 / self._dpi
        if is_clear and abs(box.x) < 1 and abs(box.y) < 1:
            self._reader.deck.lose("the cut line, which cardgen prints as cut marks")
            return
        yield Shape(
            box,
            () if is_clear else (self._reader.colour(fill),),
            (self._reader.colour(names[1]),),
            width,
            rounded if command == "rect" else 0.0,
            command in ("circle", "ellipse"),
        )

    def _values(self, text: str) -> list[str | Column]:
        """Return the parts of a value: a text, or a column."""
        return list(self._words(text, str))

    def _words(self, code: str, written: Callable[[str], str]) -> Words:
        """Return what an expression of the script results in; () if that is not known."""
        code = code.strip()
        if re.fullmatch(r":\w+", code):
            return (code[1:],)
        if (string := STRING.fullmatch(code)) and (string[1] == "'" or "#{" not in string[2]):
            return (written(string[2]),) if string[2] else ()
        if re.fullmatch(r"[\w./ -]+\.(?:png|svg|jpe?g)", code):  # in a layout
            return (code,)
        column = self._condition(code)
        match = COLUMN.match(code)
        rest = code[match.end() :].strip() if match else ""
        mapped = _MAPPED.fullmatch(rest)
        if not rest or not column:
            return column
        return self._mapped(column[0].heading, mapped[1], mapped[2], written) if mapped else ()

    def _mapped(self, heading: str, variable: str, body: str, written: Callable[[str], str]) -> Words:
        """Return the text that a block of Ruby makes of each value of a column."""
        body = _FOR_EMPTY.sub("", body).strip()
        if body == variable:
            return (Column(heading),)
        string = STRING.fullmatch(body)
        words: list[str | Column] = []
        for index, part in enumerate(_INSERTED.split(string[2]) if string else ()):
            change = re.fullmatch(rf"{variable}({CHANGE})", part)
            if index % 2 and not change:
                return ()
            if index % 2 and change:
                words.append(self._changed_column(heading, change[1]))
            elif part:
                words.append(written(part))
        return tuple(words)

    def _changed_column(self, heading: str, change: str) -> Column:
        """Return a column with the values of another one in small or capital letters, if they are changed."""
        if "case" not in change:
            return Column(heading)
        own = f"{heading} in {'capitals' if 'upcase' in change else 'lower case'}"
        for row in self._rows:
            row[own] = (
                row.get(heading, "").strip().upper() if "upcase" in change else row.get(heading, "").strip().lower()
            )
        return Column(own)

    def _condition(self, code: str) -> tuple[Column, ...]:
        """Return the column with which an expression begins; the script draws nothing where it is empty."""
        column = COLUMN.match(code)
        heading = self._heading(column) if column else ""
        return (Column(heading),) if heading else ()

    def _heading(self, match: re.Match[str]) -> str:
        name = next((group for group in match.groups()[1:] if group), "")
        return self._headings.get(_plain(name), "") if match[1] in self._deck.tables else ""

    def _pixels(self, text: str, default: float) -> float:
        match = _NUMBER.fullmatch(_string(text).strip())
        if not match:
            return default
        units = {"in": self._dpi, "cm": self._dpi / 2.54, "mm": self._dpi / 25.4, "pt": self._dpi / 72, "cell": 37.5}
        return max(min(float(match[1]) * units.get(match[2] or "", 1.0), 20_000.0), -20_000.0)


def _plain(heading: str) -> str:
    """Return a heading as methods of a table are called, in small letters."""
    return re.sub(r"\W+", "_", heading.strip().lower()).strip("_")


def _string(text: str) -> str:
    match = STRING.fullmatch(text.strip())
    return match[2] if match else text.strip()


def _type_size(values: Settings) -> float:
    """Return the size of type in a font or beside it, 0 if there is none."""
    own = _NUMBER.fullmatch(_string(values.get("font_size", "")).strip())
    match = own or re.search(r"([0-9]+(?:\.[0-9]+)?)\s*$", _string(values.get("font", ""))[-_LONGEST_VALUE:])
    return float(match[1]) if match else 0.0


def _fits(name: str, parts: list[str]) -> bool:
    """Return whether a name consists of parts with at least a letter between each two."""
    if len(parts) == 1 or not name.startswith(parts[0]):
        return name == parts[0]
    at = len(parts[0])
    for part in parts[1:-1]:
        found = name.find(part, at + 1)
        if found < 0:
            return False
        at = found + len(part)
    return name.endswith(parts[-1]) and len(name) - len(parts[-1]) > at


def _one_of(text: str, allowed: tuple[str, ...], default: str) -> str:
    value = _string(text).strip(": ")
    return value if value in allowed else default
