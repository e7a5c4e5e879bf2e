"""Names on the maps of scenarios lie over no terrain, no marker, no line of the table, and no other name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from cardgen.face.face import Text
from cardgen.text.lines import Run
from cardgen.units import MM_PER_POINT, Box
from tests.templates.sitters import Sitter, identity, sitters

ROOT = Path(__file__).parents[2]
SCENARIOS = sitters({"scenario"}, ROOT / "cards/skirmish", Path(__file__).parent / "cards/skirmish.yaml")
ROUND = {"wood", "water", "rocks", "rubble", "hill"}
# The left edge of the map on the card, and its largest sides, in mm.
LEFT, WIDEST, HIGHEST = 5.3, 94.4, 61.0


def top_of(card: Any) -> float:
    """Return the upper edge of the map, which is lower below the bar of a north edge."""
    return 24.0 if any(each.edge == "north" for each in card.edges) else 23.0


def scale_of(card: Any) -> float:
    return float(min(WIDEST / card.table_width, HIGHEST / card.table_depth))


def on_map(card: Any, left: float, top: float, width: float, depth: float) -> Box:
    scale = scale_of(card)
    return Box(LEFT + left * scale, top_of(card) + top * scale, width * scale, depth * scale)


def names(sitter: Sitter) -> Iterator[tuple[str, Box]]:
    """Yield the words on the map and what they cover, from the tops of the letters to the baseline."""
    card: Any = sitter.entry.card
    table = on_map(card, 0, 0, card.table_width, card.table_depth)
    for item in (each for each in sitter.face().items if isinstance(each, Text)):
        for line in item.lines:
            for piece in line.pieces:
                tall = piece.size * MM_PER_POINT * 0.6
                box = Box(item.matrix[4] + piece.x, item.matrix[5] + piece.y - tall, piece.width, tall)
                if isinstance(piece, Run) and piece.text.strip() and overlap(box, table):
                    yield piece.text, box


def overlap(one: Box, other: Box) -> bool:
    across = one.x + 0.05 < other.x + other.width and other.x + 0.05 < one.x + one.width
    return across and one.y + 0.05 < other.y + other.height and other.y + 0.05 < one.y + one.height


@pytest.mark.parametrize("sitter", SCENARIOS, ids=identity)
def test_names_lie_over_nothing(sitter: Sitter) -> None:
    card: Any = sitter.entry.card
    found = list(names(sitter))
    assert len(found) >= len(card.zones)
    assert [(a, b) for (a, one), (b, other) in combinations(found, 2) if overlap(one, other)] == []
    zones = [
        (words, box) for words, box in found if any(words.strip(" :") in f"{z.name}: {z.side}" for z in card.zones)
    ]
    terrain = [(each.name, on_map(card, each.left, each.top, each.width, each.depth)) for each in card.terrain]
    of_zones = [(words, box) for words, box in zones if not any(words in name for name, _ in terrain)]
    assert [(words, name) for words, box in of_zones for name, rock in terrain if overlap(box, rock)] == []
    markers = [on_map(card, each.left, each.top, 0, 0) for each in card.markers]
    around = [Box(each.x - 2.2, each.y - 2.2, 4.4, 4.4) for each in markers]
    assert [words for words, box in found if len(words) > 1 for mark in around if overlap(box, mark)] == []
    foot = top_of(card) + card.table_depth * scale_of(card)
    assert [words for words, box in of_zones if box.y + box.height > foot - 0.6] == []
    for words, box in zones:
        lines = [on_map(card, each.left, each.top, each.width, each.depth) for each in card.zones]
        assert not any(line.x - 0.9 < box.x < line.x + 0.9 and overlap(box, line) for line in lines), words


@pytest.mark.parametrize("sitter", SCENARIOS, ids=identity)
def test_names_of_terrain_keep_clear_of_its_outline(sitter: Sitter) -> None:
    """Round features have corners with the radius of their shorter side divided by 2.6, as they are drawn."""
    card: Any = sitter.entry.card
    for words, box in names(sitter):
        for each in card.terrain:
            rock = on_map(card, each.left, each.top, each.width, each.depth)
            if len(words) < 2 or words.strip(' 0123456789"') not in each.name or not overlap(box, rock):
                continue
            assert box.y > rock.y + 0.5 and box.y + box.height < rock.y + rock.height - 0.5, words
            radius = min(rock.width, rock.height) / 2.6 if each.what in ROUND else 0.0
            depth = min(box.y - rock.y, rock.y + rock.height - box.y - box.height, radius)
            inset = radius - (radius**2 - (radius - depth) ** 2) ** 0.5 + 0.7
            assert rock.x + inset < box.x and box.x + box.width < rock.x + rock.width - inset, words


def test_the_legend_gives_the_level_of_every_numbered_feature() -> None:
    for sitter in SCENARIOS:
        svg = sitter.svg("default", "front").replace("&#34;", '"').replace("&quot;", '"')
        legend = re.findall(r'field="terrain">([^<]*)<', svg)[0]
        levels = {each.name: each.level for each in sitter.entry.card.terrain}  # type: ignore[attr-defined]
        for name in re.findall(r"\*\*\d+\*\* ([^,.\d]+?)(?= \d|[,.])", legend):
            assert not levels[name] or f'{name} {levels[name]}"' in legend
