"""Rendered faces, and a cache in which cards with equal faces share them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import Diagnostic
from cardgen.face.assembly import changed_at
from cardgen.face.face import Face
from cardgen.units import Size

# Inputs of a face: hash of its SVG, size, and side; with pictures, also the card's art, as text, and folder. Forks have
# the same hashes, and with 64 bits, no two of a million faces will have the same.
FaceKey: TypeAlias = tuple[int, Size, str] | tuple[int, Size, str, str, str]


class RenderedFace(NamedTuple):
    """Face with its diagnostics, and the key of its inputs.

    Equal keys mean equal faces, as long as the `sources` are the same: SVG files that are drawn on it, each with the
    time of its last change.
    """

    face: Face
    diagnostics: tuple[Diagnostic, ...]
    key: FaceKey
    sources: tuple[tuple[Path, int], ...] = ()

    @property
    def is_current(self) -> bool:
        """True if the texts fit and the sources are unchanged, so that other cards can have the same face."""
        return not self.diagnostics and all(changed_at(path) == time for path, time in self.sources)


@dataclass(frozen=True, slots=True)
class FaceCache:
    """The faces of one renderer, by the keys of their inputs.

    Of a face that is drawn in the document of a kind of card, only the rest may be left. Cards of that kind share it,
    and for others it is rendered again.
    """

    _faces: dict[FaceKey, RenderedFace] = field(default_factory=dict)
    _drawn: dict[tuple[FaceKey, str], RenderedFace] = field(default_factory=dict)

    def find(self, key: FaceKey, kind: str) -> RenderedFace | None:
        """Return the face of a key for a kind of card, even if its sources have changed."""
        return self._drawn.get((key, kind)) or self._faces.get(key)

    def add(self, rendered: RenderedFace, kind: str) -> RenderedFace:
        """Cache a face, and return it, or the equal one that is cached already."""
        cached = self.find(rendered.key, kind)
        if cached is not None and (cached.diagnostics, cached.sources) == (rendered.diagnostics, rendered.sources):
            return cached
        self._faces[rendered.key] = rendered
        return rendered

    def intern(self, rendered: RenderedFace, kind: str) -> RenderedFace:
        """Return the cached face that is equal to one from another process."""
        return rendered if rendered.diagnostics else self.add(rendered, kind)

    def release(self, drawn: RenderedFace, kind: str, rest: Face) -> None:
        """Keep only the rest of a face that is drawn in the document of a kind."""
        if rest is not drawn.face and not drawn.diagnostics:
            self._faces.pop(drawn.key, None)
            self._drawn[drawn.key, kind] = drawn._replace(face=rest)


class FacePair(NamedTuple):
    """The rendered sides of a card."""

    front: RenderedFace
    back: RenderedFace | None

    @property
    def rests(self) -> tuple[Face, ...]:
        """The rests of the faces."""
        return tuple(side.face.rest for side in self if side)

    def interned_in(self, cache: FaceCache, kind: str) -> FacePair:
        """Return the pair for a kind of card with faces of this process.

        Faces from another process are replaced by equal ones.
        """
        return FacePair(cache.intern(self.front, kind), cache.intern(self.back, kind) if self.back else None)

    def release_in(self, cache: FaceCache, kind: str, rests: Iterable[Face]) -> None:
        """Keep only the rests of the faces, which are drawn in the document of a kind."""
        for side, rest in zip(filter(None, self), rests, strict=True):
            cache.release(side, kind, rest)
