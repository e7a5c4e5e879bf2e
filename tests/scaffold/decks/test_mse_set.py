"""Sets of Magic Set Editor become projects with a table, pictures, and a face."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from tests.game_file.games import findings
from tests.scaffold.decks.foreign_decks import archive, box_of, layout, made, png, shown, table

SET = """\ufeffmse_version: 2.0.2
game: magic
stylesheet: m15
set_info:
\ttitle: Sumpfland
card:
\thas_styling: false
\tname: Öl-Ute
\tcasting_cost: 2WW
\timage: image1
\tsuper_type: <word-list-type-en>Hexe</word-list-type-en>
\trule_text:
\t\t<kw-0><nospellcheck><key>Zäh</key></nospellcheck></kw-0>, <sym>T</sym>: <b>Zieh</b> 2*3 {x}.
\t\tNoch einmal.
\tflavor_text: <i-flavor></i-flavor>
\tpower: 2
\ttoughness: 1
include_file: card 2
keyword:
\tkeyword: Zäh
"""
OTHER = "card:\n\tname: Sumpf\n\timage: fehlt.png\n\tpower: \ncard:\n\tname: Sumpf\ninclude file: card 2\n"


def source(folder: Path, text: str = SET) -> Path:
    return archive(folder.parent / "sumpf.mse-set", {"set": text, "card 2": OTHER, "image1": png()})


def test_a_set_becomes_a_project_that_prints_at_once(folder: Path) -> None:
    new = made(folder, source(folder))
    assert dict(new.kinds) == {"sumpfland": 3}
    assert findings(folder) == []
    assert table(folder, "sumpfland").splitlines() == [
        "name,casting cost,image,super type,rule text,power,toughness,id",
        r'Öl-Ute,2WW,art/image1.png,Hexe,"Zäh, **T**: **Zieh** 2\*3 \{x\}.',
        'Noch einmal.",2,1,',
        "Sumpf,,,,,,,",
        "Sumpf,,,,,,,sumpf-2",
    ]
    assert shown(layout(folder, "sumpfland"), "field") == ["art", "name", "casting_cost", "super_type", "text"]
    assert box_of(layout(folder, "sumpfland"), "{{ power }} / {{ toughness }}").align == "right"
    assert shown(layout(folder, "sumpfland.back"), "text") == ["Sumpf"]
    assert new.notes == (
        "lost: settings of single cards for their styles, and times",
        "lost: pictures that are not in the deck: fehlt.png",
        "lost: keywords",
        "lost: the style sheet 'm15', which is not part of a set: the face shows the fields in their usual places",
    )


def test_a_folder_of_a_set_is_one_too(folder: Path) -> None:
    root = folder.parent / "ordner.mse-set"
    root.mkdir()
    (root / "set").write_text(SET, encoding="utf-8")
    assert dict(made(folder, root).kinds) == {"sumpfland": 1}


def test_a_set_without_cards_is_an_error(folder: Path) -> None:
    with pytest.raises(CardgenError, match="the set has no cards"):
        made(folder, source(folder, "game: magic\n"))


def test_no_file_outside_of_a_folder_is_read(folder: Path) -> None:
    (folder.parent / "secret").write_text("card:\n\tname: geheim\n", encoding="utf-8")
    root = folder.parent / "ordner.mse-set"
    root.mkdir()
    (root / "set").write_text(
        "include file: ../secret\ninclude file: link\ncard:\n\tname: A\n\timage: image\n", "utf-8"
    )
    (root / "link").symlink_to(folder.parent / "secret")
    (root / "image").symlink_to(folder.parent / "secret")
    made(folder, root)
    assert "geheim" not in table(folder, "cards")
    assert not (folder / "art").exists()


def test_what_is_no_archive_is_an_error(folder: Path) -> None:
    path = folder.parent / "kaputt.mse-set"
    path.write_bytes(b"PK\x03\x04nothing")
    with pytest.raises(CardgenError, match="not an archive"):
        made(folder, path)
    archive(path, {"set": SET, "bomb": b"\0" * (257 << 20)})
    with pytest.raises(CardgenError, match="unpacks to more than 256 MiB"):
        made(folder, path)
