"""Writes the web page of a balance report: one file that needs no network and runs only its own script.

The data is a block of JSON in which no character can end the block; the script shows texts as texts, never as HTML.
The content security policy allows the page's own script and style sheet by their hashes, and nothing else.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

# Characters that could end a script, begin a comment or an entity, or end a line of the script.
_ESCAPES = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def write(title: str, data: Mapping[str, object]) -> bytes:
    """Return the page; `data` is what its script reads."""
    style, script = _read("page.css"), _read("page.js")
    page = _template().render(
        title=title,
        data=Markup(_json(data)),
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return page.encode("utf-8", "replace")


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(_read("page.html.j2"))


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _json(data: Mapping[str, object]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
