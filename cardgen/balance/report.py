"""The report on the balance of a project's cards.

Request, computation, changes that bring cards into the band, and the data of its web page.
"""

from __future__ import annotations

import copy
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, fsum
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pydantic import ValidationError

from cardgen.balance.arena import Arena, ComputeOptions, ScoreRows, compute_scores, located_duels
from cardgen.balance.strengths import (
    Balance,
    ClassRows,
    Standing,
    Strengths,
    TeamRequest,
    TeamResult,
    agreement_words,
    cost_of,
    field_texts,
    fit_curve,
    has_number,
    inner_fields,
    simulate_teams,
)
from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import game_of, read_game_settings
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean
from cardgen.export import web_page
from cardgen.matches import session
from cardgen.model.card import Entry
from cardgen.project.project import Project
from cardgen.referee.play import require_seed
from cardgen.referee.scores import FEWEST_CARDS, FEWEST_COSTS, cluster_order, varied
from cardgen.referee.trial import MOST_LEFT_OUT, Competitor, GameTrials
from cardgen.runtime.installation import FAST
from cardgen.runtime.workspace import Workspace

# How far a number is changed at most.
MOST_CHANGE = 8
# The keys that lead to a number of a card.
NumberPath: TypeAlias = tuple[str | int, ...]


class Adjustment(NamedTuple):
    """A change of one number that brings a card into the band; `strength` is that of the changed card.

    `number` names it as in 'weapons.Axe.damage'.
    """

    place: int
    number: str
    old: float
    new: float
    strength: float


