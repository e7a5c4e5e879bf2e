"""Fast path: read the data of a file in plain YAML, line by line, without positions.

Plain YAML is what card files are written in: maps, lists, and texts, in block and flow style. The data are the same as
the composer's. Everything else, and everything that may need a diagnostic, raises NeedsComposer and is left to the
composer: among others anchors, tags, tabs, most escapes, and keys in quotes outside of brackets.
"""

# FAST PATH. Reason: a YAML parser finds the positions of all values, which clean files do not need, and which take
# longer than the values. Gain: a card is read with 0.5 million instructions; with the events of a parser it was 0.9
# million, and the composer takes twice as many. Slow twin: composer.

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.runtime.fast_paths import FAST
from cardgen.source.composer import MAX_DEPTH, MAX_VALUES
from cardgen.source.fast_scalars import KEY_CACHE, MAX_KEY, QUOTED, SCALAR_CACHE, NeedsComposer, read_key, read_scalar
from cardgen.source.positions import Data, Scalar

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_FIRST = r"[^ \n\-?:,\[\]{}#&*!|>'\"%@`]"
_START = rf"(?:{_FIRST}|-(?=[0-9]))"
_REST = r"[^:#]*+(?:(?::(?! |$)|(?<! )#)[^:#]*+)*+"
# Indentation, dashes, key, and what comes after them.
_LINE = re.compile(rf"( *+)((?:-(?: +|$))*+)(?:({_FIRST}(?:[^:#]{{0,{MAX_KEY - 2}}}[^:# ])?):(?: +|$))?(.*)").match
_PLAIN_LINE = re.compile(rf"({_START}{_REST})(?:(?<= )#.*)?").fullmatch
_NEXT_LINE = re.compile(rf" +(?!#){_REST}").fullmatch
_QUOTED_LINE = re.compile(rf"({QUOTED})(?: *| +#.*)", re.DOTALL).fullmatch
# Tokens of flow style: those of keys end with a colon, and those of comments are empty.
_TOKENS = re.compile(
    rf"[ \n]*+((?:{_START}[^?:,\[\]{{}}#\n]*+|{QUOTED})(?::(?=[ \n]|$))?|[^ \n#]|(?<![ \n])(?<!^)#)|#.*+"
).findall
_BLOCK_TEXT = re.compile(r"([|>])(-?)(?: *| +#.*)").fullmatch
# Longer lines with brackets or quotation marks, and longer texts in quotes, are left to the composer: a mistake in them
# would take too long to find.
_MAX_LENGTH, _MAX_BREAKS = 4_000, 20


def read_fast(text: str) -> Data:
    """Return the data of one document, in whose text there are only printable characters.

    Raises NeedsComposer for everything that may need a diagnostic.
    """
    if not FAST or "\t" in text:
        raise NeedsComposer
    return _FastReader(text).read_document()


