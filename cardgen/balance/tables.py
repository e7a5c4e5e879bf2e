"""The balance report as text and as data: JSON, CSV, Arrow, Parquet, and the heat map as a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import Balance, Estimate, Group, Standing, agreement_words, field_texts
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, escape_controls
from cardgen.export import charts
from cardgen.matches import trials
from cardgen.referee.odds import percent
from cardgen.referee.scores import Score, Side, varied
from cardgen.referee.trial import MOST_LEFT_OUT, NOT_ADJUDICATED, not_adjudicated_lines
from cardgen.runtime.installation import install_advice

# Digits of floats, whose error is below TOLERANCE.
FLOAT_DIGITS = 12
_DIGITS = 6
_NUMBERS = ("cost", "score", "usual", "low", "high", "deviations", "usual cost")
_PAIR_HEAD = ("card", "carries", "against", "against carries", "exact", "decimal")


def as_data(report: BalanceReport) -> dict[str, object]:
    """Return everything as plain data, with exact and decimal scores."""
    balance, exact = report.balance, _number_data
    competitors = [{"card": card, "carries": carried} for card, carried in balance.competitors]
    return {
        NOT_ADJUDICATED: [*report.left_out],
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
        **_analysis_data(report),
    }


def _analysis_data(report: BalanceReport) -> dict[str, object]:
    names, strengths = report.balance.names, report.strengths
    fit = strengths.fit
    return {
        "standings": card_rows(report),
        "fit": fit and {
            "slope": fit.slope, "intercept": fit.intercept, "deviation": fit.deviation,
            "rank correlation": strengths.agreement,
        },
        "groups": [
            {
                **{key: getattr(group, key) for key in ("field", "value", "strength", "surplus", "strong", "weak")},
                "cards": len(group.places), "best": names[group.best], "worst": names[group.worst],
            }
            for group in strengths.groups
        ],
        "adjustments": [
            {"card": names[each.place], "number": each.number, "old": each.old, "new": each.new, "score": each.strength}
            for changes in report.adjustments.values()
            for each in changes
        ],
        "adjustment_note": report.adjustment_note,
        "teams": [
            {
                "group": each.group, **_estimate_data(each.overall),
                "against": [{"group": name, **_estimate_data(chance)} for name, chance in each.against.items()],
            }
            for each in report.teams
        ],
    }  # fmt: skip


def _estimate_data(estimate: Estimate) -> dict[str, float]:
    return {"chance": round(estimate.chance, _DIGITS), "error": round(estimate.error, _DIGITS)}


def card_rows(report: BalanceReport) -> list[dict[str, Any]]:
    """Return a row for each competitor, the strongest first: its groups, cost, strength, band, and counters."""
    return [_card_row(report, rank, standing) for rank, standing in enumerate(report.strengths.standings, 1)]


def _card_row(report: BalanceReport, rank: int, standing: Standing) -> dict[str, Any]:
    balance, strengths = report.balance, report.strengths
    card, carries = balance.competitors[standing.place]
    groups = {field: ", ".join(field_texts(balance.cards[standing.place], field)) for field in strengths.fields}
    numbers = {
        "cost": standing.cost, "score": standing.strength, "usual": standing.expected, "low": standing.low,
        "high": standing.high, "deviations": standing.deviations, "usual cost": standing.usual_cost,
    }  # fmt: skip
    places = {"counter": standing.counter, "cheap counter": standing.cheap_counter, "victim": standing.victim}
    return {
        "rank": rank, "card": card, "carries": carries, **groups,
        **{key: None if value is None else round(value, _DIGITS) for key, value in numbers.items()},
        "outlier": standing.side,
        **{key: "" if place is None else balance.names[place] for key, place in places.items()},
    }  # fmt: skip


def as_csv(report: BalanceReport, *, cards: bool = False) -> Iterator[str]:
    """Yield the scores of all pairs as CSV, with fractions and 15-digit decimals, or a row for each card.

    Scores of a crowd have no fraction, and 12 digits.
    """
    if cards:
        rows = card_rows(report)
        yield trials.csv_table([*rows[0]], [[_csv_cell(cell) for cell in row.values()] for row in rows])
        return
    balance = report.balance
    yield trials.csv_table(_PAIR_HEAD, ())
    for competitor, scores in zip(balance.competitors, balance.scores, strict=True):
        pairs = zip(balance.competitors, scores, strict=True)
        yield trials.csv_rows(
            [(*competitor, *other, *_number_data(score).values()) for other, score in pairs if score is not None]
        )


def _csv_cell(cell: Any) -> str:
    """Return a cell as text: 360 instead of 360.0, and nothing for None."""
    whole = int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    return "" if cell is None else str(whole)


def _number_data(score: Score) -> dict[str, str]:
    """Return a score as plain data; a float is not exact."""
    return (
        {"exact": "", "decimal": f"{score:.{FLOAT_DIGITS}f}"}
        if isinstance(score, float)
        else trials.exact_and_decimal(score)
    )


def require_arrow() -> Any:
    """Return the library for Arrow and Parquet. Raises CardgenError if it is not installed."""
    try:
        import pyarrow  # loaded here because it is optional, and large
    except ImportError:
        message = "writing Arrow and Parquet needs pyarrow, which is not installed"
        advice = install_advice("arrow")
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--format"), advice)) from None
    return pyarrow


def as_arrow(report: BalanceReport, form: str, *, cards: bool = False) -> bytes:
    """Return the table of all pairs, or of the cards, as an Arrow file or as Parquet."""
    arrow = require_arrow()
    table = _card_table(report, arrow) if cards else _pair_table(report.balance, arrow)
    buffer = io.BytesIO()
    if form == "parquet":
        from pyarrow import parquet  # loaded here because it is optional, and large

        parquet.write_table(table, buffer)
    else:
        with arrow.ipc.new_file(buffer, table.schema) as writer:
            writer.write_table(table)
    return buffer.getvalue()


def _card_table(report: BalanceReport, arrow: Any) -> Any:
    """Return the rows of the cards, whose columns have the same types whether or not they are empty."""
    rows = card_rows(report)
    types = {"rank": arrow.int32(), **dict.fromkeys(_NUMBERS, arrow.float64())}
    return arrow.Table.from_pylist(rows, arrow.schema([(key, types.get(key, arrow.string())) for key in rows[0]]))


def _pair_table(balance: Balance, arrow: Any) -> Any:
    """Return the scores of all pairs, whose names are indices into a list of names."""
    size = len(balance.names)
    places = [(row, column) for row in range(size) for column in range(size) if row != column]
    scores = [float(score) for row in balance.scores for score in row if score is not None]

    def names(texts: list[str], indices: list[int]) -> Any:
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        places = [numbers[texts[index]] for index in indices]
        return arrow.DictionaryArray.from_arrays(arrow.array(places, arrow.int32()), arrow.array([*numbers]))

    rows, columns = [row for row, _ in places], [column for _, column in places]
    cards, carried = [card for card, _ in balance.competitors], [carries for _, carries in balance.competitors]
    columns_by_name = {
        "card": names(cards, rows), "carries": names(carried, rows), "against": names(cards, columns),
        "against carries": names(carried, columns), "score": arrow.array(scores, arrow.float64()),
    }  # fmt: skip
    return arrow.table(columns_by_name)


def heat_map(report: BalanceReport) -> charts.Chart:
    """Return the scores of all pairs as a chart, the strongest first, below what the duels leave out."""
    balance = report.balance
    order = [place for place, _ in balance.ranking]
    cells = [[_fraction(balance.scores[row][column]) for column in order] for row in order]
    return charts.heat_map(
        "chance of the row against the column, in %",
        [balance.names[place] for place in order],
        cells,
        not_adjudicated_lines(report.left_out, MOST_LEFT_OUT),
    )


def _fraction(score: Score | None) -> Fraction | None:
    return None if score is None else Fraction(score)


MOST_CYCLES = 10
# Above this number of competitors, a report shows only the ends of each list, with this many lines each.
SHORT_ABOVE, END_LINES = 60, 10
_MOST_ADJUSTMENTS = 3
_SIDES: tuple[tuple[Side, str], ...] = (("strong", "too strong"), ("weak", "too weak"))


def as_text(report: BalanceReport, *, full: bool = False) -> list[str]:
    """Return the report; that of many competitors is short unless it is `full`."""
    text = _TextReport(report, END_LINES if len(report.balance.names) > SHORT_ABOVE and not full else None)
    return [*map(escape_controls, text.lines())]


class _TextReport:
    """The parts of a report; with `ends`, lists are cut to that many lines at each end."""

    def __init__(self, report: BalanceReport, ends: int | None) -> None:
        self.report, self.ends = report, ends
        self.balance, self.strengths = report.balance, report.strengths

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self._left_out()
        yield from self._ranking()
        yield from self._fit()
        for field in dict.fromkeys(group.field for group in self.strengths.groups):
            groups = [group for group in self.strengths.groups if group.field == field]
            if len(groups) > 1:
                yield from self._groups(field, groups)
        yield from self._adjustments()
        yield from self._teams()
        yield from self._paragraph(_gains(self.balance))
        yield from self._paragraph(_cycles(self.balance))
        if self.ends:
            yield f"for all {len(self.balance.names):,} cards, add --full, or make a page with --format html"

    @staticmethod
    def _paragraph(lines: Iterator[str]) -> Iterator[str]:
        """Yield lines after an empty one, if there are any."""
        for number, line in enumerate(lines):
            if not number:
                yield ""
            yield line

    def _left_out(self) -> Iterator[str]:
        """Yield what the duels leave out, before the numbers."""
        notes = not_adjudicated_lines(self.report.left_out, MOST_LEFT_OUT if self.ends else None)
        yield from notes
        if notes:
            yield ""

    def _ranking(self) -> Iterator[str]:
        balance = self.balance
        rows = self._cut([*enumerate(balance.ranking, 1)])
        shown = [place for row in rows if row for place in (row[1][0], *balance.extremes(row[1][0]))]
        width = max(len(balance.names[place]) for place in shown)
        has_costs = any(cost is not None for cost in self.strengths.costs)
        head = f"{'':>4} {'':<{width}} {'score':>7}  {'cost  ' if has_costs else ''}"
        yield f"{head}{'easiest opponent':<{width + 9}} {'hardest opponent':<{width + 9}}".rstrip()
        for row in rows:
            if row is None:
                yield f"{'…':>4}"
                continue
            rank, (place, mean) = row
            best, worst = (_versus(balance, place, other, width) for other in balance.extremes(place))
            cost = f"{_amount(self.strengths.costs[place]):>4}  " if has_costs else ""
            yield f"{rank:>3}. {balance.names[place]:<{width}} {_percent(mean):>7}  {cost}{best} {worst}".rstrip()

    def _cut(self, items: list[tuple[int, tuple[int, Score]]]) -> list[tuple[int, tuple[int, Score]] | None]:
        """Return the ends of a list with None between them, or all of it."""
        if self.ends is None or len(items) <= 2 * self.ends + 1:
            return [*items]
        return [*items[: self.ends], None, *items[-self.ends :]]

    def _fit(self) -> Iterator[str]:
        fit = self.strengths.fit
        costs = [cost for cost in self.strengths.costs if cost is not None and cost > 0]
        if fit is None:
            return
        yield ""
        samples = sorted({min(costs), sorted(costs)[len(costs) // 2], max(costs)})
        parts = (f"{_amount(cost)}: {_band(fit.expected(cost), fit.band(cost))}" for cost in samples)
        yield f"usual score (and band) by cost: {'; '.join(parts)}"
        if self.strengths.agreement is not None:
            yield agreement_words(self.strengths.agreement)
        for side, words in _SIDES:
            outliers = self.strengths.outliers(side)
            yield f"{words} for the cost: {len(outliers):,}"
            yield from map(self._outlier, outliers[: self.ends])
            if self.ends and len(outliers) > self.ends:
                yield f"  and {len(outliers) - self.ends:,} more"

    def _outlier(self, standing: Standing) -> str:
        assert standing.expected is not None
        band = _band(standing.expected, (standing.low or 0.0, standing.high or 0.0))
        worth = self._worth(standing)
        counter = standing.cheap_counter if standing.cheap_counter is not None else standing.counter
        fears = f"; best counter: {self.balance.names[counter]}" if counter is not None else "; nobody beats it"
        name = self.balance.names[standing.place]
        return f"  {name} ({_amount(standing.cost)}): {_percent(standing.strength)}, usual {band}{worth}{fears}"

    def _worth(self, standing: Standing) -> str:
        """Return what a card is worth, in words; nothing if stronger cards do not cost more."""
        if standing.usual_cost:
            return f", worth about {standing.usual_cost:,.0f}"
        is_priced = self.strengths.fit and self.strengths.fit.slope > 0
        return f", worth far {'more' if standing.side == 'strong' else 'less'} than any card" if is_priced else ""

    def _groups(self, field: str, groups: Sequence[Group]) -> Iterator[str]:
        yield ""
        rows = [self._group_cells(group) for group in groups]
        cut = self.ends is not None and len(rows) > 2 * self.ends + 1
        shown = [*rows[: self.ends], None, *rows[-(self.ends or 0) :]] if cut else rows
        width = max(len(field) + 3, *(len(row[0]) for row in shown if row))
        yield f"{f'by {field}':<{width}} {'cards':>5} {'score':>7} {'surplus':>8} {'strong':>6} {'weak':>5}  best"
        for row in shown:
            if row is None:
                yield "…"
                continue
            name, count, score, surplus, strong, weak, best = row
            yield f"{name:<{width}} {count:>5} {score:>7} {surplus:>8} {strong:>6} {weak:>5}  {best}".rstrip()

    def _group_cells(self, group: Group) -> tuple[str, ...]:
        surplus = "" if group.surplus is None else _signed(group.surplus)
        counts = (str(len(group.places)), _percent(group.strength), surplus, str(group.strong), str(group.weak))
        return group.value, *counts, self.balance.names[group.best]

    def _adjustments(self) -> Iterator[str]:
        if self.report.adjustment_note:
            yield from ("", self.report.adjustment_note)
            return
        if not self.report.adjustments:
            return
        yield ""
        yield "changes to a single number that bring a card into the band:"
        for place, changes in self.report.adjustments.items():
            most = None if self.ends is None else _MOST_ADJUSTMENTS
            words = [
                f"{each.number} {_amount(each.old)} -> {_amount(each.new)} ({_percent(each.strength)})"
                for each in changes[:most]
            ]
            yield f"  {self.balance.names[place]}: {', '.join(words) or self._no_adjustment(place)}"

    def _no_adjustment(self, place: int) -> str:
        standing = self.strengths.by_place[place]
        if standing.side:
            return "none"
        return "it has no cost" if standing.expected is None else "none needed"

    def _teams(self) -> Iterator[str]:
        teams, request = self.report.teams, self.report.team_request
        if not teams or not request:
            return
        yield ""
        limit = f" of up to {_amount(request.points)} points" if request.points is not None else ""
        yield f"teams{limit}, {request.samples:,} battles for every two groups; errors hold in 95 of 100 cases:"
        shown = (
            teams if self.ends is None or len(teams) <= 2 * self.ends else [*teams[: self.ends], *teams[-self.ends :]]
        )
        width = max(len(each.group) for each in shown)
        for each in shown:
            overall = f"{_percent(each.overall.chance):>7} ± {_percent(each.overall.error)}"
            best, worst = (
                pick(each.against.items(), key=lambda pair: (pair[1].chance, pair[0]))[0] for pick in (max, min)
            )
            yield f"  {each.group:<{width}} {overall}  best against {best}, worst against {worst}"
            if len(shown) < len(teams) and each is shown[len(shown) // 2 - 1]:
                yield "  …"


def _gains(balance: Balance) -> Iterator[str]:
    for gain in balance.gains:
        yield (
            f"{gain.name}: {_signed(gain.mean)} on average; most for {gain.most[0]} ({_signed(gain.most[1])}), "
            f"least for {gain.least[0]} ({_signed(gain.least[1])})"
        )


def _cycles(balance: Balance) -> Iterator[str]:
    cycles = balance.cycles
    shown = cycles.clearest if cycles.count <= MOST_CYCLES else varied(cycles.clearest, MOST_CYCLES)
    for weakest, trio in shown:
        a, b, c = (balance.names[place] for place in trio)
        yield f"cycle: {a} > {b} > {c} > {a} (each at least {_percent(weakest)})"
    if cycles.count > len(shown):
        yield f"and {cycles.count - len(shown):,} more cycles"


def _band(expected: float, band: tuple[float, float]) -> str:
    return f"{_percent(expected)} ({_percent(band[0])} to {_percent(band[1])})"


def _amount(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _signed(gain: Score) -> str:
    return f"{'-' if gain < 0 else '+'}{_percent(max(gain, -gain))}"


def _percent(score: Score) -> str:
    return percent(Fraction(score))


def _versus(balance: Balance, place: int, other: int, width: int) -> str:
    score = balance.scores[place][other]
    return f"{balance.names[other]:<{width}} {_percent(score) if score is not None else '':>8}"
