"""Release notes in Markdown: sentences made from changes, and the words of the author, which are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.card_values import Scalar
from cardgen.pipeline.release.changes import Change, ChangedCard, ChangedValue, Changes
from cardgen.pipeline.release.report import (
    TITLES,
    item_names,
    summary,
    value_label,
    value_text,
)
from cardgen.project.files import display_path, require_inside
from cardgen.quantity import quantity
from cardgen.runtime import markdown, regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.validation.suggestion import join_words

_BEGIN, _END = "<!-- cardgen: changes -->", "<!-- cardgen: end of changes -->"
_WHY = "Why:"
_HINT = "<!-- Write your reasons after 'Why:' and anything else outside of the changes; all of it is kept. -->"
_CARD = re.compile(r"^### .*<!-- (?P<key>[^<>]+) -->\s*$")
_WORD = re.compile(r"[^\W_]+")
_LOST, _SHARED = "Reasons for other changes", "Rules of the game"
_TITLES = frozenset(f"## {title}" for title in (*TITLES.values(), _LOST, _SHARED))
# Changes that notes may leave out.
_UNNAMED = frozenset({Change.LOOKS, Change.COPIES})
_MAX_BYTES = 16 * 2**20

# The parts of a card's look in words.
LOOK_WORDS = {
    "art": "its picture",
    "back": "its back",
    "fonts": "its fonts",
    "icons": "its icons",
    "linked": "a card that it shows",
    "settings": "its settings",
    "size": "its size",
    "template": "its template",
    "theme": "its theme",
}


def notes_text(path: Path, changes: Changes, date: str) -> tuple[str, bool]:
    """Return the notes of a release with its changes, and whether the file has this text already.

    `date` is that of the release. What the author wrote in the file is kept. Raises CardgenError for notes whose
    changes cannot be told from the author's words.
    """
    shown = Path(display_path(path))
    old_text = _text(path, shown)
    block = "\n".join(_block(changes, date, _Reasons(old_text)))
    text = _with_block(old_text, f"{_BEGIN}\n{block}\n{_END}", changes.new, shown)
    return text, text == old_text


def _text(path: Path, shown: Path) -> str:
    """Return the notes as they are, or '' if there are none."""
    if not path.exists():
        return ""
    try:
        return regular_file.read(path, _MAX_BYTES).decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CardgenError(Diagnostic(Code.BAD_NOTES, f"the file cannot be read: {error}", Place(str(shown)))) from None


def _with_block(text: str, block: str, name: str, shown: Path) -> str:
    """Return notes with new changes, in place of the old ones."""
    if not text.strip():
        return f"# {name}\n\n{_HINT}\n\n{_WHY}\n\n{block}\n"
    if text.count(_BEGIN) != 1 or text.count(_END) != 1 or text.index(_END) < text.index(_BEGIN):
        message = f"the file does not have the lines '{_BEGIN}' and '{_END}' once each; left unchanged"
        advice = "put both lines where the changes belong, or move the file away"
        raise CardgenError(Diagnostic(Code.BAD_NOTES, message, Place(str(shown)), advice))
    before, _, rest = text.partition(_BEGIN)
    return before + block + rest.partition(_END)[2]


class _Reasons:
    """What the author wrote in the changes: after 'Why:' of a card, by game, kind, and id."""

    def __init__(self, text: str) -> None:
        self._by_key: dict[str, tuple[str, str]] = {}
        key, title, reason = "", "", None
        for line in text.partition(_BEGIN)[2].partition(_END)[0].splitlines():
            match = _CARD.match(line)
            if match or line.strip() in _TITLES:
                self._put(key, title, reason)
                key, title, reason = (match["key"], line.partition("<!--")[0], None) if match else ("", "", None)
            elif reason is not None:
                reason.append(line)
            elif key and line.strip() and not line.startswith("- "):
                reason = [line.removeprefix(_WHY).strip()]
        self._put(key, title, reason)

    def _put(self, key: str, title: str, lines: list[str] | None) -> None:
        words = "\n".join(lines or ()).strip()
        if key and words:
            self._by_key[key] = (title.removeprefix("### ").strip(), words)

    def take(self, key: str) -> str:
        """Return the reason for a card's change, or ''."""
        return self._by_key.pop(key, ("", ""))[1]

    def rest(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, title, and words of all reasons that were not taken."""
        return ((key, title, words) for key, (title, words) in self._by_key.items())


def _block(changes: Changes, date: str, reasons: _Reasons) -> Iterator[str]:
    """Yield the lines of the changes; `date` is that of the release."""
    yield f"{date}: {markdown.escape(summary(changes))}." if date else f"{markdown.escape(summary(changes))}."
    yield from _shared_rules(changes)
    for change in Change:
        yield from _section(changes, change, reasons)
    rest = list(reasons.rest())
    if rest:
        yield from ("", f"## {_LOST}")
    for key, title, words in rest:
        yield from ("", f"### {title} <!-- {key} -->", "", f"{_WHY} {words}")


def _shared_rules(changes: Changes) -> Iterator[str]:
    """Yield the changes of the rules that cards share: rulings, and rules of the project's own games."""
    rulings = ["{} Before: {} Now: {}".format(*each.words) for each in changes.rulings]
    values = [_step_of(f"{each.game} {' '.join(each.steps)}", each.old, each.new) for each in changes.game_values]
    if rulings or values:
        yield from ("", f"## {_SHARED}", "", *(f"- {markdown.escape(sentence)}" for sentence in (*rulings, *values)))


def _section(changes: Changes, change: Change, reasons: _Reasons) -> Iterator[str]:
    cards = changes.of(change)
    if cards:
        yield from ("", f"## {TITLES[change]}")
    for each in cards:
        key = "/".join(each.card.key)
        yield from ("", f"### {markdown.escape(each.card.name)} ({each.card.kind}) <!-- {key} -->", "")
        yield from (f"- {markdown.escape(sentence)}" for sentence in _sentences(each))
        yield from ("", f"{_WHY} {reasons.take(key)}".rstrip())


def _sentences(each: ChangedCard) -> Iterator[str]:
    """Yield a sentence for each change of a card."""
    names, old, new = item_names(each), each.old, each.new
    if old is None or new is None:
        yield f"{quantity(each.card.qty, 'copy', 'copies')}."
        return
    if old.id != new.id:
        yield f"Its id was {old.id} and is now {new.id}."
    yield from (_sentence(value, names) for value in each.values)
    if each.look:
        yield f"It looks different, because of {join_words([LOOK_WORDS[part] for part in each.look], 'and')}."
    if old.qty != new.qty:
        yield f"Its copies {_step(old.qty, new.qty)}."


def _sentence(value: ChangedValue, names: Mapping[str, Scalar]) -> str:
    label = value_label(value.key, names).replace("_", " ")
    return _step_of(label[:1].upper() + label[1:], value.old, value.new)


def _step_of(label: str, old: Scalar | None, new: Scalar | None) -> str:
    if old is None:
        return f"{label} is new: {value_text(new)}."
    if new is None:
        return f"{label} is gone: {value_text(old)}."
    if _is_number(old) and _is_number(new):
        return f"{label} {_step(old, new)}."
    return f"{label} was “{value_text(old)}” and is now “{value_text(new)}”."


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _step(old: Scalar, new: Scalar) -> str:
    verb = "rises" if float(new) > float(old) else "falls"
    return f"{verb} from {value_text(old)} to {value_text(new)}"


def missing_cards(changes: Changes, note: Path, *, folder: Path | None = None) -> list[ChangedCard]:
    """Return the changed cards that a note names neither by name nor by id.

    Cards of which only the look or the copies changed need not be named. Raises CardgenError if the note is not a
    readable file of the project.
    """
    start = folder or Path.cwd()
    path = require_inside(find_project_root(start), start / note, display_path(note))
    if not path.is_file():
        raise CardgenError(
            Diagnostic(Code.BAD_NOTES, "no such file", Place(note.as_posix()), "write the release notes")
        )
    words = _words(_text(path, note))
    named = [each for each in changes.cards if not _UNNAMED.issuperset(each.changes)]
    return [each for each in named if not any(_words(name) in words for name in (each.card.name, each.card.id))]


def _words(text: str) -> str:
    """Return the words of a text in lower case, without punctuation and Markdown."""
    return f" {' '.join(_WORD.findall(text.casefold().replace(markdown.INVISIBLE, '')))} "
