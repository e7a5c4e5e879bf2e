"""A build with nothing to do does nothing, and one with something to do is never taken for one with nothing."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from cardgen.builds.builder import watch_and_build
from cardgen.cli import run
from cardgen.export import svg
from cardgen.print import build_manifest
from cardgen.print.build_manifest import BuildManifest, BuildResult
from cardgen.print.request import BuildRequest
from cardgen.runtime import fingerprint
from tests.cli.commands import Program, process
from tests.projects import FRONT, MINION, Folder

PDF = "warniris-minion-a4.pdf"
UNCHANGED = "unchanged since the last build"
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """The program with a cache of its own, for which every file is at rest as soon as it is written."""
    monkeypatch.setattr(fingerprint, "SETTLED_NS", -3_600_000_000_000)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Program(capsys)


@pytest.fixture
def built(folder: Folder, cardgen: Program) -> Folder:
    """A project with a bit of everything, built once."""
    folder.plain().write("cards/a.yaml", MINION + "art: a.png\n")
    folder.write("art.png", svg._encode_png(1, 1, 3, b"\0\0\0", 72))
    folder.write("cards/a.png", svg._encode_png(1, 1, 3, b"\0\0\0", 72))
    folder.write("cards/deep/b.yaml", MINION.replace("Sentinel", "Other"))
    folder.write("cardgen.yaml", "paper: a4\n")
    folder.write("icons/one.svg", ICON)
    folder.write("fonts/Own.txt", "no font")
    assert UNCHANGED not in cardgen("build").out
    return folder


def manifests() -> list[Path]:
    return sorted((Path(platformdirs.user_cache_dir("cardgen")) / "builds").iterdir())


def test_an_unchanged_build_does_nothing_and_says_so(built: Folder, cardgen: Program) -> None:
    before = (built.root / "output" / PDF).stat()
    outcome = cardgen("build")
    assert outcome.code == 0
    assert outcome.out == "1 file, 2 cards, 2 copies, 1 sheet unchanged since the last build\n"
    assert (built.root / "output" / PDF).stat() == before
    assert cardgen("build", "-q").out == ""


CHANGES: dict[str, Callable[[Folder], object]] = {
    "a card": lambda it: it.write("cards/a.yaml", MINION + "art: a.png\nmotto: No.\n"),
    "a card of the same length": lambda it: it.write("cards/deep/b.yaml", MINION.replace("Sentinel", "Wther")),
    "a card is added": lambda it: it.write("cards/c.yml", MINION.replace("Sentinel", "Third")),
    "a card is removed": lambda it: (it.root / "cards/deep/b.yaml").unlink(),
    "a card is renamed": lambda it: (it.root / "cards/deep/b.yaml").rename(it.root / "cards/deep/c.yaml"),
    "a template": lambda it: it.write("templates/warniris/minion.svg.j2", FRONT + "\n"),
    "a template is removed": lambda it: (it.root / "templates/warniris/minion.svg.j2").unlink(),
    "a hidden template": lambda it: it.write("templates/warniris/.part.svg.j2", ""),
    "a theme is added": lambda it: it.write("templates/warniris/theme.yaml", "{}\n"),
    "an icon": lambda it: it.write("icons/one.svg", ICON + "\n"),
    "an icon is added": lambda it: it.write("icons/two.svg", ICON),
    "a charge is added": lambda it: it.write("charges/toad.svg", ICON),
    "a font": lambda it: it.write("fonts/Own.txt", "still none"),
    "a picture": lambda it: it.write("cards/a.png", svg._encode_png(2, 1, 6, b"\0" * 6, 72)),
    "a picture is gone": lambda it: (it.root / "cards/a.png").unlink(),
    "the settings": lambda it: it.write("cardgen.yaml", "paper: a4\nmargin: 6mm\n"),
    "the settings are removed": lambda it: (it.root / "cardgen.yaml").unlink(),
    "settings are added": lambda it: it.write("cards/cardgen.yaml", ""),
    "the output is removed": lambda it: (it.root / "output" / PDF).unlink(),
    "the output is another": lambda it: it.write(f"output/{PDF}", b"%PDF-"),
    "the output is another of that length": lambda it: it.write(f"output/{PDF}", b"x" * len(it.output(PDF))),
    "the output's folder is a file": lambda it: ((it.root / "output").rename(it.root / "o"), it.write("output", "")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_changes_is_seen(built: Folder, cardgen: Program, what: str) -> None:
    CHANGES[what](built)
    assert UNCHANGED not in cardgen("build").out


@pytest.mark.parametrize("name", ["battle.jsonl", "findings.json", "export/cards.csv"])
def test_what_cardgen_writes_beside_the_cards_is_no_change(built: Folder, cardgen: Program, name: str) -> None:
    built.write(name, "{}\n")
    assert UNCHANGED in cardgen("build").out


def test_a_table_of_the_settings_is_seen_wherever_it_is(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cardgen.yaml", "tables:\n  lists/all.csv: {kind: minion}\n")
    row = "name,stats.M,stats.B,stats.S,stats.W,stats.Mo\nAsh,2,2,2,1,10\n"
    folder.write("lists/all.csv", row)
    assert cardgen("build").code == 0
    assert UNCHANGED in cardgen("build").out
    folder.write("lists/all.csv", row.replace("Ash", "Oak"))
    assert UNCHANGED not in cardgen("build").out


def test_a_change_that_keeps_size_and_time_is_seen(built: Folder, cardgen: Program) -> None:
    card = built.root / "cards/deep/b.yaml"
    before = card.stat()
    card.write_text(card.read_text(encoding="utf-8").replace("Other", "Rehto"), encoding="utf-8")
    os.utime(card, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert UNCHANGED not in cardgen("build").out


def test_a_picture_in_a_place_that_is_passed_over_is_seen(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", MINION + "art: .hidden/a.png\n")
    folder.write("output/.hidden/a.png", b"")
    folder.write(".hidden/a.png", svg._encode_png(1, 1, 3, b"\0\0\0", 72))
    assert cardgen("build").code == 0
    assert UNCHANGED in cardgen("build").out
    folder.write(".hidden/a.png", svg._encode_png(2, 1, 6, b"\0" * 6, 72))
    assert UNCHANGED not in cardgen("build").out


@pytest.mark.parametrize(
    ("name", "value"),
    [("SOURCE_DATE_EPOCH", "86400"), ("RL_shapeChecking", "0")],
)
def test_the_environment_that_bears_on_documents_counts(
    built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert UNCHANGED not in cardgen("build").out
    assert UNCHANGED in cardgen("build").out
    monkeypatch.delenv(name)
    assert UNCHANGED not in cardgen("build").out


@pytest.mark.parametrize(
    "options",
    [("--paper", "letter"), ("--qty", "2"), ("--only", "Other"), ("--format", "svg"), ("--theme", "low-ink"),
     ("--no-backs",), ("-o", "elsewhere"), ("--layout", "single"), ("cards/deep",), ("--no-cache",)],
    ids=" ".join,
)  # fmt: skip
def test_another_request_is_another_build(built: Folder, cardgen: Program, options: tuple[str, ...]) -> None:
    first = cardgen("build", *options)
    assert (first.code, UNCHANGED in first.out) == (0, False)
    assert (UNCHANGED in cardgen("build", *options).out) == (options != ("--no-cache",))


def test_a_build_of_some_cards_leaves_that_of_all_unchanged(built: Folder, cardgen: Program) -> None:
    assert cardgen("build", "--only", "Other").code == 0
    assert UNCHANGED in cardgen("build").out
    assert UNCHANGED in cardgen("build", "--only", "Other").out


def test_another_version_builds_again(built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "__version__", "99")
    assert UNCHANGED not in cardgen("build").out


def test_a_package_that_was_installed_builds_again(
    built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "site/cardgen_game-2.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert UNCHANGED not in cardgen("build").out


def test_code_that_is_installed_nowhere_counts(
    built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As with a game that somebody is working on."""
    module = tmp_path / "games/mygame.py"
    module.parent.mkdir()
    module.write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(module.parent)
    monkeypatch.delitem(sys.modules, "mygame", raising=False)
    __import__("mygame")
    cardgen("build", "--qty", "3")
    assert UNCHANGED in cardgen("build", "--qty", "3").out
    module.write_text("# another\n", encoding="utf-8")
    assert UNCHANGED not in cardgen("build", "--qty", "3").out


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{}", b'{"format": 99}', b'{"format": 1, "outputs": 3}', b"[" * 100_000,
     b'{"format": 1, "circumstances": "", "files": null, "others": {}, "outputs": {"a": 1}, "counts": []}'],
    ids=lambda content: content[:24].decode("latin-1"),
)  # fmt: skip
def test_a_manifest_that_is_broken_or_old_is_passed_over(built: Folder, cardgen: Program, content: bytes) -> None:
    (kept,) = manifests()
    kept.write_bytes(content)
    outcome = cardgen("build")
    assert (outcome.code, outcome.err) == (0, "")
    assert UNCHANGED not in outcome.out
    assert UNCHANGED in cardgen("build").out


