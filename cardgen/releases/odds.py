"""What changed rules mean, before and after: the odds of cards, and their places in the balance of all cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from statistics import median_low
from typing import Any, NamedTuple, TypeAlias

from cardgen.balance.arena import Arena, ComputeOptions, compute_scores
from cardgen.balance.strengths import ClassRows, cost_of
from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import load_trials, read_game_settings, require_game
from cardgen.deck.release_file import CardKey, Release, ReleasedCard
from cardgen.diagnostic import CardgenError
from cardgen.matches import session
from cardgen.matches.session import resolve_switches, with_referee
from cardgen.model.card import Card, Entry
from cardgen.model.card_values import Scalar, pointer_steps
from cardgen.project.project import Project
from cardgen.referee.parameters import Benchmark
from cardgen.referee.scores import Score
from cardgen.referee.trial import Competitor, GameTrials, OddsTable, RulesConfig
from cardgen.releases.changes import BalancePlace, Change, ChangedCard, ChangedFigure, Changes, Meaning, Meanings
from cardgen.rulesets.game_settings import plain_settings, settled
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.installation import FAST
from cardgen.runtime.workspace import Workspace
from cardgen.source import Document
from cardgen.source.document import parse_document
from cardgen.validation.base import SourceMap

_MOST_STEPS = 40


class ReleasedDeck:
    """The cards of a game in a release, as plain data; those that the game now refuses are missing."""

    def __init__(self, rules: Ruleset, release: Release, workspace: Workspace) -> None:
        self._rules, self._release, self._workspace = rules, release, workspace
        self._document = parse_document("", "")

    @property
    def name(self) -> str:
        """The name of the release."""
        return self._release.name

    @cached_property
    def entries(self) -> Mapping[CardKey, Entry]:
        """The cards by game, kind, and id."""
        cards = (card for card in self._release.cards if card.game == self._rules.id)
        return {card.key: entry for card in cards if (entry := self._entry(card, self._document))}

    def _entry(self, card: ReleasedCard, document: Document) -> Entry | None:
        kind = self._rules.kinds.get(card.kind)
        if kind is None:
            return None
        values = {"id": card.id, "name": card.name, **card.values, **card.texts}
        model = _read(kind.model, values, self._workspace)
        source_map = SourceMap(document, (kind.model,))
        return Entry(model, card.game, card.kind, source_map, workspace=self._workspace) if model else None

    @cached_property
    def _lookup(self) -> CardLookup:
        return CardLookup(self._rules, cards=tuple(self.entries.values()))

    def data(self, key: CardKey) -> dict[str, Any] | None:
        """Return the plain data of a card with that of the cards that it names; None if one of these is missing."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        try:
            return self._lookup.card_data(entry)
        except CardgenError:
            return None

    def of_kinds(self, kinds: tuple[str, ...]) -> Iterator[tuple[CardKey, dict[str, Any]]]:
        """Yield the cards of some kinds with their plain data."""
        for key in self.entries:
            if key[1] in kinds and (data := self.data(key)) is not None:
                yield key, data


