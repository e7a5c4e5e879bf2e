"""Rows of cards and problems for the studio."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from cardgen.checking.manual import parse_page
from cardgen.diagnostic import Diagnostic
from cardgen.editor.actions import CodeAction
from cardgen.editor.problems import Problem
from cardgen.editor.session import Session
from cardgen.editor.text import span_at
from cardgen.model.entry import Entry
from cardgen.pipeline.check.registries import all_checks
from cardgen.pipeline.load.deck import require_game
from cardgen.project.files import built_in_folder
from cardgen.studio.engine.answers import Action, CardRow, ProblemRow
from cardgen.studio.page_words import page_words


def card_key(entry: Entry) -> str:
    """Return the name of a card in the studio: game, kind, and id."""
    return f"{entry.game}/{entry.kind}/{entry.card.id}"


def card_rows(cards: Iterable[Entry]) -> Iterator[CardRow]:
    """Yield the rows of cards."""
    entries = tuple(cards)
    lists = _list_names(entries)
    return (_card_row(entry, lists.get(card_key(entry), ())) for entry in entries)


def _card_row(entry: Entry, lists: tuple[str, ...]) -> CardRow:
    card, span = entry.card, entry.place().span
    return CardRow(
        card_key(entry),
        card.id,
        card.name,
        entry.game,
        entry.kind,
        entry.document.file,
        span.line if span else 1,
        card.tags,
        lists,
        require_game(entry.game).kinds[entry.kind].is_printed,
        card_version(entry),
    )


def card_version(entry: Entry) -> str:
    """Return a digest of everything that a card says, with the cards that it names."""
    linked = sorted(repr(other.card) for other in entry.links.values())
    return sha256("\n".join((repr(entry.card), *linked)).encode("utf-8", "replace")).hexdigest()[:16]


def _list_names(entries: Iterable[Entry]) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the card lists, such as warbands, that name each card."""
    names: dict[str, dict[str, None]] = {}
    for entry in entries:
        pack = require_game(entry.game).pack
        if pack and entry.kind in pack.kinds:
            for member in (entry, *entry.links.values()):
                names.setdefault(card_key(member), {})[entry.card.name] = None
    return {key: tuple(lists) for key, lists in names.items()}


def problem_rows(problems: Iterable[Problem], root: Path, actions: Iterable[CodeAction] = ()) -> tuple[ProblemRow, ...]:
    """Return the rows of problems, in order of their places."""
    offers = [(each.problem, Action(each.title, each.edits)) for each in actions]
    rows = (_problem_row(each, root, tuple(offer for cause, offer in offers if cause == each)) for each in problems)
    return tuple(sorted(rows, key=lambda row: row[:3]))


def diagnostic_rows(diagnostics: Iterable[Diagnostic], session: Session) -> tuple[ProblemRow, ...]:
    """Return the rows of problems that no check reports, such as those of templates."""
    return problem_rows((Problem(session.path_of(each.place), each, "") for each in diagnostics), session.root)


def _problem_row(problem: Problem, root: Path, actions: tuple[Action, ...]) -> ProblemRow:
    one = problem.diagnostic
    is_in_project = problem.path.is_relative_to(root)
    file = problem.path.relative_to(root).as_posix() if is_in_project else _name_outside(problem.path)
    return ProblemRow(
        file,
        span_at(one.place),
        str(one.code),
        problem.check,
        str(one.severity),
        page_words(one.message.replace(f"{root}{os.sep}", "")),
        page_words(one.help.replace(f"{root}{os.sep}", "")),
        _reason(one.code),
        actions,
        is_in_project,
    )


def _name_outside(path: Path) -> str:
    """Return the name of a file outside the project: a built-in template, or a file of an installed game."""
    built_in = built_in_folder("templates")
    return f"built-in template {path.relative_to(built_in).as_posix()}" if path.is_relative_to(built_in) else path.name


@cache
def _reason(code: str) -> str:
    """Return why a check exists, from its manual page, or ''."""
    check = all_checks().find(code)
    return " ".join(parse_page(check.page).why.split()) if check else ""
