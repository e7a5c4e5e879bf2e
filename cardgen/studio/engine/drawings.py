"""Faces of cards as pictures for the studio."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping

from cardgen.diagnostic import CardgenError
from cardgen.export import svg
from cardgen.face.face import Face, Room
from cardgen.model.entry import Entry
from cardgen.pipeline.build.render import CardRenderer
from cardgen.project import Project
from cardgen.project.project import corner_radius
from cardgen.sheet.imposition import SAFE_MARGIN, PrintPiece
from cardgen.studio.engine.answers import DrawnFace
from cardgen.studio.page_words import page_words
from cardgen.text.fonts import Fonts
from cardgen.units import Shape

# Overlays of a picture; with the bleed, more of the face is shown.
BLEED, SAFE, CUT = "bleed", "safe", "cut"
# Cards to remember as they were last drawn.
_MOST_DRAWN = 16
_LINES = {
    CUT: 'stroke="#d6006c" stroke-width=".35"',
    SAFE: 'stroke="#0a7d3c" stroke-width=".35" stroke-dasharray="1.6 1"',
}


class FaceDrawer:
    """Drawer of the faces of one project, which keeps fonts, templates, and themes between cards."""

    def __init__(self, project: Project, fonts: Fonts | None = None) -> None:
        self._project = project
        self._renderer = CardRenderer(project, fonts=fonts)
        self._pieces: OrderedDict[tuple[str, str], PrintPiece[Face]] = OrderedDict()

    @property
    def fonts(self) -> Fonts:
        """The fonts that are open."""
        return self._renderer.fonts

    def draw(self, entry: Entry, version: str, marks: Collection[str] = (), *, back: bool = False) -> DrawnFace:
        """Return one side of a card; `version` tells apart the states of a card with the same id."""
        try:
            return self.draw_strictly(entry, version, marks, back=back)
        except CardgenError as error:
            return DrawnFace(b"", problem=page_words(error.diagnostics[0].message))

    def draw_strictly(
        self, entry: Entry, version: str, marks: Collection[str] = (), *, back: bool = False
    ) -> DrawnFace:
        """Return one side of a card. Raises CardgenError with all problems if it cannot be drawn."""
        piece = self._piece(entry, version)
        face = piece.back if back else piece.front
        if face is None:
            return DrawnFace(b"", problem="this card has no back")
        picture, has_back = self._picture(face, piece.shape, entry, marks), piece.back is not None
        return DrawnFace(picture, _fill(face), has_back=has_back, fits=_fits(face))

    def _piece(self, entry: Entry, version: str) -> PrintPiece[Face]:
        key = (f"{entry.game}/{entry.kind}/{entry.card.id}", version)
        if key not in self._pieces:
            self._pieces[key], _ = self._renderer.render_piece(entry, backs=True)
            if len(self._pieces) > _MOST_DRAWN:
                self._pieces.popitem(last=False)
        return self._pieces[key]

    def _picture(self, face: Face, shape: Shape, entry: Entry, marks: Collection[str]) -> bytes:
        radius = corner_radius(self._project.settings, entry.kind)
        bleed = face.bleed if BLEED in marks else 0.0
        content = svg.write(face, self._renderer.fonts, entry.card.name, bleed, shape=shape, radius=radius)
        lines = "".join(_outline(face, shape, radius, mark) for mark in _LINES if mark in marks)
        return content.replace(b"</svg>", f"{lines}</svg>".encode()) if lines else content


def _outline(face: Face, shape: Shape, radius: float, mark: str) -> str:
    """Return the outline of the cut or of the safe zone."""
    width, height = face.size
    inset = min(SAFE_MARGIN, width / 8, height / 8) if mark == SAFE else 0.0
    corner = width / 2 if shape is Shape.ROUND else max(radius - inset, 0.0)
    return (
        f'<rect x="{inset:g}" y="{inset:g}" width="{width - 2 * inset:g}" height="{height - 2 * inset:g}" '
        f'rx="{corner:g}" fill="none" {_LINES[mark]}/>'
    )


def _fill(face: Face) -> float:
    """Return how full the fullest box of a face is."""
    return max(
        (fit.used / fit.available if isinstance(fit, Room) else fit.fill for fit in face.fits if _has_box(fit)),
        default=0.0,
    )


def _fits(face: Face) -> Mapping[str, float]:
    """Return how full the boxes of texts are, by the path of the text in the card's data."""
    fits: dict[str, float] = {}
    for fit in face.fits:
        if not isinstance(fit, Room):
            fits[fit.field] = max(fits.get(fit.field, 0.0), fit.fill)
    return fits


def _has_box(fit: object) -> bool:
    return not isinstance(fit, Room) or fit.available > 0
