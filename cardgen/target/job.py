"""What a target gets to export, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from cardgen.deck.deck import require_game
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.face.face import Face
from cardgen.print.options import BuildRequest, ProgressCounter
from cardgen.print.output_formats import FaceShape, Renderer, Resolution, rasterize
from cardgen.print.render import RenderedCard
from cardgen.project import Project
from cardgen.rulesets.accessories import Box, Dial, Mat
from cardgen.rulesets.pieces import Blank, Proxy, Ruler
from cardgen.target.output import OutputFiles
from cardgen.target.profile import ServiceProfile
from cardgen.text.fonts import Fonts
from cardgen.units import Shape, Size

if TYPE_CHECKING:
    from cardgen.releases.selection import Selection

ProfileT = TypeVar("ProfileT", bound=ServiceProfile)


class CardGroup(NamedTuple):
    """The rendered cards of one kind, or of one document of a pack.

    `stem` is a name for files, the game and the kind, and `title` one for people.
    """

    stem: str
    title: str
    cards: tuple[RenderedCard, ...]


class Outcome(NamedTuple):
    """What an export has made: counts by plural noun, and notes.

    `notes` say what the target cannot hold, each in one clause, and `next_step` what to do with the files. `skipped`
    are the cards that are not in them.
    """

    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()
    next_step: str = ""
    skipped: tuple[RenderedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportJob(Generic[ProfileT]):
    """Rendered cards with everything that a target needs.

    `name` is that of the profile, `title` that of the cards, such as the name of a game or a warband, and `stem` the
    same for files. `options` are those of the target, by name. `project` has the request's options as its settings.
    Files go to `output`. `selection` are the changes since a release, if only these are exported.
    """

    name: str
    title: str
    stem: str
    profile: ProfileT
    options: Mapping[str, Any]
    groups: tuple[CardGroup, ...]
    request: BuildRequest
    project: Project
    fonts: Fonts
    progress: ProgressCounter
    artwork_cache: ArtworkCache | None = None
    output: OutputFiles = field(default_factory=OutputFiles)
    selection: Selection | None = None

    @property
    def cards(self) -> Iterator[RenderedCard]:
        """All cards, each once."""
        return (card for group in self.groups for card in group.cards)

    @property
    def dpi(self) -> int:
        """The resolution that the request or else the profile names."""
        return self.options.get("dpi") or self.profile.dpi

    def copies(self, card: RenderedCard) -> int:
        """Return how many copies of a card to export."""
        return self.request.qty or card.entry.card.qty

    def expand(self, cards: Iterable[RenderedCard]) -> Iterator[RenderedCard]:
        """Yield each card as often as it has copies."""
        return (card for card in cards for _ in range(self.copies(card)))

    def pictures(self, faces: Iterable[FaceShape], dpi: float, bleed: float = 0.0) -> Callable[[Face], bytes]:
        """Return a function that returns a face as PNG; each call counts as a step of the export.

        `bleed` is the bleed to keep, in millimeters.
        """
        renderer = Renderer(self.fonts, self.title, self.artwork_cache, self.request.processes)
        picture = rasterize(faces, Resolution(dpi, bleed), renderer)

        def step(face: Face) -> bytes:
            content = picture(face)
            self.progress.step("pictures")
            return content

        return step


def is_roster(card: RenderedCard) -> bool:
    """Return whether a card is a list of cards, such as a warband."""
    pack = require_game(card.entry.game).pack
    return pack is not None and card.entry.kind in pack.kinds


def is_paper_piece(card: RenderedCard) -> bool:
    """Return whether a card is to fold or to fill in: a paper figure, a form, a box, or a dial."""
    return isinstance(card.entry.card, Proxy | Blank | Box | Dial)


def is_accessory(card: RenderedCard) -> bool:
    """Return whether a card is a box, a dial, or a mat, which are cut by hand."""
    return isinstance(card.entry.card, Box | Dial | Mat)


class CutFormat(NamedTuple):
    """What pieces have that are cut alike: size, shape, and square corners instead of rounded ones."""

    size: Size
    shape: Shape
    is_square: bool

    @classmethod
    def of(cls, card: RenderedCard) -> CutFormat:
        """Return the format of a piece; cards have rounded corners, and rosters, rulers, and proxies square ones."""
        size = Size(*(round(side, 3) for side in card.size))
        sheet = is_roster(card) or is_accessory(card) or isinstance(card.entry.card, Proxy | Ruler)
        return cls(size, card.piece.shape, sheet and card.piece.shape is Shape.RECTANGLE)

    @property
    def suffix(self) -> str:
        """The part of file names that distinguishes it from the usual format of its size."""
        return "-round" if self.shape is Shape.ROUND else "-square" if self.is_square else ""

    def radius(self, rounded: float) -> float:
        """Return the radius of its corners, which is `rounded` if they are rounded."""
        return 0.0 if self.is_square else rounded


def faces_of(cards: Iterable[RenderedCard]) -> Iterator[FaceShape]:
    """Yield the front of each card, followed by its back if it has one."""
    for card in cards:
        for face in (card.piece.front, card.piece.back):
            if face is not None:
                yield FaceShape(face, card.piece.shape)
