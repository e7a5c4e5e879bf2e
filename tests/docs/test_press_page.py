from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.target.profile import load_profile

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = [
    (page, text)
    for page in ("press.md", "cutters.md")
    for text in re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
]


def test_the_pages_have_examples() -> None:
    assert {page for page, _ in EXAMPLES} == {"press.md", "cutters.md"}


@pytest.mark.parametrize(("page", "text"), EXAMPLES)
def test_a_profile_on_the_pages_is_valid(tmp_path: Path, page: str, text: str) -> None:
    path = tmp_path / "services" / "own.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert load_profile(path).title
