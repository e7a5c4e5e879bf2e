"""The pictures of the page: WebP, each distinct one once, inside the page or as files beside it."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from cardgen.export.pictures import to_webp
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, faces_of
from cardgen.units import MM_PER_INCH

FOLDER = "pictures"
# Base64 takes four characters for three bytes.
_BASE64 = 4 / 3


class Picture(NamedTuple):
    """A picture on the page, with the size of its face in CSS pixels, which are 1/96 inch.

    `source` is its address. A picture that several sides of cards share is inside the page once, as the background of
    the class with the name `shared`.
    """

    width: int
    height: int
    source: str = ""
    shared: str = ""


class Pictures:
    """The pictures of all faces of some cards.

    `names` are the names of their files without side and suffix, by the identity of the card.
    """

    def __init__(self, cards: Sequence[RenderedCard], contents: dict[int, bytes], names: dict[int, str]) -> None:
        self._contents = contents
        self._uses = Counter(contents[id(each.face)] for each in faces_of(cards))
        self._files: dict[bytes, str] = {}
        for card in cards:
            for side, face in (("front", card.piece.front), ("back", card.piece.back)):
                if face is not None:
                    self._files.setdefault(contents[id(face)], f"{FOLDER}/{names[id(card)]}.{side}.webp")

    @property
    def page_bytes(self) -> int:
        """The bytes that all pictures take inside the page."""
        return round(_BASE64 * sum(map(len, self._files)))

    @property
    def files(self) -> dict[str, bytes]:
        """The files beside the page."""
        return {name: content for content, name in self._files.items()}

    def inside(self, face: Face) -> Picture:
        """Return the picture of a face that is inside the page."""
        content = self._contents[id(face)]
        if self._uses[content] > 1:
            return Picture(*_css_size(face), shared=_class_of(content))
        return Picture(*_css_size(face), source=_address(content))

    def beside(self, face: Face) -> Picture:
        """Return the picture of a face whose file is beside the page."""
        return Picture(*_css_size(face), source=self._files[self._contents[id(face)]])

    def style(self) -> str:
        """Return the rules of the pictures that are inside the page once."""
        shared = (content for content, uses in self._uses.items() if uses > 1)
        return "".join(f".{_class_of(each)}{{background-image:url({_address(each)})}}\n" for each in shared)


def draw(job: ExportJob[Any], cards: Sequence[RenderedCard], names: dict[int, str]) -> Pictures:
    """Return the pictures of cards; those that are equal are stored once."""
    faces = {id(each.face): each for each in faces_of(cards)}
    picture = job.pictures(faces.values(), job.dpi)
    distinct: dict[bytes, bytes] = {}
    convert = partial(to_webp, longest=job.profile.longest_side)
    converted = _in_order(convert, (picture(each.face) for each in faces.values()), job.request.processes)
    contents = {key: distinct.setdefault(webp, webp) for key, webp in zip(faces, converted, strict=True)}
    return Pictures(cards, contents, names)


def _in_order(convert: Callable[[bytes], bytes], pictures: Iterable[bytes], threads: int) -> Iterator[bytes]:
    """Yield converted pictures in order; threads convert them while the next ones are drawn."""
    remaining = iter(pictures)
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[bytes]] = deque(pool.submit(convert, each) for each in islice(remaining, 2 * threads))
        while pending:
            yield pending.popleft().result()
            pending.extend(pool.submit(convert, each) for each in islice(remaining, 1))


def _class_of(content: bytes) -> str:
    return f"p{hashlib.sha256(content).hexdigest()[:12]}"


def _address(content: bytes) -> str:
    return f"data:image/webp;base64,{b64encode(content).decode()}"


def _css_size(face: Face) -> tuple[int, int]:
    width, height = (max(1, round(side / MM_PER_INCH * 96)) for side in face.size)
    return width, height