def test_what_changed_while_it_was_built_is_not_kept(
    built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprint, "SETTLED_NS", 3600 * 10**9)
    built.write("cards/a.yaml", MINION)
    assert UNCHANGED not in cardgen("build").out
    assert UNCHANGED not in cardgen("build").out


def test_a_build_that_fails_leaves_no_manifest_that_lies(built: Folder, cardgen: Program) -> None:
    good = (built.root / "cards/a.yaml").read_bytes()
    built.write("cards/a.yaml", "kind: minion\n")
    assert cardgen("build").code == 1
    assert cardgen("build").code == 1
    built.write("cards/a.yaml", good)
    assert UNCHANGED not in cardgen("build").out


def test_outputs_among_the_cards_are_no_change(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    assert cardgen("build", "-o", ".", "--format", "png", "--dpi", "36").code == 0
    assert cardgen("build", "-o", ".", "--format", "png", "--dpi", "36").code == 0
    assert UNCHANGED in cardgen("build", "-o", ".", "--format", "png", "--dpi", "36").out


def test_files_of_cards_that_were_renamed_are_removed(folder: Folder, cardgen: Program) -> None:
    options = ("build", "--format", "svg", "--no-backs")
    folder.plain().minions("Anna", "Bert", "Carl")
    cardgen(*options)
    folder.write("output/warniris-minion/mine.txt", "")
    folder.write("output/warniris-minion/003-carl-front.svg", "edited by hand")
    folder.minions("Anna", "Dora")
    said = cardgen(*options).out
    assert "removed output/warniris-minion/002-bert-front.svg\n" in said
    assert "carl" not in said
    assert folder.files("output/warniris-minion") == [
        "001-anna-front.svg", "002-dora-front.svg", "003-carl-front.svg", "mine.txt"
    ]  # fmt: skip


def test_a_kind_that_is_no_more_takes_its_folder_along(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    folder.write("cards/r.yaml", "kind: relic\nname: Stone\ntext: It is heavy.\n")
    assert cardgen("build", "--format", "svg").code == 0
    (folder.root / "cards/r.yaml").unlink()
    assert cardgen("build", "--format", "svg").code == 0
    assert not (folder.root / "output/warniris-relic").exists()


def test_nothing_is_removed_without_a_cache_or_when_a_build_fails(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna", "Bert")
    cardgen("build", "--format", "svg")
    before = folder.files()
    folder.write("cards/minions.yaml", "kind: minion\nname: Anna\n")
    assert cardgen("build", "--format", "svg").code == 1
    folder.minions("Anna")
    assert cardgen("build", "--format", "svg", "--no-cache").code == 0
    assert folder.files() == before


def test_two_builds_at_once_do_not_take_each_others_files_for_their_own(built: Folder, cardgen: Program) -> None:
    """Of two builds with different cards the slower one writes last: then nothing is unchanged."""
    asked: dict[str, object] = {}
    quick = BuildManifest(asked, (), Path("output"))
    quick.start()
    assert run(["build", "-q", "--no-cache"]) == 0
    was = fingerprint.stamp(Path("output") / PDF, fingerprint.WRITTEN)
    assert was
    assert run(["build", "-q", "--no-cache"]) == 0
    quick.finish(BuildResult((Path("output") / PDF,), (), 2, 2, 1, 0.0), {Path("output") / PDF: was}, ())
    assert BuildManifest(asked, (), Path("output")).unchanged_result() is None


def test_watching_keeps_a_manifest_too(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    asked: dict[str, object] = {"formats": ("svg",)}
    kept = BuildManifest(asked, (), Path("output"))
    watching = watch_and_build(BuildRequest(formats=("svg",)), kept)
    next(watching)
    assert BuildManifest(asked, (), Path("output")).unchanged_result() is not None
    folder.minions("Bert")
    outcome = next(watching)
    assert not isinstance(outcome, Exception)
    assert [path.name for path in outcome.removed] == ["001-anna-front.svg", "001-anna-back.svg"]
    assert BuildManifest(asked, (), Path("output")).unchanged_result() is not None


def test_a_cache_that_cannot_be_written_stops_nothing(
    folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.plain().minions("Anna").write("taken", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.root / "taken"))
    assert cardgen("build").code == 0
    assert UNCHANGED not in cardgen("build").out


def test_only_so_many_are_kept(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_manifest, "_MOST_MANIFESTS", 2)
    folder.plain().minions("Anna")
    for number in range(1, 5):
        cardgen("build", "--format", "svg", "--qty", str(number))
    assert len(manifests()) == 2


def test_a_project_of_too_many_files_is_always_built(
    built: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprint, "MOST_FILES", 3)
    assert UNCHANGED not in cardgen("build").out
    assert UNCHANGED not in cardgen("build").out


def test_nothing_heavy_is_loaded_when_there_is_nothing_to_do(built: Folder, cardgen: Program) -> None:
    time.sleep(0.15)
    process("build", "-q")
    outcome = process("build", PYTHONPROFILEIMPORTTIME="1")
    assert UNCHANGED in outcome.out
    loaded = {line.rpartition("|")[2].strip() for line in outcome.err.splitlines()}
    heavy = {"yaml", "pydantic", "jinja2", "reportlab", "cairosvg", "pikepdf", "pypdfium2", "uharfbuzz", "PIL"}
    assert "click" in loaded
    assert not loaded & heavy