def unadjusted_reason(strengths: Strengths, places: Sequence[int]) -> str:
    """Return why no changes are proposed for any of some cards, or ''."""
    if strengths.fit is None:
        count = sum(cost is not None and cost > 0 for cost in strengths.costs)
        return (
            f"no changes are proposed: {count} of {len(strengths.costs)} cards have a cost, and the usual score for a "
            f"cost needs {FEWEST_CARDS} cards with {FEWEST_COSTS} different costs; --cost selects the field"
        )
    return "" if places else "no changes are proposed: the score of every card is in the band of its cost"


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of a card: its value, its name, and the strengths of the card with other values."""

    standing: Standing
    name: str
    value: int
    strength_at: Mapping[int, Callable[[], float]]


@dataclass(frozen=True, slots=True)
class Adjuster:
    """Finds adjustments of cards; all other cards, and the fit, stay as they are."""

    arena: Arena
    strengths: Strengths

    @located_duels()
    def adjustments(
        self, places: Sequence[int], on_progress: Callable[[int, int, str], None]
    ) -> dict[int, list[Adjustment]]:
        """Return the smallest change of each number that brings a card into the band, the smallest first.

        A change of the cost comes first. There are none for a card in the band, or without a cost.
        """
        changes: dict[int, list[Adjustment]] = {place: [] for place in places}
        numbers = self._numbers([place for place in places if self.strengths.by_place[place].side])
        for done, number in enumerate(numbers, 1):
            place = number.standing.place
            found = ((number.value, new, strength) for new, strength in self._smallest(number))
            changes[place] += [Adjustment(place, number.name, *each) for each in found]
            on_progress(done, len(numbers), self.strengths.balance.names[place])
        return {place: [*self._cost_change(place), *sorted(found, key=_size)] for place, found in changes.items()}

    def _numbers(self, places: Sequence[int]) -> list[_Number]:
        """Return all numbers of some cards; equal variants of cards, and of their attacks, are computed once."""
        cards = [self._with_defaults(self.strengths.balance.cards[place]) for place in places]
        variants: list[Competitor] = []
        plans = []
        for place, card in zip(places, cards, strict=True):
            for path in _number_paths(card.card, self.arena.trials.numbers):
                trials = [*self._variants(card, path)]
                plans.append((place, card.card, path, [value for value, _ in trials], len(variants)))
                variants += [variant for _, variant in trials]
        rows = self.arena.rows([*variants, *self.strengths.balance.cards], exact=not FAST)
        return [
            _Number(
                self.strengths.by_place[place],
                _number_name(card, path),
                _value(card, path),
                {value: _strength_of(rows, at, place, len(variants)) for at, value in enumerate(values, first)},
            )
            for place, card, path, values, first in plans
        ]

    def _with_defaults(self, competitor: Competitor) -> Competitor:
        """Return a competitor with all numbers of its card, also those that its author left out."""
        full = self._validated(competitor.card)
        keys = (number.split(".")[0] for number in self.arena.trials.numbers)
        numbers = {key: full[key] for key in keys if key in full}
        return Competitor(competitor.card | numbers, competitor.carries)

    def _validated(self, card: dict[str, Any]) -> dict[str, Any]:
        """Return the complete data of a card; none if it is not valid."""
        model = self.arena.rules.kinds[card["kind"]].model
        try:
            data = model.model_validate(
                {key: value for key, value in card.items() if key != "kind"}, context=self.arena.workspace
            )
        except ValidationError:
            return {}
        return data.model_dump(mode="json", by_alias=True)

    def _variants(self, competitor: Competitor, path: NumberPath) -> Iterator[tuple[int, Competitor]]:
        """Yield the legal values of a number near its own, and the competitor with each."""
        old = _value(competitor.card, path)
        for new in range(max(0, old - MOST_CHANGE), old + MOST_CHANGE + 1):
            card = _with_value(competitor.card, path, new)
            if new != old and self._validated(card):
                yield new, Competitor(card, competitor.carries)

    def _smallest(self, number: _Number) -> Iterator[tuple[int, float]]:
        """Yield the value next to a number, below and above it, that brings the card into the band, and its strength.

        A direction is left at the first step that does not bring the card closer to the band.
        """
        fit, standing, strength_at = self.strengths.fit, number.standing, number.strength_at
        assert fit
        assert standing.cost is not None
        for step in (-1, 1):
            before, new, side = standing.strength, number.value + step, standing.side
            while side == standing.side and new in strength_at:
                after = strength_at[new]()
                if after >= before if side == "strong" else after <= before:
                    break
                side = fit.side(standing.cost, after)
                if not side:
                    yield new, after
                before, new = after, new + step

    def _cost_change(self, place: int) -> Iterator[Adjustment]:
        """Yield the smallest change of the cost that brings a card into the band."""
        standing = self.strengths.by_place[place]
        costs = self.strengths.fit.ordinary_costs(standing.strength) if self.strengths.fit else None
        if costs is None or standing.cost is None or not standing.side:
            return
        low, high = costs
        lowest, highest = self.strengths.cost_limits
        new = ceil(low) if standing.side == "strong" else floor(high)
        if max(low, lowest) <= new <= min(high, highest):
            yield Adjustment(standing.place, "cost", standing.cost, new, standing.strength)


def _size(change: Adjustment) -> tuple[float, str]:
    return abs(change.new - change.old), change.number


def _strength_of(rows: ScoreRows, number: int, place: int, first: int) -> Callable[[], float]:
    """Return the function for the strength of a variant of the card at a place; the cards are those from `first` on."""

    def strength() -> float:
        others = [*rows.classes[first : first + place], *rows.classes[first + place + 1 :]]
        scores = rows.row(rows.classes[number], others)
        return fsum(map(float, scores)) / max(1, len(scores))

    return strength


def _number_paths(card: dict[str, Any], fields: Sequence[str]) -> Iterator[NumberPath]:
    """Yield the paths of all whole numbers in some fields, such as 'stats' or 'weapons.damage'."""
    for name in fields:
        yield from _paths_below(card, name.split("."), ())


def _paths_below(value: object, keys: list[str], path: NumberPath) -> Iterator[NumberPath]:
    """Yield the paths of the numbers below some keys; without keys, of all numbers in a value."""
    match value:
        case bool():
            return
        case int() if not keys:
            yield path
        case dict():
            for key in keys[:1] or [*value]:
                if key in value:
                    yield from _paths_below(value[key], keys[1:], (*path, key))
        case list() | tuple():
            for index, part in enumerate(value):
                yield from _paths_below(part, keys, (*path, index))


def _value(card: dict[str, Any], path: NumberPath) -> int:
    part: Any = card
    for key in path:
        part = part[key]
    return int(part)


def _with_value(card: dict[str, Any], path: NumberPath, value: int) -> dict[str, Any]:
    changed = copy.deepcopy(card)
    part: Any = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return changed


def _number_name(card: dict[str, Any], path: NumberPath) -> str:
    """Return the name of a number, with the names of parts that have one: 'weapons.Axe.damage'."""
    part: Any = card
    words = []
    for key in path:
        part = part[key]
        words.append(
            str(part["name"]) if isinstance(key, int) and isinstance(part, dict) and "name" in part else str(key)
        )
    return ".".join(words)


# Outliers of each side for which adjustments are sought.
MOST_ADJUSTED = 25
# At most this many inner fields are named in a message.
_MOST_FIELDS = 12


@dataclass(frozen=True, slots=True)
class CarriedCards:
    """The cards that fighters carry: some by name, or everything allowed."""

    names: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class BalanceRequest:
    """What to compute.

    `switches` are rulings and policy as texts. `cost` and `fields` are the fields of costs and groups, by default those
    of the game. `adjust` seeks adjustments of outliers, and `adjusted` those of cards by name. `teams`, if not None,
    are simulated. `workspace` is that of the project, by default of the current folder.
    """

    paths: tuple[Path, ...] = ()
    kinds: tuple[str, ...] = ()
    carried: CarriedCards = CarriedCards()
    switches: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    game: str | None = None
    cost: str | None = None
    fields: tuple[str, ...] = ()
    adjust: bool = False
    adjusted: tuple[str, ...] = ()
    teams: TeamRequest | None = None
    workspace: Workspace | None = None


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """Everything that was found.

    `adjustment_note` says why no changes are proposed, and `left_out` names the rules of the cards that their duels do
    not play.
    """

    balance: Balance
    strengths: Strengths
    adjustments: dict[int, list[Adjustment]] = field(default_factory=dict)
    adjustment_note: str = ""
    teams: list[TeamResult] = field(default_factory=list)
    team_request: TeamRequest | None = None
    game: str = ""
    left_out: tuple[str, ...] = ()


def compute_report(request: BalanceRequest, options: ComputeOptions) -> BalanceReport:
    """Compute the scores of all pairs of cards, and what they tell.

    Cards compete alone and with each carried card. Raises CardgenError for fewer than two cards, and if no card can
    carry what `carried` names.
    """
    if request.teams:
        require_seed(request.teams.seed)
    project = Project.open(request.workspace)
    rules, trials = session.with_referee(game_of(project, request.game, request.paths))
    config = session.resolve_config(rules, trials, *request.switches, project)
    arena = Arena(rules, trials, config, read_game_settings(project))
    competitors = tuple(arena.settled(_all_competitors(CardLookup(rules, request.paths, project), request, trials)))
    _require_fields(competitors, request)
    names = _names(competitors)
    balance = Balance(names, ClassRows(*compute_scores(arena, competitors, options)), competitors)
    costs = [cost_of(each, trials, request.cost) for each in competitors]
    strengths = Strengths(balance, costs, request.fields or trials.groups)
    places = _adjusted_places(strengths, request)
    adjustments = Adjuster(arena, strengths).adjustments(places, options.on_progress) if places else {}
    note = unadjusted_reason(strengths, places) if request.adjust or request.adjusted else ""
    teams = simulate_teams(strengths, request.teams, options.on_progress) if request.teams else []
    left_out = arena.left_out(competitors)
    return BalanceReport(balance, strengths, adjustments, note, teams, request.teams, rules.id, left_out)


def _all_competitors(lookup: CardLookup, request: BalanceRequest, trials: GameTrials) -> tuple[Competitor, ...]:
    for kind in request.kinds:
        if kind not in trials.fighters:
            message = f"cards of kind '{kind}' do not fight (one of {', '.join(trials.fighters)})"
            raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--kind")))
    entries = lookup.entries(request.kinds or trials.fighters)
    if len(entries) < 2:
        message = f"a ranking needs at least 2 cards, not {len(entries)}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("cards")))
    return tuple(_competitors(lookup, entries, trials, request.carried))


def _competitors(
    lookup: CardLookup, entries: Sequence[Entry], trials: GameTrials, carried: CarriedCards
) -> list[Competitor]:
    """Return each card alone, and each bearer with each carried card."""
    carried_entries = [lookup.find(name, trials.equipment) for name in carried.names]
    carried_entries = lookup.entries(trials.equipment) if carried.everything else list(dict.fromkeys(carried_entries))
    bearers = [entry for entry in entries if entry.kind in trials.carriers]
    if (carried.names or carried.everything) and not (carried_entries and bearers):
        message = "none of these cards can carry anything" if not bearers else "no cards to carry"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--with")))
    carried_data = [lookup.card_data(each) for each in carried_entries]
    return [
        Competitor(lookup.card_data(entry), carries)
        for entry in entries
        for carries in (None, *(carried_data if entry.kind in trials.carriers else ()))
    ]


def _names(competitors: Sequence[Competitor]) -> tuple[tuple[str, str], ...]:
    """Return the names of each card and what it carries; different cards with the same name also have their ids."""
    ids: dict[str, set[object]] = {}
    for each in competitors:
        ids.setdefault(each.card["name"], set()).add(each.card.get("id"))
    labels = (each.card["name"] if len(ids[each.card["name"]]) == 1 else _with_id(each.card) for each in competitors)
    carried = (each.carries["name"] if each.carries else "" for each in competitors)
    return tuple(zip(labels, carried, strict=True))


def _with_id(card: Mapping[str, object]) -> str:
    return f"{card['name']} ({card.get('id')})"


def _require_fields(competitors: Sequence[Competitor], request: BalanceRequest) -> None:
    """Raise CardgenError if no card has a field that groups the cards, or a number that prices them."""
    for path in request.fields:
        if not any(field_texts(each, path) for each in competitors):
            raise _unknown_field(competitors, path, "--by")
    if request.cost and not any(has_number(each, request.cost) for each in competitors):
        if not any(field_texts(each, request.cost) for each in competitors):
            raise _unknown_field(competitors, request.cost, "--cost")
        message = f"field '{request.cost}' has no numbers"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--cost"), "choose a numeric field"))


def _unknown_field(competitors: Sequence[Competitor], path: str, option: str) -> CardgenError:
    inner = sorted({f"{path}.{key}" for each in competitors for key in inner_fields(each, path)})
    if inner:
        message, help_ = (
            f"field '{path}' has fields of its own",
            f"choose one of them: {', '.join(inner[:_MOST_FIELDS])}{', …' * (len(inner) > _MOST_FIELDS)}",
        )
    else:
        fields = sorted({key for each in competitors for key in each.card})
        message = f"unknown field '{path}'{did_you_mean(path, fields)}"
        help_ = f"none of the cards has it; fields are {', '.join(fields)}"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(option), help_))


def _adjusted_places(strengths: Strengths, request: BalanceRequest) -> list[int]:
    """Return the places of the cards to adjust. Raises CardgenError for an unknown name."""
    places = []
    if request.adjust:
        both = (strengths.outliers("strong")[:MOST_ADJUSTED], strengths.outliers("weak")[:MOST_ADJUSTED])
        places += [each.place for outliers in both for each in outliers]
    names, cards = strengths.balance.names, strengths.balance.cards
    for name in request.adjusted:
        matches = [place for place, label in enumerate(names) if name.casefold() in _calls(label, cards[place])]
        if not matches:
            message = f"unknown card '{name[:60]}'{did_you_mean(name[:80], names)}"
            raise CardgenError(Diagnostic(Code.UNKNOWN_CARD, message, Place("--adjust-card")))
        places += matches
    return list(dict.fromkeys(places))


def _calls(label: str, competitor: Competitor) -> tuple[str, ...]:
    """Return what users can call a competitor: its label and, if it carries nothing, the name of its card."""
    name = () if competitor.carries else (str(competitor.card["name"]),)
    return tuple(each.casefold() for each in (label, *name))


# The page lists this many cycles, and draws scores in steps of 1/254.
MOST_CYCLES, SCORE_STEPS = 200, 254
_DIGITS = 5


def as_html(report: BalanceReport) -> bytes:
    """Return the page."""
    count = len(report.balance.names)
    return web_page.write(__package__, f"Balance of {count:,} cards", page_data(report))


def page_data(report: BalanceReport) -> dict[str, object]:
    """Return what the page shows; cards are numbered from the strongest."""
    strengths = report.strengths
    places = [standing.place for standing in strengths.standings]
    numbers: dict[int | None, int | None] = {place: number for number, place in enumerate(places)}
    return {
        "leftOut": [*report.left_out],
        "mostLeftOut": MOST_LEFT_OUT,
        "summary": _summary(report),
        "fields": list(strengths.fields),
        "cards": [_card(strengths, rank, each, numbers) for rank, each in enumerate(strengths.standings, 1)],
        "scores": _score_bytes(strengths, places),
        "order": _order(strengths, places),
        "curve": [[round(value, _DIGITS) for value in point] for point in fit_curve(strengths)],
        **_tables(report, numbers),
    }


def _summary(report: BalanceReport) -> str:
    strengths, count = report.strengths, len(report.balance.names)
    pairs = f"{count * (count - 1) // 2:,} pairs; a score is the chance to win, in which a draw counts half."
    if strengths.fit is None:
        return pairs
    strong, weak = (len(strengths.outliers(side)) for side in ("strong", "weak"))
    words = "" if strengths.agreement is None else f" {agreement_words(strengths.agreement).capitalize()}."
    return f"{pairs}{words} Too strong for their cost: {strong:,}. Too weak: {weak:,}."


def _card(
    strengths: Strengths, rank: int, standing: Standing, numbers: dict[int | None, int | None]
) -> dict[str, object]:
    card = strengths.balance.cards[standing.place]
    values = {
        "score": standing.strength, "cost": standing.cost, "usual": standing.expected, "low": standing.low,
        "high": standing.high, "deviations": standing.deviations, "worth": standing.usual_cost,
    }  # fmt: skip
    places = {"counter": standing.counter, "cheap": standing.cheap_counter, "victim": standing.victim}
    return {
        "rank": rank,
        "name": strengths.balance.names[standing.place],
        "groups": [list(field_texts(card, field)) for field in strengths.fields],
        "side": standing.side,
        **{key: None if value is None else round(value, _DIGITS) for key, value in values.items()},
        **{key: numbers.get(place) for key, place in places.items()},
    }


def _score_bytes(strengths: Strengths, places: list[int]) -> str:
    """Return the scores below the diagonal as bytes, row by row, in Base64."""
    rows = strengths.float_rows
    content = bytearray()
    for number, place in enumerate(places):
        row = rows[place]
        content += bytes([round(row[other] * SCORE_STEPS) for other in places[:number]])
    return b64encode(content).decode()


def _order(strengths: Strengths, places: list[int]) -> list[int]:
    """Return the numbers of the cards, similar ones next to each other."""
    rows = strengths.float_rows
    return cluster_order([[rows[place][other] for other in places] for place in places])


def _tables(report: BalanceReport, numbers: dict[int | None, int | None]) -> dict[str, object]:
    groups = [
        {
            **{key: getattr(each, key) for key in ("field", "value", "surplus", "strong", "weak")},
            "score": each.strength, "count": len(each.places),
            "best": numbers[each.best], "worst": numbers[each.worst],
        }
        for each in report.strengths.groups
    ]  # fmt: skip
    changes = [
        {"card": numbers[each.place], "number": each.number, "old": each.old, "new": each.new, "score": each.strength}
        for changes in report.adjustments.values()
        for each in changes
    ]
    cycles = report.balance.cycles
    shown = cycles.clearest if cycles.count <= MOST_CYCLES else varied(cycles.clearest, MOST_CYCLES)
    return {
        "groups": groups,
        "changes": changes,
        "changeNote": report.adjustment_note,
        "cycles": [{"places": [numbers[place] for place in trio], "lowest": float(lowest)} for lowest, trio in shown],
        "cycleNote": f"Each card beats the next, and the last beats the first: {cycles.count:,} cycles in all.",
        **_teams(report),
    }


def _teams(report: BalanceReport) -> dict[str, object]:
    teams = []
    for each in report.teams:
        beats, fears = (
            pick(each.against.items(), key=lambda pair: (pair[1].chance, pair[0]))[0] for pick in (max, min)
        )
        overall = {"chance": each.overall.chance, "error": each.overall.error}
        teams.append({"name": each.group, **overall, "beats": beats, "fears": fears})
    request = report.team_request
    limit = f" of up to {request.points:g} points" if request and request.points is not None else ""
    note = (
        f"Random teams{limit}; {request.samples:,} battles for every two groups. Errors hold in 95 of 100 cases."
        if request
        else ""
    )
    return {"teams": teams, "teamNote": note}
