"""The project of loaded cards, which draws them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import RLock

from cardgen.api.arguments import argument_places
from cardgen.deck.deck import kind_of
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.model.card import Entry
from cardgen.options import PRINT_DPI
from cardgen.print.request import BuildRequest, ProgressCounter
from cardgen.project.project import Project, corner_radius


class CardSource:
    """The source of a deck: the project, and the loaded paths.

    It keeps the templates and fonts of each theme loaded.
    """

    def __init__(self, project: Project, paths: tuple[Path, ...]) -> None:
        self.project = project
        self.paths = tuple(project.cwd / path for path in paths)

    def __getstate__(self) -> dict[str, object]:
        """Return what another process needs, which loads templates and fonts itself."""
        return {"project": self.project, "paths": self.paths}

    @cached_property
    def _renderers(self) -> _Renderers:
        return _Renderers(self.project)

    def is_printed(self, entry: Entry) -> bool:
        """Return whether cards of this kind are printed."""
        return kind_of(entry).is_printed

    def render(
        self, entry: Entry, file_format: str, side: str, theme: str | None = None, dpi: int = PRINT_DPI
    ) -> bytes:
        """Draw one side of a card. Raises CardgenError as `cardgen.render` does."""
        from cardgen.diagnostic import Code

        if not self.is_printed(entry):
            message = f"'{entry.card.name}' is not printed as a card"
            raise CardgenError(Diagnostic(Code.NOT_ONE_CARD, message, entry.place(("name",))))
        with argument_places():
            content = self._renderers.render(entry, file_format, side, theme or "", dpi)
        if content is None:
            raise CardgenError(Diagnostic(Code.NO_BACK, f"'{entry.card.name}' has no back", entry.place(("name",))))
        return content


class _Renderers:
    """Renderers by theme, created on demand.

    One card is drawn at a time.
    """

    def __init__(self, project: Project) -> None:
        # Imported here so that cards can be loaded without graphics libraries.
        from cardgen.print.render import CardRenderer

        self._renderer_class = CardRenderer
        self._project = project
        self._by_theme: dict[str, CardRenderer] = {}
        self._lock = RLock()

    def render(self, entry: Entry, file_format: str, side: str, theme: str, dpi: int) -> bytes | None:
        """Draw one side of a card; None if it has no back."""
        from cardgen.export.svg import render_face

        with self._lock:
            if theme not in self._by_theme:
                project = BuildRequest(theme=theme or None).apply_to(self._project)
                self._by_theme[theme] = self._renderer_class(project, theme)
            renderer = self._by_theme[theme]
            (rendered,) = renderer.render_all([entry], ProgressCounter(), backs=side == "back")
            face = rendered.piece.back if side == "back" else rendered.piece.front
            if face is None:
                return None
            title, shape = f"{entry.card.name} · {side}", rendered.piece.shape
            radius = corner_radius(self._project.settings, entry.kind)
            return render_face(face, file_format, renderer.fonts, title, dpi, shape=shape, radius=radius)
