from __future__ import annotations

import pytest

from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from tests.projects import Folder


@pytest.mark.parametrize(
    ("settings", "place", "message", "advice"),
    [
        ("sizes:\n  minon: poker\n", "cardgen.yaml:2:10", "unknown kind 'minon'", "did you mean 'minion'?"),
        (
            "sizes:\n  token: poker\n",
            "cardgen.yaml:2:10",
            "the size of a token is determined by its other keys",
            "remove",
        ),
        ("rulings:\n  eliminaton: vp\n", "cardgen.yaml:2:15", "unknown ruling", "did you mean 'elimination'?"),
        ("rulings:\n  relics: never\n", "cardgen.yaml:2:11", "unknown ruling 'relics'", "write --policy relics="),
        ("rulings:\n  elimination: pv\n", "cardgen.yaml:2:16", "unknown 'elimination' setting 'pv'", "vp"),
    ],
)
def test_settings_name_what_there_is(folder: Folder, settings: str, place: str, message: str, advice: str) -> None:
    (folder.root / "cardgen.yaml").write_text(settings, encoding="utf-8")
    (folder.root / "card.yaml").write_text("game: warniris\nkind: relic\nname: Bell\ntext: Ring.\n", encoding="utf-8")
    with pytest.raises(CardgenError) as caught:
        load_deck(())
    (found,) = caught.value.diagnostics
    assert str(found.place) == place
    assert message in found.message
    assert advice in found.help
