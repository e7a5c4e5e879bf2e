from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.target.print.orders import ordered


def test_each_side_is_a_picture_and_each_size_a_cut(tmp_path: Path) -> None:
    ordered("cricut", tmp_path, "minion", "token")
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["cut-25x25mm-round.svg", "cut-63x88mm.svg"]
    with Image.open(min((tmp_path / "fronts").iterdir())) as picture:
        bleed = (picture.width / 300 * 25.4 - 63) / 2
    cut = (tmp_path / "cut-63x88mm.svg").read_text()
    assert f'width="{63 + 2 * bleed:.0f}mm"' in cut
    assert 'rx="3"' in cut


def test_proxies_rulers_and_rosters_have_square_corners(tmp_path: Path) -> None:
    """The scale of a ruler ends at its cut, and the tabs of a figure are as wide as its base."""
    ordered("cricut", tmp_path, "ruler", "standee", "warband", "relic", qty=1)
    cuts = {path.name: path.read_text() for path in tmp_path.glob("*.svg")}
    assert {name for name, cut in cuts.items() if 'rx="3"' in cut} == {"cut-41x63mm.svg"}
    assert "cut-190x250mm-square.svg" in cuts
    assert "cut-150x22mm-square.svg" in cuts
