"""A card in a file that is not read, because it is not in the folder of the cards.

Why is this bad?
    The card is never checked, built, or found by its name. In a project with a folder `cards`, only the files in it are
    card files.
    Files of YAML that name a kind of card are reported if you check the whole project.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.source import read_document

CODE, NAME = "CG131", "misplaced-card"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope
_HEADERS = ("kind", "cards")


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the cards in files that were not read."""
    for shown, path in scope.services.unread_files().items():
        document = read_document(path, shown)
        key = next((key for key in _HEADERS if isinstance(document.data, dict) and key in document.data), None)
        if key is not None:
            place = document.place((key,), key=True)
            yield Finding(
                "a card in a file that is not read", help="move the file into the folder 'cards'", place=place
            )