def _read(model: type[Card], values: Mapping[str, Scalar], workspace: Workspace) -> Card | None:
    """Return the card with some values by JSON pointer, or None if they are not valid."""
    try:
        return model.model_validate(nested(values), context=workspace)
    except ValueError:
        return None


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by JSON pointer as maps and lists in each other; a map with the keys 0, 1, … is a list.

    Raises ValueError for pointers that no card has: into plain values, or with too many steps.
    """
    root: dict[str, Any] = {}
    for key, value in values.items():
        *above, last = pointer_steps(key)
        place = root
        for step in above:
            place = place.setdefault(step, {})
            if not isinstance(place, dict):
                raise ValueError(f"'{step}' is a plain value")  # noqa: TRY004 - a wrong file, not a wrong call
        if len(above) > _MOST_STEPS or last in place:
            raise ValueError(f"'{last}' cannot have a value")
        place[last] = value
    return {step: _listed(value) for step, value in root.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    items = {key: _listed(item) for key, item in value.items()}
    numbers = [str(number) for number in range(len(items))]
    return [items[number] for number in numbers] if items.keys() == {*numbers} else items


# The clearest changes of a benchmark are shown.
_MOST_ROWS = 3


# Figures by label and whether they are chances.
Figures: TypeAlias = Mapping[tuple[str, bool], Fraction]


class Answer(NamedTuple):
    """The figures of a benchmark, and the rules that they leave to the players."""

    figures: Figures
    left_out: tuple[str, ...] = ()


class OddsCalculator:
    """The odds of a game's benchmarks, by its rulings and with its cards in a release."""

    def __init__(self, rules: Ruleset, config: RulesConfig, deck: ReleasedDeck, workspace: Workspace) -> None:
        self.rules, self.config, self.deck, self.workspace = rules, config, deck, workspace
        self.trials: GameTrials = load_trials(rules)

    def answer(self, benchmark: Benchmark) -> Answer | None:
        """Return the figures of a benchmark; None if it is not possible."""
        run = self.run_of(benchmark)
        try:
            return Answer(self.figures_of(benchmark, run), run.prepared.not_simulated) if run else None
        except CardgenError:
            return None

    def run_of(self, benchmark: Benchmark) -> session.TrialRun | None:
        """Return the trial of a benchmark, or None if it is not possible."""
        try:
            settings = plain_settings(self.rules.settings, self.workspace)
            return session.prepare_situation(
                self.rules, self.trials, benchmark.trial, _given(benchmark), self.config, settings
            )
        except CardgenError:
            return None

    @staticmethod
    def figures_of(benchmark: Benchmark, run: session.TrialRun) -> Figures:
        """Return the figures of a benchmark, from its trial. Raises CardgenError if they would take too long."""
        values, tables = _given(benchmark), session.exact_odds(run)
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


