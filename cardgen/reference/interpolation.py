"""Interpolation of <name arg> placeholders in marked-up text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cardgen.diagnostic import Place
from cardgen.reference.document_tree import RichText
from cardgen.reference.providers import InlineProvider, NotAvailableError
from cardgen.text.markup import Icon, Paragraph, Phrase, curl_apostrophes, parse_markup
from cardgen.validation.suggestion import did_you_mean

# A name in angle brackets, with an optional argument: <see attack>.
PLACEHOLDER = re.compile(r"<([a-z][\w-]*)((?:\s[^<>]*)?)>")
SEE = "see"
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_QUOTED = re.compile(r"(?<!\w)'([^'\s](?:[^'\n]*[^'\s])?)'(?!\w)")
# Private-use characters, which card files cannot contain; they replace the placeholders while markup is parsed.
_FIRST_STAND_IN = 0xF0000
_STAND_IN = re.compile(f"([{chr(_FIRST_STAND_IN)}-{chr(_FIRST_STAND_IN + 0xFFF)}])")


def interpolate(
    text: str, place: Place, inline_values: Mapping[str, InlineProvider], titles: Mapping[str, str]
) -> RichText:
    """Return the text with its placeholders filled in.

    `titles` are the titles of the sections by id, for <see id>. Raises NotAvailableError, whose route is the span of
    the placeholder in the text.
    """
    values: list[tuple[str, str]] = []

    def hold(match: re.Match[str]) -> str:
        try:
            values.append(_look_up(match[1], match[2].strip(), inline_values, titles))
        except NotAvailableError as error:
            raise NotAvailableError(error.message, error.help, match.span()) from None
        return chr(_FIRST_STAND_IN + len(values) - 1)

    with_stand_ins = PLACEHOLDER.sub(hold, smart_punctuation(text))
    return RichText(tuple(tuple(_fill(paragraph, values)) for paragraph in parse_markup(with_stand_ins)), place)


def smart_punctuation(text: str) -> str:
    """Return the text with typographic quotation marks, apostrophes, and minus signs."""
    return _MINUS.sub("\u2212", curl_apostrophes(_QUOTED.sub("‘\\1’", text)))


def rich_text(text: str, place: Place | None = None) -> RichText:
    """Return marked-up text without placeholders as rich text."""
    return RichText(parse_markup(smart_punctuation(text)), place)


def _look_up(
    name: str, argument: str, inline_values: Mapping[str, InlineProvider], titles: Mapping[str, str]
) -> tuple[str, str]:
    """Return the marked-up value of a placeholder, and its link.

    The link is the id of a section or ''.
    """
    if name == SEE:
        if argument not in titles:
            raise NotAvailableError.unknown("section", argument, titles)
        return titles[argument], argument
    if name not in inline_values:
        known = (SEE, *inline_values)
        raise NotAvailableError(f"unknown quote '{name}'{did_you_mean(name, known)}", f"available: {', '.join(known)}")
    return smart_punctuation(inline_values[name](argument)), ""


def _fill(paragraph: Paragraph, values: list[tuple[str, str]]) -> Iterator[Phrase | Icon]:
    for part in paragraph:
        if isinstance(part, Icon):
            yield part
            continue
        for piece in _STAND_IN.split(part.text):
            if not _STAND_IN.fullmatch(piece):
                if piece:
                    yield part._replace(text=piece)
                continue
            markup, link = values[ord(piece) - _FIRST_STAND_IN]
            for inner in (each for inner_paragraph in parse_markup(markup) for each in inner_paragraph):
                look = inner._replace(bold=part.bold or inner.bold, italic=part.italic or inner.italic or bool(link))
                yield look._replace(link=link) if isinstance(look, Phrase) else look
