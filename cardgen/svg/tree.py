"""The tree of an SVG file, with the place of each element, within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from xml.parsers import expat


class SvgError(ValueError):
    """Error in SVG: message for the user, source text at fault, and its place: offset in bytes, and line.

    An unknown offset is -1, and an unknown line 0. `feature` names what is not supported, such as 'entities'; it is
    empty for a mistake.
    """

    def __init__(self, message: str, culprit: str = "", offset: int = -1, line: int = 0, feature: str = "") -> None:
        super().__init__(message)
        self.culprit = culprit
        self.offset = offset
        self.line = line
        self.feature = feature


class Element:
    """An element, whose `content` has its texts and elements in order.

    `number` is its position in the file, and `last` that of the last element inside it. It starts at the byte `start`;
    `close` is the byte at which its end tag starts, or after it if it has none. `style` has its own properties.
    """

    __slots__ = ("attributes", "close", "content", "last", "line", "number", "parent", "start", "style", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str], line: int = 1, start: int = -1, number: int = 0,
        parent: Element | None = None,
    ) -> None:  # fmt: skip
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.start = start
        self.number = number
        self.parent = parent
        self.content: list[Element | str] = []
        self.close = self.last = -1
        self.style: dict[str, str] = {}

    def __str__(self) -> str:
        """What people call it: its label in Inkscape, or else its id."""
        name, identity = self.attributes.get("inkscape:label", ""), self.attributes.get("id", "")
        if name and identity and name != identity:
            return f"'{name}' ({identity})"
        return f"'{name or identity or self.tag}'"

    @property
    def children(self) -> list[Element]:
        """The elements directly inside this one."""
        return [each for each in self.content if isinstance(each, Element)]

    @property
    def text(self) -> str:
        """All text inside this element."""
        return "".join([each if isinstance(each, str) else each.text for each in self.content])

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute without the space around it."""
        return self.attributes.get(name, default).strip()

    def walk(self) -> Iterator[Element]:
        """Yield this element and all inside it."""
        yield self
        for child in self.content:
            if isinstance(child, Element):
                yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """All elements in document order, and why the rest of the file is missing, if it is."""

    elements: tuple[Element, ...]
    error: SvgError | None = None

    @property
    def root(self) -> Element:
        """The outermost element."""
        return self.elements[0]

    @cached_property
    def ids(self) -> dict[str, Element]:
        """The first element of each id."""
        return {each.attributes["id"]: each for each in reversed(self.elements) if "id" in each.attributes}


class Dialect(NamedTuple):
    """What a file may be.

    `depth` is the greatest number of elements around one, and `value` the length of an attribute in characters. Without
    `doctype`, the message that refuses it, a DOCTYPE may have no entities. `names` has those attributes of other
    namespaces that are kept; without it, namespaces mean nothing, and names are as written.
    """

    what: str
    elements: int = 20_000
    depth: int = 64
    value: int = 1_000_000
    doctype: str = ""
    names: Mapping[str, str] | None = None
    # None if the file declares it.
    encoding: str | None = "utf-8"


_SVG = "http://www.w3.org/2000/svg"
_XLINK_HREF = "http://www.w3.org/1999/xlink href"
_XML = "http://www.w3.org/XML/1998/namespace"
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_SODIPODI = "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
# Chunks of templates are read as UTF-8 later, so they are read as UTF-8 here too, whatever they declare.
TEMPLATE = Dialect("template", value=200_000, doctype="a template cannot have a DOCTYPE")
DRAWING = Dialect(
    "template",
    depth=60,
    doctype="a template cannot have a DOCTYPE; save the file as Inkscape SVG or plain SVG",
    names={
        f"{_INKSCAPE} label": "inkscape:label", f"{_INKSCAPE} groupmode": "inkscape:groupmode",
        f"{_SODIPODI} role": "sodipodi:role", _XLINK_HREF: "xlink:href", f"{_XML} space": "xml:space",
    },
)  # fmt: skip
ART = Dialect("picture", names={_XLINK_HREF: "href", f"{_XML} id": "id"}, encoding=None)
# SVG that the program put together from what it read within the limits above.
CHUNK = Dialect("chunk", elements=1 << 20, depth=1 << 10, value=1 << 30)


def read_tree(content: bytes, dialect: Dialect, *, partial: bool = False) -> Tree:
    """Return the tree of a file.

    Raises SvgError if it is not well-formed, is not SVG, or exceeds a limit. With `partial`, the tree has the error and
    the elements before it, unless there are none.
    """
    reader = _Reader(dialect)
    error = reader.read(content)
    if error and not (partial and reader.elements):
        raise error
    return Tree(tuple(reader.elements), error)


