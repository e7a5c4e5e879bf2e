"""Writes web pages of reports: each is one file that needs no network and runs only its own script.

The data is a block of JSON in which no character can end the block; the script shows texts as texts, never as HTML.
The content security policies allow a page's own script and style sheet by their hashes, and nothing else but pictures
inside the file. A page is a package with a template, a style sheet, and a script; all pages share the style sheet of
this package.
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


def write(package: str, title: str, data: Mapping[str, object], style: str = "", **parts: object) -> bytes:
    """Return the page of a package.

    `data` is what its script reads, `style` are further rules of its style sheet, and `parts` are what its template
    writes, as texts.
    """
    style = "".join((_read(__package__, "web_page.css"), _read(package, "page.css"), style))
    script = _read(package, "page.js")
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    page = _template(package).render(
        **parts,
        title=title,
        data=Markup(text),
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )
    return page.encode("utf-8", "replace")


@lru_cache(maxsize=4)
def _template(package: str) -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(_read(package, "page.html.j2"))


def _read(package: str, name: str) -> str:
    return (files(package) / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
