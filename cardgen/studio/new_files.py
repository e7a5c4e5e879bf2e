"""Files of new projects and games, as the studio shows them before they are written."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.project.files import CARDS_FOLDER
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.runtime.project_games import GAME_FILE, GAMES_FOLDER
from cardgen.validation.suggestion import slugify


class NewFile(NamedTuple):
    """A file or a folder, whose path ends with a slash, and what it is for."""

    path: str
    about: str


def project_files(game: str, *, sample: bool, own_game: str) -> tuple[NewFile, ...]:
    """Return what a new project contains; `game` is the name of its game, and `own_game` that of a new one."""
    if own_game:
        return (_settings(own_game), *game_files(own_game))
    about = f"The sample cards of {game}; change them or delete them." if sample else "Your cards. New card adds them."
    return _settings(game), NewFile(f"{CARDS_FOLDER}/", about)


def game_files(name: str) -> tuple[NewFile, ...]:
    """Return what a new game consists of."""
    id_ = slugify(name) if any(map(str.isalnum, name)) else "NAME"
    folder = f"{GAMES_FOLDER}/{id_}"
    return (
        NewFile(f"{folder}/{GAME_FILE}", "The kinds of cards with their keys, the rules, and the checks."),
        NewFile(f"{folder}/templates/", "How the cards look: a template for each side, and a theme."),
        NewFile(f"{CARDS_FOLDER}/{id_}.yaml", "A first card."),
    )


def _settings(game: str) -> NewFile:
    return NewFile(SETTINGS_FILE, f"The settings of the project: {game}, paper, and fonts.")
