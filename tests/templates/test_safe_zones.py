"""Every card and piece of the kits keeps its texts away from the cut, as print services ask."""

from __future__ import annotations

from collections import defaultdict

import pytest

from cardgen.deck.deck import require_game
from cardgen.export.pdf import writer
from cardgen.export.preflight import Requirements, preflight_document
from cardgen.face.face import Face
from cardgen.print.render import CardRenderer
from cardgen.rulesets.ruleset import games
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import Size
from tests.templates.test_themes import EXAMPLES, deck_of

# An eighth of an inch: DriveThruCards, MakePlayingCards, The Game Crafter.
SAFE = 3.175
BLEED = 3.0
# No service folds boxes and figures; their sides may be narrower than two safe zones and a word.
CUT_BY_HAND = {"box", "standee"}
FONTS = Fonts()


@pytest.mark.share(2)
@pytest.mark.parametrize("source", [*games(), *EXAMPLES])
def test_texts_keep_the_safe_zone_of_services(source: str) -> None:
    project, entries = deck_of(source)
    renderer = CardRenderer(project)
    pieces: dict[Size, list[PrintPiece[Face]]] = defaultdict(list)
    renderer.expect(entries)
    for entry in entries:
        if require_game(entry.game, entry.workspace).kinds[entry.kind].is_printed and entry.kind not in CUT_BY_HAND:
            for side in renderer.render_faces(entry, backs=True):
                if side is not None:
                    face = side.face._replace(fields=())
                    pieces[face.size].append(PrintPiece(face))
    assert pieces
    near = []
    for size, group in pieces.items():
        content = writer.write(pages_of(impose_single(group, size, BLEED)), FONTS, writer.DocumentInfo(source))
        needs = Requirements("Service", (size,), (), BLEED, SAFE, "front-back", None, 4.0, None, 1.0, 36)
        findings, _ = preflight_document(content, needs)
        near += [f"{size}, page {one.page}: {one.message}" for one in findings if one.check == "safe-zone"]
    assert near == []
