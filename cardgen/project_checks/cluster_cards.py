"""The checks of cards on a cluster.

Only cards, glossaries, and the settings of rulings are sent. A step of a check that looks at anything else, such as
other cards or files, runs on this computer.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, NoReturn, TypeAlias

from cardgen.checking.check import Check, CheckContext, CheckScope, Find, Finding, Glossary
from cardgen.checking.runner import Dispatch, FindingOfCheck, checked_parts, find_here, sentence_findings
from cardgen.deck.deck import load_reader, require_game
from cardgen.diagnostic import Severity
from cardgen.model.card import Card, Entry
from cardgen.project_checks.services import checks_of
from cardgen.referee.die import dice_of_game
from cardgen.runtime import workspace as workspaces
from cardgen.runtime.cluster.pool import FEWEST_TASKS, shared_pool
from cardgen.runtime.workspace import Link, Workspace

CARDS_PER_TASK = 64

# A card as it is sent: without its place in the source, and whether it references other cards.
SentCard: TypeAlias = tuple[Card, str, str, bool]
# What is found in the steps of a card, by their numbers, with the number and severity of the check; None for a step
# that must run on the other computer.
Answer: TypeAlias = dict[int, list[tuple[Finding, int, Severity]] | None]


class NotHereError(Exception):
    """A check looks at something that was not sent."""


class _NotHere:
    """Stands for everything that was not sent; any use of it raises NotHereError."""

    def _refuse(self, *_: object) -> NoReturn:
        raise NotHereError

    __getattr__ = __getitem__ = __iter__ = __len__ = __call__ = __bool__ = __contains__ = _refuse


_NOT_HERE: Any = _NotHere()


class CardStep(NamedTuple):
    """What one check finds in a part of a card, or all checks in its sentences; `findings` runs them."""

    context: CheckContext
    findings: Callable[[], Iterable[FindingOfCheck]]


def _card_steps(scope: CheckScope, entry: Entry, dispatch: Dispatch) -> Iterator[CardStep]:
    """Yield the steps of a card in the order of its parts."""
    for part, context, checks, rules_text in checked_parts(scope, entry, dispatch):
        for check, find in checks:
            yield CardStep(context, partial(_with_check, check, find, part, context))
        if rules_text:
            yield CardStep(context, partial(sentence_findings, rules_text, context, dispatch))


def _with_check(check: Check, find: Find, part: object, context: CheckContext) -> Iterator[FindingOfCheck]:
    return ((finding, check) for finding in find(part, context))


class CheckSelection(NamedTuple):
    """The games of a run, and the words that select and ignore checks."""

    games: frozenset[str]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fit: bool

    def checks(self, workspace: Workspace) -> tuple[Check, ...]:
        """Return the checks to run, which have the same order on all computers with the same versions."""
        return checks_of(self.games, workspace).choose(self.select, self.ignore, fit=self.fit)


@dataclass(frozen=True, slots=True)
class ClusterRun:
    """Runs the checks of cards on a cluster."""

    selection: CheckSelection
    workspace: Workspace
    link: Link

    def find(self, scope: CheckScope, dispatch: Dispatch) -> Iterator[tuple[CheckContext, FindingOfCheck]]:
        """Run the steps of all cards, and yield what is found in order."""
        own = sorted(self.selection.games - workspaces.game_locations().keys())
        if own:
            self.link.on_note(f"cards of '{own[0]}' are checked on this computer, because its game.yaml is not sent")
        if own or len(scope.cards) < FEWEST_TASKS * CARDS_PER_TASK:
            yield from find_here(scope, dispatch)
            return
        tasks, checks = _Tasks(scope.cards), self.selection.checks(self.workspace)
        setup = self.selection, dict(scope.glossaries), _plain(scope.rulings), scope.is_complete
        pool = shared_pool(prepare, setup, len(tasks), 1, self.link, tasks)
        for number in range(len(tasks)):
            answers, applicable = pool.result(number)
            dispatch.mark_applicable(applicable)
            for entry, answer in zip(tasks.entries(number), answers, strict=True):
                yield from _merge(_card_steps(scope, entry, dispatch) if answer else (), answer, checks)


def _merge(
    steps: Iterable[CardStep], answer: Answer, checks: Sequence[Check]
) -> Iterator[tuple[CheckContext, FindingOfCheck]]:
    """Yield what is in an answer, with the position of its step; run the steps that could not run elsewhere."""
    for number, (context, findings) in enumerate(steps):
        pairs = answer.get(number, ())
        if pairs is None:
            yield from ((context, pair) for pair in findings())
        else:
            yield from ((context, (finding, checks[of]._replace(severity=severity))) for finding, of, severity in pairs)


def _plain(rulings: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {game: dict(settings) for game, settings in rulings.items()}


class _Tasks:
    """The cards of each task, pickled when they are sent."""

    def __init__(self, cards: Sequence[Entry]) -> None:
        self._cards = cards

    def __len__(self) -> int:
        return -(-len(self._cards) // CARDS_PER_TASK)

    def entries(self, number: int) -> Sequence[Entry]:
        """Return the cards of a task."""
        return self._cards[number * CARDS_PER_TASK : (number + 1) * CARDS_PER_TASK]

    def __getitem__(self, number: int) -> bytes:
        sent: list[SentCard] = [(each.card, each.game, each.kind, bool(each.links)) for each in self.entries(number)]
        return pickle.dumps(sent, pickle.HIGHEST_PROTOCOL)


def prepare(
    selection: CheckSelection,
    glossaries: dict[str, Glossary],
    rulings: dict[str, dict[str, str]],
    is_complete: bool,
) -> Callable[[bytes], tuple[list[Answer], frozenset[str]]]:
    """Return the task of a worker: the answers for some cards, and the checks that apply to cards so far."""
    workspace = Workspace()  # games that are files of the project are not sent
    games = {game: require_game(game, workspace) for game in selection.games}
    readers = {game: load_reader(rules) for game, rules in games.items()}
    applicable, checks = set[str](), selection.checks(workspace)
    dispatch = Dispatch(checks, applicable)
    numbers = {check._replace(severity=Severity.NOTE): number for number, check in enumerate(checks)}
    scope = CheckScope(
        cards=_NOT_HERE, documents=_NOT_HERE, other_cards=_NOT_HERE, services=_NOT_HERE, glossaries=glossaries,
        rulings=rulings, is_complete=is_complete, readers=readers.__getitem__,
        dice={game: dice_of_game(rules.dice) for game, rules in games.items() if rules.dice},
    )  # fmt: skip

    def run(content: bytes) -> tuple[list[Answer], frozenset[str]]:
        cards: list[SentCard] = pickle.loads(content)
        entries = (Entry(card, game, kind, _NOT_HERE, _NOT_HERE if links else {}) for card, game, kind, links in cards)
        answers = [_answer(_card_steps(scope, entry, dispatch), numbers) for entry in entries]
        return answers, frozenset(applicable)

    return run


def _answer(steps: Iterable[CardStep], numbers: Mapping[Check, int]) -> Answer:
    """Return what the steps of a card find, without those that find nothing."""
    answer: Answer = {}
    for place, step in enumerate(steps):
        try:
            pairs = [*step.findings()]
        except NotHereError:
            answer[place] = None
            continue
        if pairs:
            is_whole = all(map(_can_be_sent, pairs))
            answer[place] = [_sent(pair, numbers) for pair in pairs] if is_whole else None
    return answer


def _can_be_sent(pair: FindingOfCheck) -> bool:
    """Return whether a finding names neither a place nor another card."""
    finding, _ = pair
    return not (finding.place or finding.entry or any(each.entry for each in finding.related))


def _sent(pair: FindingOfCheck, numbers: Mapping[Check, int]) -> tuple[Finding, int, Severity]:
    finding, check = pair
    return finding, numbers[check._replace(severity=Severity.NOTE)], check.severity
