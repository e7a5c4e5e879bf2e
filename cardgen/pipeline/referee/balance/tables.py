"""The balance report as data: JSON, CSV, Arrow, Parquet, and the heat map as a picture."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import charts
from cardgen.pipeline.referee import run
from cardgen.pipeline.referee.balance.card_fields import field_texts
from cardgen.pipeline.referee.balance.report import BalanceReport
from cardgen.pipeline.referee.balance.result import Balance
from cardgen.pipeline.referee.balance.strengths import Standing
from cardgen.pipeline.referee.balance.teams import Estimate
from cardgen.referee.scores import Score
from cardgen.referee.trial import MOST_LEFT_OUT, NOT_ADJUDICATED, not_adjudicated_lines
from cardgen.runtime.extras import install_advice

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
        yield run.csv_table([*rows[0]], [[_csv_cell(cell) for cell in row.values()] for row in rows])
        return
    balance = report.balance
    yield run.csv_table(_PAIR_HEAD, ())
    for competitor, scores in zip(balance.competitors, balance.scores, strict=True):
        pairs = zip(balance.competitors, scores, strict=True)
        yield run.csv_rows(
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
        else run.exact_and_decimal(score)
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