def typical_card(calculator: OddsCalculator, away: Iterable[CardKey], kinds: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the card of some kinds with the median cost or size of numbers, if possible not one of those `away`."""
    every = dict(calculator.deck.of_kinds(kinds))
    away = frozenset(away)
    cards = [data for key, data in every.items() if key not in away] or [*every.values()]
    worths = [(_worth(data, calculator), str(data["name"]), number) for number, data in enumerate(cards)]
    return cards[median_low(worths)[2]] if worths else None


def _worth(data: dict[str, Any], calculator: OddsCalculator) -> float:
    trials = calculator.trials
    cost = cost_of(Competitor(settled(data, calculator.rules.settings, calculator.workspace)), trials, None)
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
    old: OddsCalculator, new: OddsCalculator, before: CardKey, after: CardKey, away: frozenset[CardKey]
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

    both = [
        {each.title.replace(str(data["name"]), "\0"): each for each in new.trials.benchmarks(data, typical)}
        for data in (one, two)
    ]
    changes: list[ChangedFigure] = []
    left_out: dict[str, None] = {}
    for title in dict.fromkeys((*both[1], *both[0])):
        answers = [
            calculator.answer(each[title]) if title in each else Answer({})
            for calculator, each in zip((old, new), both, strict=True)
        ]
        earlier, later = (each.figures if each else None for each in answers)
        if differences := _differences(title.replace("\0", str(two["name"])), earlier, later):
            changes += differences
            left_out |= dict.fromkeys(note for each in answers if each for note in each.left_out)
    return changes, tuple(left_out)


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


# By default, no more pairs are computed, of which some games take a tenth of a second for each; those with a fast path
# take a fraction of a millisecond.
QUICK_PAIRS, QUICK_CROWD_PAIRS = 200, 20_000


class Places(NamedTuple):
    """The places of fighting cards before and after, and the rules that their duels leave to the players."""

    old: Mapping[CardKey, BalancePlace]
    new: Mapping[CardKey, BalancePlace]
    left_out: tuple[str, ...] = ()


def places(
    old: OddsCalculator, new: OddsCalculator, changed: Sequence[ChangedCard] = (), *, every: bool
) -> Places | None:
    """Return the places of all fighting cards in both releases; None if there are no two.

    If there are too many pairs, they are those of the `changed` cards only, without numbers of places, against all
    others or as many as there is time for. The duels use the present rulings, so that only changes of cards count. With
    `every`, there is no limit.
    """
    kinds = new.trials.fighters
    before, after = (dict(calculator.deck.of_kinds(kinds)) for calculator in (old, new))
    contents = dict.fromkeys(map(_content, (*before.values(), *after.values())))
    if min(len(before), len(after)) < 2:
        return None
    if not every and len(contents) * (len(contents) - 1) // 2 > QUICK_PAIRS:
        return _shifts(new, before, after, changed)
    numbers = {content: number for number, content in enumerate(contents)}
    competitors = [Competitor(json.loads(content)) for content in contents]
    arena = Arena(new.rules, new.trials, new.config, new.workspace)
    classes, matrix = compute_scores(arena, competitors, ComputeOptions())
    rows = ClassRows(classes, matrix)
    earlier, later = (
        _ranking({key: numbers[_content(data)] for key, data in cards.items()}, rows) for cards in (before, after)
    )
    return Places(earlier, later, arena.left_out(competitors))


def _shifts(
    new: OddsCalculator,
    before: Mapping[CardKey, dict[str, Any]],
    after: Mapping[CardKey, dict[str, Any]],
    changed: Sequence[ChangedCard],
) -> Places:
    """Return the scores of changed cards before and after, against the same cards of now that did not change."""
    pairs = [(each.old.key, each.card.key) for each in changed if each.old]
    pairs = [(one, two) for one, two in pairs if one in before and two in after]
    away = {two for _, two in pairs}
    rest = [key for key in after if key not in away] or [*after]
    limit = QUICK_CROWD_PAIRS if FAST and new.trials.crowd else QUICK_PAIRS
    step = -(-2 * len(pairs) * len(rest) // limit) or 1
    others = rest[::step]
    cards = [*(before[one] for one, _ in pairs), *(after[two] for _, two in pairs), *(after[key] for key in others)]
    competitors = [Competitor(each) for each in cards]
    arena = Arena(new.rules, new.trials, new.config, new.workspace)
    rows = arena.rows(competitors, exact=not FAST)
    opponents = rows.classes[2 * len(pairs) :]

    def place(number: int) -> BalancePlace:
        scores = rows.row(rows.classes[number], opponents)
        return BalancePlace(0, len(opponents), float(sum(scores) / len(scores)))

    earlier = {one: place(number) for number, (one, _) in enumerate(pairs)}
    later = {two: place(number) for number, (_, two) in enumerate(pairs, len(pairs))}
    return Places(earlier, later, arena.left_out(competitors))


def _content(data: object) -> str:
    return json.dumps(data, sort_keys=True)


def _ranking(cards: Mapping[CardKey, int], rows: Sequence[Sequence[Score | None]]) -> dict[CardKey, BalancePlace]:
    scores = {
        key: _mean(rows[number][other] for its, other in cards.items() if its != key) for key, number in cards.items()
    }
    ordered = sorted(scores, key=lambda key: (-scores[key], key))
    return {key: BalancePlace(place, len(ordered), scores[key]) for place, key in enumerate(ordered, 1)}


def _mean(scores: Iterable[Score | None]) -> float:
    """Return the mean score; a card is even with itself and its equals."""
    values = [Fraction(1, 2) if score is None else score for score in scores]
    return float(sum(values) / len(values))


def meanings(
    old: Release, new: Release, changes: Changes, workspace: Workspace | None = None, *, every: bool = False
) -> Meanings:
    """Return what the changed rules of cards mean, according to the referee of now, in the project of the workspace.

    Without `every`, places in the balance are computed only for few cards.
    """
    changed = [each for each in changes.cards if each.old and each.new and Change.RULES in each.changes]
    found: dict[CardKey, Meaning] = {}
    notes: list[str] = []
    left_out: dict[str, None] = {}
    unknown: dict[CardKey, str] = {}
    opened = read_game_settings(Project.open(workspace))
    for game in sorted({each.card.game for each in changed}):
        calculators, own = _calculators(game, old, new, opened), [each for each in changed if each.card.game == game]
        if calculators:
            its = _of_game(*calculators, own, every=every)
            found |= its.cards
            notes.append(its.note)
            left_out |= dict.fromkeys(its.left_out)
            unknown |= its.unknown
        else:
            notes.append(f"no odds of {game}, which has no referee")
    return Meanings(found, "; ".join(filter(None, notes)), tuple(left_out), unknown)


def _calculators(
    game: str, old: Release, new: Release, workspace: Workspace
) -> tuple[OddsCalculator, OddsCalculator] | None:
    """Return the calculators of a game in both releases; None for a game without a referee."""
    rules = require_game(game, workspace)
    if not rules.trials:
        return None
    _, trials = with_referee(rules)
    policy = resolve_switches(trials.policies, {}, "--policy")

    def calculator(release: Release) -> OddsCalculator:
        own = release.rulings.get(game, {})
        rulings = {
            each.id: own[each.id] if own.get(each.id) in each.settings else each.default for each in rules.rulings
        }
        return OddsCalculator(rules, RulesConfig(rulings, policy), ReleasedDeck(rules, release, workspace), workspace)

    return calculator(old), calculator(new)


def _of_game(old: OddsCalculator, new: OddsCalculator, changed: list[ChangedCard], *, every: bool) -> Meanings:
    away = frozenset(each.card.key for each in changed)
    fighters = [each for each in changed if each.card.kind in new.trials.fighters]
    refused = {
        each.card.key: f"the rules of today refuse it as it was in {old.deck.name}"
        for each in changed
        if each.old and old.deck.data(each.old.key) is None
    }
    try:
        standings, reason = places(old, new, fighters, every=every) if fighters else None, "there is no other fighter"
    except CardgenError as error:
        standings, reason = None, error.diagnostics[0].message
    found = {}
    left_out: dict[str, None] = {}
    for each in changed:
        assert each.old is not None, "only changed cards"
        figures, notes = _figures(old, new, each, away)
        left_out |= dict.fromkeys(notes)
        meaning = Meaning(tuple(figures), *_places(standings, each))
        if figures or meaning.old_place or meaning.new_place:
            found[each.card.key] = meaning
    reason = "its duels cannot be computed" if standings else reason
    unknown = {each.card.key: reason for each in fighters if not _known(found, each)} | refused
    names = {each.card.key: each.card.name for each in changed}
    reasons = [f"no comparison of '{names[key]}': {reason}" for key, reason in unknown.items()]
    if standings and any(each.new_place for each in found.values()):
        left_out |= dict.fromkeys(standings.left_out)
    return Meanings(found, "; ".join(reasons), tuple(left_out), unknown)


def _known(found: Mapping[CardKey, Meaning], each: ChangedCard) -> bool:
    meaning = found.get(each.card.key)
    return bool(meaning and meaning.old_place and meaning.new_place)


def _figures(
    old: OddsCalculator, new: OddsCalculator, each: ChangedCard, away: frozenset[CardKey]
) -> tuple[list[ChangedFigure], tuple[str, ...]]:
    assert each.old is not None, "only changed cards"
    try:
        return changed_figures(old, new, each.old.key, each.card.key, away)
    except CardgenError:  # a check reports it
        return [], ()


def _places(standings: Places | None, each: ChangedCard) -> tuple[BalancePlace | None, BalancePlace | None]:
    if standings is None or each.old is None:
        return None, None
    return standings.old.get(each.old.key), standings.new.get(each.card.key)
