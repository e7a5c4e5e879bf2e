"""Cards that examples of manual pages share: an example gets those that it names, at its own indentation."""

from __future__ import annotations

from pathlib import Path

from cardgen.checking.registry import insert_example_cards, read_example_cards

PAGE = """Title.

Example
    ...
      - {name: Army, units: [Ash, Oak]}  # XX301: 9

Use instead
    ...
      - {name: Army, units: [Ash]}
"""


def test_an_example_gets_the_cards_that_it_names(tmp_path: Path) -> None:
    text = "# Shared.\ngame: x\ncards:\n  - {name: Ash,\n     cost: 1}\n  - {name: Oak, cost: 2}\n  - {name: Elm}\n"
    (tmp_path / "examples.yaml").write_text(text, encoding="utf-8")
    page = insert_example_cards(PAGE, read_example_cards(tmp_path))
    first, instead = page.split("Use instead")
    ash, oak = "      - {name: Ash,\n         cost: 1}\n", "      - {name: Oak, cost: 2}\n"
    assert f"    game: x\n    cards:\n{ash}{oak}      - {{name: Army" in first
    assert f"    game: x\n    cards:\n{ash}      - {{name: Army" in instead
    assert "Elm" not in page
    assert "# Shared" not in page


def test_a_package_without_the_file_keeps_its_pages(tmp_path: Path) -> None:
    assert insert_example_cards(PAGE, read_example_cards(tmp_path)) == PAGE
