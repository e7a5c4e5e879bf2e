"""Sheets by WeasyPrint.

Run `python weasyprint_sheets.py CARDS OUT [COUNT]` in the folder of the material.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import yaml
from weasyprint import HTML

COLUMNS = (("R", 44.3), ("P", 49.7), ("D", 55.1), ("H", 60.5))


def main(source: str, target: str, most: str = "1000000") -> None:
    """Write the sheets."""
    cards = yaml.load(Path(source).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)[: int(most)]
    page = (Path(__file__).parent / "sheets.html.j2").read_text(encoding="utf-8")
    html = jinja2.Environment(autoescape=True).from_string(page).render(cards=cards, columns=COLUMNS)
    HTML(string=html, base_url=str(Path.cwd())).write_pdf(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
