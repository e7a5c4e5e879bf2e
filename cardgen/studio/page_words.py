"""The words of pages in place of those of the command line: labels of fields for options, and pages for commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff
from hashlib import sha256
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.options import OPTIONS, TEXT
from cardgen.project.files import resolve_inside
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE, TABLE_SUFFIXES
from cardgen.runtime.workspace import GAME_FILE

# Labels that say more than the name of the option.
_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "asset_base_url": "Asset base URL",
        "ruling": "Rulings",
        "save": "Save as",
        "seed": "Seed of the dice",
        **{name: each.label for each in OPTIONS.values() if each.label for name in (each.name, each.flag.lstrip("-"))},
    }
)
# The page that does what a command does; other commands have none.
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "battle": "Play",
        "build": "Print",
        "calibrate": "Calibrate a printer",
        "cards": "Cards",
        "export": "Export",
        "fix": "Edit",
        "list": "Cards",
        "new": "New card",
        "trial": "Rules",
    }
)
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
_QUOTED = r"(?P<quote>['`])cardgen (?P<name>[a-z]+)(?P<rest>[^'`\n]*)(?P=quote)"
_BARE = r"cardgen (?P<bare>[a-z]+)(?P<arguments>(?: (?:--[a-z-]+|[\w./]+))+)"
_COMMAND = re.compile(rf"(?P<verb>\b(?:run|use|with) )?(?:{_QUOTED}|{_BARE})")
# How to begin with a page instead of a command.
_VERBS = {"run ": "open ", "use ": "use ", "with ": "in "}


def label_of(name: str) -> str:
    """Return the label of an option: 'Target relic' for 'target_relic'."""
    return _LABELS.get(name.replace("-", "_")) or name.replace("_", " ").replace("-", " ").capitalize()


def page_words(text: str) -> str:
    """Return a message with fields in place of options such as '--reaction', and pages in place of commands.

    Commands that no page stands for stay as they are.
    """
    parts, end = [], 0
    for match in _COMMAND.finditer(text):
        parts += [_with_labels(text[end : match.start()]), _page(match)]
        end = match.end()
    return "".join((*parts, _with_labels(text[end:])))


def _page(match: re.Match[str]) -> str:
    page = _PAGES.get(match["name"] or match["bare"])
    if page is None:
        return match[0]
    options = _with_labels((match["rest"] or match["arguments"] or "").strip()) if page == "Print" else ""
    options = options.replace(" '", ", '")
    return f"{_VERBS.get(match['verb'], '')}'{page}'" + (f" with {options}" if options.startswith("'") else "")


def _with_labels(text: str) -> str:
    return _OPTION.sub(_label, text)


def _label(match: re.Match[str]) -> str:
    """Return the field of an option in a message; '--no-cache' turns off the switch `cache`."""
    name = match[1].removeprefix("no-")
    is_off = name != match[1] and name.replace("-", "_") in OPTIONS
    return f"'{label_of(name)}' off" if is_off else f"'{label_of(match[1])}'"


def explain(error: Exception) -> str:
    """Return the problems of an error and what to do about them, one a line, in the words of the pages."""
    return "\n".join(map(explain_one, error.diagnostics)) if isinstance(error, CardgenError) else page_words(str(error))


def explain_one(diagnostic: Diagnostic) -> str:
    """Return a problem, with its place if that is in a file, and what to do about it, in the words of the pages."""
    place = str(diagnostic.place) if diagnostic.place.span else ""
    return page_words(": ".join(filter(None, (place, diagnostic.message, diagnostic.help))))


# What a field is besides a line of text, a whole number, and a switch: one of some choices, or several of them.
CHOICE, SEVERAL = "choice", "several"
_MOST_LETTERS = 200
_MOST_CHOSEN = 1_000


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A choice of a field: its value, and what people read."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class OptionField:
    """A field of a form.

    Its choices are its own, or those of a `source` that several fields share. An optional choice may be left out.
    Several values of a field without choices are any texts. `is_on` is the default of a switch, and `placeholder` names
    that of other fields.
    """

    name: str
    label: str
    sort: str = TEXT
    help: str = ""
    choices: tuple[FieldChoice, ...] = ()
    source: str = ""
    low: int | None = None
    high: int | None = None
    unit: str = ""
    placeholder: str = ""
    is_required: bool = False
    is_on: bool = False


def with_choices(field: OptionField, choices: tuple[FieldChoice, ...]) -> OptionField:
    """Return a field with choices; without any, it stays a line of text."""
    return replace(field, sort=CHOICE, choices=choices) if choices else field


def plain_choices(names: Iterable[str]) -> tuple[FieldChoice, ...]:
    """Return choices that people read as they are."""
    return tuple(FieldChoice(name, name) for name in names)


def read_values(fields: Iterable[OptionField], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a form sent, without those that were left out; switches that are off and 0 are values.

    Browsers are not trusted: unknown names and values of other types are left out, and texts are cut. Whether a number
    or a name is allowed is up to the command.
    """
    values = {field.name: _read(field, given.get(field.name)) for field in fields}
    return {name: value for name, value in values.items() if value not in (None, "", ())}


