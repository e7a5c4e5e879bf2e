"""Shared by tests of the web page: a project with a game of its own, and what its page contains."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, ExportResult, export
from tests.projects import BACK, Folder

GAME = """\
game: harbor
name: Harbor
prefix: HB
size: 30mm x 40mm
kinds:
  boat:
    fields:
      crew: {type: choice, choices: [smugglers, harbor-guard], label: Crew of}
      points: {type: integer, min: 0, max: 99, label: Price}
      hull: {type: integer, min: 0, max: 9, default: 0}
      swift: {type: flag}
      cargo: {type: list, items: {type: text}}
      paint: {type: colour, optional: true}
      flag_art: {type: choice, choices: [star, moon], optional: true, aspect: looks}
      lore: {type: text, optional: true}
  buoy:
    fields:
      bell: {type: flag}
"""
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&amp;"
BOATS = f"""\
game: harbor
kind: boat
cards:
  - {{name: Élan, crew: smugglers, points: 10, hull: 2, swift: true, cargo: [Rum, Silk], paint: "#aabbcc", flag_art: star, credit: Ada, tags: [old-town], note: a secret}}
  - {{name: {json.dumps(HOSTILE)}, crew: harbor-guard, points: 20, cargo: [Rum], lore: {json.dumps(HOSTILE)}, credit: Ada}}
  - {{name: سفينة, crew: harbor-guard, points: 12, hull: 9, flag_art: moon, credit: Bo}}
"""  # noqa: E501
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<rect width="{{ width }}" height="{{ height }}" fill="#{{ card.id[:1] == 'e' and 'eee' or 'ddd' }}"/>
<cg:text x="2" y="2" width="{{ width - 4 }}" height="9" style="body" min-size="2" field="points">{{ card.points }}</cg:text>
{% if card.lore %}<cg:text x="2" y="12" width="26" height="26" style="body" min-size="2" field="lore">{{ card.lore }}</cg:text>{% endif %}
</svg>
"""  # noqa: E501


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


class Page(NamedTuple):
    """A page as text, its elements, and the data of its script."""

    text: str
    tags: list[tuple[str, dict[str, str | None]]]
    data: dict[str, Any]

    @classmethod
    def of(cls, path: Path) -> Page:
        text = path.read_text(encoding="utf-8")
        outline = _Outline()
        outline.feed(text)
        (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
        return cls(text, outline.tags, json.loads(data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def fields(self) -> dict[str, tuple[str, list[str], list[Any]]]:
        """The label, the choices, and the values of all cards of each field, by key."""
        columns = list(zip(*self.data["values"], strict=True))
        return {
            each["key"]: (each["label"], each["choices"], list(column))
            for each, column in zip(self.data["fields"], columns, strict=True)
        }


def harbor(folder: Folder) -> Folder:
    """Write a project with a game of its own, and cards whose names are hostile or in other scripts."""
    folder.write("cardgen.yaml", "game: harbor\n")
    folder.write("games/harbor/game.yaml", GAME)
    folder.write("games/harbor/templates/boat.svg.j2", FRONT)
    folder.write("games/harbor/templates/boat.back.svg.j2", BACK)
    folder.write("cards/boats.yaml", BOATS)
    return folder


def write_page(folder: Folder, options: dict[str, Any] | None = None, **build: Any) -> tuple[Page, ExportResult]:
    """Export the web page of a project to the folder `out`."""
    request = BuildRequest(output=folder.root / "out", jobs=1, **build)
    result = export(ExportRequest("web", request, {"dpi": 40} | (options or {})))
    return Page.of(folder.root / "out" / "index.html"), result
