"""Releases keep translations: one that changed is told from a changed source, and errata are in their language."""

from __future__ import annotations

import pytest

from cardgen.builds.builder import build
from cardgen.deck.release_file import parse_release, release_text
from cardgen.diagnostic import CardgenError
from cardgen.print.build_manifest import BuildResult
from cardgen.print.request import BuildRequest
from cardgen.releases import report
from cardgen.releases.changes import NOTHING
from cardgen.releases.run import diff
from cardgen.releases.snapshot import take_snapshot
from cardgen.releases.write import write_release
from cardgen.target.job import ExportRequest, export
from tests.projects import IN_GERMAN, SOURCE, Folder, pages_of

NEW_GERMAN = IN_GERMAN.replace("Füge 2 Wunden zu", "Verursache 2 Wunden").replace("name: Glut", "name: Glutkind")


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project in several languages, and its release."""
    folder.translated()
    write_release("v1")
    return folder


def built(language: str = "de", **options: object) -> BuildResult:
    changed = ("words",)
    return build(BuildRequest(changed_since="v1", changes=changed, jobs=1, language=(language,), **options))  # type: ignore[arg-type]


def words(result: BuildResult, name: str) -> str:
    path = next(path for path in result.files if path.name.startswith(name))
    return " ".join(" ".join(pages_of(path.read_bytes())).split())


def test_a_release_is_read_as_it_was_written(project: Folder) -> None:
    release = take_snapshot("v1")
    assert {each.id: each.translations for each in release.cards} == {
        "ash": {"de/name": "Asche", "de/text": "Füge 2 Wunden zu."},
        "ember": {"de/name": "Glut"},
        "gull": {"de/name": "Möwe", "de/text": "Sie fliegt.", "fr/name": "Mouette"},
    }
    assert parse_release(release_text(release, "2026-05-31"), "v1", "v1.yaml") == release


def test_a_changed_translation_is_told_from_a_changed_source(project: Folder) -> None:
    project.write("cards/a.de.yaml", NEW_GERMAN)
    project.write("cards/a.yaml", SOURCE.replace("Burn.", "Burn!"))
    changes = diff("v1")
    assert {each.card.id: tuple(map(str, each.changes)) for each in changes.cards} == {
        "ash": ("translations",),
        "ember": ("rules", "translations"),
    }
    lines = [*report.text_lines(changes)]
    assert "    text (de): Füge 2 Wunden zu. → Verursache 2 Wunden." in lines
    assert lines[-1] == "v1 → working tree: 1 rules changed, 1 only translations changed"
    (ash,) = (each for each in report.as_data(changes)["cards"] if each["id"] == "ash")  # type: ignore[attr-defined]
    assert ash["values"] == []
    assert ash["translations"] == [
        {"language": "de", "key": "text", "old": "Füge 2 Wunden zu.", "new": "Verursache 2 Wunden."}
    ]
    assert [*report.breaches(changes, NOTHING, "words", None)][-1] == "Ash: only translations changed"
    notes = write_release("v2").notes
    assert notes is not None
    assert "Text \\(de\\) was “Füge 2 Wunden zu.” and is now “Verursache 2 Wunden.”" in notes.file.read_text("utf-8")


def test_parts_of_a_card_that_changed_places_have_the_same_translations(folder: Folder) -> None:
    folder.plain().write("cardgen.yaml", "language: en\nlanguages: [de]\n")
    weapons = ["Bow: RW R15 P1 D1", "Axe: CW R1 D1"]
    card = "kind: character\nname: Ash\nstats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}\nweapons: [%s]\n"
    german = "translations:\n  ash: {weapons/%d/name: Bogen, weapons/%d/name: Axt}\n"
    folder.write("cards/a.yaml", card % ", ".join(weapons))
    folder.write("cards/a.de.yaml", german % (0, 1))
    write_release("v1")
    folder.write("cards/a.yaml", card % ", ".join(weapons[::-1]))
    folder.write("cards/a.de.yaml", german % (1, 0))
    assert [each.changes for each in diff("v1").cards] == [("looks",)]


def test_only_cards_whose_texts_in_the_language_changed_are_printed(project: Folder) -> None:
    project.write("cards/a.de.yaml", NEW_GERMAN.replace("Glutkind", "Glut"))
    result = built("de", errata=("sheet",))
    assert [each.name for each in result.discarded] == ["Asche"]
    text = words(result, "errata")
    assert "Füge Verursache 2 Wunden zu." in text
    assert "Deal" not in text and "Ember" not in text
    assert built("fr").cards == 0
    # The source is not what people have in German.
    project.write("cards/a.yaml", SOURCE.replace("name: Ash", "id: ash, name: Cinder"))
    assert built("fr").cards == 1
    assert [each.name for each in built("de").discarded] == ["Asche"]


def test_versions_on_cards_are_those_of_their_language(project: Folder) -> None:
    project.write("cards/a.de.yaml", NEW_GERMAN)
    write_release("v2")
    for language, counts in {"de": (1, 2), "fr": (3, 0)}.items():
        result = build(BuildRequest(version_mark=True, jobs=1, language=(language,)))
        text = words(result, "warniris-minion")
        assert (text.count("v1"), text.count("v2")) == counts


def test_the_page_shows_the_changes_of_its_language(project: Folder) -> None:
    project.write("cards/a.de.yaml", NEW_GERMAN)
    options = {"new_since": "v1", "folder": False, "balance": False, "cost": None}
    for language, is_changed in {"de": True, "fr": False}.items():
        export(ExportRequest("web", BuildRequest(jobs=1, language=(language,)), options))
        (page,) = (project.root / "output").rglob("index.html")
        assert ("<ins>Verursache 2 Wunden.</ins>" in page.read_text("utf-8")) is is_changed
        page.unlink()


def test_a_language_that_is_new_is_told_once(project: Folder) -> None:
    table = (project.root / "cards/gulls.csv").read_text("utf-8")
    project.write("cards/gulls.csv", table.replace("name.fr", "text.fr").replace("Mouette", ""))
    write_release("v1", force=True, notes=False)
    project.write("cards/a.fr.yaml", "translations: {ash: {name: Cendre}}\n")
    changes = diff("v1")
    assert changes.cards == ()
    assert [*report.text_lines(changes)] == ["language fr: new", "v1 → working tree: no cards changed"]
    with pytest.raises(CardgenError, match="the release 'v1' has no texts in the language 'fr'"):
        built("fr")