class _Reader:
    def __init__(self, dialect: Dialect) -> None:
        self.elements: list[Element] = []
        self._dialect = dialect
        self._open: list[Element] = []
        # Depth inside an element of another namespace, which is skipped with all that it contains.
        self._foreign = 0
        separator = None if dialect.names is None else " "
        self._parser = expat.ParserCreate(dialect.encoding, namespace_separator=separator)

    def read(self, content: bytes) -> SvgError | None:
        """Read all elements, or those before an error, and return it."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start if self._dialect.names is None else self._start_qualified
        parser.EndElementHandler, parser.CharacterDataHandler = self._end, self._characters
        parser.StartDoctypeDeclHandler, parser.ProcessingInstructionHandler = self._doctype, self._instruction
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            line = content.decode("utf-8", "replace").splitlines()[error.lineno - 1 : error.lineno]
            culprit = line[0].strip() if line else ""
            return SvgError(self._ill_formed(error), culprit, parser.ErrorByteIndex, error.lineno)
        except SvgError as error:
            return error
        except (LookupError, ValueError):
            return self._fault("the encoding of the SVG is not supported; save it as UTF-8", "")
        finally:
            # The parser is large, and part of a reference cycle; without this, it would live until the next collection.
            del self._parser
        return None

    def _start_qualified(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, tag = name.rpartition(" ")
        if self._foreign or (namespace not in ("", _SVG) and self._open):
            self._foreign += 1
        elif namespace in ("", _SVG):
            self._start(tag, _own_attributes(attributes, self._dialect.names or {}))
        else:
            raise self._wrong_root(tag)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        what, elements, depth, longest, *_ = self._dialect
        if not self._open and tag != "svg":
            raise self._wrong_root(tag)
        if len(self.elements) >= elements:
            raise self._fault(f"a {what} can have at most {elements:,} elements", f"<{tag}")
        if len(self._open) > depth:
            raise self._fault(f"elements are nested more than {depth} levels deep", f"<{tag}")
        for name, value in attributes.items():
            if len(value) > longest:
                raise self._fault(f"the attribute '{name}' of <{tag}> is longer than {longest:,} characters", f"<{tag}")
        parser, above = self._parser, self._open[-1] if self._open else None
        element = Element(tag, attributes, parser.CurrentLineNumber, parser.CurrentByteIndex, len(self.elements), above)
        if above is not None:
            above.content.append(element)
        self.elements.append(element)
        self._open.append(element)

    def _fault(self, message: str, culprit: str, feature: str = "") -> SvgError:
        return SvgError(message, culprit, self._parser.CurrentByteIndex, self._parser.CurrentLineNumber, feature)

    def _wrong_root(self, tag: str) -> SvgError:
        return self._fault(f"the root of a {self._dialect.what} must be <svg>, not <{tag}>", f"<{tag}")

    def _end(self, _: str) -> None:
        if self._foreign:
            self._foreign -= 1
        else:
            element = self._open.pop()
            element.close, element.last = self._parser.CurrentByteIndex, len(self.elements) - 1

    def _characters(self, data: str) -> None:
        if not self._foreign:
            self._open[-1].content.append(data)

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if self._dialect.doctype:
            raise self._fault(self._dialect.doctype, "<!DOCTYPE")
        if has_subset:
            message = "a DOCTYPE with entities is not supported; save it as plain SVG"
            raise self._fault(message, "<!DOCTYPE", feature="entities")

    def _instruction(self, target: str, _data: str) -> None:
        if target == "xml-stylesheet" and self._dialect is ART:
            message = "an external style sheet is not supported; save it as plain SVG"
            raise self._fault(message, "<?xml-stylesheet", feature="external style sheet")

    def _ill_formed(self, error: expat.ExpatError) -> str:
        """Return the message for an SVG that is not well-formed, with the innermost tag that is still open."""
        reason = expat.errors.messages[error.code]
        is_open = self._open and reason in (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_TAG_MISMATCH)
        return f"the SVG is not well-formed: {reason}{f'; </{self._open[-1].tag}> is missing' if is_open else ''}"


def _own_attributes(attributes: dict[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that are kept; one of SVG has priority over one of another namespace."""
    own: dict[str, str] = {}
    for name, value in attributes.items():
        if " " not in name:
            own[name] = value
        elif name in names:
            own.setdefault(names[name], value)
    return own
