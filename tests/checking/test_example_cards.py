"""Cards that examples of manual pages share: an example gets those that it names, at its own indentation."""

from __future__ import annotations

from pathlib import Path

from cardgen.checking.example_cards import insert_example_cards, read_example_cards

PAGE = """Title.

Example
    cards:
      - ...
      - {name: Army, units: [Ash, Oak]}  # XX301: 9

Use instead
    cards:
      - ...
      - {name: Army, units: [Ash]}
"""


def test_an_example_gets_the_cards_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "examples.yaml").write_text(
        "# Shared.\n- {name: Ash,\n   cost: 1}\n- {name: Oak, cost: 2}\n- {name: Elm}\n"
    )
    page = insert_example_cards(PAGE, read_example_cards(tmp_path))
    first, instead = page.split("Use instead")
    ash, oak = "      - {name: Ash,\n         cost: 1}\n", "      - {name: Oak, cost: 2}\n"
    assert f"cards:\n{ash}{oak}      - {{name: Army" in first
    assert f"cards:\n{ash}      - {{name: Army" in instead
    assert "Elm" not in page


def test_a_package_without_the_file_keeps_its_pages(tmp_path: Path) -> None:
    assert insert_example_cards(PAGE, read_example_cards(tmp_path)) == PAGE
