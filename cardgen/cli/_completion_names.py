"""Names for shell completion, found without reading cards completely.

A shell asks for them while the user types, so this module loads little, and only what a question needs. Problems in
files are left to the command: a file that cannot be read has no names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.fingerprint import PROGRAM_FOLDERS, SETTINGS_FILE

if TYPE_CHECKING:
    from cardgen.runtime.workspace import Workspace

_CARD_SUFFIXES = (".yaml", ".yml")
_OTHER_FOLDERS = frozenset(
    {"templates", "fonts", "icons", "charges", "sheets", "sprues", "output", "games", "releases", "services", "data"}
    | {"node_modules", "venv"}
)
_MAX_FILES, _MAX_BYTES = 2000, 2**20
_KEY = re.compile(r"^( *(?:- +)?)(kind|name|id|cards): *+([^#\n]*+)", re.MULTILINE)
_FLOW_NAME = re.compile(r"^ *- +\{ *name: *([^,}]+)", re.MULTILINE)
# Shells put what they complete into the line as it is, so nothing is offered that one could run or take for an option.
OFFERED = re.compile(r"\w[\w.+=-]*")
_GAME = re.compile(r"^game: *[\"']?([a-z0-9-]+)", re.MULTILINE)


def card_ids() -> list[str]:
    """Return the ids of the project's cards, or of the built-in cards if it has none."""
    own = _own_folder("cards") or _own_folder()
    return sorted(card for folder in own for card in _ids_below(folder)) or sorted(
        card for cards in _built_in_folders("cards") for card in _ids_below(cards / _game())
    )


def _ids_below(folder: Path) -> set[str]:
    entries = fingerprint.walk(str(folder), lambda entry: entry.name not in _OTHER_FOLDERS)
    own = (entry for entry in entries if not entry.is_symlink() and entry.name != SETTINGS_FILE)
    files = [entry.path for entry in own if entry.name.endswith(_CARD_SUFFIXES)]
    return {card for file in files[:_MAX_FILES] for card in _ids_in(_read(Path(file)))}


def _ids_in(text: str) -> Iterator[str]:
    """Yield the ids of cards in a file: their keys are indented like its kinds, or like the cards of its list."""
    from cardgen.diagnostic import slugify

    keys = [(len(indent), key, value) for indent, key, value in _KEY.findall(text)]
    depths = {depth for depth, key, _ in keys if key == "kind"}
    if any(key == "cards" for _, key, _ in keys):
        nested = [depth for depth, key, _ in keys if key == "name" and depth]
        depths |= set(nested[:1])
        yield from (slugify(_unquote(name)) for name in _FLOW_NAME.findall(text))
    own = [(key, _unquote(value)) for depth, key, value in keys if depth in depths and value]
    for (key, value), (next_key, next_value) in zip(own, [*own[1:], ("", "")], strict=True):
        if key == "name":
            yield next_value if next_key == "id" else slugify(value)


def _unquote(value: str) -> str:
    return value.strip().strip("\"'")


def _read(path: Path) -> str:
    root = fingerprint.find_project_root(Path.cwd())
    if path.is_relative_to(root) and not regular_file.stays_inside(root, path):
        return ""
    with suppress(OSError):
        return regular_file.read(path, _MAX_BYTES).decode("utf-8", "replace")
    return ""


def _game() -> str:
    """Return the game of the project."""
    root = fingerprint.find_project_root(Path.cwd())
    match = _GAME.search(_read(root / SETTINGS_FILE))
    if match:
        return match[1]
    from cardgen.rulesets import ruleset

    return ruleset.default_game()


def _workspace() -> Workspace:
    from cardgen.runtime.workspace import Workspace

    return Workspace().with_games()


def _rules() -> object:
    """Return the game of the project, or what says that there is none."""
    from cardgen.rulesets import ruleset

    return ruleset.ruleset(_game(), _workspace())


def _built_in_folders(name: str) -> list[Path]:
    return [folder for program in PROGRAM_FOLDERS if (folder := _inside(program, name)).is_dir()][:1]


def _inside(program: Path, name: str) -> Path:
    return program if program.name == name else program / name


def _stems(folders: Iterable[Path], pattern: str = "*.yaml") -> list[str]:
    return sorted({path.stem for folder in folders for path in folder.glob(pattern)})


def _own_folder(*names: str) -> list[Path]:
    """Return the folder of the project with this path, if there is one that no link leads elsewhere."""
    root = fingerprint.find_project_root(Path.cwd())
    folder = root.joinpath(*names)
    return [folder] if regular_file.stays_inside(root, folder) and folder.is_dir() else []


def kinds() -> list[str]:
    """Return the kinds of card of the project's game."""
    return list(getattr(_rules(), "kinds", ()))


def games() -> list[str]:
    """Return the ids of all games."""
    return list(_workspace().game_ids)


def papers() -> list[str]:
    """Return the names of paper sizes."""
    from cardgen.units import PAPER_SIZES

    return list(PAPER_SIZES)


def themes() -> list[str]:
    """Return the themes of the project's game."""
    game = _game()
    folders = [folder / game for folder in _built_in_folders("templates")]
    if _own_folder("games", game):
        folders += [folder / "shared" for folder in _built_in_folders("templates")]
    folders += [*_own_folder("templates", game), *_own_folder("games", game, "templates")]
    return sorted({"default", *(stem.partition(".")[2] for stem in _stems(folders, "theme.*.yaml"))})


def sprues() -> list[str]:
    """Return the sprues of cardgen and of the project."""
    return _stems((*_own_folder("sprues"), fingerprint.PACKAGE / "sprues"))


def sheets() -> list[str]:
    """Return the reference sheets of the project and its game."""
    from cardgen.deck.deck import load_game_module

    game = _game()
    module = getattr(_rules(), "reference", "")
    built_in = [load_game_module(module, game).REFERENCE.sheets] if module else []
    return _stems((*_own_folder("sheets"), *built_in))


def checks() -> list[str]:
    """Return the names of all checks."""
    from cardgen.project_checks.services import all_checks

    return sorted(check.name for check in all_checks(_workspace()).checks)


def rulings() -> list[str]:
    """Return the settings of all rulings as NAME=SETTING."""
    every = getattr(_rules(), "rulings", ())
    return [f"{each.id}={setting}" for each in every for setting in each.settings]


def layouts() -> list[str]:
    """Return the layouts of sheets."""
    from cardgen.print.render import LAYOUTS

    return list(LAYOUTS)


def printers() -> list[str]:
    """Return the printers with a profile."""
    from cardgen.runtime.user_folders import config_folder

    return [*_stems([config_folder() / "printers"]), "none"]


LISTS: Mapping[str, Callable[[], list[str]]] = {
    "card": card_ids,
    "check": checks,
    "game": games,
    "kind": kinds,
    "layout": layouts,
    "paper": papers,
    "printer": printers,
    "ruling": rulings,
    "scaffold": lambda: ["project", "game", "template"],
    "sheet": sheets,
    "sprue": sprues,
    "theme": themes,
}


def names(*sorts: str) -> list[str]:
    """Return the names of some sorts, such as 'card' and 'kind'.

    A problem in a file or a setting must not reach the line that the user types, so that sort has no names. Neither
    must a name that a shell could run.
    """
    found: dict[str, None] = {}
    for sort in sorts:
        with suppress(Exception):
            found.update(dict.fromkeys(filter(OFFERED.fullmatch, LISTS[sort]())))
    return list(found)
