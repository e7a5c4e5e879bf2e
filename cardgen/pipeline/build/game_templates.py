"""What the templates of games can use, and which of them come with the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cardgen.face.template.glossary import meaning_function
from cardgen.project.files import built_in_folder
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.installed_games import package_folders, program_game_files


def trusted_folders() -> tuple[Path, ...]:
    """Return the folders of templates that come with the program."""
    homes = (*package_folders().values(), *(file.path.parent for file in program_game_files().values()))
    return (built_in_folder("templates"), *(home / "templates" for home in homes))


def template_functions(game: Ruleset) -> dict[str, Callable[..., object]]:
    """Return the functions of a game's templates that depend on the game."""
    common: dict[str, Callable[..., object]] = {
        "describe": game.describe,
        "once_label": game.once_label,
        "meaning": meaning_function(lambda: game.terms),
    }
    return {**common, **game.template_functions}
