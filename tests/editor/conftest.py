from __future__ import annotations

from pathlib import Path

import pytest

from tests.editor.harness import HERO, RELIC, WARBAND, Editor


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    files = {"cards/cloak.yaml": RELIC, "cards/oath.yaml": WARBAND, "cards/gravel.yaml": HERO}
    return Editor(tmp_path, files)
