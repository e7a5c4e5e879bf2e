"""Cards on pages of the site have their pictures beside their YAML."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from PIL import Image

DOCS = Path(__file__).parents[2] / "docs"
TOKEN = "```yaml\ngame: warniris\nkind: token\nname: Glory\nvalue: 1\n```\n"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_examples", DOCS / "site" / "examples.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_card_is_drawn_beside_its_code(tmp_path: Path) -> None:
    examples = script()
    examples.draw_examples(f"Words.\n\n{TOKEN}\nMore.\n", tmp_path, "page")
    with Image.open(tmp_path / "page-1.png") as picture:
        size = picture.size
    assert size[0] == size[1] > 100
    page = examples.with_pictures(f"Words.\n\n{TOKEN}\nMore.\n", tmp_path, "page")
    shown = f'![What it prints](gallery/page-1.png){{ width="{size[0] // 2}" }}'
    assert page == f'Words.\n\n<div class="card-example" markdown>\n\n{TOKEN}\n{shown}\n\n</div>\n\nMore.\n'


def test_code_that_is_no_card_or_needs_a_picture_stays_as_it_is(tmp_path: Path) -> None:
    examples = script()
    text = TOKEN.replace("value: 1", "art: art/bell.png") + "```yaml settings\ngame: warniris\n```\n"
    examples.draw_examples(text, tmp_path, "page")
    assert examples.with_pictures(text, tmp_path, "page") == text
    assert [*tmp_path.iterdir()] == []


def test_listings_build_up_a_project_and_are_drawn_when_cards_look_different(tmp_path: Path) -> None:
    examples = script()
    page = (DOCS / "new-game.md").read_text(encoding="utf-8")
    examples.draw_examples(page, tmp_path, "page")
    drawn = {int(path.stem.removeprefix("page-")) for path in tmp_path.iterdir()}
    files = {number: match["file"] for number, match in examples.blocks(page)}
    assert files[min(drawn)] == "cards/braves.yaml"
    assert {"games/ember/game.yaml", "games/ember/templates/brave.layout.yaml"} <= {files[number] for number in drawn}
    assert len(drawn) < len([name for name in files.values() if name])


def test_a_card_that_cannot_be_drawn_has_no_picture(tmp_path: Path) -> None:
    examples = script()
    examples.draw_examples("```yaml cards/a.yaml\ngame: warniris\nkind: token\n```\n", tmp_path, "page")
    assert [*tmp_path.iterdir()] == []
