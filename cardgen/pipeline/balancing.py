"""Every card against every other: ranking, best and worst match-ups, and cycles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.entry import Entry
from cardgen.pipeline import refereeing, verdicts
from cardgen.pipeline.contestants import Contestants
from cardgen.referee import plot
from cardgen.referee.codes import Code
from cardgen.referee.figures import decimal, percent
from cardgen.rulesets.adjudication import Adjudication, Entrant

HALF = Fraction(1, 2)
MOST_CYCLES = 10


@dataclass(frozen=True, slots=True)
class Carried:
    """What fighters carry: cards by name, or everything that they may."""

    names: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Gain:
    """What a carried card adds to the mean score of its bearers, on average and for the two who gain most and least."""

    name: str
    mean: Fraction
    most: tuple[str, Fraction]
    least: tuple[str, Fraction]


@dataclass(frozen=True, slots=True)
class Balance:
    """The scores of all pairs: the chance that the row beats the column, a draw counting half; None on the diagonal.

    Each of `entrants` is a card's name and that of what it carries, or ''.
    """

    entrants: tuple[tuple[str, str], ...]
    scores: tuple[tuple[Fraction | None, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What each entrant is called: 'Halvane Doru', 'Halvane Doru + Iron Halo'."""
        return tuple(f"{card} + {carried}" if carried else card for card, carried in self.entrants)

    @property
    def gains(self) -> list[Gain]:
        """What each carried card adds, the strongest first: over all opponents but the bearer itself."""
        found = []
        for name in dict.fromkeys(carried for _, carried in self.entrants if carried):
            gains = {card: self._gain(card, name) for card, carried in self.entrants if carried == name}
            ordered = sorted(gains.items(), key=lambda each: (-each[1], each[0]))
            found.append(Gain(name, _mean(list(gains.values())), ordered[0], ordered[-1]))
        return sorted(found, key=lambda gain: (-gain.mean, gain.name))

    def _gain(self, card: str, carried: str) -> Fraction:
        bare, bearing = (self.scores[self.entrants.index((card, each))] for each in ("", carried))
        others = [place for place, (other, _) in enumerate(self.entrants) if other != card]
        pairs = [(bearing[place], bare[place]) for place in others]
        return _mean([one - other for one, other in pairs if one is not None and other is not None])

    @property
    def ranking(self) -> list[tuple[int, Fraction]]:
        """Every card's place in `names` and mean score, the strongest first."""
        means = [(place, _mean([score for score in row if score is not None])) for place, row in enumerate(self.scores)]
        return sorted(means, key=lambda each: (-each[1], self.names[each[0]]))

    def extremes(self, place: int) -> tuple[int, int]:
        """Whom a card beats most easily, and whom it fears most."""
        others = [(score, other) for other, score in enumerate(self.scores[place]) if score is not None]
        return max(others)[1], min(others)[1]

    @property
    def cycles(self) -> list[tuple[Fraction, tuple[int, int, int]]]:
        """Three cards each of which beats the next, with the weakest of their scores; the clearest first."""
        found = []
        for trio in combinations(range(len(self.names)), 3):
            for a, b, c in (trio, trio[::-1]):
                weakest = min(self._score(a, b), self._score(b, c), self._score(c, a))
                if weakest > HALF:
                    found.append((weakest, (a, b, c)))
        return sorted(found, key=lambda each: (-each[0], each[1]))

    def _score(self, row: int, column: int) -> Fraction:
        score = self.scores[row][column]
        return HALF if score is None else score


def _mean(scores: Sequence[Fraction]) -> Fraction:
    return sum(scores, Fraction(0)) / max(1, len(scores))


