"""What a project's settings name must exist in its game: kinds of card and rulings."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen import rulesets
from cardgen.diagnostic import Diagnostic
from cardgen.project import Project
from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.ruling import settings_in_force
from cardgen.rulesets.unknown import UnknownName

UNKNOWN_NAME = "CG031"


def unknown_settings(project: Project) -> Iterator[Diagnostic]:
    """A diagnostic for each kind and ruling in the settings that the project's game does not have."""
    game = rulesets.ruleset(project.settings.game or rulesets.default_game())
    if not isinstance(game, Ruleset):
        return
    kinds = tuple(name for name, kind in game.kinds.items() if kind.default_size)
    for name in project.settings.sizes:
        if name in game.kinds and name not in kinds:
            message = f"the size of a {name} follows from its other keys"
            yield Diagnostic(UNKNOWN_NAME, message, project.place(("sizes", name)), "take this setting away")
        elif name not in kinds:
            yield _diagnostic_at(UnknownName("kind", name, kinds, (name,)), "sizes", project)
    _, unknown = settings_in_force(game.rulings, project.settings.rulings)
    for problem in unknown:
        yield _diagnostic_at(problem, "rulings", project)


def _diagnostic_at(problem: UnknownName, setting: str, project: Project) -> Diagnostic:
    return Diagnostic(UNKNOWN_NAME, str(problem), project.place((setting, *problem.path[:1])), problem.help)
