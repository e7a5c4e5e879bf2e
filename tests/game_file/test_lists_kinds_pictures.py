"""Rosters show the pictures of their members, or their coats of arms."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.face.face import Picture
from cardgen.print.render import CardRenderer
from tests.game_file.games import BRAVE, HEADER, write_game

LIST = "lists:\n  band: {members: {kind: brave, min: 1, max: 4}, print: roster}\n"
BAND = "{kind: band, name: Hearth, art: art/hearth.png, members: [Ash, {Cinder: 2}, Soot]}"
BRAVES = "cards:\n- {kind: brave, name: Ash, heat: 3, art: {file: art/ash.png, fit: contain}}\n"
OTHERS = "cards:\n- {kind: brave, name: Cinder, heat: 3, art: auto}\n- {kind: brave, name: Soot, heat: 1}\n"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, HEADER + BRAVE + LIST, band=BAND, braves=BRAVES)
    picture = BytesIO()
    Image.new("RGB", (90, 90), "red").save(picture, "PNG")
    (tmp_path / "cards" / "far" / "art").mkdir(parents=True)
    (tmp_path / "cards" / "art").mkdir()
    (tmp_path / "cards" / "far" / "others.yaml").write_text(OTHERS, encoding="utf-8")
    for name in ("far/art/cinder.png", "art/ash.png", "art/hearth.png"):
        (tmp_path / "cards" / name).write_bytes(picture.getvalue())


def pictures() -> list[tuple[str, str]]:
    """Return the pictures on the roster, each with its fit."""
    project, deck = load_deck(())
    (band,) = (entry for entry in deck.cards if entry.kind == "band")
    piece, problems = CardRenderer(project).render_piece(band, backs=False)
    assert not problems
    items = [item for item in piece.front.items if isinstance(item, Picture)]
    return [(str(item.path.relative_to(project.root / "cards")), item.fit) for item in items]


def test_members_show_their_own_pictures() -> None:
    """They are looked up beside the file of the member."""
    assert pictures() == [("art/hearth.png", "cover"), ("art/ash.png", "contain"), ("far/art/cinder.png", "cover")]


def test_a_missing_picture_of_a_member_is_an_error_at_the_member(tmp_path: Path) -> None:
    (tmp_path / "cards" / "art" / "ash.png").unlink()
    with pytest.raises(CardgenError, match=r"cards/braves.yaml:2:\d+: error.*'art/ash.png' not found"):
        pictures()


def test_a_picture_of_a_card_that_is_not_named_is_an_error(tmp_path: Path) -> None:
    template = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n'
    template += '<cg:art of="brave/Embers" x="0" y="0" width="9" height="9"/></svg>'
    (tmp_path / "games" / "ember" / "templates" / "band.svg.j2").write_text(template, encoding="utf-8")
    with pytest.raises(CardgenError, match=r"band.svg.j2:2:\d+: error.*no reference to brave 'Embers'"):
        pictures()
