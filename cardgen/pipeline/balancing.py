"""Every card against every other: ranking, best and worst match-ups, and cycles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline import refereeing, verdicts
from cardgen.pipeline.contestants import Contestants
from cardgen.referee import plot
from cardgen.referee.codes import Code
from cardgen.referee.figures import decimal, percent

HALF = Fraction(1, 2)
MOST_CYCLES = 10


@dataclass(frozen=True, slots=True)
class Balance:
    """The scores of all pairs: the chance that the row beats the column, a draw counting half; None on the diagonal."""

    names: tuple[str, ...]
    scores: tuple[tuple[Fraction | None, ...], ...]

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
    return sum(scores, Fraction(0)) / len(scores)


def balance(
    paths: tuple[Path, ...],
    kinds: tuple[str, ...],
    switches: tuple[tuple[str, ...], tuple[str, ...]],
    step: Callable[[int, int, str], None],
) -> Balance:
    """Let all cards meet. Raises CardgenError for fewer than two cards."""
    rules, adjudication = refereeing.court()
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
    size = len(entries)
    scores: list[list[Fraction | None]] = [[None] * size for _ in range(size)]
    total = size * (size - 1) // 2
    for count, met in enumerate(adjudication.meetings([contestants.card_data(each) for each in entries], terms), 1):
        score = met.wins + (1 - met.wins - met.loses) / 2
        scores[met.one][met.other], scores[met.other][met.one] = score, 1 - score
        step(count, total, entries[met.one].card.name)
    return Balance(tuple(entry.card.name for entry in entries), tuple(map(tuple, scores)))


def as_text(found: Balance) -> list[str]:
    """The ranking with each card's best and worst match-up, then the clearest cycles."""
    width = max(map(len, found.names))
    lines = [f"{'':>4} {'':<{width}} {'score':>7}  {'beats':<{width + 9}} {'fears':<{width + 9}}".rstrip()]
    for rank, (place, mean) in enumerate(found.ranking, 1):
        best, worst = (_versus(found, place, other, width) for other in found.extremes(place))
        lines.append(f"{rank:>3}. {found.names[place]:<{width}} {percent(mean):>7}  {best} {worst}".rstrip())
    cycles = found.cycles
    for weakest, (a, b, c) in cycles[:MOST_CYCLES]:
        names = found.names
        lines.append(f"cycle: {names[a]} > {names[b]} > {names[c]} > {names[a]} (each at least {percent(weakest)})")
    if len(cycles) > MOST_CYCLES:
        lines.append(f"and {len(cycles) - MOST_CYCLES} cycles more")
    return lines


def _versus(found: Balance, place: int, other: int, width: int) -> str:
    score = found.scores[place][other]
    return f"{found.names[other]:<{width}} {percent(score) if score is not None else '':>8}"


def as_csv(found: Balance) -> str:
    """All pairs: the row's chance against the column's, exact to 15 digits."""
    rows = [
        (found.names[row], found.names[column], str(score), decimal(score, verdicts.DIGITS))
        for row in range(len(found.names))
        for column, score in enumerate(found.scores[row])
        if score is not None
    ]
    return verdicts.table(("card", "against", "exact", "decimal"), rows)


def heat_map(found: Balance) -> str:
    """All pairs as a picture, the strongest first."""
    order = [place for place, _ in found.ranking]
    cells = [[found.scores[row][column] for column in order] for row in order]
    return plot.heat_map("chance of the row against the column, in %", [found.names[place] for place in order], cells)
