"""Drawings that multiply, that contain themselves, or that name what lies elsewhere."""

from __future__ import annotations

import itertools
from base64 import b64encode
from zlib import crc32

import pytest

from tests.hostile.conftest import Attack
from tests.libcairo import needs_cairo

RECT = '<rect width="1" height="1"/>'
OPEN = "{{ '{' }}"  # A brace, also where Jinja2 would take it for its own.
XLINK = "http://www.w3.org/1999/xlink"
SIDES = 'width="9" height="9"'
HUGE = b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(
    len(data).to_bytes(4) + kind + data + crc32(kind + data).to_bytes(4)
    for kind, data in ((b"IHDR", (60_000).to_bytes(4) * 2 + bytes([8, 2, 0, 0, 0])), (b"IEND", b""))
)).decode()  # fmt: skip
SCRIPT = b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><script>x()</script></svg>").decode()
TENFOLD = "".join(
    f'<g id="a{level}">' + f'<use href="#a{level - 1}"/>' * 10 + "</g>" for level in range(1, 12)
)  # fmt: skip
SAME_IDS = (
    f'<g><g id="a0">{RECT}</g>{TENFOLD}' + "".join(f'<g id="a{n}"/>' for n in range(12)) + '<use href="#a11"/></g>'
)
STYLED = (
    "<style>" + "".join(f".x{n}{OPEN}fill:url(#p{n - 1})}}" for n in range(1, 12)) + "</style><g>"
    + "".join(f'<pattern id="p{n}" width="5" height="5">' + f'<rect class="x{n}"/>' * 10 + "</pattern>"
              for n in range(11))
    + '<rect class="x11" width="9" height="9"/></g>'
)  # fmt: skip


