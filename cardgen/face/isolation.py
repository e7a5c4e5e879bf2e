"""Isolation of templates made by strangers: they run in a fork with hard limits of time and memory.

The sandbox decides what a template can reach, and counts what it builds. It cannot stop a single long call into C, such
as a filter over a huge range; that takes another process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.face.template import engine
from cardgen.face.template.engine import RenderedTemplate
from cardgen.model.deck import Entry
from cardgen.project.files import display_path
from cardgen.runtime.forked_worker import is_worker
from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError, limits_here
from cardgen.runtime.processes import can_fork
from cardgen.units import Size

# What a template may use beyond the memory of this process, in bytes; the built-in ones stay below a hundredth of it.
MEMORY_LIMIT = 512 << 20
# The limit inside the fork comes first where it works, because it knows the template's line.
_SECONDS = engine.TIME_LIMIT + 1.0

# Arguments: name, card, size, side, and whether to locate the lines of the template.
RenderTemplate: TypeAlias = Callable[[str, Entry, Size, str, bool], RenderedTemplate]
_Fork: TypeAlias = LimitedFork[[str, int, Size, str, bool], RenderedTemplate | tuple[Diagnostic, ...]]


class Isolation:
    """Fork of this process in which templates run; a new one is started whenever there is none.

    Workers of a pool can be ended themselves, so they need no forks of their own. Where this process cannot fork
    safely, templates run in it, with the sandbox's limits alone.
    """

    def __init__(self) -> None:
        # A fork knows the cards that this process knew when it started.
        self._entries: dict[int, Entry] = {}
        self._fork: _Fork | None = None
        # Templates that were killed are not tried again for every card.
        self._killed: dict[str, Diagnostic] = {}

    def expect(self, entries: Iterable[Entry]) -> None:
        """Announce cards, so that one fork can render them all; the ones announced before are forgotten."""
        self._drop_fork()
        self._entries = {id(entry): entry for entry in entries}

    def render(
        self, render: RenderTemplate, path: Path, name: str, entry: Entry, size: Size, side: str, located: bool
    ) -> RenderedTemplate:
        """Return the result of `render(name, entry, size, side, located)` for a template, whose file is `path`.

        `render` is the same function in all calls. Raises CardgenError, also when it exceeds a limit.
        """
        if is_worker():
            # If a limit ends this process, the pool renders its cards again where a fork can be ended.
            with limits_here(_SECONDS, MEMORY_LIMIT):
                return render(name, entry, size, side, located)
        if name in self._killed:
            raise CardgenError(self._killed[name])
        if id(entry) not in self._entries:
            self.expect((*self._entries.values(), entry))
        fork = self._usable_fork(render)
        if fork is None:
            return render(name, entry, size, side, located)
        try:
            result = fork.call(name, id(entry), size, side, located)
        except ResourceLimitError as error:
            advice = engine.SLOW_ADVICE if error.resource == "time" else ""
            self._killed[name] = Diagnostic(Code.TEMPLATE, _limit_message(error), Place(display_path(path)), advice)
            raise CardgenError(self._killed[name]) from None
        if isinstance(result, RenderedTemplate):
            return result
        raise CardgenError(*result)

    def _usable_fork(self, render: RenderTemplate) -> _Fork | None:
        if self._fork is None or not self._fork.is_usable:
            self._drop_fork()
            if can_fork():
                try:
                    self._fork = LimitedFork(partial(self._answer, render), _SECONDS, MEMORY_LIMIT)
                except OSError:  # Too many processes, or too little memory.
                    return None
        return self._fork

    def _drop_fork(self) -> None:
        if self._fork is not None:
            self._fork.close()
            self._fork = None

    def _answer(
        self, render: RenderTemplate, name: str, entry: int, size: Size, side: str, located: bool
    ) -> RenderedTemplate | tuple[Diagnostic, ...]:
        try:
            return render(name, self._entries[entry], size, side, located)
        except CardgenError as error:
            return error.diagnostics


def _limit_message(error: ResourceLimitError) -> str:
    if error.resource == "time":
        return engine.slow_message()
    if error.resource == "memory":
        return f"it needs more than {MEMORY_LIMIT >> 20} MiB of memory"
    return "its process ended unexpectedly"
