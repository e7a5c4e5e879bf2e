from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardgen.builds import builder
from cardgen.rulesets.ruleset import Kind
from tests.cli.commands import Program, process
from tests.libcairo import hide_cairo, needs_cairo
from tests.projects import MINION, Folder, pages_of
from tests.tables.workbooks import xlsx


def test_an_empty_folder_with_one_card_file_builds(folder: Folder, cardgen: Program) -> None:
    folder.write("sentinel.yaml", MINION)
    outcome = cardgen("build")
    assert (outcome.code, outcome.err) == (0, "")
    first, last = outcome.out.splitlines()
    assert first == "output/warniris-minion-a4.pdf"
    assert last.startswith("1 file, 1 card, 1 copy, 1 sheet in ")
    front, back = pages_of(folder.output("warniris-minion-a4.pdf"))
    assert "SENTINEL" in front
    assert "MINION" in back


def test_cards_that_lie_elsewhere_build_in_a_folder_that_has_none(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("elsewhere/sentinel.yaml", MINION)
    folder.write("here/empty.txt", "")
    monkeypatch.chdir(folder.root / "here")
    outcome = cardgen("build", "../elsewhere/sentinel.yaml")
    assert (outcome.code, outcome.err) == (0, "")
    assert folder.files("here/output") == ["warniris-minion-a4.pdf"]


def test_quiet_says_nothing(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("A")
    outcome = cardgen("build", "-q")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert folder.files() == ["warniris-minion-a4.pdf"]


def test_text_that_does_not_fit_is_an_error_at_its_place_and_nothing_is_written(
    folder: Folder, cardgen: Program
) -> None:
    folder.plain().minions("A", "B")
    folder.write("cards/long.yaml", MINION + f"text: {'Many words. ' * 100}\n")
    outcome = cardgen("build")
    assert outcome.code == 1
    assert "cards/long.yaml:4:7: error[CG501]: 'text' of 'Sentinel' is " in outcome.err
    assert " % full at 7 pt: " in outcome.err
    assert " characters too many" in outcome.err
    assert outcome.err.endswith("1 problem; nothing was written\n")
    assert folder.files() == []


def test_a_character_that_the_font_lacks_is_an_error_at_its_place(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    folder.write("cards/a.yaml", MINION + "text: A hieroglyph 𓀀\n")
    outcome = cardgen("build")
    assert outcome.code == 1
    assert "cards/a.yaml:4:7: error[CG502]: 'text' of 'Sentinel' contains '𓀀' (U+13000)" in outcome.err
    assert folder.files() == []


def test_everything_that_is_wrong_is_said_at_once(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    long = "Many words. " * 100
    folder.write("cards/a.yaml", MINION + f"text: {long}\n")
    folder.write("cards/b.yaml", MINION.replace("Sentinel", "Brute") + "text: 𓀀\nart: nowhere.png\n")
    folder.write("cards/c.yaml", MINION.replace("Sentinel", "Cutter") + "size: enormous\n")
    outcome = cardgen("build")
    assert outcome.code == 1
    assert [code for code in ("CG501", "CG504", "CG521") if code not in outcome.err] == []


def test_an_unknown_paper_is_an_error(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("A")
    outcome = cardgen("build", "--paper", "papyrus")
    assert outcome.code == 2
    assert "--paper: error[CG520]: unknown size 'papyrus'" in outcome.err
    assert folder.files() == []


def test_a_card_that_is_larger_than_the_paper_is_an_error_at_its_size(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    folder.write("cards/a.yaml", MINION + "size: 300mm x 400mm\n")
    outcome = cardgen("build")
    assert outcome.code == 1
    assert "cards/a.yaml:4:7: error[CG523]: a card of 300 x 400 mm does not fit on paper of 210 x 297 mm" in outcome.err
    assert folder.files() == []


def test_a_word_that_chooses_no_card_is_an_error(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Sentinel")
    outcome = cardgen("build", "--only", "sentinl")
    assert outcome.code == 2
    assert "'sentinl'; did you mean 'sentinel'?" in outcome.err.lower()
    assert folder.files() == []


def test_only_builds_what_was_named(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna", "Bert", "Carl")
    assert cardgen("build", "--only", "bert", "--only", "Carl").code == 0
    (front, _) = pages_of(folder.output("warniris-minion-selection-a4.pdf"))
    assert [name in front for name in ("Anna", "Bert", "Carl")] == [False, True, True]


def test_sheets_of_a_selection_that_are_older_than_the_cards_are_named(folder: Folder, cardgen: Program) -> None:
    """Only once the cards change, and not when they are built again."""
    folder.plain().minions("Anna", "Bert")
    cardgen("build", "--only", "bert")
    assert "older" not in cardgen("build").err
    folder.minions("Anna", "Bert", "Carl")
    named = "older than the cards: output/warniris-minion-selection-a4.pdf; build with the same options again"
    assert named in cardgen("build").err
    assert "older" not in cardgen("build", "--only", "bert").err
    folder.minions("Anna", "Bert", "Carl", "Dora")
    (folder.root / "output/warniris-minion-selection-a4.pdf").unlink()
    assert "older" not in cardgen("build").err


def test_sheets_that_the_same_command_builds_are_not_named(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna", "Bert")
    cardgen("build", "--only", "bert", "--paper", "a4,letter")
    folder.minions("Anna", "Bert", "Carl")
    assert "older" not in cardgen("build", "--only", "bert", "--paper", "a4,letter").err
    folder.minions("Anna", "Bert")
    assert "older" in cardgen("build", "--paper", "a4,letter").err


@pytest.mark.parametrize("name", ["battle.jsonl", "releases/v1.yaml", "drafts/other.yaml"])
def test_sheets_are_not_older_than_files_that_are_no_sources(folder: Folder, cardgen: Program, name: str) -> None:
    folder.plain().minions("Anna", "Bert")
    cardgen("build", "--only", "bert")
    folder.write(name, "{}\n")
    later = time.time() + 60
    os.utime(folder.root / name, (later, later))
    assert "older" not in cardgen("build").err


def test_nothing_to_print_is_an_error(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("cards/a.yaml", MINION)
    monkeypatch.setattr(Kind, "is_printed", False)
    outcome = cardgen("build")
    assert outcome.code == 1
    assert "CG522" in outcome.err


def test_wrong_usage_exits_with_two(cardgen: Program) -> None:
    for arguments in (("build", "--qty", "0"), ("build", "--no-such-option"), ("no-such-command",)):
        outcome = cardgen(*arguments)
        assert outcome.code == 2, arguments
        assert "Usage:" in outcome.err


def test_an_interruption_exits_with_130(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("A")

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "build", interrupt)
    outcome = cardgen("build")
    assert outcome.code == 130
    assert "interrupted" in outcome.err


def test_a_fault_of_ours_is_not_hidden(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("A")

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("ours")

    monkeypatch.setattr(builder, "build", fail)
    outcome = cardgen("build")
    assert outcome.code == 3
    assert "AssertionError: ours" in outcome.err


def test_a_folder_that_may_not_be_written_is_said(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.plain().minions("A")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)  # Root, who may write everywhere, runs this too.
    outcome = cardgen("build", "-o", "closed")
    assert outcome.code == 1
    assert "closed/warniris-minion-a4.pdf: error[CG592]: file cannot be written: Permission denied" in outcome.err
    assert "-o" in outcome.err


def test_an_output_folder_that_is_a_file_is_said(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("A")
    folder.write("taken/file", "")
    outcome = cardgen("build", "-o", "taken/file/below")
    assert outcome.code == 1
    assert "error[CG592]: file cannot be written" in outcome.err


def test_the_command_line_goes_over_the_settings(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("A", more=", qty: 12")
    folder.write("cardgen.yaml", "paper: letter\nbacks: short-edge\n")
    assert cardgen("build").out.splitlines()[0] == "output/warniris-minion-letter.pdf"
    assert len(pages_of(folder.output("warniris-minion-letter.pdf"))) == 4
    assert "12 copies, 2 sheets" in cardgen("build", "--paper", "a4").out
    assert "3 copies, 1 sheet" in cardgen("build", "--paper", "a4", "--qty", "3").out
    assert len(pages_of(folder.output("warniris-minion-a4.pdf"))) == 2
    assert cardgen("build", "--paper", "a4", "--no-backs").code == 0
    assert len(pages_of(folder.output("warniris-minion-a4.pdf"))) == 2


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_messages_go_to_standard_error_and_paths_to_standard_output(folder: Folder) -> None:
    folder.plain().minions("A")
    good = process("build")
    assert (good.code, good.err) == (0, "")
    assert good.out.startswith("output/warniris-minion-a4.pdf\n")
    bad = process("build", "--paper", "papyrus")
    assert (bad.code, bad.out) == (2, "")
    assert "papyrus" in bad.err


def test_formats_come_as_a_list_or_one_by_one(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("A")
    files = ["warniris-minion-a4.pdf", "warniris-minion/001-a-back.svg", "warniris-minion/001-a-front.svg"]
    assert cardgen("build", "-q", "--format", "pdf, svg").code == 0
    assert folder.files() == files
    assert cardgen("build", "-q", "-o", "there", "--format", "pdf", "--format", "svg,svg").code == 0
    assert folder.files("there") == files


def test_a_folder_of_many_pictures_is_one_line(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions(*"ABCDE")
    lines = cardgen("build", "--format", "svg").out.splitlines()
    assert lines[0] == "output/warniris-minion/ (10 files)"
    assert lines[1].startswith("10 files, 5 cards in ")
    few = cardgen("build", "--format", "svg", "--only", "c").out.splitlines()
    assert few[:2] == ["output/warniris-minion/003-c-front.svg", "output/warniris-minion/003-c-back.svg"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_the_watch_and_is_no_failure(folder: Folder) -> None:
    folder.plain().minions("A")
    watching = subprocess.Popen(
        [sys.executable, "-m", "cardgen", "build", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert watching.stderr is not None
    first = watching.stderr.readline()
    watching.send_signal(signal.SIGINT)
    out, err = watching.communicate(timeout=30)
    assert first == "watching for changes; press Ctrl-C to stop\n"
    assert (watching.returncode, err) == (0, "\n")
    assert out.startswith("output/warniris-minion-a4.pdf\n")


# What CairoSVG has to draw.
_MASKED = (
    '<svg xmlns="http://www.w3.org/2000/svg"><mask id="m"><rect width="9" height="9" fill="#fff"/></mask>\n'
    '<rect width="9" height="9" mask="url(#m)"/></svg>'
)


@needs_cairo
def test_artwork_of_an_earlier_build_gives_the_same_bytes(folder: Folder, cardgen: Program) -> None:
    folder.minions("Anna")
    folder.write("templates/warniris/minion.svg.j2", _MASKED)
    for number, options in enumerate(((), (), ("--no-cache",))):
        assert cardgen("build", "-q", "-o", str(number), *options).code == 0
    assert len({_digest(path) for path in folder.root.rglob("*.pdf")}) == 1
    kept = list(Path(os.environ["XDG_CACHE_HOME"]).rglob("artwork.sqlite"))
    assert len(kept) == 1


def test_artwork_that_needs_cairo_is_one_error_without_it(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.minions("Anna", "Berta")
    # Artwork that no other test has drawn and cached.
    folder.write("templates/warniris/minion.svg.j2", _MASKED.replace("9", "7"))
    hide_cairo(monkeypatch)
    for command in (("build",), ("show", "Anna"), ("build", "--format", "png")):
        outcome = cardgen(*command, "--no-cache") if command[0] == "build" else cardgen(*command)
        assert outcome.code == 1
        assert outcome.err.count("error[") == 1
        assert "templates/warniris/minion.svg.j2:2:1: error[CG590]: libcairo is not installed" in outcome.err
        assert "<mask> is not in user space" in outcome.err
        assert "apt install libcairo2" in outcome.err
        assert "Traceback" not in outcome.err
    assert folder.files() == []


class _Interrupted(io.BytesIO):
    """What cairo writes to, while somebody presses Ctrl-C."""

    def write(self, data: Any) -> int:
        signal.raise_signal(signal.SIGINT)
        return super().write(data)


@needs_cairo
@pytest.mark.filterwarnings("ignore:Exception ignored from cffi callback:pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_while_cairo_writes_ends_the_build(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.minions("Anna")
    assert cardgen("build", "-q").code == 0
    before = _digest(folder.root / "output/warniris-minion-a4.pdf")
    folder.write("templates/warniris/minion.svg.j2", _MASKED.replace("9", "8"))
    monkeypatch.setattr("cairosvg.surface.io", SimpleNamespace(BytesIO=_Interrupted))
    outcome = cardgen("build", "-q", "--no-cache")
    assert outcome.code == 130
    assert "Traceback" not in outcome.err
    assert _digest(folder.root / "output/warniris-minion-a4.pdf") == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@needs_cairo
def test_without_a_cache_nothing_is_kept(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root / "cache"))
    folder.minions("Anna")
    folder.write("templates/warniris/minion.svg.j2", _MASKED)
    assert cardgen("build", "-q", "--no-cache").code == 0
    assert not (folder.root / "cache").exists()
    assert cardgen("build", "-q").code == 0
    assert (folder.root / "cache").exists()


def test_the_pack_of_a_warband_is_built_and_a_wrong_name_is_said(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    folder.write("cards/w.yaml", "kind: warband\nname: The Horde\nminions: [{minion: anna, qty: 2}]\n")
    outcome = cardgen("build", "--warband", "the horde")
    assert outcome.code == 0
    assert folder.files() == [f"the-horde-{part}-a4.pdf" for part in ("cards", "proxies", "reference", "roster")]
    wrong = cardgen("build", "--warband", "The Hoard", "-o", "elsewhere")
    assert wrong.code == 2
    assert "--warband: error[CG540]: unknown warband 'The Hoard'; did you mean 'The Horde'?" in wrong.err
    assert not (folder.root / "elsewhere").exists()
    assert cardgen("build", "--warband", "the horde", "--kit").code == 2


@pytest.fixture
def one_unfit(folder: Folder) -> Folder:
    folder.plain().write("cards/sentinel.yaml", MINION)
    folder.write("cards/long.yaml", MINION.replace("Sentinel", "Colossus") + f"text: {'endless rules ' * 300}\n")
    return folder


@pytest.mark.parametrize("form", ["pdf", "png", "svg"])
def test_cards_that_do_not_fit_can_be_left_out(one_unfit: Folder, cardgen: Program, form: str) -> None:
    assert cardgen("build", "--format", form, "--dpi", "36").code == 1
    outcome = cardgen("build", "--format", form, "--dpi", "36", "--keep-going")
    assert outcome.code == 4
    assert "cards/long.yaml" in outcome.err
    assert "warning[CG501]: 'text' of 'Colossus' is " in outcome.err
    assert "Sentinel" not in outcome.err
    assert "left out:\n  Colossus (minion colossus)\n" in outcome.out
    assert outcome.out.splitlines()[-1].endswith("; 1 card skipped")
    assert "1 card, " in outcome.out or "1 card in" in outcome.out
    again = cardgen("build", "--format", form, "--dpi", "36", "--keep-going=skip")
    assert (again.err, again.code) == (outcome.err, 4), "they are listed again"


def test_the_former_name_of_the_option_works_with_a_note(one_unfit: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--skip-unfit", "-q")
    assert outcome.code == 4
    assert outcome.err.startswith("note: --skip-unfit is now --keep-going: ")
    assert cardgen("build", "--keep-going", "-q").err.count("note") == 0


@pytest.mark.parametrize("given", [("cards",), ("skip", "cards"), ("--", "cards"), ()])
def test_paths_may_follow_the_option_without_a_value(
    one_unfit: Folder, cardgen: Program, given: tuple[str, ...]
) -> None:
    outcome = cardgen("build", "-q", "--keep-going", *given)
    assert outcome.code == 4
    assert "Colossus" in outcome.err
    assert one_unfit.files() == ["warniris-minion-a4.pdf"]


def test_an_unknown_way_to_keep_going_is_refused(one_unfit: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--keep-going=all")
    assert outcome.code == 2
    assert "unknown way to keep going 'all' (one of skip, placeholder)" in outcome.err


def test_skipped_cards_are_listed_as_json(one_unfit: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--keep-going", "--json", "--no-cache")
    (skipped,) = json.loads(outcome.out)["skipped"]
    assert {key: skipped[key] for key in ("game", "kind", "id", "name")} == {
        "game": "warniris", "kind": "minion", "id": "colossus", "name": "Colossus"
    }  # fmt: skip
    assert skipped["place"].startswith("cards/long.yaml:")
    assert "CG501" in skipped["problems"][0]


@pytest.fixture
def many_mistakes(folder: Folder) -> Folder:
    """One card that is right, and one with each kind of mistake."""
    folder.plain().write("cards/a.yaml", MINION)
    for name, more in (
        ("Ghost", "art: nowhere.png\n"),
        ("Gnoll", "speed: 9\n"),
        ("Long", f"text: {'endless rules ' * 300}\n"),
        ("Twice", "qty: 2\nqty: 3\n"),
    ):
        folder.write(f"cards/{name.lower()}.yaml", MINION.replace("Sentinel", name) + more)
    folder.write("cards/same.yaml", MINION)
    folder.write("cards/tab.yaml", "kind: minion\n\tname: Tab\n")
    return folder


def test_cards_with_any_mistake_are_left_out_and_named_with_their_reasons(
    many_mistakes: Folder, cardgen: Program
) -> None:
    outcome = cardgen("build", "--keep-going")
    assert outcome.code == 4
    left_out = outcome.out.partition("left out:\n")[2].splitlines()[:-1]
    assert sorted(left_out) == [
        "  Ghost (minion ghost)",
        "  Gnoll (minion gnoll)",
        "  Long (minion long)",
        "  Sentinel (minion sentinel)",
        "  Twice (minion twice)",
        "  cards/tab.yaml",
    ]
    for code in ("CG504", "CG101", "CG501", "CG013", "CG114", "CG005"):
        assert f"[{code}]" in outcome.err
    assert outcome.out.splitlines()[-1].startswith("1 file, 1 card, 1 copy, 1 sheet in ")


def test_alike_mistakes_of_many_cards_are_one_line_and_so_are_the_cards(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    header = ["name", "stats.M", "stats.B", "stats.S", "stats.W", "stats.Mo", "weapons"]
    rows = [[f"Hound {row}", 2 if row == 3 else "?", 3, 2, 1, 10, "Fangs: CW R1 P1 D2"] for row in range(2, 32)]
    (folder.root / "hounds.xlsx").write_bytes(xlsx([header, *rows]))
    folder.write("cardgen.yaml", "game: warniris\ntables: {hounds.xlsx: {kind: minion}}\n")
    outcome = cardgen("build", "--keep-going")
    assert outcome.code == 4
    problem, end = (
        "hounds.xlsx!A:B2: warning[CG103]: 'M' must be a whole number, not '?'; also B4:B31\n",
        ", Hound 31\n",
    )
    assert outcome.err == problem
    assert "left out:\n  29 cards of the kind minion: Hound 2, Hound 4, " in outcome.out
    assert end in outcome.out
    assert cardgen("build", "--keep-going").err == problem
    skipped = json.loads(cardgen("build", "--keep-going", "--json").out)["skipped"]
    assert skipped[-1]["problems"] == ["hounds.xlsx!A:B31: warning[CG103]: 'M' must be a whole number, not '?'"]


def test_cards_with_mistakes_have_placeholders_that_say_why(many_mistakes: Folder, cardgen: Program) -> None:
    outcome = cardgen("build", "--keep-going=placeholder", "--backs", "none")
    assert outcome.code == 4
    (front,) = pages_of(many_mistakes.output("warniris-minion-a4.pdf"))
    words = " ".join(front.split())
    for text in ("Sentinel", "Ghost", "Gnoll", "Long", "Twice", "nowhere.png", "unknown key ‘speed’", "duplicate id"):
        assert text in words
    assert outcome.out.splitlines()[-1].startswith("1 file, 1 card, 7 copies, 1 sheet in ")


def test_a_card_that_names_one_with_mistakes_is_left_out(folder: Folder, cardgen: Program) -> None:
    folder.plain()
    folder.write(
        "cards/ash.yaml",
        "kind: character\nname: Ash\nstats: {M: x, B: 3, S: 3, W: 5, Mo: 10}\nweapons: [Sword: CW R1 P1 D2]\n",
    )
    folder.write("cards/band.yaml", "kind: warband\nname: Band\nmembers: [{character: Ash}]\n")
    folder.write("cards/sentinel.yaml", MINION)
    outcome = cardgen("build", "--keep-going")
    assert outcome.code == 4
    assert "cards/band.yaml:3:23: warning[CG115]: the character 'Ash' has mistakes" in outcome.err
    outcome = cardgen("build", "--keep-going", "--warband", "Band")
    assert outcome.code == 1
    assert "the character 'Ash' has mistakes" in outcome.err


def test_mistakes_of_cards_that_were_not_asked_for_are_no_reason_to_stop(
    many_mistakes: Folder, cardgen: Program
) -> None:
    (many_mistakes.root / "cards/same.yaml").unlink()
    outcome = cardgen("build", "--only", "sentinel")
    assert (outcome.code, "tab.yaml" in outcome.err) == (1, True), "a file without cards may have any"
    (many_mistakes.root / "cards/tab.yaml").unlink()
    outcome = cardgen("build", "--only", "sentinel")
    assert (outcome.code, outcome.err) == (0, "")
    outcome = cardgen("build", "--only", "Gnoll")
    assert outcome.code == 1
    assert "unknown key 'speed'" in outcome.err
    assert "twice" not in outcome.err
    outcome = cardgen("build", "--only", "gnoll", "--keep-going")
    assert (outcome.code, "no cards" in outcome.err) == (1, False), "nothing is left"
    assert "unknown key 'speed'" in outcome.err
    assert cardgen("list", "--only", "sentinel").code == 0


def test_a_mistake_in_the_lines_of_one_card_leaves_the_others_of_its_file(folder: Folder, cardgen: Program) -> None:
    cards = "".join(
        f"  - name: {name}\n    stats: {{M: {move}, B: 3, S: 3, W: 1, Mo: 10}}\n"
        f"    weapons: [Sword: CW R1 P1 D2]\n{more}"
        for name, move, more in (
            ("One", 3, ""),
            ("Two", "x", ""),
            ("Three", 3, "    qty: 2\n    qty: 2\n"),
            ("Four", 3, ""),
        )
    )
    folder.plain().write("cards/deck.yaml", f"cards:\n{cards}kind: minion\n")
    outcome = cardgen("build", "--keep-going")
    assert outcome.code == 4
    assert "left out:\n  Two (minion two)\n  Three (minion three)\n1 file, 2 cards" in outcome.out
    folder.write("cards/deck.yaml", f"cards:\n{cards}kind: minion\nauthor: me\n")
    assert cardgen("build", "--keep-going").code == 1, "a wrong key of the file is one of all cards"


def test_mistakes_in_settings_are_never_left_out(one_unfit: Folder, cardgen: Program) -> None:
    one_unfit.write("cardgen.yaml", "game: warniris\nsizes: {nobody: poker}\n")
    assert cardgen("build", "--keep-going").code == 1


def test_a_build_without_any_card_that_fits_fails(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("long.yaml", MINION + f"text: {'endless rules ' * 300}\n")
    outcome = cardgen("build", "--keep-going")
    assert outcome.code == 1
    assert "error[CG501]" in outcome.err


def test_a_document_whose_cards_are_all_skipped_is_not_written(one_unfit: Folder, cardgen: Program) -> None:
    one_unfit.write("cards/relic.yaml", f"kind: relic\nname: Tome\ntext: {'endless rules ' * 300}\n")
    outcome = cardgen("build", "--keep-going", "-q")
    assert outcome.code == 4
    assert [path.name for path in one_unfit.root.glob("output/*")] == ["warniris-minion-a4.pdf"]


def test_a_pack_can_skip_cards_too(folder: Folder, cardgen: Program) -> None:
    folder.write(
        "cards/ash.yaml",
        "kind: character\nname: Ash\nstats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}\nweapons: [Sword: CW R1 P1 D2]\n",
    )
    folder.write("cards/tome.yaml", f"kind: relic\nname: Tome\ntext: {'endless rules ' * 28}\n")
    folder.write("cards/band.yaml", "kind: warband\nname: Band\nmembers: [{character: Ash, relic: Tome}]\n")
    assert cardgen("build", "--warband", "Band", "-q").code == 1
    outcome = cardgen("build", "--warband", "Band", "-q", "--keep-going")
    assert outcome.code == 4
    assert "'Tome' is " in outcome.err
    assert (folder.root / "output/band-roster-a4.pdf").is_file()
