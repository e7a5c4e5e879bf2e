"""`cardgen lsp` without its library; tests/lsp has a real client."""

from __future__ import annotations

import pytest

from tests.cli.commands import Program


@pytest.mark.parametrize("options", [(), ("--stdio",)])
def test_without_pygls_the_extra_is_named(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cardgen.cli.lsp.find_spec", lambda name: None)
    outcome = Program(capsys)("lsp", *options)
    assert outcome.code == 2
    assert "pip install '.[lsp]' in a checkout of cardgen" in outcome.err
    assert "install 'cardgen" not in outcome.err
