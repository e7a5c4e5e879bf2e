"""The options with which cards were last printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.studio.engine.answers import PrintForm
from cardgen.studio.form_values import PrintChoices
from cardgen.studio.page_words import SEVERAL, OptionField

FORM = PrintForm(
    (OptionField("only", "Only", SEVERAL),),
    (OptionField("paper", "Paper"), OptionField("cut_list", "Cut list", "flag")),
    (OptionField("gap", "Gap"),),
    (),
    (),
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_each_selection_has_the_options_that_were_last_used_for_it(tmp_path: Path) -> None:
    choices = PrintChoices(tmp_path)
    choices.keep(FORM, {"only": ("a", "b"), "paper": "letter", "cut_list": True, "gap": "2mm"})
    choices.keep(FORM, {"paper": "a3"})
    again = PrintChoices(tmp_path)
    kept = {"only": ("b", "a"), "paper": "letter", "cut_list": True, "gap": "2mm"}
    assert again.options(FORM, {"only": ("b", "a")}) == kept
    assert again.options(FORM, {}) == {"paper": "a3"}
    assert again.options(FORM, {"only": ("a",)}) == {"only": ("a",)}
    assert PrintChoices(tmp_path / "other").options(FORM, {}) == {}


def test_what_is_no_option_is_neither_kept_nor_read(tmp_path: Path) -> None:
    choices = PrintChoices(tmp_path)
    choices.keep(FORM, {"paper": "a3", "output": "/etc", "gap": 7})
    assert choices.options(FORM, {"output": "/etc"}) == {"paper": "a3"}
    (path,) = (tmp_path / "state").rglob("*.json")
    for text in ("{", "[]", '{"{}": 3}', '{"{}": {"paper": ["x"], "output": "/etc"}}'):
        path.write_text(text, encoding="utf-8")
        assert PrintChoices(tmp_path).options(FORM, {}) == {}
