"""Rosters of few members and hordes fill their page, and nothing leaves its band."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cardgen.project_checks.arrangement import pieces_of
from cardgen.project_checks.edges import edges_of
from cardgen.text.lines import Fit, Run
from cardgen.units import MM_PER_POINT
from tests.templates.sitters import KIT, THEMES, Sitter, sitters

SVG = "{http://www.w3.org/2000/svg}"
MEMBERS = ("Halvane Doru", "The Cartographer", "Sister Ember", "Tamsin of the Nine Locks")
RELICS = ("Disruptor Module", "Camo Cloak", "Iron Halo", "Sacred Chalice")
CHOIR = ("soot-acolyte", "coal-whelp", "ash-dancer", "cantor-of-cinders", "reaper-of-slag")
FOOT = 193


def roster(folder: Path, keys: str) -> Sitter:
    file = folder / "roster.yaml"
    file.write_text(f"kind: warband\nname: Few\n{keys}\n", encoding="utf-8")
    (found,) = (each for each in sitters(("warband",), file, KIT) if each.entry.card.name == "Few")
    return found


def bands(svg: str) -> list[tuple[float, float]]:
    """Return the upper and lower edge of each member's frame, which begins at the left margin."""
    frames = re.findall(r'<path d="M8\.4 ([\d.]+)H[^"]*" fill="none" stroke="#[0-9a-f]{6}" stroke-width="0\.3"', svg)
    lower = re.findall(r"A1\.4 1\.4 0 0 0 7 ([\d.]+)V", svg)
    return [(float(top), float(foot) + 1.4) for top, foot in zip(frames, lower, strict=True)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_members_or_notes_fill_the_page(tmp_path: Path, count: int) -> None:
    members = ", ".join(
        f"{{character: {name}, relic: {relic}}}" for name, relic in zip(MEMBERS[:count], RELICS, strict=False)
    )
    few = roster(tmp_path, f"members: [{members}]")
    svg = few.svg("default", "front")
    edges = bands(svg)
    assert len(edges) == count
    notes = [float(y) for y in re.findall(r'cg:field name="Note \d+" x="7" y="([\d.]+)"', svg)]
    lowest = max([foot for _, foot in edges] + [y + 8 for y in notes])
    assert FOOT - 12 <= lowest <= FOOT
    assert bool(notes) is (count < 3)
    for theme in THEMES:
        assert min(fit.size for fit in few.face(theme).fits if isinstance(fit, Fit)) >= 7


@pytest.mark.parametrize("quantities", [(4,), (20, 21), (10, 6, 4), (60, 41, 40, 21, 20), (100, 61)])
def test_every_miniature_of_a_horde_has_a_circle_in_its_band(tmp_path: Path, quantities: tuple[int, ...]) -> None:
    horde = ", ".join(f"{{minion: Brute, qty: {qty}}}" for qty in quantities)
    svg = roster(tmp_path, f"minions: [{horde}]").svg("default", "front")
    edges = bands(svg)
    groups = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.find(f"{SVG}circle") is not None]
    crowds = [group for group in groups if group.get("stroke-width") == "0.35"]
    assert [len(group.findall(f"{SVG}circle")) for group in crowds] == list(quantities)
    for group, (top, foot) in zip(crowds, edges, strict=True):
        places = [[float(each.get(key, 0)) for key in ("cx", "cy", "r")] for each in group.findall(f"{SVG}circle")]
        for x, y, r in places:
            assert top + 1 < y - r and y + r < foot - 1
            assert x + r < 7 + 176
        for one, (x, y, r) in enumerate(places):
            for other_x, other_y, _ in places[one + 1 :]:
                assert (x - other_x) ** 2 + (y - other_y) ** 2 > (2 * r) ** 2


def test_a_small_horde_leaves_room_for_notes_and_has_large_type(tmp_path: Path) -> None:
    horde = roster(
        tmp_path, "minions: [{minion: Sentinel, qty: 10}, {minion: Brute, qty: 6}, {minion: Sorcerer, qty: 4}]"
    )
    svg = horde.svg("default", "front")
    assert max(foot - top for top, foot in bands(svg)) < 30
    assert 'cg:field name="Note 7"' in svg
    rules = [float(y) for y in re.findall(r'd="M7 ([\d.]+)H183(?:\.0)?"', svg)]
    assert max(y for y in rules if y < FOOT) <= 196.6 - 8
    assert svg.count('style="body" size="11pt"') == 3


@pytest.mark.parametrize("quantities", [(9,), (9, 2, 4), (3, 3, 3, 3, 2)])
def test_every_fighter_of_a_warcry_horde_has_its_circles_in_its_row(
    tmp_path: Path, quantities: tuple[int, ...]
) -> None:
    others = "\n".join(f"  - {{fighter: {name}, qty: {qty}}}" for name, qty in zip(CHOIR, quantities, strict=False))
    file = tmp_path / "roster.yaml"
    file.write_text(
        "game: warcry\nkind: warband\nname: Few\ntrait: seared-wounds\nmembers:\n"
        f"  - {{fighter: the-kindled-abbess, leader: true}}\n{others}\n",
        encoding="utf-8",
    )
    (few,) = (each for each in sitters(("warband",), file, KIT) if each.entry.card.name == "Few")
    fits = few.face("default").fits
    assert all(fit.ok for fit in fits), [fit for fit in fits if not fit.ok]


def test_texts_of_a_warcry_roster_keep_clear_of_the_rules_of_their_rows() -> None:
    longest = Path(__file__).parent / "cards" / "warcry-pieces.yaml"
    rosters = [*sitters(("warband",), KIT.parent / "warcry"), *sitters(("warband",), longest)]
    assert {"Fifteen", "The Last Lanterns"} <= {each.entry.card.name for each in rosters}
    for each in rosters:
        face = each.face()
        rules = edges_of(face).rules
        least = 1.4 if each.entry.card.name == "The Ember Choir" else 0.4
        rows = [rule.y1 for rule in rules if abs(rule.x2 - rule.x1) > 170 and rule.y1 == rule.y2 and 46 < rule.y1 < 182]
        assert rows, each.entry.card.name
        for run, _, _ in pieces_of(face):
            if isinstance(run, Run) and 19 < run.x < 145 and rows[0] - 20 < run.y < 181.5:
                em = run.size * MM_PER_POINT
                for y in rows:
                    gap = max(y - run.y - 0.2 * em, run.y - 0.7 * em - y)
                    assert gap > least, (each.entry.card.name, run.text, gap)


def test_circles_of_warcry_fighters_are_large_enough_to_mark_and_numbered_for_several() -> None:
    longest = Path(__file__).parent / "cards" / "warcry-pieces.yaml"
    for each in [*sitters(("warband",), KIT.parent / "warcry"), *sitters(("warband",), longest)]:
        svg = each.svg("default", "front")
        sizes = [float(wide) for wide in re.findall(r'name="Damage [^>]*? width="([\d.]+)"', svg)]
        assert sizes
        assert min(sizes) >= (3 if each.entry.card.name == "Fifteen" else 3.2)
        several = [member.qty for member in each.entry.card.members if member.qty > 1]  # type: ignore[attr-defined]
        numbers = re.findall(r'style="note" text-anchor="middle">(\d)</text>', svg)
        assert numbers.count("2") >= len(several)
