"""Pieces that are larger than the paper do not keep the others from being printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from tests.game_file.games import BRAVE, HEADER, write_game

LIST = "lists:\n  band: {members: {kind: brave, min: 1, max: 4}, print: roster}\n"
CARDS = """
cards:
- {kind: brave, name: Ash, heat: 3}
- {kind: band, name: The Last Hearth, members: [Ash]}
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE + LIST, cards=CARDS)


@pytest.mark.parametrize(
    ("request_", "files"),
    [
        (BuildRequest(paper="a5"), ["ember-brave-a5.pdf"]),
        (BuildRequest(paper="a5", layout="packed"), ["ember-brave-a5.pdf"]),
        (BuildRequest(sprue="a4-mini-usa"), ["ember-brave-a4-mini-usa.pdf"]),
        (BuildRequest(paper="a5", warband="The Last Hearth"), ["the-last-hearth-cards-a5.pdf"]),
    ],
)
def test_a_roster_larger_than_the_paper_is_skipped(request_: BuildRequest, files: list[str]) -> None:
    result = build(request_)
    assert [path.name for path in result.files] == files
    (skipped,) = result.skipped
    assert (skipped.kind, skipped.name, result.cards) == ("band", "The Last Hearth", 1)
    (problem,) = skipped.problems
    assert problem.startswith("cards/cards.yaml:4:")
    assert "warning[" in problem
    assert problem.endswith("; print it on a4: cardgen build --paper a4 --only the-last-hearth")


def test_faces_need_no_paper() -> None:
    result = build(BuildRequest(paper="a5", formats=("pdf", "png"), backs="none"))
    assert [path.name for path in result.files] == [
        "ember-brave-a5.pdf", "001-the-last-hearth-front.png", "001-ash-front.png",
    ]  # fmt: skip
    assert len(result.skipped) == 1


def test_a_piece_alone_that_is_larger_than_the_paper_is_an_error() -> None:
    with pytest.raises(CardgenError, match="does not fit on paper of 148 x 210 mm"):
        build(BuildRequest(paper="a5", only=("band",)))


@pytest.mark.parametrize("layout", ["grid", "packed"])
@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ("paper: a5", "print it on a4: cardgen build --paper a4 --only big"),
        ("backs: gutterfold", "print it on a whole sheet: cardgen build --backs none --only big"),
    ],
)
def test_a_card_larger_than_its_sheet_is_skipped(tmp_path: Path, layout: str, settings: str, advice: str) -> None:
    big = "{kind: brave, name: Big, heat: 2, size: 180mm x 240mm}"
    (tmp_path / "cards" / "b.yaml").write_text(big, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text(f"game: ember\n{settings}\n", encoding="utf-8")
    result = build(BuildRequest(layout=layout, only=("brave",)))
    assert result.cards == 1
    (skipped,) = result.skipped
    (problem,) = skipped.problems
    assert skipped.name == "Big"
    assert "warning[CG523]" in problem
    assert problem.endswith(advice)
