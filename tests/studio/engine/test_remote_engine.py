"""What the studio knows of a project while its texts are being written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook

from cardgen.diagnostic import CardgenError
from cardgen.editor.text import apply_edits
from cardgen.runtime.request_process import ProcessError, RemoteService
from cardgen.scaffold.game import new_game
from cardgen.studio.engine.remote import Engine, new_engine

RELIC = "format: 1\ngame: warniris\nkind: relic\ncards:\n  - name: Lamp  # kept\n    text: It shines.\n"
FILE, KEY = "cards/relics.yaml", "warniris/relic/lamp"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    (root / "cards").mkdir(parents=True)
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (root / FILE).write_text(RELIC, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


def test_the_cards_of_a_project_are_listed(project: Path) -> None:
    state = Engine(str(project)).project()
    (row,) = state.cards
    assert (row.key, row.file, row.line, row.is_printed) == (KEY, FILE, 5, True)
    assert "relic" in state.kinds
    assert not state.problems


def test_problems_of_a_workbook_are_at_the_rows_of_their_cards(project: Path) -> None:
    book = Workbook()
    book.active.title = "Lamps"
    for row in (["name", "text"], ["Torch", "It shines."], ["Beacon", "It it shines."]):
        book.active.append(row)
    book.save(project / "more.xlsx")
    (project / "cardgen.yaml").write_text("game: warniris\ntables: {more.xlsx: {Lamps: {kind: relic}}}\n")
    engine = Engine(str(project))
    (card,) = (each for each in engine.project().cards if each.name == "Beacon")
    assert (card.sheet, card.line) == ("Lamps", 3)
    assert ("Lamps:B3", 3) in {(each.place, each.span.line) for each in engine.problems() if each.file == "more.xlsx"}


def test_a_project_that_cannot_be_read_says_why_and_keeps_its_cards(project: Path) -> None:
    engine = Engine(str(project))
    (card,) = engine.project().cards
    (project / "cardgen.yaml").write_text("game: [", encoding="utf-8")
    engine.forget(("cardgen.yaml",))
    state = engine.project()
    assert [row.file for row in state.problems] == ["cardgen.yaml"]
    assert (state.cards, state.unread) == ((), (card,))
    assert engine.draw(KEY).svg


def test_cards_of_a_file_that_cannot_be_read_stay_with_their_last_picture(project: Path) -> None:
    engine = Engine(str(project))
    (card,) = engine.project().cards
    picture = engine.draw(KEY).svg
    (project / FILE).write_text(RELIC + "    tags: [lit\n", encoding="utf-8")
    engine.forget((FILE,))
    state = engine.project()
    assert (state.cards, state.unread) == ((), (card,))
    assert [(row.file, row.span.line) for row in state.problems] == [(FILE, 7)]
    assert engine.draw(KEY).svg == picture
    (project / FILE).write_text(RELIC, encoding="utf-8")
    engine.forget((FILE,))
    assert (engine.project().cards, engine.project().unread) == ((card,), ())


def test_a_rejected_card_stays_beside_the_others_of_its_file(project: Path) -> None:
    both = RELIC + "  - name: Oil\n    text: It burns.\n"
    (project / FILE).write_text(both, encoding="utf-8")
    engine = Engine(str(project))
    assert len(engine.project().cards) == 2
    (project / FILE).write_text(both.replace("text: It burns.", "txet: It burns."), encoding="utf-8")
    engine.forget((FILE,))
    state = engine.project()
    assert [[row.id for row in rows] for rows in (state.cards, state.unread)] == [["lamp"], ["oil"]]


def test_a_file_that_was_never_read_stands_for_its_cards(project: Path) -> None:
    (project / FILE).write_text("name: [", encoding="utf-8")
    (row,) = Engine(str(project)).project().unread
    assert (row.key, row.name, row.is_printed) == (FILE, "relics.yaml", False)


def test_a_file_that_is_deleted_leaves_no_cards(project: Path) -> None:
    engine = Engine(str(project))
    assert engine.project().cards
    (project / FILE).unlink()
    engine.forget((FILE,))
    state = engine.project()
    assert (state.cards, state.unread, state.problems) == ((), (), ())


def test_a_text_that_is_not_saved_is_drawn_and_checked(project: Path) -> None:
    engine = Engine(str(project))
    saved = engine.draw(KEY)
    (row,) = engine.write(FILE, RELIC.replace("It shines.", "It is dark.")).cards
    unsaved = engine.draw(KEY)
    assert row.key == KEY
    assert saved.svg != unsaved.svg
    assert b"dark" in unsaved.svg
    assert (project / FILE).read_text(encoding="utf-8") == RELIC
    engine.write(FILE, None)
    assert engine.draw(KEY).svg == saved.svg


def test_marks_are_drawn_over_the_face(project: Path) -> None:
    engine = Engine(str(project))
    plain, marked = engine.draw(KEY).svg, engine.draw(KEY, marks=("bleed", "cut", "safe")).svg
    assert marked.count(b"<rect") == plain.count(b"<rect") + 2
    assert b'viewBox="-3 -3' in marked
    assert engine.draw(KEY, back=True).svg != plain


def test_a_misspelled_key_has_a_quick_fix_that_keeps_the_comment(project: Path) -> None:
    engine = Engine(str(project))
    broken = RELIC.replace("text:", "txet:")
    engine.write(FILE, broken)
    problem = next(row for row in engine.problems_of(FILE) if row.actions)
    assert (problem.span.line, problem.severity) == (6, "error")
    assert apply_edits(broken, problem.actions[0].edits) == RELIC


def test_a_card_that_is_gone_is_not_drawn(project: Path) -> None:
    drawn = Engine(str(project)).draw("warniris/relic/gone")
    assert not drawn.svg
    assert drawn.problem


def test_a_strangers_template_that_never_ends_is_stopped(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.face.template.engine.TIME_LIMIT", 0.2)
    monkeypatch.setattr("cardgen.face.template.report._TIME_LIMIT", 0.2)
    folder = project / "templates" / "warniris"
    folder.mkdir(parents=True)
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    text = f"<svg xmlns='http://www.w3.org/2000/svg'>{loop}</svg>"
    (folder / "relic.svg.j2").write_text(text, encoding="utf-8")
    drawn = Engine(str(project)).draw(KEY)
    assert not drawn.svg
    assert drawn.problem


def test_files_that_changed_outside_are_read_again(project: Path) -> None:
    engine = Engine(str(project))
    assert [row.name for row in engine.project().cards] == ["Lamp"]
    (project / FILE).write_text(RELIC.replace("Lamp", "Torchlight"), encoding="utf-8")
    engine.forget((FILE,))
    assert [row.name for row in engine.project().cards] == ["Torchlight"]


def test_whatever_changes_the_picture_of_a_card_changes_its_version(project: Path) -> None:
    engine = Engine(str(project))
    seen = [engine.project().cards[0].version]
    looks = ("templates/warniris/relic.layout.yaml", "templates/warniris/theme.yaml", "art/lamp.png", "cardgen.yaml")
    for file in looks:
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        (project / file).write_text("game: warniris\n# more\n", encoding="utf-8")
        engine.forget((file,))
        seen.append(engine.project().cards[0].version)
    assert len({*seen}) == len(seen)
    (project / "cards" / "more.yaml").write_text("kind: relic\nname: Key\ntext: It opens.\n", encoding="utf-8")
    (project / "output").mkdir()
    (project / "output" / "cards.txt").touch()
    engine.forget(("cards/more.yaml",))
    versions = [row.version for row in engine.project().cards]
    assert len({*versions}) == 2
    assert seen[-1] in versions  # other cards stay as they are


def test_drawing_cards_finds_what_does_not_fit(project: Path) -> None:
    text = f"kind: relic\nname: Long Lamp\ntext: {'It shines on friends and enemies. ' * 60}\n"
    (project / "cards" / "long.yaml").write_text(text, encoding="utf-8")
    engine = Engine(str(project))
    assert not any(row.file == "cards/long.yaml" for row in engine.problems())
    (row,) = (row for row in engine.looks(("cards/long.yaml",)) if row.severity == "error")
    assert (row.file, row.span.line) == ("cards/long.yaml", 3)
    assert "characters too many" in row.message


def test_how_full_a_card_is_leaves_out_single_lines_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new_game("Ember")
    drawn = Engine(str(tmp_path)).draw("ember/hero/ash")
    assert 0 < drawn.fill == drawn.fits["text"] < min(drawn.fits["name"], drawn.fits["might"])


def test_a_new_card_is_written_and_known(project: Path) -> None:
    engine = Engine(str(project))
    assert engine.new_card("relic", "Bone Key") == "cards/bone-key.yaml"
    assert {row.name for row in engine.project().cards} == {"Lamp", "Bone Key"}
    with pytest.raises(CardgenError, match="already exists"):
        engine.new_card("relic", "Bone Key")


@pytest.fixture
def remote(project: Path) -> Iterator[RemoteService]:
    engine = new_engine(str(project))
    engine.start()
    yield engine
    engine.close()


def test_another_process_answers_reports_errors_and_is_replaced(remote: RemoteService) -> None:
    async def ask() -> None:
        assert (await remote.call("draw", KEY)).svg
        with pytest.raises(CardgenError, match="unknown kind"):
            await remote.call("new_card", "nonsense", "Name")
        with pytest.raises(ProcessError, match="AttributeError"):
            await remote.call("no_such_function")
        process = remote._process._process
        assert process
        process.kill()
        process.join(5)
        with pytest.raises(ProcessError, match="ended"):
            await remote.call("project")
        assert (await remote.call("project")).cards

    asyncio.run(ask())