def _read(field: OptionField, value: Any) -> Any:
    match field.sort:
        case "number":
            return _read_number(value)
        case "flag":
            return value if isinstance(value, bool) else None
        case "several":
            items = value[:_MOST_CHOSEN] if isinstance(value, list | tuple) else ()
            return tuple(item[:_MOST_LETTERS] for item in items if isinstance(item, str))
    return value.strip()[:_MOST_LETTERS] if isinstance(value, str) else None


def _read_number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


CARD_SUFFIXES = (".yaml", ".yml")
SOURCE_SUFFIXES = (".j2", ".svg", ".yaml")
# Returns the path of a file that the studio may read and write, or raises TextError.
PathOf = Callable[[Path, str], Path]
_MOST_BYTES = 2**20
_BYTE_ORDER_MARK = "\ufeff"


class TextError(Exception):
    """A text that cannot be read or written, with a message for the author."""


class ChangedOutsideError(TextError):
    """The file is not the one that was read; `current` is its text now."""

    def __init__(self, current: FileText) -> None:
        super().__init__("the file has changed outside the studio")
        self.current = current


class FileText(NamedTuple):
    """The text of a file as an editor shows it, and what it leaves out.

    Editors know one kind of line break; `line_break` is that of the file, and `mark` its byte-order mark. `digest`
    tells whether the file has changed; it is '' for a file that does not exist.
    """

    text: str
    digest: str
    line_break: str = "\n"
    mark: str = ""

    def encode(self, text: str) -> bytes:
        """Return another text as content of the file."""
        return (self.mark + text.replace("\n", self.line_break)).encode("utf-8", "surrogateescape")


def _inside(root: Path, file: str) -> Path:
    try:
        return resolve_inside(root, file, root)
    except ValueError as error:
        raise TextError(str(error)) from None


def card_path(root: Path, file: str, others: tuple[str, ...] = ()) -> Path:
    """Return the absolute path of a card file, or of one with `others` of suffixes.

    Raises TextError if it is not one of the project.
    """
    path = _inside(root, file)
    inside = path.relative_to(root.resolve())
    is_card = path.suffix in CARD_SUFFIXES or path.suffix.lower() in others
    if not is_card or path.name == SETTINGS_FILE or any(part[0] == "." for part in inside.parts):
        raise TextError(f"'{file}' is not a card file")
    return path


def editor_address(file: str, line: int = 0, cell: str = "") -> str:
    """Return the address of the page that edits a file of the project, at a line or the cell of a workbook."""
    steps = PurePosixPath(file).parts
    page = "template" if _is_source(steps) else "edit"
    return (
        f"/{page}?{urlencode({'file': file, **{key: each for key, each in (('line', line), ('cell', cell)) if each}})}"
    )


def source_path(root: Path, file: str) -> Path:
    """Return the absolute path of a template, theme, game, or settings file. Raises TextError if it is not one."""
    path = _inside(root, file)
    steps = path.relative_to(root.resolve()).parts
    if not _is_source(steps) or any(part[0] == "." for part in steps):
        raise TextError(f"'{file}' is not a template, a game, or the settings")
    return path


