"""How the odds of a card's benchmarks changed, such as 'Rifle at Brute: wounds 22 % → 33 %'."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from statistics import median_low
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.load.game_modules import load_trials
from cardgen.pipeline.referee import setup
from cardgen.pipeline.referee.balance.card_fields import cost_of
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.odds.consequences import ChangedFigure
from cardgen.pipeline.release.odds.released_deck import ReleasedDeck
from cardgen.referee.benchmark import Benchmark
from cardgen.referee.trial import Competitor, GameTrials, OddsTable, RulesConfig
from cardgen.rulesets.ruleset import Ruleset

# The clearest changes of a benchmark are shown.
_MOST_ROWS = 3


# Figures by label and whether they are chances.
Figures: TypeAlias = Mapping[tuple[str, bool], Fraction]


class Answer(NamedTuple):
    """The figures of a benchmark, and the rules that they leave to the players."""

    figures: Figures
    left_out: tuple[str, ...] = ()


class Table:
    """A game with its rulings and its cards in a release, at which benchmarks are played."""

    def __init__(self, rules: Ruleset, config: RulesConfig, deck: ReleasedDeck) -> None:
        self.rules, self.config, self.deck = rules, config, deck
        self.trials: GameTrials = load_trials(rules)

    def answer(self, benchmark: Benchmark) -> Answer | None:
        """Return the figures of a benchmark; None if it is not possible."""
        run = self.run_of(benchmark)
        try:
            return Answer(self.figures_of(benchmark, run), run.prepared.not_simulated) if run else None
        except CardgenError:
            return None

    def run_of(self, benchmark: Benchmark) -> setup.TrialRun | None:
        """Return the trial of a benchmark, or None if it is not possible."""
        try:
            return setup.prepare_situation(self.rules, self.trials, benchmark.trial, _given(benchmark), self.config)
        except CardgenError:
            return None

    @staticmethod
    def figures_of(benchmark: Benchmark, run: setup.TrialRun) -> Figures:
        """Return the figures of a benchmark, from its trial. Raises CardgenError if they would take too long."""
        values, tables = _given(benchmark), setup.exact_odds(run)
        every = _rows(tables)
        if not benchmark.rows:
            return {(label if len(tables) == 1 else full, is_chance): value for full, label, value, is_chance in every}
        names = sorted(set(_names([*values.values()])), key=len, reverse=True)
        rows = (
            (each, value, is_chance) for full, label, value, is_chance in every for each in (full, _plain(label, names))
        )
        return {(label, is_chance): value for label, value, is_chance in rows if label in benchmark.rows}


def _given(benchmark: Benchmark) -> dict[str, Any]:
    return {key: value for key, value in benchmark.situation.items() if value is not None}


def _rows(tables: Iterable[OddsTable]) -> Iterator[tuple[str, str, Fraction, bool]]:
    """Yield each chance and mean, with the title of its table and without; parts only if a table has nothing else."""
    for table in tables:
        chances = table.chances or (() if table.means else table.parts)
        for rows, is_chance in ((chances, True), (table.means, False)):
            yield from ((f"{table.title}: {label}", label, value, is_chance) for label, value in rows)


def _names(value: Any) -> Iterator[str]:
    """Yield the names of cards in a list, which can be in lists in it."""
    if isinstance(value, Mapping):
        yield str(value.get("name", ""))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _names(item)


def _plain(label: str, names: Iterable[str]) -> str:
    """Return a label without names of cards: 'wounds' for 'Halvane Doru wounds'."""
    for name in names:
        label = label.replace(name, "")
    return " ".join(label.split())


def typical_card(table: Table, away: Iterable[CardKey], kinds: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the card of some kinds with the median cost or size of numbers, if possible not one of those `away`."""
    every = dict(table.deck.of_kinds(kinds))
    away = frozenset(away)
    cards = [data for key, data in every.items() if key not in away] or [*every.values()]
    worths = [(_worth(data, table.trials), str(data["name"]), number) for number, data in enumerate(cards)]
    return cards[median_low(worths)[2]] if worths else None


def _worth(data: dict[str, Any], trials: GameTrials) -> float:
    cost = cost_of(Competitor(data), trials, None)
    return cost if cost is not None else sum(_numbers([data.get(each.partition(".")[0]) for each in trials.numbers]))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float):
        yield value


def changed_figures(
    old: Table, new: Table, before: CardKey, after: CardKey, away: frozenset[CardKey]
) -> tuple[list[ChangedFigure], tuple[str, ...]]:
    """Return the figures of a card that changed, the clearest of each benchmark, and the rules that they leave out.

    Opponents are cards of now, if possible none of those `away`, which changed.
    """
    one, two = old.deck.data(before), new.deck.data(after)
    if one is None or two is None or new.trials.benchmarks is None:
        return [], ()
    opponents: dict[tuple[str, ...], dict[str, Any] | None] = {}

    def typical(*kinds: str) -> dict[str, Any] | None:
        if kinds not in opponents:
            opponents[kinds] = typical_card(new, away | {after}, kinds)
        return opponents[kinds]

    both = [{_title(each, data): each for each in new.trials.benchmarks(data, typical)} for data in (one, two)]
    changes: list[ChangedFigure] = []
    left_out: dict[str, None] = {}
    for title in dict.fromkeys((*both[1], *both[0])):
        answers = [
            table.answer(each[title]) if title in each else Answer({})
            for table, each in zip((old, new), both, strict=True)
        ]
        earlier, later = (each.figures if each else None for each in answers)
        if differences := _differences(title.replace("\0", str(two["name"])), earlier, later):
            changes += differences
            left_out |= dict.fromkeys(note for each in answers if each for note in each.left_out)
    return changes, tuple(left_out)


def _title(benchmark: Benchmark, card: Mapping[str, Any]) -> str:
    """Return the title with a mark for the card's own name, which may have changed."""
    return benchmark.title.replace(str(card["name"]), "\0")


def _differences(title: str, old: Figures | None, new: Figures | None) -> list[ChangedFigure]:
    """Return the figures that differ; an outcome that is not listed has no chance."""
    one, two = (None if figures is None else Fraction(0) for figures in (old, new))
    old, new = old or {}, new or {}
    keys = dict.fromkeys((*new, *old))
    rows = [ChangedFigure(title, key[0], old.get(key, one), new.get(key, two), key[1]) for key in keys]
    changed = [row for row in rows if row.old != row.new]
    clearest = sorted(changed, key=_difference, reverse=True)[:_MOST_ROWS]
    return [row for row in changed if row in clearest]


def _difference(row: ChangedFigure) -> float:
    return abs(float(row.new or 0) - float(row.old or 0))