def balance(
    paths: tuple[Path, ...],
    kinds: tuple[str, ...],
    carried: Carried,
    switches: tuple[tuple[str, ...], tuple[str, ...]],
    step: Callable[[int, int, str], None],
    game: str | None = None,
) -> Balance:
    """Let all cards meet, as they are and with each card that they are to carry.

    Raises CardgenError for fewer than two cards, and for a card that nobody may carry.
    """
    rules, adjudication = refereeing.court(game)
    terms = refereeing.terms_of(rules, adjudication, *switches)
    for kind in kinds:
        if kind not in adjudication.fighters:
            message = f"a {kind} does not fight; {', '.join(adjudication.fighters)} do"
            raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--kind")))
    contestants = Contestants(rules, paths)
    entries = contestants.entries(kinds or adjudication.fighters)
    if len(entries) < 2:
        message = f"it takes two to fight, and there is {len(entries)}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("cards")))
    entrants = _entrants(contestants, entries, adjudication, carried)
    names = tuple((each.card["name"], each.carries["name"] if each.carries else "") for each in entrants)
    size = len(entrants)
    scores: list[list[Fraction | None]] = [[None] * size for _ in range(size)]
    total = size * (size - 1) // 2
    for count, met in enumerate(adjudication.meetings(entrants, terms), 1):
        score = met.wins + (1 - met.wins - met.loses) / 2
        scores[met.one][met.other], scores[met.other][met.one] = score, 1 - score
        step(count, total, names[met.one][0])
    return Balance(names, tuple(map(tuple, scores)))


def _entrants(
    contestants: Contestants, entries: Sequence[Entry], adjudication: Adjudication, carried: Carried
) -> list[Entrant]:
    """Every card as it is, and those that may carry something also with each of it."""
    found = [contestants.find(name, adjudication.gear) for name in carried.names]
    found = contestants.entries(adjudication.gear) if carried.everything else list(dict.fromkeys(found))
    bearers = [entry for entry in entries if entry.kind in adjudication.bearers]
    if (carried.names or carried.everything) and not (found and bearers):
        message = "none of these cards may carry anything" if not bearers else "there is nothing to carry"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--with")))
    gear = [contestants.card_data(each) for each in found]
    return [
        Entrant(contestants.card_data(entry), carries)
        for entry in entries
        for carries in (None, *(gear if entry in bearers else ()))
    ]


def as_text(found: Balance) -> list[str]:
    """The ranking with each card's best and worst match-up, then the clearest cycles."""
    width = max(map(len, found.names))
    lines = [f"{'':>4} {'':<{width}} {'score':>7}  {'beats':<{width + 9}} {'fears':<{width + 9}}".rstrip()]
    for rank, (place, mean) in enumerate(found.ranking, 1):
        best, worst = (_versus(found, place, other, width) for other in found.extremes(place))
        lines.append(f"{rank:>3}. {found.names[place]:<{width}} {percent(mean):>7}  {best} {worst}".rstrip())
    lines += [
        f"{gain.name}: {_signed(gain.mean)} on average; most for {gain.most[0]} ({_signed(gain.most[1])}), "
        f"least for {gain.least[0]} ({_signed(gain.least[1])})"
        for gain in found.gains
    ]
    cycles = found.cycles
    for weakest, (a, b, c) in cycles[:MOST_CYCLES]:
        names = found.names
        lines.append(f"cycle: {names[a]} > {names[b]} > {names[c]} > {names[a]} (each at least {percent(weakest)})")
    if len(cycles) > MOST_CYCLES:
        lines.append(f"and {len(cycles) - MOST_CYCLES} cycles more")
    return lines


def _signed(gain: Fraction) -> str:
    return f"{'-' if gain < 0 else '+'}{percent(abs(gain))}"


def _versus(found: Balance, place: int, other: int, width: int) -> str:
    score = found.scores[place][other]
    return f"{found.names[other]:<{width}} {percent(score) if score is not None else '':>8}"


def as_csv(found: Balance) -> str:
    """All pairs: the row's chance against the column's, exact to 15 digits."""
    rows = [
        (*found.entrants[row], *found.entrants[column], str(score), decimal(score, verdicts.DIGITS))
        for row in range(len(found.entrants))
        for column, score in enumerate(found.scores[row])
        if score is not None
    ]
    return verdicts.table(("card", "carries", "against", "against carries", "exact", "decimal"), rows)


def heat_map(found: Balance) -> str:
    """All pairs as a picture, the strongest first."""
    order = [place for place, _ in found.ranking]
    cells = [[found.scores[row][column] for column in order] for row in order]
    return plot.heat_map("chance of the row against the column, in %", [found.names[place] for place in order], cells)
