"""SVG file of a stranger as a tree of elements, within limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple
from xml.parsers import expat

MAX_DEPTH = 64
MAX_ELEMENTS = 20_000
MAX_VALUE_LENGTH = 1_000_000
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_TEXT_TAGS = frozenset({"style"})


class Fault(NamedTuple):
    """Reason why a file cannot be drawn as intended, with the line.

    `feature` names what is not supported, such as 'filter'; it is empty for a broken file.
    """

    message: str
    line: int
    feature: str = ""

    @property
    def help(self) -> str:
        """What the author can do about it."""
        if self.feature.startswith("text"):
            return "convert it to paths in your drawing program (Inkscape: Path > Object to Path)"
        return "change it in your drawing program, or save the picture as PNG" if self.feature else ""


class VectorArtError(ValueError):
    """The faults of a file.

    The message is that of the first one.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].message)
        self.faults = faults


@dataclass(slots=True, eq=False)
class Element:
    """SVG element with local names.

    `style` has the specified properties after the cascade; `number` is its position in the file.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    number: int
    parent: Element | None
    children: list[Element] = field(default_factory=list)
    style: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute without the space around it."""
        return self.attributes.get(name, default).strip()


class Tree(NamedTuple):
    """Root element, all elements in document order, and the first element of each id."""

    root: Element
    elements: tuple[Element, ...]
    ids: dict[str, Element]


def read_tree(content: bytes) -> Tree:
    """Parse an SVG file.

    Raises VectorArtError if it is not well-formed, is not SVG, or exceeds a limit.
    """
    return _TreeReader().read(content)


class _TreeReader:
    def __init__(self) -> None:
        self._elements: list[Element] = []
        self._stack: list[Element] = []
        # Depth inside an element of another namespace, which is skipped with all that it contains.
        self._foreign = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")

    def read(self, content: bytes) -> Tree:
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            message = f"the SVG is not well-formed: {expat.errors.messages[error.code]}"
            raise VectorArtError(Fault(message, error.lineno)) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, VectorArtError):
                raise
            raise self._error("the encoding of the SVG is not supported; save it as UTF-8") from None
        finally:
            del self._parser  # it is part of a reference cycle
        ids: dict[str, Element] = {}
        for element in self._elements:
            if "id" in element.attributes:
                ids.setdefault(element.attributes["id"], element)
        return Tree(self._elements[0], tuple(self._elements), ids)

    def _error(self, message: str, feature: str = "") -> VectorArtError:
        return VectorArtError(Fault(message, self._parser.CurrentLineNumber, feature))

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_subset: int) -> None:
        if has_subset:
            raise self._error("a DOCTYPE with entities is not supported; save it as plain SVG", "entities")

    def _instruction(self, target: str, _data: str) -> None:
        if target == "xml-stylesheet":
            raise self._error("an external style sheet is not supported; save it as plain SVG", "external style sheet")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, tag = _split(name)
        if self._foreign or (namespace not in ("", _SVG) and self._stack):
            self._foreign += 1
            return
        if not self._stack and (tag != "svg" or namespace not in ("", _SVG)):
            raise self._error(f"the root of the file is <{tag}>, not <svg>")
        self._check_limits(tag, attributes)
        parent = self._stack[-1] if self._stack else None
        own = _own_attributes(attributes)
        element = Element(tag, own, self._parser.CurrentLineNumber, len(self._elements), parent)
        if parent:
            parent.children.append(element)
        self._elements.append(element)
        self._stack.append(element)

    def _check_limits(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._elements) >= MAX_ELEMENTS:
            raise self._error(f"the picture has more than {MAX_ELEMENTS:,} elements")
        if len(self._stack) >= MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH} levels deep")
        for name, value in attributes.items():
            if len(value) > MAX_VALUE_LENGTH:
                what = f"attribute '{_split(name)[1]}' of <{tag}>"
                raise self._error(f"the {what} is longer than {MAX_VALUE_LENGTH:,} characters")

    def _end(self, _: str) -> None:
        if self._foreign:
            self._foreign -= 1
        else:
            self._stack.pop()

    def _characters(self, data: str) -> None:
        if not self._foreign and self._stack and self._stack[-1].tag in _TEXT_TAGS:
            self._stack[-1].text += data


def _split(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def _own_attributes(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes of SVG; a plain `href` has priority over XLink's."""
    own: dict[str, str] = {}
    for name, value in attributes.items():
        namespace, local = _split(name)
        if not namespace:
            own[local] = value
        elif namespace == _XML and local == "id":
            own.setdefault("id", value)
        elif namespace == _XLINK and local == "href":
            own.setdefault("href", value)
    return own
