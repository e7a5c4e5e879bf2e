"""PDFs of sheets whose faces are drawn while workers render the next cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf.writer import OpenDocument
from cardgen.pipeline.build.documents import PrintDocument
from cardgen.pipeline.build.layouts import format_of, room_problem
from cardgen.pipeline.build.render import RenderedCard
from cardgen.pipeline.options import BuildRequest, PrintSetup
from cardgen.project import Settings
from cardgen.text.fonts import Fonts

# If faces are needed later, more cards are drawn when all are rendered: by then the data of cards need no memory.
_MOST_CARDS = 4000


class OpenDocuments:
    """The open PDFs of documents; `draw` is called for their cards in order.

    There are some only if all cards that are rendered will be printed as they are, and each document has its own file.
    With `frees_faces`, what is drawn is freed, unless another format needs it.
    """

    def __init__(
        self,
        documents: Sequence[PrintDocument],
        request: BuildRequest,
        settings: Settings,
        setup: PrintSetup,
        fonts: Fonts,
        *,
        frees_faces: bool = False,
    ) -> None:
        self._fonts, self._setup = fonts, setup
        self._frees_faces = frees_faces and {*request.formats} == {"pdf"}
        self._stems = [document.stem for document in documents for _ in document.cards]
        self._open: dict[str, OpenDocument] = {}
        self._errors: dict[str, CardgenError] = {}
        is_certain = "pdf" in request.formats and request.changed_since is None and not settings.version_mark
        self._closed = {document.stem for document in documents if not is_certain or setup.mixes_kinds}

    def draw(self, number: int, card: RenderedCard) -> RenderedCard:
        """Draw a card, and return what is left of it; `number` counts the cards of all documents from 0."""
        stem = self._stems[number]
        if stem in self._closed or (number >= _MOST_CARDS and not self._frees_faces):
            return card
        if room_problem(card.entry, format_of(card), self._setup):  # It is left out, or is an error.
            return card
        try:
            if stem not in self._open:
                self._open[stem] = OpenDocument(self._fonts)
            document = self._open[stem]
            for face in card.piece.faces:
                document.draw(face)
        except CardgenError as error:  # Reported by `of`, unless cards have errors, too.
            self._errors[stem] = error
            self._closed.add(stem)
            return card
        return card.with_faces(document.release) if self._frees_faces else card

    def of(self, document: PrintDocument) -> OpenDocument | None:
        """Return the PDF of a document, if it was opened. Raises CardgenError if a card could not be drawn."""
        if document.stem in self._errors:
            raise self._errors[document.stem]
        return self._open.get(document.stem)
