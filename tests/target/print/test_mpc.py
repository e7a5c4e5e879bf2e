from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from tests.target.print.orders import ordered


def tags(element: ElementTree.Element) -> set[str]:
    return {f"{parent.tag}/{child.tag}" for parent in element.iter() for child in parent}


def slots(order: ElementTree.Element, side: str) -> list[int]:
    return [int(slot) for text in order.iterfind(f"{side}/card/slots") for slot in (text.text or "").split(",")]


def test_each_copy_is_a_slot_and_each_picture_a_file(tmp_path: Path) -> None:
    result = ordered("mpc", tmp_path)
    order = ElementTree.parse(tmp_path / "cards.xml").getroot()
    assert result.copies == result.outcome.counts["slots"] == int(order.findtext("details/quantity") or 0)
    assert sorted(slots(order, "fronts")) == list(range(result.copies))
    files = [Path(each.text or "") for each in (*order.iterfind("*/card/id"), *order.iterfind("cardback"))]
    assert all(path.is_file() for path in files)
    assert {path for path in result.files if path.suffix == ".png"} == set(files)


def test_pictures_have_an_eighth_of_an_inch_of_bleed_at_300_dpi(tmp_path: Path) -> None:
    for path in ordered("mpc", tmp_path).files:
        if path.suffix == ".png":
            with Image.open(path) as picture:
                assert picture.size == (round((63 + 6.35) / 25.4 * 300), round((88 + 6.35) / 25.4 * 300))
                assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_order_has_the_form_of_a_real_one(tmp_path: Path) -> None:
    folder = os.environ.get("CARDGEN_REAL_FILES")
    if not folder:
        pytest.skip("CARDGEN_REAL_FILES is not set")
    real = ElementTree.parse(Path(folder) / "mpc" / "test_order.xml").getroot()
    ordered("mpc", tmp_path)
    ours = ElementTree.parse(tmp_path / "cards.xml").getroot()
    assert tags(real) <= tags(ours)
    assert tags(ours) - tags(real) <= {"card/sourceType", "order/backs", "backs/card"}
    assert slots(real, "fronts")
    assert real.findtext("details/stock") == ours.findtext("details/stock")


def test_an_order_has_a_limit(tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match="at most 612 cards"):
        ordered("mpc", tmp_path, qty=500)
    assert not list(tmp_path.iterdir())


def test_pieces_of_other_sizes_are_named(tmp_path: Path) -> None:
    (note, _) = ordered("mpc", tmp_path, "minion", "relic").outcome.notes
    assert "relic (41 x 63 mm)" in note
    with pytest.raises(CardgenError, match="does not cut pieces of 41 x 63 mm"):
        ordered("mpc", tmp_path, "relic")


def test_the_same_cards_give_the_same_files(tmp_path: Path) -> None:
    first = {path: path.read_bytes() for path in ordered("mpc", tmp_path).files}
    assert {path: path.read_bytes() for path in ordered("mpc", tmp_path).files} == first
