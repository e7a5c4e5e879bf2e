"""What all digital tables share."""

from __future__ import annotations

import shutil

import pytest

from cardgen.project.files import built_in_folder
from tests.projects import Folder
from tests.target.exports import TABLETOPS, run_export, small_project


@pytest.mark.parametrize("target", TABLETOPS)
def test_two_games_share_an_export(folder: Folder, target: str) -> None:
    for game, name in (("warniris", "tokens"), ("warcry", "tokens"), ("warniris", "relics"), ("warcry", "blessings")):
        path = built_in_folder("cards") / game / f"{name}.yaml"
        folder.write(f"cards/{game}-{name}.yaml", path.read_bytes())
    result = run_export(target, folder)
    assert result.cards > 20
    assert result.outcome.counts


@pytest.mark.parametrize("target", TABLETOPS)
def test_a_whole_kit_has_a_form_for_each_piece(folder: Folder, target: str) -> None:
    shutil.copytree(built_in_folder("cards") / "warniris", folder.root / "cards")
    result = run_export(target, folder, kit=True)
    notes = " ".join(result.outcome.notes)
    for kind in ("cylinder", "standee", "blank", "ruler", "warband"):
        assert kind in notes
    # 39 cards and 3 tokens; 2 rulers and 3 rosters where there are tiles.
    assert result.cards == (42 if target == "cgs" else 47)


ACCESSORIES = """\
cards:
  - {kind: box, name: Deck, holds: 40}
  - {kind: dial, name: Bo, most: 12}
  - {kind: mat, name: Field}
"""


@pytest.mark.parametrize("target", TABLETOPS)
def test_mats_are_tiles_and_boxes_stay_behind(folder: Folder, target: str) -> None:
    folder.plain().minions("Brute")
    folder.write("cards/accessories.yaml", ACCESSORIES)
    result = run_export(target, folder)
    notes = " ".join(result.outcome.notes)
    assert "skipped box, dial" in notes
    assert result.cards == (1 if target == "cgs" else 2)


GAME = """\
game: dock
name: The Dock
prefix: DK
kinds:
  place:
    fields: {sort: {type: choice, choices: [quay, shed]}}
    size: {by: sort, quay: tarot, shed: poker}
"""


def test_kinds_with_several_sizes_are_decks_by_size(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: dock\n")
    folder.write("games/dock/game.yaml", GAME)
    cards = [
        f"  - {{kind: place, name: {name}, sort: {sort}}}"
        for name, sort in zip("ABC", ("quay", "shed", "quay"), strict=True)
    ]
    folder.write("cards/places.yaml", "cards:\n" + "\n".join(cards) + "\n")
    result = run_export("tts", folder)
    assert (result.outcome.counts["decks"], result.outcome.counts["tiles"]) == (2, 0)
    assert not any("tiles" in note for note in result.outcome.notes)


def test_decks_have_the_names_of_their_kinds_in_the_language_of_the_cards(folder: Folder) -> None:
    small_project(folder).write("cardgen.yaml", "languages: [de]\n")
    run_export("tts", folder, language=("de",))
    (file,) = (folder.root / "out/de").glob("*.json")
    names = file.read_text(encoding="utf-8")
    assert '"Scherge"' in names
    assert '"Minion"' not in names
