"""Addresses of clusters: their forms, and which are safe."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.runtime.cluster.pool import parse_address, require_safe


@pytest.mark.parametrize(
    "text", ["local", "tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786", "tls://cards.example.org:8786"]
)
def test_safe_addresses(text: str) -> None:
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "localhost", "http://127.0.0.1:80", "tcp://127.0.0.1", "tcp://127.0.0.1:0", "tcp://a:70000", "tls://a b:1"],
)
def test_invalid_addresses(text: str) -> None:
    with pytest.raises(CardgenError, match="is not a valid address of a cluster"):
        parse_address(text)


@pytest.mark.parametrize("text", ["tcp://192.168.1.5:8786", "tcp://cards.example.org:8786", "tcp://0.0.0.0:8786"])
def test_addresses_beyond_this_computer_need_tls(text: str) -> None:
    with pytest.raises(CardgenError, match="neither encrypted nor on this computer only") as refusal:
        parse_address(text)
    assert "tls://" in refusal.value.diagnostics[0].help
    require_safe(text.replace("tcp", "tls"))
