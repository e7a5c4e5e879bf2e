"""What the cards of a collection add up to: their groups, costs, numbers, balance, and releases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import floor, log10, sqrt
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple
from urllib.parse import urlencode

from cardgen.balance.arena import ComputeOptions
from cardgen.balance.report import BalanceReport, BalanceRequest, compute_report
from cardgen.balance.strengths import cost_of
from cardgen.checking.checks import beyond_its_cost
from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import load_trials, read_game_settings, require_game
from cardgen.deck.release_file import CardKey, Release, release_date, release_files
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean
from cardgen.model.card import Entry
from cardgen.model.card_values import COST_KEYS, cost_in
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.project_checks.services import all_checks
from cardgen.referee.trial import Competitor
from cardgen.releases.changes import Change, compare
from cardgen.releases.run import load_release
from cardgen.target.web.fields import CHOICE, NUMBER, Fact, Field, number_in, value_text, words_of

_FEWEST_RANKED = 2
# Bars of a histogram, and the length of the longest one, in its own units.
_FEWEST_BARS, _MOST_BARS, LENGTH = 5, 24, 100.0


class Bar(NamedTuple):
    """A row of a table: what is counted, the number of cards, the length of the bar, and the address of the cards."""

    label: str
    cards: int
    length: float
    address: str = ""
    mean_cost: str = ""


class Table(NamedTuple):
    """A table with bars."""

    title: str
    bars: tuple[Bar, ...]
    has_costs: bool = False


class Summary(NamedTuple):
    """The numbers of the cards in a field, as texts."""

    label: str
    cards: int
    least: str
    median: str
    mean: str
    most: str


class Step(NamedTuple):
    """A release, or the cards as they are now: its cards, and the changes since the one before."""

    name: str
    date: str
    cards: int
    length: float
    mean_cost: str
    counts: tuple[int, ...]


class Rank(NamedTuple):
    """The place of a card in the balance of its game: the score is the chance to win a duel."""

    place: int
    name: str
    address: str
    score: str
    cost: str
    usual: str
    length: float
    side: str


class Ranking(NamedTuple):
    """The balance of a game; `left_out` names the rules that its duels do not play."""

    title: str
    ranks: tuple[Rank, ...]
    left_out: tuple[str, ...]
    has_costs: bool


def costs_of(entries: Sequence[Entry], project: Project) -> dict[int, float]:
    """Return the costs of the cards that have one, by identity.

    In a game with a balance, only the cards that fight have costs, as it reckons them; in others, the cost of a card is
    one of its numbers.
    """
    costs: dict[int, float | None] = {}
    for game in dict.fromkeys(entry.game for entry in entries):
        own = [entry for entry in entries if entry.game == game]
        rules = require_game(game, read_game_settings(project))
        trials = load_trials(rules) if rules.trials else None
        if trials is None or not trials.fighters:
            costs |= {id(entry): cost_in(entry.card) for entry in own}
            continue
        lookup = CardLookup(rules, (), project, tuple(own))
        for entry in own:
            if entry.kind in trials.fighters:
                costs[id(entry)] = cost_of(Competitor(lookup.card_data(entry), None), trials, None)
    return {key: cost for key, cost in costs.items() if cost is not None}


def costs_in(key: str, cards: Sequence[Sequence[Fact]]) -> list[float | None]:
    """Return the numbers of cards in a field, as their costs. Raises CardgenError if none has one."""
    costs = [number_in(key, facts) for facts in cards]
    if any(cost is not None for cost in costs):
        return costs
    known = list(dict.fromkeys(each.key for facts in cards for each in facts if each.sort == NUMBER))
    advice = f"fields with numbers are {', '.join(known)}"
    message = f"no card has a number '{key}'{did_you_mean(key, known)}"
    raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--cost"), advice))


def groups_of(project: Project, games: Iterable[str]) -> tuple[str, ...]:
    """Return the fields by which the balance of games groups their cards."""
    found: dict[str, None] = {}
    for game in games:
        rules = require_game(game, project.workspace)
        found |= dict.fromkeys(load_trials(rules).groups) if rules.trials else {}
    return tuple(found)


def fragment(**values: str) -> str:
    """Return the fragment of an address that shows some of the cards."""
    return f"#{urlencode(values)}"


def filter_address(field: Field, value: str) -> str:
    """Return the address of the cards with a value of a field."""
    return fragment(**{f"f.{field.key}": value})


def group_tables(
    fields: Iterable[Field], cards: Sequence[Sequence[Fact]], costs: Sequence[float | None]
) -> Iterator[Table]:
    """Yield a table of the cards by each field of words, the most frequent first."""
    for field in fields:
        if field.sort != CHOICE:
            continue
        members: dict[str, list[int]] = {}
        for number, facts in enumerate(cards):
            for word in words_of(field, facts):
                members.setdefault(word, []).append(number)
        rows = [(word, len(each), _mean(costs, each)) for word, each in members.items()]
        most = max(count for _, count, _ in rows)
        rows.sort(key=lambda row: (-row[1], field.choices.index(row[0])))
        bars = (
            Bar(word, count, round(LENGTH * count / most, 2), filter_address(field, word), mean)
            for word, count, mean in rows
        )
        yield Table(field.label, tuple(bars), any(mean for *_, mean in rows))


def _mean(costs: Sequence[float | None], members: Iterable[int]) -> str:
    known = [cost for number in members if (cost := costs[number]) is not None]
    return f"{fmean(known):.1f}" if known else ""


def curve(field: Field, values: Sequence[float]) -> Table:
    """Return how many cards have each value of a number, or values in each range of equal width."""
    low, high = min(values), max(values)
    are_whole = all(value.is_integer() for value in values)
    bars = min(_MOST_BARS, max(_FEWEST_BARS, round(2 * sqrt(len(values)))))
    width = _nice_width((high - low) / bars)
    if are_whole and (width < 1 or high - low < bars):
        width = 1.0
    counts = Counter(floor(value / width) for value in values)
    most = max(counts.values())
    rows = []
    for number in range(floor(low / width), max(counts) + 1):
        start, end = number * width, (number + 1) * width
        ends = [value_text(each) for each in ((start, end - 1) if are_whole else (start, end))]
        label = ends[0] if width == 1 and are_whole else (" to " if are_whole else " to under ").join(ends)
        address = filter_address(field, "..".join(ends))
        rows.append(Bar(label, counts[number], round(LENGTH * counts[number] / most, 2), address))
    return Table(field.label, tuple(rows))


def _nice_width(width: float) -> float:
    """Return the next larger width that is 1, 2, or 5 times a power of ten."""
    power = 10.0 ** floor(log10(width))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9))


def summaries(fields: Iterable[Field], cards: Sequence[Sequence[Fact]]) -> Iterator[Summary]:
    """Yield the least, median, mean, and most value of each field of numbers."""
    for field in fields:
        if field.sort == NUMBER:
            values = numbers_of(field, cards)
            numbers = (min(values), median(values), fmean(values), max(values))
            yield Summary(field.label, len(values), *(value_text(round(number, 2)) for number in numbers))


def numbers_of(field: Field, cards: Iterable[Sequence[Fact]]) -> list[float]:
    """Return the numbers of the cards that have one in a field."""
    return [value for facts in cards if (value := number_in(field.key, facts)) is not None]


# Changes whose numbers the trend shows.
TREND = (Change.NEW, Change.GONE, Change.RULES, Change.RENAMED, Change.WORDS)


def trend(project: Project, now: Callable[[], Release] | None) -> tuple[Step, ...]:
    """Return the releases of a project, the earliest first, and the cards as they are now, if these differ.

    There is none without a release, and without `now`, only the releases. Raises CardgenError for a release file that
    cannot be read.
    """
    files = release_files(project.root)
    releases = [(load_release(project.root, name), release_date(path)) for name, path in files.items()]
    if not releases:
        return ()
    current = now() if now else None
    releases += [(current, "")] if current else []
    most = max(len(release.cards) for release, _ in releases) or 1
    steps = []
    before: Release | None = None
    for release, date in releases:
        changes = compare(before, release, project.workspace) if before else None
        counts = tuple(len(changes.of(change)) if changes else 0 for change in TREND)
        if release is current and changes and not changes.cards:
            break
        found = (card.values.get(key) for card in release.cards for key in COST_KEYS[:1])
        costs = [float(cost) for cost in found if isinstance(cost, int | float)]
        mean = f"{fmean(costs):.1f}" if costs else ""
        length = round(LENGTH * len(release.cards) / most, 2)
        steps.append(Step(release.name, date, len(release.cards), length, mean, counts))
        before = release
    return tuple(steps)


def rankings(
    project: Project,
    entries: Sequence[Entry],
    addresses: Mapping[CardKey, str],
    options: ComputeOptions,
    cost: str | None = None,
) -> Iterator[Ranking]:
    """Yield the balance of each game with a referee and two of the cards that fight; `cost` is the field of costs.

    Raises CardgenError as `compute_report` does.
    """
    for game in dict.fromkeys(entry.game for entry in entries):
        rules = require_game(game, read_game_settings(project))
        fighters = load_trials(rules).fighters if rules.trials else ()
        if sum(entry.game == game and entry.kind in fighters for entry in entries) < _FEWEST_RANKED:
            continue
        request = BalanceRequest(workspace=project.workspace, game=game, cost=cost)
        report = compute_report(request, options)
        yield _ranking(rules.name, game, report, addresses)


def _ranking(title: str, game: str, report: BalanceReport, addresses: Mapping[CardKey, str]) -> Ranking:
    strengths, ranks = report.strengths, []
    for place, standing in enumerate(strengths.standings, 1):
        card = strengths.balance.cards[standing.place].card
        address = addresses.get((game, str(card["kind"]), str(card.get("id"))))
        if address is None:
            continue
        usual = (
            ""
            if standing.low is None or standing.high is None
            else f"{_percent(standing.low)} to {_percent(standing.high)}"
        )
        cost = "" if standing.cost is None else value_text(standing.cost)
        name = strengths.balance.names[standing.place]
        side = {"strong": "Too strong", "weak": "Too weak"}.get(standing.side, "")
        length = round(LENGTH * standing.strength, 2)
        ranks.append(Rank(place, name, address, _percent(standing.strength), cost, usual, length, side))
    return Ranking(title, tuple(ranks), report.left_out, strengths.fit is not None)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


class Remark(NamedTuple):
    """What a check says about the numbers or the odds of a card."""

    name: str
    address: str
    message: str


# Codes of checks of odds; the other check of numbers compares cards with those of their cost.
_ODDS = re.compile(r"[A-Z]+4\d\d")


def remarks(
    project: Project,
    entries: Sequence[Entry],
    addresses: Mapping[CardKey, str],
    paths: tuple[Path, ...],
    *,
    cache: bool,
) -> Iterator[Remark]:
    """Yield what the checks of numbers and odds find about some cards, in the order of their files."""
    codes = [check.code for check in all_checks(project.workspace).checks if _ODDS.fullmatch(check.code)]
    request = CheckRequest(paths, (beyond_its_cost.CODE, *codes), workspace=project.workspace, keeps_figures=cache)
    starts: dict[str, list[tuple[tuple[int, int], int]]] = {}
    for number, entry in enumerate(entries):
        place = entry.source_map.place()
        starts.setdefault(place.file, []).append((_start(place), number))
    every = {file: sorted(each) for file, each in starts.items()}
    for finding in check_project(request).findings:
        place = finding.diagnostic.place
        before = [number for start, number in every.get(place.file, ()) if start <= _start(place)]
        if finding.check.code in request.select and before:
            entry = entries[before[-1]]
            address = addresses[entry.game, entry.kind, entry.card.id]
            yield Remark(entry.card.name, address, finding.diagnostic.message)


def _start(place: Place) -> tuple[int, int]:
    return (place.span.line, place.span.column) if place.span else (0, 0)