def chain(links: int) -> str:
    """So many `use` inside each other."""
    return "".join(f'<g id="a{n}"><use href="#a{n + 1}"/></g>' for n in range(links))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<use href="https://example.org/a.svg#b"/>', r":2:1: error\[CG512\]: href can refer only to a part"),
        ('<use xlink:href="file:///etc/passwd"/>', r":2:1: error\[CG512\]: xlink:href can refer only to a part"),
        (f'<use xmlns:data-x="{XLINK}" data-x:href="file:///etc/pa"/>', r":2:\d+: error\[CG512\]: unknown attribute"),
        (f'<use xmlns:xmlnsx="{XLINK}" xmlnsx:href="data:,"/>', r":2:\d+: error\[CG512\]: unknown attribute"),
        ('<use href="#"/>', r":2:1: error\[CG512\]: href can refer only to a part"),
        ('<rect fill="url(file:///etc/passwd)"/>', r":2:1: error\[CG512\]: url\(.*\) can refer only"),
        (r'<rect style="fill:u\72l(file:///etc/passwd)"/>', r":2:1: error\[CG512\]: .* backslashes"),
        (r'<use style="\68ref:url(file:///etc/passwd)"/>', r":2:1: error\[CG512\]: .* backslashes"),
        ("<style>@import 'https://example.org';</style>", r":2:1: error\[CG512\]: .*@-rules"),
        (f'<image {SIDES} href="https://example.org/a.png"/>', r":2:\d+: error\[CG512\]: .* is a URL; save the file"),
        (f'<image {SIDES} href="file:///etc/passwd"/>', r":2:\d+: error\[CG512\]: .* is a URL; save the file"),
        (f'<image {SIDES} href="/etc/passwd"/>', r":2:\d+: error\[CG512\]: '/etc/passwd' is an absolute path"),
        (f'<image {SIDES} href="../../../secret.png"/>', r":2:\d+: error\[CG512\]: .* points outside the project"),
        (f'<image {SIDES} href="%2e%2e/%2e%2e/%2e%2e/secret.png"/>', r":2:\d+: error\[CG512\]: .* points outside"),
        (f'<image {SIDES} href="a%00.png"/>', r":2:\d+: error\[CG512\]: .* is not a valid path"),
        (f'<image {SIDES} href="data:text/html,a"/>', r":2:\d+: error\[CG512\]: an embedded picture must be PNG"),
        (f'<image {SIDES} href="data:image/png;base64,{"A" * 9_000_001}"/>', r"an embedded picture must be PNG"),
        (f'<image {SIDES} href="data:image/png;base64,{HUGE}"/>', r"CG504\]: .*is too large \(at most 12,000"),
        (f'<image {SIDES} href="data:image/svg+xml;base64,{SCRIPT}"/>', r":2:\d+: error\[CG512\]: .*scripts"),
        (f'<image {SIDES} href="a.png" onload="x()"/>', r":2:\d+: error\[CG512\]: unknown attribute 'onload'"),
        ("""<g mask="image-set('https://a' 1x)"/>""", r":2:1: error\[CG512\]: the function 'image-set\(\)'"),
        ("""<g style="mask:image-set('https://a' 1x)"/>""", r":2:1: error\[CG512\]: the function 'image-set\(\)'"),
        (f"<style>.a{OPEN}mask:image-set('https://a' 1x)}}</style>", r":2:1: error\[CG512\]: the function 'image-set"),
        ("<script>alert(1)</script>", r":2:1: error\[CG512\]: <script> is not supported"),
        ('<g id="a"><use href="#a"/></g>', r":2:\d+: error\[CG512\]: '#a' refers to itself"),
        (f'<mask id="m"><rect mask="#m"/></mask><g mask="#m">{RECT}</g>', r"error\[CG512\]: '#m' refers to itself"),
        (f"<defs>{chain(9_000)}</defs><use href='#a0'/>", r"error\[CG512\]: '#a\d+' is part of a chain of more"),
        (f"<defs>{chain(10_000)}</defs><use href='#a0'/>", r"error\[CG512\]: .* at most 20,000 elements"),
        (f'<defs><g id="a0">{RECT}</g></defs>' + '<use href="#a0"/>' * 20_001, r"20,000 elements"),
        (f'<g><g id="a0">{RECT}</g>{TENFOLD}<use href="#a11"/></g>', r"error\[CG512\]: .* more than 20,000 elements"),
        (SAME_IDS, r"error\[CG512\]: .*(20,000 elements|refers to itself)"),
        (STYLED, r":2:1: error\[CG512\]: a style sheet can refer only to gradients"),
        ("<g>" * 200 + RECT + "</g>" * 200, r":2:1: error\[CG512\]: elements are nested more than 64"),
        ("{% for n in range(30000) %}<path d='M{{ n }} 1'/>{% endfor %}", r"at most 20,000 elements"),
        ("<path d='M0 0{% for n in range(80000) %}h1{{ n }}{% endfor %}'/>", r"longer than 200,000 characters"),
        ("<style>{% for n in range(9000) %}.a{{ n }}" + OPEN + "fill:red}{% endfor %}</style>"
         + "{% for n in range(9000) %}<path d='M{{ n }} 1'/>{% endfor %}", r"style sheets that it needs, is too large"),
        ("<g class='{{ 'a' * 90000 }}'>{% for n in range(300) %}<path d='M0 0h9'/>"
         "<cg:text x='1' y='1' width='9' height='9'>a</cg:text>{% endfor %}</g>", r"groups around its parts"),
        ('<g id="ä"/>', r":2:1: error\[CG512\]: 'ä' is not a valid id"),
        ("<rect", r"error\[CG512\]: the SVG is not well-formed"),
        ('<cg:text x="nan" y="0" width="5" height="5">a</cg:text>', r':2:\d+: error\[CG512\]: x="nan" is not a valid'),
        ('<cg:text x="0" y="0" width="1e999" height="5">a</cg:text>', r"CG512\]: .* is not a valid number"),
        ('<cg:text x="0" y="0" width="5" height="5" size="99999999pt">a</cg:text>', r":2:\d+: error\[CG512\]"),
        ('<cg:text x="0" y="0" width="5" height="5" size="8pt 9pt">a</cg:text>', r"CG512\]: the sizes must descend"),
        ('<cg:text x="0" y="0" width="5" height="5" size="0pt">a</cg:text>', r"CG512\]: type size must be"),
        ('<g transform="scale(nan)"><text x="1" y="1">a</text></g>', r":2:\d+: error\[CG512\]: .* is out of range"),
        ('<cg:art x="1" y="1" width="9" height="9" file="../art.png" focus="nan 2"/>', r"error\[CG5(12|04)\]"),
        ('<cg:art x="1" y="1" width="9" height="9" file="/etc/passwd"/>', r"error\[CG504\]: .* absolute path"),
        ('<cg:art x="1" y="1" width="9" height="9" file="../outside/secret.png"/>', r"CG504\]: .* points outside"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_drawing_that_is_refused(attack: Attack, body: str, message: str) -> None:
    attack.front(body).fails(message)


@pytest.mark.parametrize(
    "code", ["<!-->{}-->", "<?p >{}?>", "<title><style><![CDATA[/*</style>{}*/]]></style></title>"]
)
def test_a_drawing_on_a_web_page_has_no_code(attack: Attack, code: str) -> None:
    attack.front(f"<g>{code.format('<img src=x onerror=x()>')}{RECT}</g>")
    assert attack.cardgen("build", "--format", "svg").code == 0
    (drawing,) = attack.folder.root.rglob("*-front.svg")
    shown = drawing.read_text()
    assert "<rect" in shown
    assert "<img" not in shown


@pytest.mark.parametrize(
    "head",
    [
        "<!DOCTYPE svg SYSTEM 'https://example.org/a.dtd'>",
        "<!DOCTYPE svg [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE svg [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>",
    ],
)
def test_entities_are_refused(attack: Attack, head: str) -> None:
    attack.card().folder.write(
        "templates/warniris/minion.svg.j2", f'{head}\n<svg xmlns="http://www.w3.org/2000/svg"><title>&a;</title></svg>'
    )
    attack.fails(r"minion\.svg\.j2:1:1: error\[CG512\]: a template cannot have a DOCTYPE")


@pytest.mark.parametrize(
    "body",
    [
        '<path d="M"/>',
        '<path d="M0 0L5 5L6 7" marker-start="url(#nope)" stroke="red"/>',
        '<marker id="m"/><path d="M0 0L5 5" marker="url(#m)" stroke="red"/>',
        '<rect width="a" height="1e999"/>',
        '<g><pattern id="p" width="1e-9" height="1e-9"><rect/></pattern><rect width="5" fill="url(#p)"/></g>',
        '<rect width="5" height="5" fill="rgb(1,2)" transform="foo(1) scale() rotate(a)"/>',
        '<svg width="1e9" height="1e9" viewBox="a"><rect width="5" height="5"/></svg>',
    ],
)
def test_what_cairo_cannot_draw_is_said_or_left_out(attack: Attack, body: str) -> None:
    """SVG that makes no sense may come out as nothing, but never as a failure of the program."""
    outcome = attack.front(body).cardgen("build")
    assert outcome.code in (0, 1)
    if outcome.code:
        assert "error[CG5" in outcome.err
    assert attack.folder.output("warniris-minion-a4.pdf").startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg/>", "DOCTYPE"),
        ("<svg viewBox='0 0 1 1'><use href='#a'/></svg>", "draws nothing"),
        ("<svg viewBox='0 0 1 1'><image href='file:///etc/passwd'/></svg>", "<image>"),
        ("<svg viewBox='0 0 1 1'><path d='M" + "1 " * 150_000 + "'/></svg>", "larger than 256 KiB"),
        ("<svg viewBox='0 0 1 1'>" + "<g>" * 20_000 + "</svg>", "nested more than"),
        ("<svg viewBox='0 0 nan 1'><path d='M0 0'/></svg>", "not a plain number"),
        ("<svg viewBox='0 0 1 1'><path d='M0 0L1e999 nan'/></svg>", "missing number"),
        ("no svg", "not well-formed"),
        (b"\xff\xfe\x00", "not well-formed"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_icon_that_is_none(attack: Attack, content: str | bytes, message: str) -> None:
    attack.folder.write("icons/bomb.svg", content)
    attack.front("\n{{ icon('bomb', 5, 5, 5) }}").fails(rf"^icons/bomb\.svg(:\d+:1)?: error\[CG504\]: .*{message}")
    text = '\n<cg:text x="1" y="1" width="50" height="9" style="body">{{ "{bomb}" }}</cg:text>'
    attack.front(text).fails(rf"^icons/bomb\.svg(:\d+:1)?: error\[CG504\]: .*{message}")


def test_a_picture_of_a_template_that_is_a_link_out(attack: Attack, outside: object) -> None:
    attack.front(f'<image {SIDES} href="frame.svg"/>')
    (attack.folder.root / "templates/warniris/frame.svg").symlink_to(attack.folder.root.parent / "outside/secret.svg")
    attack.fails(r"minion\.svg\.j2:2:\d+: error\[CG512\]: .*'frame\.svg' (points outside|not found)")


def test_a_template_with_too_much_in_it(attack: Attack) -> None:
    attack.front(f'<image {SIDES} href="data:image/png;base64,{"A" * (66 << 20)}"/>')
    attack.fails(r"minion\.svg\.j2:1:\d+: error\[CG\d+\]: the file is larger than")


def test_an_icon_that_is_a_link_out(attack: Attack, outside: object) -> None:
    (attack.folder.root / "icons").mkdir()
    (attack.folder.root / "icons/bomb.svg").symlink_to(attack.folder.root.parent / "outside/secret.svg")
    link = r"icons/bomb\.svg: error\[CG504\]: the link points outside its folder"
    attack.front("\n{{ icon('bomb', 5, 5, 5) }}").fails(link)


@pytest.mark.parametrize("colour", ["#ff0000&quot;/&gt;&lt;script/&gt;", "#f00;background:url(//x)", "#"])
def test_a_color_of_a_text_is_nothing_else(attack: Attack, colour: str) -> None:
    body = f'<cg:text x="1" y="1" width="50" height="9" fill="{colour}">Ash</cg:text>'
    attack.front(body).fails(r"error\[CG512\]: '#.* is not a valid color")


@needs_cairo
def test_a_piece_of_artwork_that_takes_too_long(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.export.pdf.cairo.TIME_LIMIT", 0.05)
    # The watchdog looks ten times a second, so this must take several times that.
    path = "<path d='M0 0{% for n in range(60000) %}h1{% endfor %}'/>"
    attack.front("\n" + f"<g mask='url(#m)'>{path * 4}</g>").fails(
        r"minion\.svg\.j2:3:\d+: error\[CG591\]: .* it took longer than 0\.05 seconds", "--no-cache"
    )


@needs_cairo
def test_plain_artwork_that_takes_too_long(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    # However fast the machine is, neither of them ends.
    monkeypatch.setattr("cardgen.export.pdf.cairo.TIME_LIMIT", 0.05)
    monkeypatch.setattr("cardgen.export.pdf.translator.TIME_LIMIT", 0.05)
    monkeypatch.setattr("cardgen.export.pdf.translator._SvgTranslator.run", _draw_forever)
    monkeypatch.setattr("cairosvg.svg2pdf", _draw_forever)
    attack.front("\n<g><path d='M0 0h9v9z'/></g>").fails(
        r"minion\.svg\.j2:3:\d+: error\[CG591\]: .* 0\.05 seconds", "--no-cache"
    )


def _draw_forever(*_: object, **__: object) -> None:
    for _step in itertools.repeat(None):
        pass


def test_texts_that_take_too_long(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.face.renderer.TIME_LIMIT", 0.05)
    box = "<cg:text x='{{ n }}' y='1' width='9' height='5'>"
    text = box + "{% for m in range(2000) %}w{{ n }}{{ m }} {% endfor %}</cg:text>"
    attack.front("{% for n in range(100) %}" + text + "{% endfor %}").fails(
        r"j2:1:1: error\[CG512\]: .* took longer than"
    )
