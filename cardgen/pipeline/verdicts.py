"""Exact answers as text, JSON, CSV or a picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import files
from cardgen.referee import plot
from cardgen.referee.codes import Code
from cardgen.referee.figures import bar, decimal, percent, short_fraction
from cardgen.rulesets.adjudication import OddsTable

BAR_WIDTH, DECIMAL_DIGITS = 30, 15
PLOT_SUFFIXES = (".svg", ".png")


def odds_as_text(figures: Sequence[OddsTable]) -> list[str]:
    """Tables with bars, for a terminal."""
    lines = []
    for each in figures:
        lines += ["", each.title]
        rows = (*each.parts, *each.chances)
        width = max((len(words) for words, _ in (*rows, *each.means)), default=0)
        for words, value in rows:
            line = f"  {words:<{width}}  {percent(value, 2):>9}  {bar(value, BAR_WIDTH)}  {short_fraction(value)}"
            lines.append(line.rstrip())
        lines += [
            f"  {words:<{width}}  {decimal(value, 4):>9}  {short_fraction(value)}".rstrip()
            for words, value in each.means
        ]
    return lines[1:]


def odds_as_json(figures: Sequence[OddsTable], about: dict[str, object]) -> str:
    """Every figure as an exact fraction and as a decimal, with the rulings and the policy under which it holds."""
    tables = [
        {
            "title": each.title,
            **{name: _exact_and_decimal(getattr(each, name)) for name in ("parts", "chances", "means")},
        }
        for each in figures
    ]
    return json.dumps({**about, "tables": tables}, ensure_ascii=False, indent=2) + "\n"


def _exact_and_decimal(rows: Sequence[tuple[str, Fraction]]) -> dict[str, dict[str, str]]:
    return {words: {"exact": str(value), "decimal": decimal(value, DECIMAL_DIGITS)} for words, value in rows}


def odds_as_csv(figures: Sequence[OddsTable]) -> str:
    """One row a figure: title, words, exact fraction, decimal."""
    rows = [
        (each.title, words, str(value), decimal(value, DECIMAL_DIGITS))
        for each in figures
        for words, value in (*each.parts, *each.chances, *each.means)
    ]
    return csv_table(("table", "what", "exact", "decimal"), rows)


def csv_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def write_plot(path: Path, svg: str) -> None:
    """Write a picture as SVG or PNG, by the file's name. Raises CardgenError for another name."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        message = f"'{path.name}' is no picture's name"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--plot"), "write FILE.svg or FILE.png"))
    from cardgen.export import charts  # loaded here, so that tables do not wait for libraries that draw

    files.write(path, svg.encode() if path.suffix.lower() == ".svg" else charts.rasterize_svg(svg))


def odds_plot(figures: Sequence[OddsTable]) -> str:
    """A picture of all chances."""
    return plot.bar_chart(
        [(each.title, (*each.parts, *each.chances)) for each in figures if each.parts or each.chances]
    )
