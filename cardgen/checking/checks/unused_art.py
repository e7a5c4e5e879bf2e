"""A picture that no card uses.

Why is this bad?
    Usually a card was removed or now uses another picture, or a card lacks the picture made for it. cardgen checks only
    pictures in folders named `art`, and only if you check the whole project.

Example
    kind: relic  # CG124: art/moon.png
    name: Sun Stone
    art: art/sun.png
    effects: [{when: turn_start, bearer: {heal: 1}}]

Files
    art/sun.png
    art/moon.png

Use instead
    kind: relic
    name: Sun Stone
    art: art/sun.png
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Place, Severity, closest, slugify
from cardgen.model.card import Art, Card, Entry
from cardgen.project.files import AmbiguousPictureError
from cardgen.project.project import is_picture
from cardgen.runtime.fingerprint import OTHER_PICTURE_SUFFIXES
from cardgen.validation.base import Model

# A picture in a template, and what computes a part of its name.
_FILE = re.compile(
    r"""<(?:cg:art|image)\b(?:(?!<cg:art\b|<image\b)[^>])*?\b(?P<key>file|href)\s*+=\s*+"""
    r"""(?P<quote>["'])(?:\.\.?/)*+(?P<name>.*?)(?P=quote)""",
    re.DOTALL,
)
_COMPUTED = re.compile(r"\{[{%].*?(?:[}%]\}|\Z)", re.DOTALL)
CODE, NAME = "CG124", "unused-art"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.LIKELY
LOOKS_AT = CheckScope
# With more cards than this, looking for a similar name would take too long for each picture.
_MOST_COMPARED = 200
# Names of pictures in the templates of a card; with more, any picture could be used.
_MOST_NAMES = 1_000


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the pictures of the project that no card uses."""
    pictures = scope.services.pictures() if scope.is_complete and scope.is_whole else {}
    if not pictures:
        return
    used, plain = set(scope.services.back_pictures()), set[str]()
    of_kit = (pictures_used(entry, scope) for entry in scope.other_cards.of((Card,)))
    for paths, id_ in (*scope.own.said(pictures_used, scope), *of_kit):
        used.update(map(Path, paths))
        plain.update([id_] if id_ else ())
    for shown, path in pictures.items():
        if _target(path) not in used:
            # What is wrong with a picture; `ids` are those of the cards without one. In other formats, there may be
            # drafts of pictures.
            picture = Path(shown)
            place = Place(shown)
            name, suffix = slugify(picture.stem), picture.suffix.lower()
            if suffix not in OTHER_PICTURE_SUFFIXES:
                yield Finding("no card uses this picture", help=_advice(picture, name, plain), place=place)
            elif name in plain:
                yield Finding(
                    f"pictures in the format {suffix} cannot be used", help=f"save it as {name}.png", place=place
                )


def pictures_used(entry: Entry, scope: CheckScope) -> list[Any]:
    """Return the pictures of the project that a card uses, and its id if it has no art, or ''."""
    constant, computed = _template_pictures(scope.services.template_source(entry))
    pictures = scope.services.pictures().items() if computed else ()
    used = {_target(path) for shown, path in pictures if computed and computed.fullmatch(shown)}
    for name in (*_picture_names(entry), *constant):
        try:
            used.add(scope.services.find_art(entry, name))
        except AmbiguousPictureError as error:
            used.update(error.pictures)
        except ValueError:
            # A picture that an error suggests instead of one that does not exist is not unused as well.
            found = scope.services.pictures().items()
            used |= {_target(path) for shown, path in found if f"/{shown}".casefold().endswith(f"/{name}".casefold())}
    return [sorted(map(str, used)), "" if entry.card.art else entry.card.id]


def _target(path: Path) -> Path:
    """Follow the links of a path; `Path.resolve` raises an error for one that points to itself."""
    return Path(os.path.realpath(path))


def _advice(picture: Path, name: str, ids: Collection[str]) -> str:
    """Return what to do with a picture whose name may be almost that of a card."""
    near = closest(name, ids) if len(ids) <= _MOST_COMPARED else name if name in ids else ""
    if near:
        return f"for the card '{near}', name the picture '{near}{picture.suffix}' and set 'art: auto'"
    return "use it in a card, or delete it"


@lru_cache(maxsize=256)
def _template_pictures(source: str) -> tuple[tuple[str, ...], re.Pattern[str] | None]:
    """Return the pictures that templates name, and a pattern of the paths of those whose names they compute."""
    names = {unquote(match["name"]) if match["key"] == "href" else match["name"] for match in _FILE.finditer(source)}
    if len(names) > _MOST_NAMES:
        return (), re.compile(".*", re.DOTALL)
    constant = tuple(sorted(name for name in names if "{" not in name))
    computed = sorted(name for name in names if "{" in name and _COMPUTED.sub("", name))
    patterns = map(_pattern, computed)
    return constant, re.compile("|".join(f"(?:.*/)?{pattern}" for pattern in patterns)) if computed else None


def _pattern(name: str) -> str:
    """Return a pattern of the names that a template computes; each part is found where it comes first, and only there.

    Otherwise, a name of many parts would be compared in each of the ways in which they can be spread over a path.
    """
    first, *others = map(re.escape, _COMPUTED.split(name))
    return f"{first}{''.join(f'(?>.*?{part})' for part in others[:-1])}{f'.*{others[-1]}' if others else ''}"


def _picture_names(entry: Entry) -> Iterator[str]:
    """Yield the pictures in the keys of a card: its art, picture fields wherever they are, and its back."""
    yield from (art.file for art in _arts(entry.card))
    if entry.card.back and is_picture(entry.card.back):
        yield entry.card.back


def _arts(value: object) -> Iterator[Art]:
    if isinstance(value, Art):
        yield value
    elif isinstance(value, Model):
        for each in (*value.__dict__.values(), *(value.model_extra or {}).values()):
            yield from _arts(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _arts(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _arts(each)
