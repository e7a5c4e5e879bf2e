"""MakePlayingCards: fronts, backs, and an order in the XML of mpc-autofill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.print import pieces
from cardgen.target.print.pieces import PrintProfile
from cardgen.validation.base import Flag

# The steps in which the price of an order grows.
_BRACKETS = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)


class MpcProfile(PrintProfile):
    """Requirements of MakePlayingCards, and the stock of an order."""

    stock: Literal["(S27) Smooth", "(S30) Standard Smooth", "(S33) Superior Smooth", "(M31) Linen", "(P10) Plastic"] = (
        "(S30) Standard Smooth"
    )
    foil: Flag = False


Profile = MpcProfile


class OrderPicture(NamedTuple):
    """Picture file of an order, with the slots that show it."""

    name: str
    query: str
    slots: Sequence[int]


def export(job: ExportJob[MpcProfile]) -> Outcome:
    """Add pictures and the order.

    Raises CardgenError for a card without a back, for too many cards, and for foil on plastic.
    """
    if job.profile.foil and job.profile.stock == "(P10) Plastic":
        message = f"the stock '{job.profile.stock}' cannot have foil"
        advice = f"set 'foil: false', or another stock, in services/{job.name}.yaml"
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, Place(job.name), advice))
    selection = pieces.select_two_sided(job, job.profile.sizes)
    copies = list(job.expand(selection.cards))
    pieces.require_count(job, len(copies))
    fronts = list(_side(copies, "front"))
    backs = list(_side(copies, "back"))
    bleed = job.profile.bleed or 0.0
    picture = job.pictures(faces_of(selection.cards), job.dpi, bleed)
    for key, each in {**dict(fronts), **dict(backs)}.items():
        size = pieces.pixels_of(key.face.size, bleed, job.dpi)
        job.output.add(each.name, pieces.encoded(pieces.cropped(picture(key.face), size), "PNG", job.dpi))
    common = Counter(back for _, back in backs for _ in range(len(back.slots))).most_common(1)[0][0]
    order = _order(job, len(copies), [each for _, each in fronts], [each for _, each in backs], common)
    job.output.add("cards.xml", order)
    counts = {"fronts": len(fronts), "backs": len(backs), "slots": len(copies)}
    notes = (*selection.notes, "the order has absolute paths of the pictures; export again after moving the folder")
    next_step = "run mpc-autofill's desktop tool in this folder, or upload the pictures by hand"
    return Outcome(counts, notes, next_step, selection.skipped)


def _side(copies: Iterable[RenderedCard], side: str) -> Iterator[tuple[_FaceKey, OrderPicture]]:
    """Yield each distinct face with its picture, in order of its first slot."""
    slots: dict[int, list[int]] = {}
    firsts: dict[int, tuple[Face, RenderedCard]] = {}
    for slot, card in enumerate(copies):
        face = card.piece.front if side == "front" else card.piece.back
        assert face is not None
        slots.setdefault(id(face), []).append(slot)
        firsts.setdefault(id(face), (face, card))
    for number, (face, card) in enumerate(firsts.values(), 1):
        name = f"{side}s/{number:03}-{card.entry.card.id}-{side}.png"
        yield _FaceKey(id(face), face), OrderPicture(name, card.entry.card.name.casefold(), tuple(slots[id(face)]))


class _FaceKey(NamedTuple):
    """A face by its identity, because whole faces are long to compare."""

    identity: int
    face: Face

    def __hash__(self) -> int:
        return hash(self.identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _FaceKey) and self.identity == other.identity


def _order(
    job: ExportJob[MpcProfile],
    count: int,
    fronts: Iterable[OrderPicture],
    backs: Iterable[OrderPicture],
    back: OrderPicture,
) -> bytes:
    """Return the order; a slot without a back of its own gets the common back."""
    folder = job.request.output.resolve()
    order = Element("order")
    details = SubElement(order, "details")
    bracket = next(step for step in _BRACKETS if step >= min(count, _BRACKETS[-1]))
    foil = str(job.profile.foil).lower()
    for tag, value in (("quantity", count), ("bracket", bracket), ("stock", job.profile.stock), ("foil", foil)):
        SubElement(details, tag).text = str(value)
    _add_side(order, "fronts", fronts, folder)
    own = [each for each in backs if each != back]
    if own:
        _add_side(order, "backs", own, folder)
    SubElement(order, "cardback").text = (folder / back.name).as_posix()
    indent(order, "    ")
    return f"{tostring(order, encoding='unicode')}\n".encode()


def _add_side(order: Element, tag: str, pictures: Iterable[OrderPicture], folder: Path) -> None:
    side = SubElement(order, tag)
    for each in pictures:
        card = SubElement(side, "card")
        path = folder / each.name
        values = (
            ("id", path.as_posix()),
            ("sourceType", "Local File"),
            ("slots", ",".join(map(str, each.slots))),
            ("name", path.name),
            ("query", each.query),
        )
        for key, value in values:
            SubElement(card, key).text = value
