"""Accessories have outlines of their own, which no cutter of ours cuts."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from tests.projects import Folder
from tests.target.exports import run_export

ACCESSORIES = """\
cards:
  - {kind: box, name: Deck, holds: 40}
  - {kind: mat, name: Field}
"""


@pytest.mark.parametrize("target", ["silhouette", "cricut"])
def test_accessories_are_left_out(folder: Folder, target: str) -> None:
    folder.plain().minions("Brute")
    folder.write("cards/accessories.yaml", ACCESSORIES)
    result = run_export(target, folder)
    assert "skipped box, mat" in " ".join(result.outcome.notes)
    assert result.cards == 1
    assert all("63x88" in path.name or path.suffix == ".png" for path in result.files)


def test_accessories_alone_are_an_error(folder: Folder) -> None:
    folder.plain().write("cards/accessories.yaml", ACCESSORIES)
    with pytest.raises(CardgenError, match="cuts no boxes, dials, or mats"):
        run_export("silhouette", folder)
