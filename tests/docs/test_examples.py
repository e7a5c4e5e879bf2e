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
    shown = f'![Glory](gallery/page-1.png){{ width="{size[0] // 2}" }}'
    assert page == f'Words.\n\n<div class="card-example" markdown>\n\n{TOKEN}\n{shown}\n\n</div>\n\nMore.\n'


def test_code_that_is_no_card_or_needs_a_picture_stays_as_it_is(tmp_path: Path) -> None:
    examples = script()
    text = TOKEN.replace("value: 1", "art: art/bell.png") + "```yaml settings\ngame: warniris\n```\n"
    examples.draw_examples(text, tmp_path, "page")
    assert examples.with_pictures(text, tmp_path, "page") == text
    assert [*tmp_path.iterdir()] == []


def test_pages_have_many_cards() -> None:
    examples = script()
    counts = {
        name: len([*examples.examples((DOCS / f"{name}.md").read_text(encoding="utf-8"))])
        for name in ("card-format", "warniris", "warcry", "skirmish")
    }
    assert all(count > 5 for count in counts.values())
