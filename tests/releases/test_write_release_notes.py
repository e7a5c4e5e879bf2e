from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.release_file import LINKED, ReleasedCard
from cardgen.diagnostic import CardgenError
from cardgen.releases.changes import ORDER, Change, ChangedCard
from cardgen.releases.report import look_and_copies, look_words
from cardgen.releases.run import diff
from cardgen.releases.write import missing_cards, write_release
from tests.projects import STATS, Folder

CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, qty: 2, stats: {STATS}, motto: Still}}
  - {{name: Ember, stats: {STATS}}}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with two releases, in which a number and a text changed."""
    folder.plain().write("cards/a.yaml", CARDS)
    assert write_release("v1.9").notes is None
    folder.write("cards/a.yaml", CARDS.replace("W: 1, Mo: 10}, motto: Still", "W: 3, Mo: 10}, motto: Loud"))
    write_release("v1.10")
    return folder


def notes(project: Folder) -> str:
    return (project.root / "releases/v1.10.md").read_text(encoding="utf-8")


def test_notes_are_sentences_about_the_release_before(project: Folder) -> None:
    written = write_release("v1.10").notes
    assert written
    assert (written.file.as_posix(), written.since) == ("releases/v1.10.md", "v1.9")
    assert "- Stats wounds rises from 1 to 3.\n- Motto was “Still” and is now “Loud”.\n\nWhy:\n" in notes(project)
    again = write_release("v1.10").notes
    assert again
    assert again.unchanged


def test_the_words_of_the_author_are_kept(project: Folder) -> None:
    write_release("v1.10")
    reason = "Why: It was too weak.\n\n## Own heading\n\nAnd more."
    text = notes(project).replace("Loud”.\n\nWhy:", f"Loud”.\n\n{reason}")
    text = text.replace("# v1.10", "# The loud one")
    project.write("releases/v1.10.md", text + "The end.\n")
    project.write("cards/a.yaml", CARDS.replace("W: 1, Mo: 10}, motto: Still", "W: 4, Mo: 10}, motto: Loud"))
    write_release("v1.10", force=True)
    assert "rises from 1 to 4" in notes(project)
    assert reason in notes(project)
    assert notes(project).startswith("# The loud one\n")
    assert notes(project).endswith("The end.\n")
    project.write("cards/a.yaml", CARDS)
    write_release("v1.10", force=True)
    assert f"## Reasons for other changes\n\n### Ash (minion) <!-- warniris/minion/ash -->\n\n{reason}" in notes(
        project
    )


def test_notes_without_the_marks_are_left_unchanged(project: Folder) -> None:
    project.write("releases/v1.10.md", "All my own words.\n")
    with pytest.raises(CardgenError, match="left unchanged"):
        write_release("v1.10")
    assert notes(project) == "All my own words.\n"


@pytest.mark.parametrize(("text", "missing"), [("ASH is louder", []), ("Ashes, bash", ["ash"]), ("", ["ash"])])
def test_cards_that_a_note_leaves_out(project: Folder, text: str, missing: list[str]) -> None:
    project.write("note.md", text)
    assert [each.card.id for each in missing_cards(diff("v1.9", "v1.10"), Path("note.md"))] == missing


def test_a_note_must_be_a_file(project: Folder) -> None:
    with pytest.raises(CardgenError, match="no such file"):
        missing_cards(diff("v1.9", "v1.10"), Path("nope.md"))


def test_the_date_of_a_release_stays(project: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project.root / "releases/v1.10.yaml"
    before = path.read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert write_release("v1.10").unchanged
    assert path.read_bytes() == before
    project.write("cards/a.yaml", CARDS)
    write_release("v1.10", force=True)
    assert path.read_text(encoding="utf-8").endswith("\ndate: 2001-09-09\n")


def test_another_order_and_other_cards_that_it_shows_are_said_in_words() -> None:
    """The parts of a look are keys of release files; none of them reaches notes, reports, and sheets."""
    old = ReleasedCard("g", "fighter", "ash", "Ash", 1, "", "", {LINKED: "a"}, {}, {})
    changed = ChangedCard((Change.LOOKS,), old, old._replace(look={LINKED: "b"}), is_reordered=True)
    assert changed.look == (LINKED, ORDER)
    assert look_words(changed) == "a card that it shows and the order of its lists"


def test_a_release_file_can_name_any_part_of_a_look(project: Folder) -> None:
    """Notes, the report, and its lines say so in words."""
    path = project.root / "releases/v1.10.yaml"
    text = path.read_text(encoding="utf-8")
    part = next(line for line in text.splitlines() if line.strip().startswith("size:"))
    indent = part[: len(part) - len(part.lstrip())]
    path.write_text(text.replace(part, f'{part}\n{indent}polish: "a"\n{indent}warp: "b"'), encoding="utf-8")
    changes = diff("v1.10", None)
    each = changes.cards[0]
    assert each.look == ("polish", "warp")
    assert [*look_and_copies(each)] == ["look: something else"]
    write_release("v1.11")
    said = (project.root / "releases/v1.11.md").read_text(encoding="utf-8")
    assert "It looks different, because of something else." in said
