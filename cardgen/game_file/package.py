"""Games of Python packages: a `game.yaml`, extended with Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cardgen.game_file.loader import load_game
from cardgen.rulesets.ruleset import Kind, ModuleSource, Ruleset, kinds_by_name
from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.project_games import GAME_FILE, ProjectGame


def game_from_file(
    package: str,
    *,
    checks: str = "",
    trials: ModuleSource = "",
    reference: ModuleSource = "",
    kinds: Iterable[Kind] = (),
    template_functions: Mapping[str, Callable[..., object]] = MappingProxyType({}),
) -> Ruleset:
    """Return the game of the `game.yaml` in a package, with what its Python adds.

    `package` is the name of the package. The arguments are those of `Ruleset`; they are added to what the file
    describes, and trials, content of sheets, and template functions replace those of the same name. With a `reference`,
    sheets are in the folder that it names. Raises CardgenError with all mistakes in the file, and ValueError for a kind
    that the file already has.
    """
    rules = load_game(_game_file(package))
    return rules._replace(
        kinds=_all_kinds(rules.kinds, kinds),
        checks=_joined(rules.checks, checks),
        trials=_joined(rules.trials, trials),
        reference=_joined(rules.reference, reference),
        template_functions={**rules.template_functions, **template_functions},
        rule_values=None,
    )


def _game_file(package: str) -> ProjectGame:
    """Return the game file of a package, which may not have been imported completely."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).with_name(GAME_FILE)
    return ProjectGame(path, f"{path.parent.name}/{GAME_FILE}", is_tested=path.is_relative_to(PACKAGE))


def _all_kinds(kinds: Mapping[str, Kind], more: Iterable[Kind]) -> Mapping[str, Kind]:
    others = kinds_by_name(more)
    if twice := sorted(kinds.keys() & others.keys()):
        raise ValueError(f"duplicate kind '{twice[0]}'")
    return {**kinds, **others} if others else kinds


def _joined(*sources: Any) -> Any:
    """Return the sources that are not empty: several, one, or ''."""
    every = tuple(source for source in sources if source)
    return every if len(every) > 1 else next(iter(every), "")
