"""SVG files of strangers as art: nothing is fetched, nothing takes long, everything wrong has a line."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from cardgen.face.face import MAX_BYTES
from cardgen.svg.reduction import reduce_svg
from cardgen.svg.scene import VectorArtError
from tests.cases import each_case
from tests.hostile.conftest import Attack

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def nested(count: int) -> str:
    return "<g>" * count + "<rect width='1' height='1'/>" + "</g>" * count


def doubled(count: int) -> str:
    """Each group has two copies of the one before."""
    steps = (f'<g id="a{n + 1}"><use href="#a{n}"/><use href="#a{n}"/></g>' for n in range(count))
    return f'<defs><rect id="a0" width="1" height="1"/>{"".join(steps)}</defs><use href="#a{count}"/>'


def marked(count: int) -> str:
    dots = "".join(f'<circle r="{n}"/>' for n in range(1, 100))
    points = " ".join(f"{n % 9},{n % 7}" for n in range(count))
    return f'<marker id="m">{dots}</marker><polyline points="{points}" marker-mid="url(#m)"/>'


def chained(tag: str, attribute: str, count: int) -> str:
    """Each region limits the one before."""
    shapes = [f'<rect width="9" height="9" {attribute}="url(#a{number - 1})"/>' for number in range(count + 1)]
    return "".join(f'<{tag} id="a{number}">{shapes[number]}</{tag}>' for number in range(count)) + shapes[-1]


REFUSED = {
    "an external picture": ('<image href="http://127.0.0.1:9/a.png"/>', "not supported"),
    "a file in a picture": ('<image href="file:///etc/passwd"/>', "not supported"),
    "an external use": ('<use xlink:href="http://127.0.0.1:9/a.svg#b"/>', "external reference"),
    "an external paint": ('<rect width="9" height="9" fill="url(http://127.0.0.1:9/a.svg#b)"/>', "is in another file"),
    "an external mask": ('<rect width="9" height="9" mask="url(file:///etc/passwd#b)"/>', "is in another file"),
    "an imported style": ('<style>@import url("http://127.0.0.1:9/a.css");</style>', "@import"),
    "brackets in a style": (f'<rect style="fill:{"(" * 5000}"/>', "a style is nested too deeply"),
    "brackets in a style sheet": (f"<style>a{{fill:{'(' * 5000}}}</style>", "a style is nested too deeply"),
    "selectors in selectors": (f"<style>{':not(' * 3000}a{')' * 3000}{{fill:red}}</style>", "nested too deeply"),
    "many selectors": (f"<style>{'a,' * 200_000}b{{fill:red}}</style>", "the style sheets have more than 10,000"),
    "a long selector": (f"<style>{'g ' * 5000}g{{fill:red}}</style>", "a selector in a style sheet has more than 6"),
    "a script": ("<script>alert(1)</script>", "scripts"),
    "another document": ('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>', "foreignObject"),
    "deep nesting": (nested(5_000), "nested more than 64 levels deep"),
    "many elements": ("<g/>" * 30_000, "a picture can have at most 20,000 elements"),
    "doubling": (doubled(15), "expands to more than 20,000 elements"),
    "a long chain": (doubled(40), "chain of references is too long|expands to more than"),
    "itself": ('<g id="a"><g id="b"><use href="#a"/></g></g>', "refers to itself"),
    "two that use each other": ('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', "refers to itself"),
    "many markers": (marked(5_000), "expands to more than 20,000 elements"),
    "masks in masks": (chained("mask", "mask", 40), "chain of references is too long"),
    "clip paths in clip paths": (chained("clipPath", "clip-path", 40), "chain of references is too long"),
    "a huge number": ('<rect width="1e300" height="9"/>', "out of range"),
    "no number": ('<rect width="nan" height="9"/>', "not a valid length"),
    "a huge coordinate": ('<path d="M0 0L1e99 9"/>', "out of range"),
    "a broken path": ('<path d="M0 0L"/>', "missing number after 'L'"),
    "a long attribute": (f'<path d="M0 0{"L9 9" * 300_000}"/>', "longer than 1,000,000 characters"),
    "many repetitions": (
        '<linearGradient id="a" x2="0.00001" spreadMethod="repeat"><stop/><stop offset="1" stop-color="red"/>'
        '</linearGradient><rect width="9" height="9" fill="url(#a)"/>',
        "repeats more than",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    started = time.process_time()
    with pytest.raises(VectorArtError, match=message):
        reduce_svg(f"{HEAD}{body}</svg>".encode())
    assert time.process_time() - started < 30


@each_case(
    ("content", "message"),
    [
        (b"", "not well-formed: no element found"),
        (b"<svg", "not well-formed"),
        (b"hello", "not well-formed"),
        (b"<html/>", "the root of a picture must be <svg>, not <html>"),
        (b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>', "DOCTYPE with entities"),
        (b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>', "DOCTYPE with entities"),
        (b'<?xml version="1.0" encoding="x-nothing"?><svg/>', "encoding"),
        (b"<svg/>", "needs a viewBox, or a width and a height"),
        (b'<svg viewBox="0 0 0 0"/>', "must be greater than 0"),
        (b'<svg viewBox="0 0 1e9 1e9"/>', "out of range"),
        (b'<svg viewBox="0 0 200000 9"/>', "is too large"),
        (b'<svg viewBox="0 0 9"/>', "not a valid viewBox"),
        (b'<svg width="9lightyears" height="9"/>', "not a valid length"),
    ],
)
def test_what_is_no_svg(content: bytes, message: str) -> None:
    with pytest.raises(VectorArtError, match=message):
        reduce_svg(content)


def test_a_fault_is_shown_at_its_line(attack: Attack) -> None:
    attack.folder.write("cards/art.svg", f"{HEAD}\n<rect width='9' height='9'/>\n<text>A</text>\n<image/></svg>")
    errors = attack.card("art: art.svg\n").fails(r"cards/art\.svg:3:1: error\[CG504\]: 'text' is not supported")
    assert "cards/art.svg:4:1: error[CG504]: 'embedded pictures (<image>)' is not supported" in errors
    assert "Object to Path" in errors


def test_a_file_that_is_too_large(attack: Attack) -> None:
    attack.folder.write("cards/art.svg", HEAD + " " * MAX_BYTES + "</svg>")
    attack.card("art: art.svg\n").fails(r"cards/a\.yaml:4:6: error\[CG504\]: 'art\.svg' is larger than 8 MiB")


def test_long_paths_take_little_time_and_memory() -> None:
    path = f'<path d="M0 0{"c1 2 3 4 5 6" * 30_000}"/>'
    tracemalloc.start()
    started = time.process_time()
    reduce_svg(f"{HEAD}{path}</svg>".encode())
    assert time.process_time() - started < 30  # a fifth of that without the measurement
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 << 20


def test_scripts_and_links_do_not_reach_the_output(attack: Attack) -> None:
    attack.folder.write(
        "cards/art.svg",
        f'{HEAD}<a href="javascript:alert(1)"><rect width="9" height="9" onclick="alert(2)" fill="#123456"/></a></svg>',
    )
    attack.card("art: art.svg\n")
    assert attack.cardgen("build", "-q", "--format", "svg").code == 0
    written = attack.folder.output("warniris-minion/001-sentinel-front.svg")
    assert b"#123456" in written
    assert b"alert" not in written
