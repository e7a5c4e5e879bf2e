"""Scripts of Squib: what their usual lines say, which is read as text and never runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

# The settings of an element, as written.
Settings: TypeAlias = dict[str, str]
# Patterns give back nothing of what they have taken ('++'), because scripts of strangers would make that take hours.
# A text of Ruby; one without an end goes on to that of the script.
STRING = re.compile(r"""(['"])((?:\\(?:.|\Z)|(?!\1)[^\\])*)(?:\1|\Z)""", re.DOTALL)
# A column of a table: data['Name'], data[:name], data.name.
COLUMN = re.compile(r"""\b(\w++)(?:\[\s*+(?:'([^']+)'|"([^"]+)"|:(\w+)|(\w+))\s*+\]|\.(\w++))""")
DECK = re.compile(r"Squib::Deck\.new|Deck\.new")
_DATA = re.compile(r"\b(\w++)\s*+=\s*+(?:Squib\.)?(csv|xlsx)\b\s*+\(?([^\n]*)")
_COMMAND = re.compile(r"\s*(text|rect|circle|ellipse|png|svg|background|line|use_layout)\b[ (]+(.*)", re.DOTALL)
CHANGE = r"(?:\.(?:to_s|strip|downcase|upcase|capitalize))*"
_LOOP = re.compile(
    r"^([ \t]*+)%w[(\[]([^)\]]*)[)\]]\.each(?:_with_index)? do \|(\w+)(?:,\s*(\w+))?\|[^\n]*\n(.*?)^\1end",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"""((?:'[^']*'|"[^"]*")|[^#'"]+|#(?=\{))|#.*$""")
_BLANKS = re.compile(r"(\s)\s{40,}")
# Characters of a script and of a line, loops in it, words of a loop, and loops within each other.
_MOST_SOURCE, _LONGEST_LINE, _MOST_LOOPS, _MOST_WORDS, _DEEPEST_LOOP = 256 << 10, 4_000, 200, 50, 3
# Decks of a script, and commands of a deck.
_MOST_DECKS, _MOST_COMMANDS = 50, 2_000


class ScriptedDeck(NamedTuple):
    """A deck of a script: its settings, its commands with theirs, and the variables of tables with their files."""

    settings: Settings
    commands: list[tuple[str, Settings]]
    tables: Mapping[str, str]
    most_used: str


def decks_of(source: str, lose: Callable[[str], object]) -> Iterator[ScriptedDeck]:
    """Yield the decks of a script; what is left out is lost."""
    if len(source) > _MOST_SOURCE:
        lose(f"what follows the first {_MOST_SOURCE >> 10} KiB of a script")
    lines = (line[:_LONGEST_LINE] for line in _BLANKS.sub(r"\1", source[:_MOST_SOURCE]).split("\n"))
    source = _unrolled("\n".join("" if line.lstrip().startswith("#") else line for line in lines), 0)
    if len(source) > 4 * _MOST_SOURCE or not DECK.search(source):
        return
    found = list(_DATA.finditer(source))
    starts = [match.start() for match in DECK.finditer(source)]
    if len(starts) > _MOST_DECKS:
        lose(f"decks of a script after the first {_MOST_DECKS}")
    for start, end in islice(zip(starts, [*starts[1:], len(source)], strict=True), _MOST_DECKS):
        # A later table of the same name is that of a later deck; some are read inside of their deck.
        tables = {match[1]: match[3] for match in reversed(found) if match.start() < end}
        tables |= {match[1]: match[3] for match in found if match.start() < start}
        statements = list(_statements(source[start:end]))
        if not statements:
            continue
        opening = statements[0].partition(" do")[0]
        opening = re.sub(r"^.*?new[ (]*", "", opening, count=1, flags=re.DOTALL).rstrip()
        settings = arguments_of(opening.removesuffix(")") if opening.count(")") > opening.count("(") else opening)
        commands: list[tuple[str, Settings]] = []
        for statement in statements[1:]:
            if len(commands) == _MOST_COMMANDS:
                lose(f"what follows the first {_MOST_COMMANDS:,} commands of a deck")
                break
            if match := _COMMAND.match(statement):
                arguments = (
                    re.sub(r"\)?\s*(?:do\s*\|\w+\|)?\s*$", "", match[2])
                    if "(" in statement[: match.start(2)]
                    else match[2]
                )
                commands.append((match[1], arguments_of(re.sub(r"\s+do\s*\|\w+\|\s*$", "", arguments))))
        uses = Counter(match[1] for match in COLUMN.finditer(source[start:end]) if match[1] in tables)
        yield ScriptedDeck(settings, commands, tables, uses.most_common(1)[0][0] if uses else next(iter(tables), ""))


def _unrolled(source: str, depth: int) -> str:
    """Return a script with the bodies of loops over words, once for each of these."""

    def unroll(loop: re.Match[str]) -> str:
        _, words, variable, index, body = loop.groups()
        once = []
        for number, word in enumerate(words.split()[:_MOST_WORDS]):
            text = re.sub(rf"#\{{{variable}({CHANGE})\}}", partial(_changed, word), body)
            text = re.sub(rf"(?<![\w.:'\"]){variable}(?![\w:'\"])", f"'{word}'".replace("\\", ""), text)
            once.append(re.sub(rf"\b{index}\b", str(number), text) if index else text)
        return _unrolled("".join(once), depth + 1)

    is_small = depth < _DEEPEST_LOOP and len(source) <= _MOST_SOURCE and source.count("%w") <= _MOST_LOOPS
    return _LOOP.sub(unroll, source) if is_small else source


def _changed(word: str, match: re.Match[str]) -> str:
    """Return a text after the methods of Ruby that a placeholder calls."""
    return word.upper() if "upcase" in match[1] else word.lower() if "downcase" in match[1] else word


def _statements(source: str) -> Iterator[str]:
    """Yield the lines of a script; a line that ends with a comma, or within brackets, continues."""
    statement, depth = "", 0
    for line in source.split("\n"):
        line = _COMMENT.sub(lambda match: match[1] or "", line)
        statement = f"{statement}\n{line}" if statement else line
        bare = STRING.sub("", line)
        depth += sum(bare.count(each) for each in "([{") - sum(bare.count(each) for each in ")]}")
        if depth <= 0 and not bare.rstrip().endswith((",", "\\")):
            yield statement
            statement, depth = "", 0


def arguments_of(text: str) -> Settings:
    """Return the named arguments of a call."""
    found: Settings = {}
    for part in _split(text):
        name, colon, value = part.partition(":")
        if colon and re.fullmatch(r"\s*\w+\s*", name):
            found[name.strip()] = value.strip()
    return found


def _split(text: str) -> Iterator[str]:
    """Yield the parts of a list between commas outside of brackets and quotation marks."""
    start = depth = 0
    quote = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth <= 0:
            yield text[start:index]
            start = index + 1
    yield text[start:]
