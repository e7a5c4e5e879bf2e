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
from cardgen.referee.figures import bar, decimal, exact, percent
from cardgen.rulesets.adjudication import Figures

WIDTH, DIGITS = 30, 15
PICTURES = (".svg", ".png")


def as_text(figures: Sequence[Figures]) -> list[str]:
    """Tables with bars, for a terminal."""
    lines = []
    for each in figures:
        lines += ["", each.title]
        rows = (*each.parts, *each.chances)
        width = max((len(words) for words, _ in (*rows, *each.means)), default=0)
        for words, value in rows:
            line = f"  {words:<{width}}  {percent(value, 2):>9}  {bar(value, WIDTH)}  {exact(value)}"
            lines.append(line.rstrip())
        lines += [f"  {words:<{width}}  {decimal(value, 4):>9}  {exact(value)}".rstrip() for words, value in each.means]
    return lines[1:]


def as_json(figures: Sequence[Figures], about: dict[str, object]) -> str:
    """Every figure as an exact fraction and as a decimal, with the rulings and the policy under which it holds."""
    tables = [
        {"title": each.title, **{name: _values(getattr(each, name)) for name in ("parts", "chances", "means")}}
        for each in figures
    ]
    return json.dumps({**about, "tables": tables}, ensure_ascii=False, indent=2) + "\n"


def _values(rows: Sequence[tuple[str, Fraction]]) -> dict[str, dict[str, str]]:
    return {words: {"exact": str(value), "decimal": decimal(value, DIGITS)} for words, value in rows}


def as_csv(figures: Sequence[Figures]) -> str:
    """One row a figure: title, words, exact fraction, decimal."""
    rows = [
        (each.title, words, str(value), decimal(value, DIGITS))
        for each in figures
        for words, value in (*each.parts, *each.chances, *each.means)
    ]
    return table(("table", "what", "exact", "decimal"), rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def draw(path: Path, svg: str) -> None:
    """Write a picture as SVG or PNG, by the file's name. Raises CardgenError for another name."""
    if path.suffix.lower() not in PICTURES:
        message = f"'{path.name}' is no picture's name"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--plot"), "write FILE.svg or FILE.png"))
    from cardgen.export import charts  # loaded here, so that tables do not wait for libraries that draw

    files.write(path, svg.encode() if path.suffix.lower() == ".svg" else charts.png(svg))


def bars(figures: Sequence[Figures]) -> str:
    """A picture of all chances."""
    return plot.bars([(each.title, (*each.parts, *each.chances)) for each in figures if each.parts or each.chances])