def changed_path(root: Path, file: str) -> Path:
    """Return the absolute path of a file that changes with whole cards, which can be a table, a game, or settings."""
    is_source = _is_source(PurePosixPath(file).parts)
    return source_path(root, file) if is_source else card_path(root, file, TABLE_SUFFIXES)


def _is_source(steps: tuple[str, ...]) -> bool:
    """Return whether the steps of a path lead to a file of those that say how cards look and what they mean."""
    match steps:
        case (name,):
            return name == SETTINGS_FILE
        case ("templates", _, name) | ("games", _, "templates", name):
            return name.endswith(SOURCE_SUFFIXES)
        case ("games", _, name):
            return name == GAME_FILE
    return False


def read(root: Path, file: str, path_of: PathOf = card_path) -> FileText:
    """Return the text of a card file, or of a file that `path_of` allows. Raises TextError if it cannot be read."""
    path = path_of(root, file)
    try:
        content = regular_file.read(path, _MOST_BYTES)
        text = content.decode("utf-8")
    except FileNotFoundError:
        return FileText("", "")
    except (OSError, UnicodeDecodeError, regular_file.FileTooLargeError) as error:
        raise TextError(f"cannot read '{file}': {error}") from None
    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    line_break = "\r\n" if "\r\n" in text else "\n"
    plain = text.removeprefix(mark).replace("\r\n", "\n").replace("\r", "\n")
    return FileText(plain, sha256(content).hexdigest(), line_break, mark)


def save(root: Path, file: str, text: str, base: FileText, path_of: PathOf = card_path) -> FileText:
    """Write the text of a file that was read as `base`, and return it as it is then.

    Raises ChangedOutsideError, and writes nothing, if the file is another one by now. Raises CardgenError if it cannot
    be written.
    """
    current = read(root, file, path_of)
    if current.digest != base.digest:
        raise ChangedOutsideError(current)
    atomic_write.write(path_of(root, file), base.encode(text))
    return read(root, file, path_of)


def difference(file: str, theirs: str, mine: str) -> str:
    """Return how a text differs from that of the file, as unified diff."""
    lines = unified_diff(theirs.splitlines(), mine.splitlines(), f"{file} (file)", f"{file} (studio)", lineterm="")
    return "\n".join(lines)


# Words, spaces, and signs: the parts of a line that two people can change.
_PARTS = re.compile(r"\w+|\s+|.", re.DOTALL)


def merged(base: str, mine: str, theirs: str) -> str | None:
    """Return a text with the changes that two texts make to a third; None if they change the same value.

    Changes of different lines are both made, and of one line those that have something between them.
    """
    lines = [text.splitlines(keepends=True) for text in (base, mine, theirs)]
    return _merged(*lines, is_exact=False)


def _merged(base: list[str], mine: list[str], theirs: list[str], *, is_exact: bool) -> str | None:
    changes = sorted(
        (start, end, side, new[from_:to])
        for side, new in enumerate((mine, theirs))
        for what, start, end, from_, to in SequenceMatcher(None, base, new, autojunk=not is_exact).get_opcodes()
        if what != "equal"
    )
    parts, done = list[str](), 0
    while changes:
        group = [changes.pop(0)]
        first, last = group[0][:2]
        while changes and changes[0][0] <= last:
            group.append(changes.pop(0))
            last = max(last, group[-1][1])
        both = [_changed(base, first, last, (each for each in group if each[2] == side)) for side in (0, 1)]
        if {each[2] for each in group} != {0, 1} or both[0] == both[1]:
            text: str | None = both[group[0][2]]
        elif is_exact:
            text = None
        else:
            texts = ("".join(base[first:last]), *both)
            text = _merged(*([part[0] for part in _PARTS.finditer(each)] for each in texts), is_exact=True)
        if text is None:
            return None
        parts += [*base[done:first], text]
        done = last
    return "".join((*parts, *base[done:]))


def _changed(base: list[str], first: int, last: int, changes: Iterable[tuple[int, int, int, list[str]]]) -> str:
    """Return a part of a text with the changes of one side."""
    parts = list[str]()
    for start, end, _, new in changes:
        parts += [*base[first:start], *new]
        first = end
    return "".join((*parts, *base[first:last]))
