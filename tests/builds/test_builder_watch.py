from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgen.builds.builder import Builder, watch_and_build
from cardgen.diagnostic import CardgenError
from cardgen.export.pdf import writer
from cardgen.face.renderer import FaceAssembler
from cardgen.print.build_manifest import BuildResult
from cardgen.print.request import BuildRequest
from cardgen.runtime.atomic_write import ScratchFile
from cardgen.runtime.fingerprint import poll_changes, snapshot
from tests.export.pdf.inspection import quartered
from tests.projects import BACK, FRONT, MINION, Folder, pages_of


def names(paths: tuple[Path, ...]) -> list[str]:
    return [path.name for path in paths]


def test_a_snapshot_holds_files_but_not_hidden_ones_nor_what_is_left_out(tmp_path: Path) -> None:
    for name in ("a.yaml", "deep/b.yaml", ".hidden", ".git/c", "output/d.pdf", "e.yaml~"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    seen = snapshot([tmp_path, tmp_path / "a.yaml", tmp_path / "nowhere"], tmp_path / "output")
    assert sorted(Path(path).relative_to(tmp_path).as_posix() for path in seen) == ["a.yaml", "deep/b.yaml"]


def test_a_round_begins_when_something_changed_and_is_at_rest() -> None:
    looks = iter([{"a": (0, 0)}, {"a": (0, 0)}, {"a": (1, 0)}, {"a": (2, 0)}, {"a": (2, 0)}, {"a": (2, 0)}])
    seen: list[object] = []

    def look() -> dict[str, tuple[int, int]]:
        seen.append(1)
        return next(looks)

    going = poll_changes(look, interval=0)
    next(going)
    assert len(seen) == 1
    next(going)
    assert len(seen) == 6


def test_what_changes_during_a_round_makes_another_one() -> None:
    now = {"a": (0, 0)}
    going = poll_changes(lambda: dict(now), interval=0)
    next(going)
    now["a"] = (1, 0)
    next(going)


def test_nothing_is_written_again_when_nothing_changed(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    builder = Builder(BuildRequest(formats=("pdf", "svg", "png"), dpi=36))
    first, second = builder.build(), builder.build()
    assert len(first.written) == 9
    assert (second.written, second.files) == ((), first.files)


def test_a_file_that_was_deleted_is_written_again(folder: Folder) -> None:
    folder.plain().minions("Anna")
    builder = Builder(BuildRequest())
    builder.build()
    (folder.root / "output/warniris-minion-a4.pdf").unlink()
    assert names(builder.build().written) == ["warniris-minion-a4.pdf"]


def test_only_what_changed_is_drawn_and_written_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("Anna", "Bert", "Carl")
    builder = Builder(BuildRequest(formats=("svg",)))
    builder.build()
    drawn: list[str] = []
    real = FaceAssembler.assemble

    def counted(self: FaceAssembler, *given: object) -> object:
        drawn.append("face")
        return real(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(FaceAssembler, "assemble", counted)
    folder.minions("Anna", "Bertha", "Carl")
    assert names(builder.build().written) == ["002-bertha-front.svg", "002-bertha-back.svg"]
    assert drawn == ["face"], "the front of one card, and no back"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("templates/warniris/minion.svg.j2", FRONT.replace("#eee", "#fee")),
        ("templates/warniris/theme.yaml", "styles: {body: {font: display, size: 8}}\n"),
        ("cardgen.yaml", "bleed: 1mm\n"),
    ],
)
def test_templates_themes_and_settings_count_as_changes(folder: Folder, name: str, content: str) -> None:
    folder.plain().minions("Anna")
    builder = Builder(BuildRequest())
    builder.build()
    folder.write(name, content)
    assert names(builder.build().written) == ["warniris-minion-a4.pdf"]


def test_a_picture_that_was_changed_counts_as_a_change(folder: Folder) -> None:
    folder.plain()
    folder.write("cards/a.yaml", MINION + "art: hero.png\n")
    quartered(folder.root / "cards/hero.png", 40, 40)
    builder = Builder(BuildRequest())
    builder.build()
    assert builder.build().written == ()
    quartered(folder.root / "cards/hero.png", 50, 50)
    assert names(builder.build().written) == ["warniris-minion-a4.pdf"]


def test_a_picture_that_is_gone_or_broken_is_said_though_its_card_was_drawn_before(folder: Folder) -> None:
    folder.plain()
    folder.write("cards/a.yaml", MINION + "art: hero.png\n")
    quartered(folder.root / "cards/hero.png")
    builder = Builder(BuildRequest())
    builder.build()
    for content in (None, b"broken"):
        if content is None:
            (folder.root / "cards/hero.png").unlink()
        else:
            folder.write("cards/hero.png", content)
        with pytest.raises(CardgenError) as caught:
            builder.build()
        (problem,) = caught.value.diagnostics
        assert str(problem.place) == "cards/a.yaml:4:6"
    quartered(folder.root / "cards/hero.png")
    builder.build()


def test_a_failed_build_leaves_what_is_there_and_the_next_one_mends_it(folder: Folder) -> None:
    folder.plain().minions("Anna")
    builder = Builder(BuildRequest())
    builder.build()
    before = folder.output("warniris-minion-a4.pdf")
    folder.write("templates/warniris/minion.svg.j2", FRONT.replace("{% endif %}", ""))
    with pytest.raises(CardgenError):
        builder.build()
    assert folder.output("warniris-minion-a4.pdf") == before
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    builder.build()
    assert folder.output("warniris-minion-a4.pdf") == before


def test_a_failure_while_files_are_made_writes_none_of_them(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.plain().minions("Anna")
    folder.write("templates/warniris/relic.svg.j2", BACK)
    folder.write("cards/r.yaml", "kind: relic\nname: Cup\ntext: It is empty.\n")
    real, made = writer.write_file, []

    def second_fails(*given: object, **named: object) -> ScratchFile:
        made.append(1)
        if len(made) == 2:
            raise CardgenError
        return real(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "write_file", second_fails)
    with pytest.raises(CardgenError):
        Builder(BuildRequest()).build()
    assert (len(made), folder.files()) == (2, [])


class WatchedFolder(Folder):
    """A folder whose files change at once: on a busy machine, a watcher could see an empty one for a while."""

    def write(self, name: str, content: str | bytes) -> Path:
        return super().write(f".{Path(name).name}", content).replace(self._place(name))

    def _place(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@pytest.fixture
def watched(folder: Folder) -> WatchedFolder:
    return WatchedFolder(folder.root)


def _outcomes(request: BuildRequest, into: list[BuildResult | CardgenError], times: int) -> threading.Thread:
    def watch() -> None:
        outcomes: Iterator[BuildResult | CardgenError] = watch_and_build(request)
        for _, outcome in zip(range(times), outcomes, strict=False):
            into.append(outcome)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def _wait_for(outcomes: list[BuildResult | CardgenError], number: int) -> float:
    started = time.monotonic()
    while len(outcomes) < number:
        assert time.monotonic() - started < 100, "no build came"
        time.sleep(0.005)
    return time.monotonic() - started


def test_watching_builds_again_when_a_card_changes_and_goes_on_after_a_mistake(watched: WatchedFolder) -> None:
    watched.plain().minions("Anna")
    outcomes: list[BuildResult | CardgenError] = []
    thread = _outcomes(BuildRequest(), outcomes, 4)
    _wait_for(outcomes, 1)
    watched.minions("Bert")
    _wait_for(outcomes, 2)
    assert "Bert" in pages_of(watched.output("warniris-minion-a4.pdf"))[0]
    watched.write("cards/minions.yaml", "kind: minion\ncards: [{nam: Carl}]\n")
    _wait_for(outcomes, 3)
    watched.minions("Carl")
    _wait_for(outcomes, 4)
    thread.join(100)
    assert [type(outcome) for outcome in outcomes] == [BuildResult, BuildResult, CardgenError, BuildResult]
    assert "Carl" in pages_of(watched.output("warniris-minion-a4.pdf"))[0]


def test_wrong_settings_do_not_end_the_watch(watched: WatchedFolder) -> None:
    watched.plain().minions("Anna")
    watched.write("cardgen.yaml", "paper: papyrus\n")
    outcomes: list[BuildResult | CardgenError] = []
    thread = _outcomes(BuildRequest(), outcomes, 2)
    _wait_for(outcomes, 1)
    watched.write("cardgen.yaml", "paper: a5\n")
    _wait_for(outcomes, 2)
    thread.join(100)
    assert [type(outcome) for outcome in outcomes] == [CardgenError, BuildResult]
    assert os.listdir("output") == ["warniris-minion-a5.pdf"]  # noqa: PTH208 - one name is all that is asked for


def test_settings_above_the_current_folder_are_watched_too(
    watched: WatchedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.plain().minions("Anna")
    watched.write("cardgen.yaml", "paper: papyrus\n")
    monkeypatch.chdir(watched.root / "cards")
    outcomes: list[BuildResult | CardgenError] = []
    thread = _outcomes(BuildRequest(output=watched.root / "output"), outcomes, 2)
    _wait_for(outcomes, 1)
    watched.write("cardgen.yaml", "paper: a5\n")
    _wait_for(outcomes, 2)
    thread.join(100)
    assert [type(outcome) for outcome in outcomes] == [CardgenError, BuildResult]
