"""Text with <quotes> in it becomes prose: each is looked up, and the marks around it hold for it too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cardgen.diagnostic import Place
from cardgen.reference.sources import Quote, RefusedError
from cardgen.reference.tree import Prose
from cardgen.shape.suggestion import did_you_mean
from cardgen.text.markup import Icon, Paragraph, Phrase, parse, typographic

# A quote is a name in angle brackets, and words behind it: <see attack>.
QUOTE = re.compile(r"<([a-z][\w-]*)((?:\s[^<>]*)?)>")
SEE = "see"
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_QUOTED = re.compile(r"(?<!\w)'([^'\s](?:[^'\n]*[^'\s])?)'(?!\w)")
# Stand for quotes while the text is parsed: characters that no font has, and that no file may hold.
_FIRST = 0xF0000
_HELD = re.compile(f"([{chr(_FIRST)}-{chr(_FIRST + 0xFFF)}])")


def prose(text: str, place: Place, quotes: Mapping[str, Quote], titles: Mapping[str, str]) -> Prose:
    """The text with its quotes filled in; `titles` are those of the sections, by id, for <see id>.

    Raises RefusedError, whose route is the span of the quote in the text.
    """
    found: list[tuple[str, str]] = []

    def hold(match: re.Match[str]) -> str:
        try:
            found.append(_quoted(match[1], match[2].strip(), quotes, titles))
        except RefusedError as error:
            raise RefusedError(error.message, error.help, match.span()) from None
        return chr(_FIRST + len(found) - 1)

    held = QUOTE.sub(hold, curled(text))
    return Prose(tuple(tuple(_filled(paragraph, found)) for paragraph in parse(held)), place)


def curled(text: str) -> str:
    """The same text with the quotation marks, apostrophes and minus signs of good printing."""
    return _MINUS.sub("\u2212", typographic(_QUOTED.sub("‘\\1’", text)))


def plain(text: str, place: Place | None = None) -> Prose:
    """Marked-up text without quotes as prose."""
    return Prose(parse(curled(text)), place)


def _quoted(name: str, asked: str, quotes: Mapping[str, Quote], titles: Mapping[str, str]) -> tuple[str, str]:
    """What stands for a quote, marked up, and the section that it leads to or ''."""
    if name == SEE:
        if asked not in titles:
            raise RefusedError.unknown("section", asked, titles)
        return titles[asked], asked
    if name not in quotes:
        known = (SEE, *quotes)
        raise RefusedError(
            f"there is nothing to quote by '{name}'{did_you_mean(name, known)}", f"known: {', '.join(known)}"
        )
    return curled(quotes[name](asked)), ""


def _filled(paragraph: Paragraph, found: list[tuple[str, str]]) -> Iterator[Phrase | Icon]:
    for part in paragraph:
        if isinstance(part, Icon):
            yield part
            continue
        for piece in _HELD.split(part.text):
            if not _HELD.fullmatch(piece):
                if piece:
                    yield replace(part, text=piece)
                continue
            markup, link = found[ord(piece) - _FIRST]
            for inner in (each for quoted in parse(markup) for each in quoted):
                look = replace(inner, bold=part.bold or inner.bold, italic=part.italic or inner.italic or bool(link))
                yield replace(look, link=link) if isinstance(look, Phrase) else look
