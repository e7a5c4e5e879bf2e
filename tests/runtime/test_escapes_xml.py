from __future__ import annotations

from xml.sax import saxutils

import pytest

from cardgen.runtime.escapes import escape_xml as escape
from cardgen.runtime.escapes import quoteattr

TEXTS = ("", "a < b && c > d", '"it\'s"', "it's", 'say "no"', "a\tb\r\nc", "&amp;", "é\u2028")


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_as_the_standard_library(text: str) -> None:
    assert escape(text) == saxutils.escape(text)
    assert quoteattr(text) == saxutils.quoteattr(text)
