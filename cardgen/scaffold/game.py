"""New games for `cardgen new game`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, plain_words, slugify
from cardgen.project.files import CARDS_FOLDER, is_device_name, portable_stem
from cardgen.project.project import Project
from cardgen.rulesets import ruleset
from cardgen.runtime import atomic_write
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.workspace import GAME_FILE, GAME_ID, GAMES_FOLDER, Workspace
from cardgen.scaffold.cards import has_cards, require_name, settings_text, write_new, yaml_scalar

STARTER = Path(__file__).with_name("starter")
# The templates of a new game; they become files of the same name.
_TEMPLATES = ("hero.svg.j2", "hero.back.svg.j2", "theme.yaml")
_MOST_LETTERS = 40
# The line of the project's game, with its comment.
_GAME_LINE = re.compile(r"^(game[ \t]*+:[ \t]*+)[^\s#]*+([ \t]*+(?:#.*)?)$", re.MULTILINE)
# Prefixes that are taken: that of the program's own codes.
_TAKEN_PREFIXES = {"CG": "GC"}


class NewGame(NamedTuple):
    """A new game and its files.

    `is_current` says whether it is the game of the project now, and `replaced` which one was before, if any.
    """

    game: str
    files: tuple[Path, ...]
    is_current: bool
    replaced: str = ""


def new_game(name: str, workspace: Workspace | None = None) -> NewGame:
    """Write a game that builds, with its first cards.

    The game is added to the current project; without one, the current folder becomes a project of this game. It also
    becomes the game of a project that has no cards yet, so that all commands know it. Raises CardgenError for a name
    that cannot be a game's, and if a file or a game already exists.
    """
    project = Project.open(workspace)
    game = _game_id(name, project.workspace)
    folder = project.root / GAMES_FOLDER / game
    words = {"game": game, "name": yaml_scalar(name.strip()), "prefix": _prefix(name)}
    contents: dict[Path, str] = {}
    if project.document is None:
        contents[project.root / SETTINGS_FILE] = settings_text(game)
    contents[folder / GAME_FILE] = _starter(GAME_FILE, words)
    contents |= {folder / "templates" / file: _starter(file, words) for file in _TEMPLATES}
    contents[project.root / CARDS_FOLDER / f"{portable_stem(game, 'heroes')}.yaml"] = _starter("heroes.yaml", words)
    is_current = project.document is None or not has_cards(project)
    write_new({path: text.encode() for path, text in contents.items()})
    if project.document is None or not is_current:
        return NewGame(game, tuple(contents), is_current)
    settings = project.root / SETTINGS_FILE
    atomic_write.write(settings, _with_game(settings.read_text(encoding="utf-8"), game).encode())
    return NewGame(game, tuple(contents), is_current, replaced=project.settings.game or ruleset.default_game())


def _with_game(settings: str, game: str) -> str:
    """Return the text of settings with another game; comments and layout stay."""
    text, count = _GAME_LINE.subn(rf"\g<1>{game}\g<2>", settings, count=1)
    return text if count else f"game: {game}\n{settings}"


def _starter(file: str, words: Mapping[str, str]) -> str:
    """Return a file of the starter; only those in YAML have words to fill in."""
    text = (STARTER / file).read_text(encoding="utf-8")
    return Template(text).substitute(words) if file.endswith(".yaml") else text


def _game_id(name: str, workspace: Workspace) -> str:
    """Return the id of a new game."""
    require_name(name, "game")
    game = plain_words(name)
    if not GAME_ID.fullmatch(game) or len(game) > _MOST_LETTERS or game in _AMBIGUOUS:
        raise _bad_name(f"'{name}' cannot be the name of a game", "begin with a letter from a to z, such as 'Ember'")
    if is_device_name(game):
        raise _bad_name(f"'{name}' cannot be the name of a game", "Windows reserves it; choose another name")
    if game in workspace.game_ids:
        raise _bad_name(f"there is already a game '{game}'", "choose another name")
    return game


_AMBIGUOUS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "shared"})


def _bad_name(message: str, help_text: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_GAME_FOLDER, message, Place("NAME"), help_text))


def _prefix(name: str) -> str:
    """Return two letters for the codes of a game: the initials of two words, or else the first two letters."""
    words = [word for word in slugify(name).split("-") if word.isalpha()]
    letters = "".join(word[0] for word in words[:2]) if len(words) > 1 else "".join(words)[:2]
    prefix = (letters + "xx")[:2].upper()
    return _TAKEN_PREFIXES.get(prefix, prefix)
