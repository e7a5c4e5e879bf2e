"""Round robin of cards: ranking, match-ups, and cycles; text, CSV, heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import charts
from cardgen.model.entry import Entry
from cardgen.pipeline.load import game_settings
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee import run, setup
from cardgen.pipeline.referee.cycles import Cycles, Score, find_cycles
from cardgen.project import Project
from cardgen.referee.codes import Code
from cardgen.referee.number_format import percent
from cardgen.referee.trial import Competitor, GameTrials, RulesConfig

MOST_CYCLES = 10
# From this many competitors on, scores are floats, and reports list only the clearest of their cycles.
CROWD, MOST_CROWD_CYCLES = 101, 1000
# Digits of floats, whose error is below TOLERANCE.
FLOAT_DIGITS = 12

OnProgress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class CarriedCards:
    """The cards that fighters carry: some by name, or everything allowed."""

    names: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of bearers from a carried card: mean, most, and least."""

    name: str
    mean: Score
    most: tuple[str, Score]
    least: tuple[str, Score]


@dataclass(frozen=True)
class Balance:
    """The scores of all pairs of competitors.

    A score is the chance that the row beats the column, where a draw counts half; the diagonal is None. Scores are
    fractions, or floats for crowds. Each of `competitors` has the name of a card and the name of the card that it
    carries, or ''.
    """

    competitors: tuple[tuple[str, str], ...]
    scores: tuple[tuple[Score | None, ...], ...]

    @property
    def is_crowd(self) -> bool:
        """Whether scores are floats."""
        return any(isinstance(score, float) for score in self.scores[0])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of competitors: 'Halvane Doru', 'Halvane Doru + Iron Halo'."""
        return tuple(f"{card} + {carried}" if carried else card for card, carried in self.competitors)

    @property
    def gains(self) -> list[Gain]:
        """The gain from each carried card, the largest first.

        It is averaged over all opponents except the bearer itself.
        """
        all_gains = []
        for name in dict.fromkeys(carried for _, carried in self.competitors if carried):
            gains = {card: self._gain(card, name) for card, carried in self.competitors if carried == name}
            ordered = sorted(gains.items(), key=lambda each: (-each[1], each[0]))
            all_gains.append(Gain(name, _mean(list(gains.values())), ordered[0], ordered[-1]))
        return sorted(all_gains, key=lambda gain: (-gain.mean, gain.name))

    def _gain(self, card: str, carried: str) -> Score:
        bare, bearing = (self.scores[self.competitors.index((card, each))] for each in ("", carried))
        others = [place for place, (other, _) in enumerate(self.competitors) if other != card]
        pairs = [(bearing[place], bare[place]) for place in others]
        return _mean([one - other for one, other in pairs if one is not None and other is not None])

    @cached_property
    def ranking(self) -> list[tuple[int, Score]]:
        """Indices of competitors with their mean scores, the highest first."""
        means = [(place, _mean([score for score in row if score is not None])) for place, row in enumerate(self.scores)]
        return sorted(means, key=lambda each: (-each[1], self.names[each[0]]))

    def extremes(self, place: int) -> tuple[int, int]:
        """Return the easiest and the hardest opponent of a competitor."""
        others = [(score, other) for other, score in enumerate(self.scores[place]) if score is not None]
        return max(others)[1], min(others)[1]

    @cached_property
    def cycles(self) -> Cycles:
        """Cycles of three cards with their lowest scores, the clearest first."""
        return find_cycles(self.scores, MOST_CROWD_CYCLES if self.is_crowd else None)


def _mean(scores: Sequence[Score]) -> Score:
    is_float = scores and isinstance(scores[0], float)
    return (fsum(scores) if is_float else sum(scores, Fraction(0))) / max(1, len(scores))


def compute_balance(
    paths: tuple[Path, ...],
    kinds: tuple[str, ...],
    carried: CarriedCards,
    switches: tuple[tuple[str, ...], tuple[str, ...]],
    on_progress: OnProgress,
    game: str | None = None,
) -> Balance:
    """Compute the scores of all pairs of cards.

    Cards compete alone and with each carried card. Raises CardgenError for fewer than two cards, and if no card can
    carry what `carried` names.
    """
    rules, game_trials = setup.load_referee(game)
    config = setup.resolve_config(rules, game_trials, *switches)
    for kind in kinds:
        if kind not in game_trials.fighters:
            message = f"cards of kind '{kind}' do not fight (one of {', '.join(game_trials.fighters)})"
            raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--kind")))
    lookup = CardLookup(rules, paths)
    entries = lookup.entries(kinds or game_trials.fighters)
    if len(entries) < 2:
        message = f"a ranking needs at least 2 cards, not {len(entries)}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("cards")))
    competitors = _competitors(lookup, entries, game_trials, carried)
    names = tuple((each.card["name"], each.carries["name"] if each.carries else "") for each in competitors)
    compute = _crowd_scores if game_trials.crowd and len(competitors) >= CROWD else _exact_scores
    with game_settings.in_force(Project.find()):
        return Balance(names, compute(competitors, game_trials, config, on_progress))


def _exact_scores(
    competitors: Sequence[Competitor], game_trials: GameTrials, config: RulesConfig, on_progress: OnProgress
) -> tuple[tuple[Fraction | None, ...], ...]:
    size = len(competitors)
    scores: list[list[Fraction | None]] = [[None] * size for _ in range(size)]
    for count, pairing in enumerate(game_trials.round_robin(competitors, config), 1):
        score = pairing.wins + (1 - pairing.wins - pairing.loses) / 2
        scores[pairing.one][pairing.other], scores[pairing.other][pairing.one] = score, 1 - score
        on_progress(count, size * (size - 1) // 2, competitors[pairing.one].card["name"])
    return tuple(map(tuple, scores))


def _crowd_scores(
    competitors: Sequence[Competitor], game_trials: GameTrials, config: RulesConfig, on_progress: OnProgress
) -> tuple[tuple[float | None, ...], ...]:
    """Return the scores of a crowd; competitors of one class share theirs."""
    assert game_trials.crowd
    crowd = game_trials.crowd(competitors, config)
    count = max(crowd.classes) + 1
    examples = {number: each.card["name"] for number, each in zip(crowd.classes, competitors, strict=True)}
    scores: list[list[float]] = [[] for _ in range(count)]
    done, total = 0, count * (count + 1) // 2
    on_progress(0, total, "")
    for number, row in enumerate(crowd.rows):
        scores[number] += row
        for other, score in zip(scores[number + 1 :], row[1:], strict=True):
            other.append(1 - score)
        done += len(row)
        on_progress(done, total, examples[number])
    return tuple(_without_itself(place, scores[number], crowd.classes) for place, number in enumerate(crowd.classes))


def _without_itself(place: int, scores: Sequence[float], classes: Sequence[int]) -> tuple[float | None, ...]:
    row: list[float | None] = [scores[number] for number in classes]
    row[place] = None
    return tuple(row)


def _competitors(
    lookup: CardLookup, entries: Sequence[Entry], game_trials: GameTrials, carried: CarriedCards
) -> list[Competitor]:
    """Return each card alone, and each bearer with each carried card."""
    carried_entries = [lookup.find(name, game_trials.equipment) for name in carried.names]
    carried_entries = (
        lookup.entries(game_trials.equipment) if carried.everything else list(dict.fromkeys(carried_entries))
    )
    bearers = [entry for entry in entries if entry.kind in game_trials.carriers]
    if (carried.names or carried.everything) and not (carried_entries and bearers):
        message = "none of these cards can carry anything" if not bearers else "no cards to carry"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--with")))
    carried_data = [lookup.card_data(each) for each in carried_entries]
    return [
        Competitor(lookup.card_data(entry), carries)
        for entry in entries
        for carries in (None, *(carried_data if entry.kind in game_trials.carriers else ()))
    ]


def as_text(balance: Balance) -> list[str]:
    """Return the ranking with best and worst match-ups, gains, and cycles."""
    width = max(map(len, balance.names))
    lines = [f"{'':>4} {'':<{width}} {'score':>7}  {'beats':<{width + 9}} {'fears':<{width + 9}}".rstrip()]
    for rank, (place, mean) in enumerate(balance.ranking, 1):
        best, worst = (_versus(balance, place, other, width) for other in balance.extremes(place))
        lines.append(f"{rank:>3}. {balance.names[place]:<{width}} {_percent(mean):>7}  {best} {worst}".rstrip())
    lines += [
        f"{gain.name}: {_signed(gain.mean)} on average; most for {gain.most[0]} ({_signed(gain.most[1])}), "
        f"least for {gain.least[0]} ({_signed(gain.least[1])})"
        for gain in balance.gains
    ]
    cycles = balance.cycles
    for weakest, trio in cycles.clearest[:MOST_CYCLES]:
        a, b, c = (balance.names[place] for place in trio)
        lines.append(f"cycle: {a} > {b} > {c} > {a} (each at least {_percent(weakest)})")
    if cycles.count > MOST_CYCLES:
        lines.append(f"and {cycles.count - MOST_CYCLES:,} more cycles")
    return lines


def _signed(gain: Score) -> str:
    return f"{'-' if gain < 0 else '+'}{_percent(max(gain, -gain))}"


def _percent(score: Score) -> str:
    return percent(Fraction(score))


def _versus(balance: Balance, place: int, other: int, width: int) -> str:
    score = balance.scores[place][other]
    return f"{balance.names[other]:<{width}} {_percent(score) if score is not None else '':>8}"


def as_csv(balance: Balance) -> Iterator[str]:
    """Yield the scores of all pairs as CSV, with fractions and 15-digit decimals.

    Scores of a crowd have no fraction, and 12 digits.
    """
    yield run.csv_table(("card", "carries", "against", "against carries", "exact", "decimal"), ())
    for competitor, scores in zip(balance.competitors, balance.scores, strict=True):
        pairs = zip(balance.competitors, scores, strict=True)
        yield run.csv_rows(
            [(*competitor, *other, *_number_data(score).values()) for other, score in pairs if score is not None]
        )


def _number_data(score: Score) -> dict[str, str]:
    """Return a score as plain data; a float is not exact."""
    return (
        {"exact": "", "decimal": f"{score:.{FLOAT_DIGITS}f}"}
        if isinstance(score, float)
        else run.exact_and_decimal(score)
    )


def as_data(balance: Balance) -> dict[str, object]:
    """Return ranking, pairs, gains, and cycles as plain data, with exact and decimal scores."""
    exact = _number_data
    competitors = [{"card": card, "carries": carried} for card, carried in balance.competitors]
    return {
        "ranking": [{**competitors[place], "score": exact(mean)} for place, mean in balance.ranking],
        "pairs": [
            {**competitors[row], "against": competitors[column], "score": exact(score)}
            for row in range(len(competitors))
            for column, score in enumerate(balance.scores[row])
            if score is not None
        ],
        "gains": [{"carries": gain.name, "mean": exact(gain.mean)} for gain in balance.gains],
        "cycles": [
            {"names": [balance.names[place] for place in trio], "lowest": exact(weakest)}
            for weakest, trio in balance.cycles.clearest
        ],
    }


def _fraction(score: Score | None) -> Fraction | None:
    return None if score is None else Fraction(score)


def heat_map(balance: Balance) -> charts.Chart:
    """Return the scores of all pairs as a chart, the strongest first."""
    order = [place for place, _ in balance.ranking]
    cells = [[_fraction(balance.scores[row][column]) for column in order] for row in order]
    return charts.heat_map(
        "chance of the row against the column, in %", [balance.names[place] for place in order], cells
    )
