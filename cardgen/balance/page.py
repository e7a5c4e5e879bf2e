"""The balance report as data for a web page."""

from __future__ import annotations

from base64 import b64encode

from cardgen.balance.report import BalanceReport
from cardgen.balance.strengths import Standing, Strengths, agreement_words, field_texts, fit_curve
from cardgen.export import web_page
from cardgen.referee.scores import cluster_order, varied
from cardgen.referee.trial import MOST_LEFT_OUT

# The page lists this many cycles, and draws scores in steps of 1/254.
MOST_CYCLES, SCORE_STEPS = 200, 254
_DIGITS = 5


def as_html(report: BalanceReport) -> bytes:
    """Return the page."""
    count = len(report.balance.names)
    return web_page.write("cardgen.export.balance", f"Balance of {count:,} cards", page_data(report))


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
