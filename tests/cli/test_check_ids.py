"""Ids of released cards: they stay, as the id of a card or under `formerly`, and references follow them."""

from __future__ import annotations

import pytest

from tests.cli.commands import Program
from tests.projects import Folder

STATS = "stats: {M: 3, B: 2, S: 2, W: 5, Mo: 10}"
SINGER = f"kind: character\nname: NAME\n{STATS}\nweapons: [Saber: CW R1 P1 D1]\n"
OTHER = SINGER.replace("NAME", "Warp Chandler").replace("M: 3", "M: 2")
BAND = "kind: warband\nname: Few\nmembers:\n- character: REFERENCE\n- character: warp-chandler\n"
ALIAS = "formerly: warp-channeler\n"


@pytest.fixture
def released(folder: Folder, cardgen: Program) -> Folder:
    """A project with a release in which a card has the id 'warp-channeler'."""
    folder.plain().write("cards/singer.yaml", SINGER.replace("NAME", "Warp Channeler"))
    folder.write("cards/other.yaml", OTHER)
    folder.write("cards/band.yaml", BAND.replace("REFERENCE", "warp-channeler"))
    assert cardgen("release", "v1").code == 0
    return folder


def found(cardgen: Program, *arguments: str) -> list[str]:
    return cardgen("check", "--format", "concise", *arguments).out.splitlines()[:-1]


def test_a_released_id_that_is_gone_is_a_finding_at_the_renamed_card(released: Folder, cardgen: Program) -> None:
    assert found(cardgen) == []
    released.write("cards/singer.yaml", SINGER.replace("NAME", "Void Singer"))
    text = cardgen("check").out
    assert "cards/singer.yaml:2:7: warning[CG133]: no card has the id 'warp-channeler' of the release v1" in text
    # The reference suggests the renamed card, not the stranger with a similar name.
    assert text.count("if 'Void Singer' is that card, add the line 'formerly: warp-channeler'") == 2
    assert "did you mean" not in text
    assert not any("CG133" in each for each in found(cardgen, "cards/band.yaml"))


def test_without_a_similar_card_the_line_of_the_release_is_named(released: Folder, cardgen: Program) -> None:
    (released.root / "cards/singer.yaml").unlink()
    released.write("cards/band.yaml", BAND.replace("REFERENCE", "warp-chandler"))
    (lost,) = (each for each in found(cardgen) if "CG133" in each)
    line = int(lost.split(":")[1])
    assert (released.root / "releases/v1.yaml").read_text("utf-8").splitlines()[line - 1] == "- id: warp-channeler"
    released.write("cardgen.yaml", "game: warniris\nretired: [warp-channeler]\n")
    assert not any("CG133" in each for each in found(cardgen))


def test_a_card_with_mistakes_is_not_taken_for_lost(released: Folder, cardgen: Program) -> None:
    text = SINGER.replace("NAME", "Warp Channeler")
    released.write("cards/singer.yaml", text.replace("M: 3", "M: 99"))
    assert not any("CG133" in each for each in found(cardgen))
    released.write("cards/singer.yaml", text.replace("kind:", "kind: ["))
    assert not any("CG133" in each for each in found(cardgen))


@pytest.mark.parametrize(
    ("reference", "new"),
    [("warp-channeler", "void-singer"), ("Warp Channeler", "Void Singer"), ("'warp-channeler'", "'void-singer'")],
)
def test_references_follow_and_fixes_rename_them(released: Folder, cardgen: Program, reference: str, new: str) -> None:
    released.write("cards/singer.yaml", SINGER.replace("NAME", "Void Singer") + ALIAS)
    released.write("cards/band.yaml", BAND.replace("REFERENCE", reference))
    (note,) = found(cardgen)
    assert note.startswith("cards/band.yaml:4:14: note[CG132]: the card ") or reference.startswith("'")
    assert found(cardgen, "cards/band.yaml") == [note]
    assert found(cardgen, "--fix") == []
    assert (released.root / "cards/band.yaml").read_text("utf-8") == BAND.replace("REFERENCE", new)
    assert "renamed" in cardgen("diff", "v1").out


def test_a_misspelled_earlier_id_suggests_the_card_of_today(released: Folder, cardgen: Program) -> None:
    released.write("cards/singer.yaml", SINGER.replace("NAME", "Void Singer") + ALIAS)
    released.write("cards/band.yaml", BAND.replace("REFERENCE", "warp-chaneler"))
    (finding,) = found(cardgen)
    assert "unknown character 'warp-chaneler'; did you mean 'void-singer'?" in finding


def test_an_earlier_id_stays_in_later_releases_and_belongs_to_one_card(released: Folder, cardgen: Program) -> None:
    released.write("cards/singer.yaml", SINGER.replace("NAME", "Void Singer") + ALIAS)
    assert cardgen("release", "v2").code == 0
    assert "  formerly:\n    warp-channeler: true\n" in (released.root / "releases/v2.yaml").read_text("utf-8")
    assert cardgen("diff", "v2").out.startswith("v2 → working tree: no cards changed")
    released.write("cards/singer.yaml", SINGER.replace("NAME", "Void Singer"))
    assert any("CG133" in each for each in found(cardgen))
    released.write(
        "cards/singer.yaml", SINGER.replace("NAME", "Void Singer") + "formerly: [warp-channeler, warp-chandler]\n"
    )
    duplicates = [each for each in found(cardgen) if "CG114" in each]
    assert duplicates == ["cards/singer.yaml:5:28: error[CG114]: duplicate id 'warp-chandler' (duplicate-id)"]


def test_a_release_that_cannot_be_read_is_said(released: Folder, cardgen: Program) -> None:
    path = released.root / "releases/v1.yaml"
    path.write_text(path.read_text("utf-8").replace("format: 1", "format: 2"), "utf-8")
    assert any("releases/v1.yaml:2:1: error" in each for each in found(cardgen))


def test_results_of_a_card_with_the_id_of_another_are_not_told(folder: Folder, cardgen: Program) -> None:
    """A list counts the points of one of the two cards; which of them is meant is not known."""
    body = "race: Rats\nm: 4\nws: 3\nbs: 3\ns: 3\nt: 3\nw: 1\ni: 3\na: 1\nld: 7\npoints: {}\n"
    warrior = f"game: skirmish\nkind: warrior\nname: {{}}\n{body}"
    folder.plain().write("cards/b.yaml", warrior.format("Rat", 10))
    band = "game: skirmish\nkind: warband\nname: Rats\nleader: Rat\npoints: {}\nmembers: [{{Rat: 2}}]\n"
    folder.write("cards/c.yaml", band.format(20))
    before = found(cardgen)
    folder.write("cards/a.yaml", warrior.format("Rat", 13))
    copy = "cards/b.yaml:3:7: error[CG114]: duplicate id 'rat' (duplicate-id)"
    assert [each for each in found(cardgen) if "error" in each] == [copy]
    folder.write("cards/c.yaml", band.format(21).replace("Rats", "Cats Cats", 1))
    assert any("CG201" in each for each in found(cardgen)) is False  # a name is no text
    (folder.root / "cards/a.yaml").unlink()
    assert any("WS331" in each for each in found(cardgen))
    assert not any("error" in each for each in before)
