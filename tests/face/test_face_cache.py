"""The cache of rendered faces."""

from __future__ import annotations

import os
from pathlib import Path

from cardgen.diagnostic import Diagnostic, Place
from cardgen.face.face import Artwork, Face, Picture
from cardgen.face.renderer import FaceCache, FacePair, RenderedFace
from cardgen.units import Box, Size

SIZE = Size(63, 88)
PICTURE = Picture(Path("a.png"), Box(0, 0, 10, 10))


def rendered(svg: bytes = b"<svg/>", key: int = 1, *misfits: Diagnostic) -> RenderedFace:
    return RenderedFace(Face(SIZE, 3, (Artwork(svg), PICTURE)), misfits, (key, SIZE, "front"))


def test_the_rest_of_a_face_has_its_pictures() -> None:
    face = rendered().face
    assert face.rest == Face(SIZE, 3, (PICTURE,))
    assert face.rest.rest is not face
    assert (rest := face.rest).rest is rest


def test_equal_keys_share_a_face() -> None:
    cache = FaceCache()
    first = cache.add(rendered(), "minion")
    assert cache.add(rendered(), "minion") is first
    assert cache.add(rendered(), "relic") is first
    assert cache.add(rendered(key=2), "minion") is not first


def test_a_released_face_is_shared_by_cards_of_its_kind_only() -> None:
    cache = FaceCache()
    first = cache.add(rendered(), "minion")
    cache.release(first, "minion", first.face.rest)
    assert cache.find(first.key, "minion") == cache.intern(rendered(), "minion")
    assert cache.intern(rendered(), "minion").face == first.face.rest
    assert cache.find(first.key, "relic") is None
    whole = cache.intern(rendered(), "relic")
    assert whole.face == first.face
    assert cache.intern(rendered(), "minion").face == first.face.rest


def test_a_face_with_a_misfit_is_not_shared_or_released() -> None:
    cache = FaceCache()
    misfit = rendered(b"<svg/>", 1, Diagnostic("CG501", "does not fit", Place("a.yaml")))
    assert not misfit.is_current
    assert cache.intern(misfit, "minion") is misfit
    cache.release(misfit, "minion", misfit.face.rest)
    assert cache.find(misfit.key, "minion") is None


def test_a_face_is_not_current_once_a_source_changes(tmp_path: Path) -> None:
    path = tmp_path / "leaf.svg"
    path.write_bytes(b"<svg/>")
    face = rendered()
    current = RenderedFace(face.face, (), face.key, ((path, path.stat().st_mtime_ns),))
    assert current.is_current
    os.utime(path, ns=(0, 0))
    assert not current.is_current


def test_a_pair_is_released_side_by_side() -> None:
    cache, pair = FaceCache(), FacePair(rendered(), rendered(b"<svg></svg>", 2))
    interned = pair.interned_in(cache, "minion")
    interned.release_in(cache, "minion", interned.rests)
    again = pair.interned_in(cache, "minion")
    assert again.back is not None
    assert (again.front.face, again.back.face) == interned.rests
    alone = FacePair(rendered(key=3), None)
    assert alone.interned_in(cache, "minion") == alone
    alone.release_in(cache, "minion", alone.rests)
    assert cache.find(alone.front.key, "minion") is not None
