"""Benchmark of the editor module: changes in a project of 1,000 cards, each in a file of its own."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from statistics import median
from textwrap import dedent
from typing import Any

from cardgen.editor.completion import completions
from cardgen.editor.hover import hover
from cardgen.editor.session import ProjectService, ProjectState, Session, check_all, check_file
from cardgen.editor.subject import cursor_at
from cardgen.runtime.request_process import RemoteService
from cardgen.studio.engine.remote import Engine
from tests.benchmarks.decks import characters
from tests.benchmarks.measure import Row

CARDS, TIMES, CHANGES = 1000, 7, 20
NOTE = "The server waits 20 ms after a change before it checks the file; a client should see problems within 150 ms."


def _project(root: Path) -> Iterator[Row]:
    file = _write_project(root)
    session, text = Session(root), file.read_text(encoding="utf-8")
    started = time.perf_counter()
    check_file(session, file)
    yield f"editor: first problems of a file among {CARDS:,} cards", time.perf_counter() - started, "s"

    def change(number: int) -> None:
        session.set_text(file, f"{text}moto: {number}\n")

    of_file = _after(change, lambda: check_file(session, file))
    yield "editor: problems of the file after a change", of_file, "s", 0.13
    yield "editor: problems of the project after a change", _after(change, lambda: check_all(session)), "s"
    yield "editor: completion after a change", _after(change, lambda: _complete(session, file, text)), "s"
    yield "editor: help after a change", _after(change, lambda: _hover(session, file)), "s"
    session.set_text(file, None)
    picture, form = _edit_to_picture(root, file, text)
    yield "studio: picture of the card after a change", picture, "s", 0.25
    yield "studio: form of the card after its picture", form, "s", 0.1
    yield from _pictures(root)
    yield from _client(root, file, text)


def _write_project(root: Path) -> Path:
    folder = root / "cards"
    folder.mkdir()
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    for number, (name, keys) in enumerate(characters(CARDS)):
        text = f"kind: character\nname: {name}\n{dedent(keys)}"
        (folder / f"character-{number:04}.yaml").write_text(text, encoding="utf-8")
    return folder / "character-0500.yaml"


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


def _edit_to_picture(root: Path, file: Path, text: str) -> tuple[float, float]:
    """Return the median times from a changed text to its picture in the studio's engine, and on to its form, in s."""
    name, key = file.relative_to(root).as_posix(), ""

    def draw() -> None:
        nonlocal key
        (row, *_) = engine.write(name, text.replace("name: ", f"name: {time.perf_counter_ns()} ", 1)).cards
        key = row.key
        assert engine.draw(key).svg

    with chdir(root):  # as the engine's process does
        engine = Engine(str(root))
        draw()
        assert engine.form.fields(name, key, ()).field
        return _after(lambda _: None, draw), _after(lambda _: draw(), lambda: engine.form.fields(name, key, ()))


def _client(root: Path, file: Path, text: str) -> Iterator[Row]:
    """Yield what a real client waits for, with both processes and the protocol."""
    try:
        from tests.lsp.client import Client
    except ImportError:
        return  # pygls or pytest-lsp is not installed
    name = file.relative_to(root).as_posix()
    client = Client(root)
    try:
        client.open(name)
        client.diagnostics(name, lambda found: bool(found) or True)
        yield from _diagnostics(client, name, text)
        for label, method, params in _requests(client, name):
            started = time.perf_counter()
            client.request(method, params)
            yield f"client: {label}", time.perf_counter() - started, "s"
    finally:
        client.close()


def _diagnostics(client: Any, name: str, text: str) -> Iterator[Row]:
    """Yield the median and the longest time from a change to its problem at the client, and the server's CPU time."""
    seconds, line = [], text.splitlines()[1]
    before = _cpu_seconds(client.pid)
    for number in range(CHANGES):
        old, new = (line, f"{line}\nmoto: 1") if number % 2 == 0 else (f"{line}\nmoto: 1", line)
        started = time.perf_counter()
        client.replace(name, old, new)
        client.diagnostics(name, lambda found, is_wrong=number % 2 == 0: ("CG101" in _codes(found)) == is_wrong)
        seconds.append(time.perf_counter() - started)
    yield "client: problems after a change, median", median(seconds[1:]), "s", 0.15
    yield "client: problems after a change, longest", max(seconds[1:]), "s", 0.3
    if before:
        yield "client: CPU time of the server for each change", (_cpu_seconds(client.pid) - before) / CHANGES, "s", 0.15


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, or 0 where it cannot be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _codes(found: list[Any]) -> list[object]:
    return [each.code for each in found]


def _requests(client: Any, name: str) -> Iterator[tuple[str, str, object]]:
    """Yield one request of each kind."""
    from lsprotocol import types

    document, at = client.document(name), client.at(name, "name:", 8)
    options, context = types.FormattingOptions(2, insert_spaces=True), types.ReferenceContext(include_declaration=True)
    whole = types.Range(types.Position(0, 0), types.Position(3, 0))
    action = types.CodeActionParams(document, whole, types.CodeActionContext([]))
    yield "completion", "text_document_completion", types.CompletionParams(**client.at(name, "kind:", 0))
    yield "help", "text_document_hover", types.HoverParams(**at)
    yield "definition", "text_document_definition", types.DefinitionParams(**at)
    yield "references", "text_document_references", types.ReferenceParams(context=context, **at)
    yield "start of a rename", "text_document_prepare_rename", types.PrepareRenameParams(**at)
    yield "rename", "text_document_rename", types.RenameParams(new_name="Quite New", **at)
    yield "symbols", "text_document_document_symbol", types.DocumentSymbolParams(document)
    yield "symbols of the project", "workspace_symbol", types.WorkspaceSymbolParams("character")
    yield "formatting", "text_document_formatting", types.DocumentFormattingParams(document, options)
    yield "code actions", "text_document_code_action", action


def _pictures(root: Path) -> Iterator[Row]:
    service = RemoteService(ProjectService, is_stateless=True)
    try:
        state = ProjectState(root, 0, {})
        seconds = []
        for card in ("iron-warden", *["ash-warden"] * 3):
            started = time.perf_counter()
            asyncio.run(service.call("picture", state, "warniris", card, 100))
            seconds.append(time.perf_counter() - started)
    finally:
        service.close()
    yield "editor: first picture of a card, with the start of the second process", seconds[0], "s"
    yield "editor: a further picture", min(seconds[1:]), "s"


PARTS = {"project": _project}
