"""Sandbox that goes on after mistakes, records them, and knows the template line of each part of its output."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from jinja2 import BaseLoader, StrictUndefined
from jinja2.environment import Template
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Macro, Undefined

from cardgen.face.template.mistakes.syntax import MOST_MISTAKES
from cardgen.face.template.mistakes.wording import (
    arguments_fault,
    call_fault,
    error_message,
    macro_parameters,
    undefined_message,
)
from cardgen.runtime.time_limit import TimeLimitError
from cardgen.sandbox.environment import Sandbox

# A line of a template in its output: the number of its file, and that of the line.
_MARK = re.compile("\ue5f0(\\d{1,4}):(\\d{1,7})\ue5f1")
_FATAL = (TimeLimitError, MemoryError, RecursionError)


class RecordedUndefined(StrictUndefined):
    """Value that does not exist; using it is recorded, and gives nothing."""

    record: Callable[[Undefined], None] = staticmethod(lambda _: None)

    def _nothing(self, *_: Any, **__: Any) -> Any:
        self.record(self)
        return Silent()

    def _fail_with_undefined_error(self, *_: Any, **__: Any) -> Any:
        return self._nothing()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._nothing()

    def __str__(self) -> str:
        self.record(self)
        return ""

    __html__ = __str__

    def __iter__(self) -> Iterator[Any]:
        self.record(self)
        return iter(())

    def __bool__(self) -> bool:
        self.record(self)
        return False

    def __len__(self) -> int:
        self.record(self)
        return 0

    def __eq__(self, _: object) -> bool:
        self.record(self)
        return False

    def __ne__(self, _: object) -> bool:
        self.record(self)
        return True

    def __hash__(self) -> int:
        return id(self)

    def __int__(self) -> int:
        self.record(self)
        return 0

    def __float__(self) -> float:
        self.record(self)
        return 0.0

    def __contains__(self, _: object) -> bool:
        self.record(self)
        return False

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _nothing
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __pos__ = __neg__ = _nothing
    __call__ = __getitem__ = _nothing
    __lt__ = __le__ = __gt__ = __ge__ = __contains__


class Silent(RecordedUndefined):
    """Result of what was recorded already."""


class _LineMarks(Extension):
    """Marks of the lines in the text of templates."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        number = self.environment.file_number(stream.filename or stream.name or "")  # type: ignore[attr-defined]
        for token in stream:
            if token.type != "data":
                yield token
                continue
            lines = token.value.split("\n")
            marked = (f"\ue5f0{number}:{token.lineno + each}\ue5f1{line}" for each, line in enumerate(lines))
            yield Token(token.lineno, token.type, "\n".join(marked))


class LenientSandbox(Sandbox):
    """Sandbox that records mistakes in `mistakes`, as template file, line, and message.

    With `marked`, its output contains marks for `strip_marks`.
    """

    def __init__(
        self,
        loader: BaseLoader,
        suffixes: tuple[str, ...],
        fields: Iterable[str],
        names: Iterable[str],
        *,
        marked: bool,
    ) -> None:
        super().__init__(loader)
        self.mistakes: dict[tuple[str, int, str], None] = {}
        self.files: list[str] = []
        self._suffixes, self._fields, self._names = suffixes, tuple(fields), tuple(names)
        self.undefined = type("Recorded", (RecordedUndefined,), {"record": staticmethod(self._record_undefined)})
        self.filters = {name: self._guarded(name, function) for name, function in self.filters.items()}
        if marked:
            self.add_extension(_LineMarks)

    def file_number(self, file: str) -> int:
        """Return the number of a template file in the marks."""
        if file not in self.files:
            self.files.append(file)
        return self.files.index(file)

    def _record_undefined(self, value: Undefined) -> None:
        self._record(undefined_message(value, self._names, self._fields))

    def _record(self, message: str) -> None:
        file, line = _current_line(self._suffixes)
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes[file, line, message] = None

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)  # copies the attributes by which Jinja2 passes the environment
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(each, Undefined) for each in args) and name not in ("default", "d"):
                for each in args:
                    if isinstance(each, RecordedUndefined):
                        each.record(each)
                return Silent()
            try:
                return function(*args, **kwargs)
            except _FATAL:
                raise
            except Exception as error:
                self._record(f"filter '{name}': {error_message(error)}")
                return Silent()

        return guarded

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call an object; failures are recorded."""
        if isinstance(__obj, Undefined):
            return __obj(*args)
        try:
            return super().call(__context, __obj, *args, **kwargs)
        except _FATAL:
            raise
        except Exception as error:
            keywords = [name for name in kwargs if name not in ("caller", "_loop_vars", "_block_vars")]
            __self._record(_failed_call(__obj, len(args), keywords) or error_message(error))
            return Silent()

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute an operator; failures are recorded."""
        return self._computed(lambda: super(LenientSandbox, self).call_binop(context, operator, left, right))

    def add(self, left: Any, right: Any) -> Any:  # type: ignore[override]
        """Return the sum; failures are recorded."""
        return self._computed(lambda: Sandbox.add(left, right))

    def multiply(self, left: Any, right: Any) -> Any:  # type: ignore[override]
        """Return the product; failures are recorded."""
        return self._computed(lambda: Sandbox.multiply(left, right))

    def _computed(self, compute: Callable[[], Any]) -> Any:
        try:
            return compute()
        except _FATAL:
            raise
        except Exception as error:
            self._record(error_message(error))
            return Silent()

    def _is_mark(self, match: re.Match[str]) -> bool:
        """Return whether this is a mark, and not a text of a template that looks like one."""
        return int(match[1]) < len(self.files)

    def strip_marks(self, text: str) -> tuple[str, list[tuple[int, str, int]]]:
        """Return a text without its marks, and the offset in it, file, and line of each mark."""
        parts, marks, size, end = [], [], 0, 0
        for match in filter(self._is_mark, _MARK.finditer(text)):
            part = text[end : match.start()]
            parts.append(part)
            size, end = size + len(part.encode("utf-8", "surrogatepass")), match.end()
            marks.append((size, self.files[int(match[1])], int(match[2])))
        return "".join((*parts, text[end:])), marks


def _failed_call(function: Any, given: int, keywords: list[str]) -> str:
    """Return why something could not take its arguments, or ''."""
    if isinstance(function, Macro):
        return arguments_fault(f"macro '{function.name}'", macro_parameters(function), given, tuple(keywords))
    name = getattr(function, "__name__", "")
    return f"function {fault}" if name.isidentifier() and (fault := call_fault(name, function, given, keywords)) else ""


def _current_line(suffixes: tuple[str, ...]) -> tuple[str, int]:
    """Return the file and line of the template that is running."""
    frame = sys._getframe(2)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and frame.f_code.co_filename.endswith(suffixes):
            return template.filename or "", template.get_corresponding_lineno(frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return "", 1
