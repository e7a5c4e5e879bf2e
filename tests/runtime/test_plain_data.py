"""Plain data between processes: everything comes back, and nothing that a message names is called."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostic import Diagnostic, Place, Severity, Span
from cardgen.export.preflight import Report, Requirements
from cardgen.face.face import Artwork, Face
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError
from cardgen.sandbox.values import LinkedName
from cardgen.units import Size
from tests.cases import each_case

PLACE = Place("a\udcff.yaml", Span(1, 2, 3, 4), "é\ud83c")
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1 << 62,
    1 << 63,
    -(1 << 9999),
    1.5,
    float("inf"),
    -0.0,
    0.1 + 0.2,
    "",
    "\0\ud800",
    b"",
    b"\0\xff",
    bytes(range(256)),
    (),
    (1, (2,)),
    [],
    [[(), []]],
    set(),
    {1, 2},
    frozenset({("a", 1)}),
    {},
    {1: {"a": (b"b",)}, (1, 2): None},
    Path("a b/ü.yaml"),
    Fraction(1, 3),
    Fraction(-(7**400), 9),
    Severity.WARNING,
    Diagnostic("CG001", "text", PLACE, related=((PLACE, "here"),)),
    Artwork(b"<svg>" * 99, Path("/t")),
    Face(Size(63.0, 88.0), 3.0, (Artwork(b"a"),)),
    Requirements("press", (Size(1, 2),)),
]


@each_case("value", VALUES, ids=lambda value: repr(value)[:30])
def test_a_value_comes_back_with_its_types(value: Any) -> None:
    found = Decoder().decode(Encoder().encode(value))
    assert found == value
    assert repr(found) == repr(value)
    assert type(found) is type(value)


def test_what_messages_share_is_sent_once_until_it_is_forgotten() -> None:
    encoder, decoder = Encoder(), Decoder()
    frame = Artwork(b"frame" * 10_000)
    first, second = encoder.encode((frame, 1)), encoder.encode([frame, frame])
    one, (two, three) = decoder.decode(first)[0], decoder.decode(second)
    assert one is two is three
    assert len(second) < 50 < 50_000 < len(first)
    encoder.forget()
    decoder.forget()
    assert decoder.decode(encoder.encode(frame)) == frame


def test_a_value_that_cannot_be_sent_leaves_the_channel_as_it_was() -> None:
    encoder, decoder = Encoder(), Decoder()
    shared = ("a", "b")
    with pytest.raises(PlainDataError, match="a function is not plain data"):
        encoder.encode((shared, Size(1, 2), print.__class__ and (lambda: 0)))
    assert decoder.decode(encoder.encode((shared, Size(3, 4)))) == (shared, Size(3, 4))


def test_texts_of_templates_are_texts() -> None:
    found = Decoder().decode(Encoder().encode((LinkedName("Scout"),)))
    assert [(type(each), each) for each in found] == [(str, "Scout")]


@dataclass
class Mutable:
    number: int


class Hook:
    def __reduce__(self) -> Any:
        return print, ("ran",)


@pytest.mark.parametrize("value", [Mutable(1), Report(), Hook(), print, Hook, Exception("a"), object(), 1j, Diagnostic])
def test_only_plain_data_is_sent(value: object) -> None:
    with pytest.raises(PlainDataError):
        Encoder().encode(value)


@each_case(
    "name",
    [
        "os:system",
        "builtins:eval",
        "cardgen.diagnostic:CardgenError",
        "cardgen.diagnostic:re.compile",
        "cardgen.diagnostic",
        "cardgen.diagnostic:Place.__str__",
        "cardgen.runtime.processes:Fork",
        "cardgen.__main__:main",
        "pathlib:Path",
        "cardgen.not_loaded:A",
        "cardgen.export.preflight:Report",
        "cardgen.diagnostic:NamedTuple",
        "cardgen.diagnostic:StrEnum",
        "cardgen.face.face:Path",
        7,
        None,
        ["a"],
    ],
)
def test_no_other_class_is_made(name: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PlainDataError):
        Decoder().decode(json.dumps([[name], [0, "echo"]]).encode())


@each_case(
    "message",
    [
        b"",
        b"null",
        b"[]",
        b"[[],[]]",
        b"[[]]",
        b'[[],["&",0]]',
        b'[[],["&",-1]]',
        b'[[],["&",true]]',
        b'[[],["&"]]',
        b'[[],["x",1]]',
        b"[[],[0]]",
        b"[[],[-1]]",
        b'[[],{"a":1}]',
        b'[[],["s",["l"]]]',
        b'[[],["m",1]]',
        b'[[],["b","?"]]',
        b'[[],["b",1]]',
        b'[[],["i","zz"]]',
        b'[[],["i",1]]',
        b'[[],["q",1,0]]',
        b'[[],["p",1]]',
        b'[[],["p"]]',
        b"[" * 99_999,
        b"[[]," + b'["t",' * 99_999,
        b'[["cardgen.units:Size"],[0,1]]',
        b'[["cardgen.units:Size"],[0,1,2,3]]',
        b"[[]," + b"9" * 9999,
        b'[["cardgen.diagnostic:Severity"],[0,"bad"]]',
        b'[["cardgen.face.face:Artwork"],[0,"a"]]',
        b"\xff\xfe",
        b'[[],[["l"]]]',
        pickle.dumps(Hook()),
    ],
    ids=lambda message: repr(message[:30]),
)
def test_what_is_no_message_is_an_error(message: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PlainDataError):
        Decoder().decode(message)
    assert not capsys.readouterr().out


def doubled(levels: int) -> str:
    """Tuples, each of which has the one before it twice, by references."""
    return ",".join(['["t",1]', *(f'["t",["&",{level}],["&",{level}]]' for level in range(levels))])


@pytest.mark.parametrize("use", ['["s",["&",60]]', '["f",["&",60]]', '["m",["&",60],1]', '["t",["&",60]]'])
def test_references_do_not_multiply_a_value(use: str) -> None:
    with pytest.raises(PlainDataError, match="more than 67108864 items"):
        Decoder().decode(f'[[],["l",{doubled(60)},{use}]]'.encode())


def test_references_to_earlier_messages_do_not_multiply_a_value() -> None:
    decoder = Decoder()
    decoder.decode(f'[[],["l",{doubled(20)}]]'.encode())
    with pytest.raises(PlainDataError, match="more than 67108864 items"):
        decoder.decode(json.dumps([[], ["t", *[["&", 20]] * 40]]).encode())


def test_an_enumeration_has_one_value() -> None:
    for items in ("", ',"error","x"'):
        with pytest.raises(PlainDataError):
            Decoder().decode(f'[["cardgen.diagnostic:Severity"],[0{items}]]'.encode())