class _FastReader:
    """Reads a document; `column`, `dashes`, `key`, and `rest` are those of the current line, which has a value."""

    dashes: str
    key: str | None

    def __init__(self, text: str) -> None:
        if text.count("\n") > MAX_VALUES:
            raise NeedsComposer
        self.lines = text.split("\n")
        self.next_index = 0
        self.values = 0
        self.next_line()

    def next_line(self) -> None:
        """Go to the next line that is not blank or a comment; after the last one, `column` is -1."""
        lines, index = self.lines, self.next_index
        while index < len(lines):
            indentation, self.dashes, self.key, rest = _LINE(lines[index]).groups()  # type: ignore[union-attr]
            index += 1
            if rest and rest[0] == "#":
                rest = ""
            if rest or self.key or self.dashes:
                self.column, self.rest, self.next_index = len(indentation), rest, index
                return
        self.column, self.dashes, self.key, self.rest, self.next_index = -1, "", "", "", index

    def read_document(self) -> Data:
        if self.column or not (self.dashes or self.key or self.rest[0] in "[{"):
            raise NeedsComposer
        data = self.read_block(0, 0)
        if self.column >= 0 or self.values >= MAX_VALUES:
            raise NeedsComposer
        return data

    def read_block(self, parent: int, depth: int) -> Data:
        """Read what begins at the current line, in a collection at the column `parent`."""
        if depth == MAX_DEPTH:
            raise NeedsComposer
        if self.dashes:
            return self.read_list(self.column, depth + 1)
        return self.read_map(self.column, depth + 1) if self.key else self.read_value(parent, depth)

    def read_map(self, column: int, depth: int) -> dict[str, Data]:
        data: dict[str, Data] = {}
        while self.column == column and self.key and not self.dashes:
            key = SCALAR_CACHE[self.key] if self.key in SCALAR_CACHE else read_scalar(self.key)
            if type(key) is not str or key in data:
                raise NeedsComposer
            if self.rest:
                data[key] = self.read_value(column, depth)
                continue
            self.next_line()
            is_inner = self.column > column or (self.column == column and self.dashes)
            data[key] = self.read_block(column, depth) if is_inner else None
        if self.column > column:
            raise NeedsComposer
        self.values += 2 * len(data)
        return data

    def read_list(self, column: int, depth: int) -> list[Data]:
        data: list[Data] = []
        while self.column == column and self.dashes:
            width = self.dashes.find("-", 1) if "-" in self.dashes[1:] else len(self.dashes)
            self.dashes = self.dashes[width:]
            if self.dashes or self.key:
                self.column += width
                data.append(self.read_block(column, depth))
            elif self.rest:
                data.append(self.read_value(column, depth))
            else:
                self.next_line()
                data.append(self.read_block(column, depth) if self.column > column else None)
        if self.column > column:
            raise NeedsComposer
        self.values += len(data)
        return data

    def read_value(self, parent: int, depth: int) -> Data:
        """Read the rest of the current line, and of the next lines that belong to it."""
        text = self.rest
        if text[0] in "[{":
            return self.read_flow(text, depth)
        if text[0] in "|>":
            return self.read_block_text(parent)
        if text[0] in "'\"":
            return self.read_quoted(text, parent)
        value = SCALAR_CACHE[text] if text in SCALAR_CACHE else self.read_plain(text)
        index = self.next_index
        self.next_line()
        return self.read_plain_lines(text, index, parent) if self.column > parent else value

    def read_plain(self, text: str) -> Scalar:
        """Return the value of a plain scalar, which a comment may follow."""
        plain = _PLAIN_LINE(text)
        if plain is None:
            raise NeedsComposer
        return read_scalar(plain[1].rstrip(" "))

    def read_plain_lines(self, first: str, index: int, parent: int) -> Scalar:
        """Read a plain scalar whose second line has some index, and is the current one."""
        texts = [first.rstrip(" ")]
        while self.column > parent:
            if self.next_index != index + 1 or not _NEXT_LINE(self.lines[index]) or " #" in first:
                raise NeedsComposer
            texts.append(self.lines[index].strip(" "))
            index += 1
            self.next_line()
        return read_scalar(" ".join(texts))

    def read_quoted(self, text: str, parent: int) -> Scalar:
        """Read a text in quotes, which can have several lines."""
        while (quoted := _QUOTED_LINE(_checked(text))) is None:
            text = self.with_next_line(text)
        self.next_line()
        if self.column > parent:
            raise NeedsComposer
        return read_scalar(quoted[1])

    def with_next_line(self, text: str) -> str:
        """Return a text that ends within quotation marks with the next line."""
        line = self.lines[self.next_index] if self.next_index < len(self.lines) else ""
        if not line.startswith(" ") or line.isspace() or text.count("\n") == _MAX_BREAKS:
            raise NeedsComposer
        self.next_index += 1
        return _checked(f"{text}\n{line}")

    def read_block_text(self, parent: int) -> str:
        """Read a text after '|' or '>'."""
        header, lines, index = _BLOCK_TEXT(self.rest), self.lines, self.next_index
        if header is None or lines[-1]:
            raise NeedsComposer
        column = len(lines[index]) - len(lines[index].lstrip(" "))
        if column <= parent or column == len(lines[index]):
            raise NeedsComposer
        indentation, texts = lines[index][:column], list[str]()
        while index < len(lines) and (lines[index].startswith(indentation) or not lines[index].strip(" ")):
            texts.append(lines[index][column:])
            index += 1
        self.next_index = index
        self.next_line()
        text = "\n".join(texts).rstrip("\n")
        if self.column > parent or (header[1] == ">" and "\n " in text):
            raise NeedsComposer
        if header[1] == ">":
            text = re.sub(r"\n(\n*)", lambda breaks: breaks[1] or " ", text)
        return text if header[2] else f"{text}\n"

    def read_flow(self, text: str, depth: int) -> Data:
        """Read a collection in flow style, which can have several lines."""
        tokens = self.flow_tokens(text)
        try:
            data = self.read_flow_value(next(tokens), tokens, depth)
        except StopIteration:
            raise NeedsComposer from None
        if next(self.line_tokens, None):
            raise NeedsComposer
        self.next_line()
        return data

    def flow_tokens(self, text: str) -> Iterator[str]:
        """Yield the tokens of a text and of the next lines; `line_tokens` are those of the current line."""
        while True:
            tokens = _TOKENS(_checked(text))
            while '"' in tokens or "'" in tokens:
                tokens = _TOKENS(text := self.with_next_line(text))
            self.line_tokens = filter(None, tokens)
            yield from self.line_tokens
            if self.next_index == len(self.lines):
                return
            text = self.lines[self.next_index]
            self.next_index += 1

    def read_flow_value(self, token: str, tokens: Iterator[str], depth: int) -> Data:
        if token == "[" or token == "{":
            if depth == MAX_DEPTH:
                raise NeedsComposer
            return self.read_flow_list(tokens, depth + 1) if token == "[" else self.read_flow_map(tokens, depth + 1)
        if token[-1] == ":" or token in _INDICATORS:
            raise NeedsComposer
        return read_scalar(token.rstrip(" "))

    def read_flow_map(self, tokens: Iterator[str], depth: int) -> dict[str, Data]:
        data: dict[str, Data] = {}
        for token in tokens:
            if token == "}":
                break
            key = KEY_CACHE[token] if token in KEY_CACHE else read_key(token)
            if key in data:
                raise NeedsComposer
            value = next(tokens)
            data[key] = SCALAR_CACHE[value] if value in SCALAR_CACHE else self.read_flow_value(value, tokens, depth)
            if (end := next(tokens)) != ",":
                if end != "}":
                    raise NeedsComposer
                break
        else:
            raise NeedsComposer
        self.values += 2 * len(data)
        return data

    def read_flow_list(self, tokens: Iterator[str], depth: int) -> list[Data]:
        data: list[Data] = []
        for token in tokens:
            if token == "]":
                break
            data.append(SCALAR_CACHE[token] if token in SCALAR_CACHE else self.read_item(token, tokens, depth))
            if (end := next(tokens)) != ",":
                if end != "]":
                    raise NeedsComposer
                break
        else:
            raise NeedsComposer
        self.values += len(data)
        return data

    def read_item(self, token: str, tokens: Iterator[str], depth: int) -> Data:
        """Read an item of a list in flow style, which can be a single pair, as in '[Bow: R6]'."""
        if token[-1] != ":":
            return self.read_flow_value(token, tokens, depth)
        if depth == MAX_DEPTH:
            raise NeedsComposer
        self.values += 2
        return {read_key(token): self.read_flow_value(next(tokens), tokens, depth + 1)}


def _checked(text: str) -> str:
    if len(text) > _MAX_LENGTH:
        raise NeedsComposer
    return text
