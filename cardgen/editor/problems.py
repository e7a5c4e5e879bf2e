"""Problems of a project, by file, for an editor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from cardgen.checking.check import Fix
from cardgen.checking.locate import LocatedFinding
from cardgen.diagnostic import Diagnostic
from cardgen.editor.session import Session
from cardgen.pipeline.check.run import CheckRequest, check_project
from cardgen.runtime.project_games import game_paths


class Problem(NamedTuple):
    """A finding as data, so that it can come from another process.

    `can_ignore` is true if a suppression comment may cover it.
    """

    path: Path
    diagnostic: Diagnostic
    check: str
    fix: Fix | None = None
    can_ignore: bool = False


Problems = Mapping[Path, tuple[Problem, ...]]
# A project with more problems shows the first of them.
MOST_PROBLEMS = 10_000


# The cards of a file with more of them are not drawn, because pictures and checks would wait for them.
MOST_DRAWN_CARDS = 100


def check_fit(session: Session, path: Path) -> tuple[Problem, ...]:
    """Return the problems of one card file, with those that only drawing its cards finds."""
    count = session.ask(lambda loaded: sum(session.path_of(entry.place()) == path for entry in loaded.deck.cards))
    return check_file(session, path, fit=count <= MOST_DRAWN_CARDS)


def check_file(session: Session, path: Path, *, fit: bool = False) -> tuple[Problem, ...]:
    """Return the problems of one card file, with those that its neighbors give it; with `fit`, draw its cards."""
    request = CheckRequest((path,), folder=session.root, fit=fit)
    findings = session.run(lambda: check_project(request).findings)
    return tuple(each for each in _problems(session, findings) if each.path == path)


def check_all(session: Session) -> Problems:
    """Return the problems of all files of the project: cards, settings, templates, and games."""
    cards = session.run(lambda: check_project(CheckRequest(folder=session.root)).findings)
    games = tuple(game_paths(session.root))
    of_games = session.run(lambda: check_project(CheckRequest(games, folder=session.root)).findings) if games else ()
    by_file: dict[Path, list[Problem]] = defaultdict(list)
    for each in list(dict.fromkeys(_problems(session, (*cards, *of_games))))[:MOST_PROBLEMS]:
        by_file[each.path].append(each)
    return {path: tuple(problems) for path, problems in by_file.items()}


def _problems(session: Session, findings: Iterable[LocatedFinding]) -> Iterable[Problem]:
    return (
        Problem(
            session.path_of(one.diagnostic.place),
            one.diagnostic,
            one.check.name,
            one.fix,
            not one.check.is_fixed_limit,
        )
        for one in findings
    )
