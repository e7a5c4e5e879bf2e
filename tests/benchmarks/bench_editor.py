"""Benchmark of the editor module: changes in a project of 1,000 cards, each in a file of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from cardgen.editor.completion import completions
from cardgen.editor.cursor import cursor_at
from cardgen.editor.hover import hover
from cardgen.editor.problems import check_all, check_file
from cardgen.editor.session import Session
from cardgen.editor.worker import ProjectState, Worker
from tests.benchmarks import decks

CARDS, TIMES = 1000, 7
NOTE = "The server waits 20 ms after a change before it checks the file; a client should see problems within 150 ms."


def rows() -> Iterator[tuple[str, float, str] | tuple[str, float, str, float]]:
    """Yield what was measured, the figure, its unit, and its upper limit."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        file = _write_project(root)
        session, text = Session(root), file.read_text(encoding="utf-8")
        started = time.perf_counter()
        check_file(session, file)
        yield f"editor: first problems of a file among {CARDS:,} cards", time.perf_counter() - started, "s"

        def change(number: int) -> None:
            session.set_text(file, f"{text}moto: {number}\n")

        yield (
            "editor: problems of the file after a change",
            _after(change, lambda: check_file(session, file)),
            "s",
            0.13,
        )
        yield "editor: problems of the project after a change", _after(change, lambda: check_all(session)), "s"
        yield "editor: completion after a change", _after(change, lambda: _complete(session, file, text)), "s"
        yield "editor: help after a change", _after(change, lambda: _hover(session, file)), "s"
        session.set_text(file, None)
        yield from _pictures(root)


def _write_project(root: Path) -> Path:
    folder = root / "cards"
    folder.mkdir()
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    _, *cards = decks.minions(CARDS).split("  - name: ")
    for number, card in enumerate(cards):
        name, *lines = card.rstrip().split("\n")
        text = "\n".join(("kind: minion", f"name: {name}", *(line[4:] for line in lines), ""))
        (folder / f"minion-{number:04}.yaml").write_text(text, encoding="utf-8")
    return folder / "minion-0500.yaml"


def _after(change: Callable[[int], None], work: Callable[[], object]) -> float:
    """Return the median time of some work after changes, in s."""
    seconds = []
    for number in range(TIMES):
        change(number)
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return median(seconds)


def _complete(session: Session, file: Path, text: str) -> object:
    return session.ask(lambda loaded: completions(loaded, file, f"{text}mo", len(text) + 2))


def _hover(session: Session, file: Path) -> object:
    cursor = cursor_at(session.document(file), 2, 8)
    return cursor and session.ask(lambda loaded: hover(session, loaded, file, cursor))


def _pictures(root: Path) -> Iterator[tuple[str, float, str]]:
    worker = Worker()
    try:
        state = ProjectState(root, 0, {})
        seconds = []
        for card in ("iron-warden", *["ash-warden"] * 3):
            started = time.perf_counter()
            worker.picture(state, "warniris", card, 100)
            seconds.append(time.perf_counter() - started)
    finally:
        worker.close()
    yield "editor: first picture of a card, with the start of the second process", seconds[0], "s"
    yield "editor: a further picture", min(seconds[1:]), "s"
