"""PDFs of sheets whose faces are drawn while workers render the next cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.diagnostic import CardgenError
from cardgen.export.pdf.writer import OpenDocument
from cardgen.pipeline.build.documents import PrintDocument
from cardgen.pipeline.build.large_sheets import list_kinds
from cardgen.pipeline.build.render import RenderedCard
from cardgen.pipeline.options import BuildRequest, PrintSetup
from cardgen.project import Settings
from cardgen.text.fonts import Fonts

# Later cards are drawn when all are rendered, because by then the data of cards need no memory.
_MOST_CARDS = 4000


class OpenDocuments:
    """The open PDFs of documents; `draw` is called for their cards in order.

    There are some only if all cards that are rendered will be printed as they are, and each document has its own file.
    """

    def __init__(
        self,
        documents: Sequence[PrintDocument],
        request: BuildRequest,
        settings: Settings,
        setup: PrintSetup,
        fonts: Fonts,
    ) -> None:
        self._fonts = fonts
        self._stems = [document.stem for document in documents for _ in document.cards]
        self._open: dict[str, OpenDocument] = {}
        is_certain = "pdf" in request.formats and request.changed_since is None and not settings.version_mark
        self._closed = {
            document.stem
            for document in documents
            if not is_certain or setup.mixes_kinds or list_kinds(entry for _, entry in document.cards)
        }

    def draw(self, number: int, card: RenderedCard) -> None:
        """Draw a card; `number` counts the cards of all documents from 0."""
        stem = self._stems[number]
        if stem in self._closed or number >= _MOST_CARDS:
            return
        try:
            if stem not in self._open:
                self._open[stem] = OpenDocument(self._fonts)
            for face in card.piece.faces:
                self._open[stem].draw(face)
        except CardgenError:  # Writing the document will report it, unless cards have errors, too.
            self._open.pop(stem, None)
            self._closed.add(stem)

    def of(self, document: PrintDocument) -> OpenDocument | None:
        """Return the PDF of a document, if it was opened."""
        return self._open.get(document.stem)
