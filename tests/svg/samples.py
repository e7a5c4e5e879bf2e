"""Small SVG files of our own, one for each feature that the suites of the W3C (SVG 1.1) and of resvg name.

`DRAWN` are drawn as meant, and `REPORTED` are refused with the feature's name.
"""

# ruff: noqa: E501
from __future__ import annotations

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_GRADIENT = '<stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/>'
_LEFT, _MIDDLE = '<rect x="10" y="10" width="80" height="80"', '<rect x="30" y="30" width="40" height="40"'
_STAR = "M50 10L76 90L8 40L92 40L24 90Z"
_TILE = '<rect width="10" height="10" fill="green"/><rect x="10" y="10" width="10" height="10" fill="orange"/>'


def sample(body: str, attributes: str = 'viewBox="0 0 100 100"') -> str:
    """Return a whole file."""
    return f"{_HEAD} {attributes}>{body}</svg>"


def _linear(attributes: str = "", stops: str = _GRADIENT, shape: str = f'{_LEFT} fill="url(#g)"/>') -> str:
    return sample(f'<linearGradient id="g" {attributes}>{stops}</linearGradient>{shape}')


def _radial(attributes: str = "", stops: str = _GRADIENT) -> str:
    return sample(f'<radialGradient id="g" {attributes}>{stops}</radialGradient>{_LEFT} fill="url(#g)"/>')


def _pattern(attributes: str, content: str = _TILE, shape: str = f'{_LEFT} fill="url(#p)"/>') -> str:
    return sample(f'<pattern id="p" {attributes}>{content}</pattern>{shape}')


def _clip(attributes: str, content: str, shape: str = f'{_LEFT} clip-path="url(#c)"/>') -> str:
    return sample(f'<clipPath id="c" {attributes}>{content}</clipPath>{shape}')


def _mask(attributes: str, content: str, shape: str = f'{_LEFT} fill="blue" mask="url(#m)"/>') -> str:
    return sample(f'<mask id="m" {attributes}>{content}</mask>{shape}')


def _marked(attributes: str, path: str = "M15 80L50 20L85 80", stroke: str = "5") -> str:
    arrow = '<path d="M0 0L10 5L0 10Z" fill="red"/>'
    marks = 'marker-start="url(#k)" marker-mid="url(#k)" marker-end="url(#k)"'
    return sample(
        f'<marker id="k" {attributes}>{arrow}</marker>'
        f'<path d="{path}" fill="none" stroke="black" stroke-width="{stroke}" {marks}/>'
    )


def _stroke(attributes: str, path: str = "M20 20L80 30L30 80") -> str:
    return sample(f'<path d="{path}" fill="none" stroke="black" stroke-width="14" {attributes}/>')


def _path(data: str, attributes: str = "") -> str:
    return sample(f'<path d="{data}" {attributes}/>')


_SHAPES = {
    "shapes/rect": sample(f"{_LEFT}/>"),
    "shapes/rect with rx": sample(f'{_LEFT} rx="20"/>'),
    "shapes/rect with ry": sample(f'{_LEFT} ry="30"/>'),
    "shapes/rect with large radii": sample(f'{_LEFT} rx="90" ry="20"/>'),
    "shapes/rect without width": sample('<rect height="20"/><circle cx="50" cy="50" r="9"/>'),
    "shapes/rect in percent": sample('<rect x="10%" y="20%" width="50%" height="25%"/>'),
    "shapes/circle": sample('<circle cx="50" cy="50" r="40"/>'),
    "shapes/circle with percent radius": sample('<circle cx="50" cy="40" r="30%"/>', 'viewBox="0 0 100 80"'),
    "shapes/ellipse": sample('<ellipse cx="50" cy="50" rx="40" ry="20"/>'),
    "shapes/ellipse with one radius": sample('<ellipse cx="50" cy="50" rx="30"/>'),
    "shapes/line": sample('<line x1="10" y1="20" x2="90" y2="70" stroke="black" stroke-width="6"/>'),
    "shapes/polyline": sample('<polyline points="10,10 90,30 50 90" fill="none" stroke="black" stroke-width="6"/>'),
    "shapes/polygon": sample('<polygon points="10,10 90,30 50,90"/>'),
    "shapes/path lines": _path("m10 10h60v20l-20 40H10z"),
    "shapes/path cubic": _path("M10 50C20 0 60 0 60 50S90 90 90 40z"),
    "shapes/path quadratic": _path("M10 50Q30 0 50 50T90 50L90 90H10z"),
    "shapes/path arc": _path("M20 50A30 20 30 1 1 80 60A40 40 0 0 1 20 50"),
    "shapes/path arc flags without spaces": _path("M20 50a30 30 0 1150 10z"),
    "shapes/path with exponents": _path("M1e1 1e1L9E1 10L.5e2 900e-1z"),
    "shapes/path subpaths": _path("M10 10H90V90H10zm20 20v40h40V30z"),
    "shapes/path numbers without separators": _path("M10-.5L90.5.5.5 90z"),
}
_PAINT = {
    "painting/fill-rule nonzero": _path(_STAR),
    "painting/fill-rule evenodd": _path(_STAR, 'fill-rule="evenodd"'),
    "painting/fill none": sample(f'{_LEFT} fill="none" stroke="red" stroke-width="4"/>'),
    "painting/named color": sample(f'{_LEFT} fill="cornflowerblue"/>'),
    "painting/short hex": sample(f'{_LEFT} fill="#f80"/>'),
    "painting/hex with alpha": sample(f'{_LEFT} fill="#ff880080"/>'),
    "painting/rgb": sample(f'{_LEFT} fill="rgb(10%, 60%, 30%)"/>'),
    "painting/rgba": sample(f'{_LEFT} fill="rgba(200, 10, 30, 0.5)"/>'),
    "painting/hsl": sample(f'{_LEFT} fill="hsl(120, 60%, 40%)"/>'),
    "painting/currentColor": sample(f'<g color="purple">{_LEFT} fill="currentColor"/></g>'),
    "painting/fill-opacity": sample(f'{_LEFT} fill-opacity="0.4"/>'),
    "painting/fill-opacity in percent": sample(f'{_LEFT} fill-opacity="40%"/>'),
    "painting/stroke-opacity": sample(f'{_LEFT} stroke="red" stroke-width="20" stroke-opacity="0.4"/>'),
    "painting/stroke-linecap round": _stroke('stroke-linecap="round"'),
    "painting/stroke-linecap square": _stroke('stroke-linecap="square"'),
    "painting/stroke-linecap of a point": _stroke('stroke-linecap="round"', "M50 50L50 50"),
    "painting/stroke-linejoin round": _stroke('stroke-linejoin="round"'),
    "painting/stroke-linejoin bevel": _stroke('stroke-linejoin="bevel"'),
    "painting/stroke-miterlimit": _stroke('stroke-miterlimit="1.2"'),
    "painting/stroke-dasharray": _stroke('stroke-dasharray="12 6"'),
    "painting/stroke-dasharray odd": _stroke('stroke-dasharray="12 6 3"'),
    "painting/stroke-dasharray with units": _stroke('stroke-dasharray="1em, 10%"'),
    "painting/stroke-dasharray of zeros": _stroke('stroke-dasharray="0 0"'),
    "painting/stroke-dashoffset": _stroke('stroke-dasharray="12 6" stroke-dashoffset="9"'),
    "painting/stroke-dashoffset negative": _stroke('stroke-dasharray="12 6" stroke-dashoffset="-5"'),
    "painting/stroke-width 0": _stroke('style="stroke-width:0"').replace("</svg>", f"{_MIDDLE}/></svg>"),
    "painting/stroke-width in percent": _stroke('style="stroke-width:5%"'),
    "painting/stroke gradient": _linear(shape=f'{_LEFT} fill="none" stroke="url(#g)" stroke-width="12"/>'),
    "painting/paint-order": sample(f'{_MIDDLE} fill="red" stroke="blue" stroke-width="30" paint-order="stroke"/>'),
    "painting/visibility": sample(f'<g visibility="hidden">{_LEFT}/>{_MIDDLE} fill="red" visibility="visible"/></g>'),
    "painting/display": sample(f'{_LEFT} display="none"/>{_MIDDLE}/>'),
    "painting/opacity": sample(f'{_LEFT} stroke="red" stroke-width="12" opacity="0.5"/>'),
    "painting/opacity of a group": sample(f'<g opacity="0.5">{_LEFT}/>{_MIDDLE} fill="red"/></g>'),
    "painting/opacity nested": sample(f'<g opacity="0.5">{_LEFT}/><g opacity="50%">{_MIDDLE} fill="lime"/></g></g>'),
    "painting/fallback of a missing server": sample(f'{_LEFT} fill="url(#nowhere) green"/>'),
    "painting/missing server": sample(f'{_LEFT} fill="url(#nowhere)"/>{_MIDDLE}/>'),
    "painting/enable-background": sample(f'<g enable-background="new">{_LEFT}/></g>'),
}
_GRADIENTS = {
    "gradients/linear": _linear(),
    "gradients/linear coordinates": _linear('x1="0.2" y1="20%" x2="60%" y2="1"'),
    "gradients/linear in user space": _linear('gradientUnits="userSpaceOnUse" x1="30" y1="20" x2="70" y2="60"'),
    "gradients/linear in percent of user space": _linear('gradientUnits="userSpaceOnUse" x1="30%" x2="70%"'),
    "gradients/gradientTransform": _linear('gradientTransform="rotate(30) scale(0.5)"'),
    "gradients/spread reflect": _linear('x1="0.4" x2="0.6" spreadMethod="reflect"'),
    "gradients/spread repeat": _linear('x1="0.3" y1="0.1" x2="0.5" y2="0.2" spreadMethod="repeat"'),
    "gradients/href": sample(
        f'<linearGradient id="h">{_GRADIENT}</linearGradient>'
        f'<linearGradient id="g" xlink:href="#h" x2="0.5"/>{_LEFT} fill="url(#g)"/>'
    ),
    "gradients/no stops": _linear(stops=""),
    "gradients/one stop": _linear(stops='<stop stop-color="teal"/>'),
    "gradients/stop-opacity": _linear(stops='<stop stop-opacity="0.2"/><stop offset="1" stop-color="red"/>'),
    "gradients/stops out of order": _linear(
        stops='<stop offset="0.5" stop-color="red"/><stop offset="0.2" stop-color="lime"/><stop offset="1"/>'
    ),
    "gradients/hard stop": _linear(
        stops='<stop stop-color="red"/><stop offset="50%" stop-color="red"/><stop offset="50%" stop-color="lime"/>'
    ),
    "gradients/no extent": _linear('x1="0.5" x2="0.5"'),
    "gradients/box of a line": _linear(
        shape=f'<path d="M10 50H90" stroke="url(#g)" stroke-width="20"/>{_MIDDLE} fill="none" stroke="red"/>'
    ),
    "gradients/stop-color currentColor": _linear(
        'color="orange"', '<stop stop-color="currentColor"/><stop offset="1" stop-color="navy"/>'
    ),
    "gradients/radial": _radial(),
    "gradients/radial coordinates": _radial('cx="0.3" cy="40%" r="0.3"'),
    "gradients/radial focus": _radial('fx="0.3" fy="0.4"'),
    "gradients/radial in user space": _radial('gradientUnits="userSpaceOnUse" cx="40" cy="40" r="30"'),
    "gradients/radial transform": _radial('gradientTransform="translate(0.2 0) scale(0.6 1)"'),
    "gradients/radial reflect": _radial('r="0.15" spreadMethod="reflect"'),
    "gradients/radial repeat": _radial('r="0.2" fx="0.45" spreadMethod="repeat"'),
    "gradients/radial without radius": _radial('r="0"'),
}
_PATTERNS = {
    "patterns/user space": _pattern('width="20" height="20" patternUnits="userSpaceOnUse"'),
    "patterns/offset": _pattern('x="5" y="8" width="20" height="20" patternUnits="userSpaceOnUse"'),
    "patterns/box": _pattern('width="0.25" height="0.25"'),
    "patterns/box offset": _pattern('x="0.1" y="0.05" width="0.25" height="0.25"'),
    "patterns/content in box": _pattern(
        'width="0.25" height="25%" patternContentUnits="objectBoundingBox"', '<circle cx="0.1" cy="0.1" r="0.1"/>'
    ),
    "patterns/viewBox": _pattern('width="0.25" height="0.25" viewBox="0 0 20 20"'),
    "patterns/viewBox and aspect": _pattern(
        'width="0.5" height="0.25" viewBox="0 0 20 20" preserveAspectRatio="xMaxYMid meet"'
    ),
    "patterns/patternTransform": _pattern(
        'width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(45) scale(0.8)"'
    ),
    "patterns/href": sample(
        f'<pattern id="q" width="20" height="20" patternUnits="userSpaceOnUse">{_TILE}</pattern>'
        f'<pattern id="p" href="#q" x="5"/>{_LEFT} fill="url(#p)"/>'
    ),
    "patterns/stroke": _pattern(
        'width="20" height="20" patternUnits="userSpaceOnUse"',
        shape=f'{_LEFT} fill="none" stroke="url(#p)" stroke-width="16"/>',
    ),
    "patterns/opacity": _pattern(
        'width="20" height="20" patternUnits="userSpaceOnUse"', shape=f'{_LEFT} fill="url(#p)" fill-opacity="0.4"/>'
    ),
    "patterns/cut content": _pattern(
        'width="20" height="20" patternUnits="userSpaceOnUse"', '<circle cx="20" cy="20" r="12" fill="red"/>'
    ),
    "patterns/nested": sample(
        '<pattern id="q" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="3" height="3"/></pattern>'
        '<pattern id="p" width="25" height="25" patternUnits="userSpaceOnUse">'
        f'<rect width="20" height="20" fill="url(#q)"/></pattern>{_LEFT} fill="url(#p)"/>'
    ),
    "patterns/in a moved group": _pattern(
        'width="20" height="20" patternUnits="userSpaceOnUse"',
        shape=f'<g transform="translate(10 5) rotate(10)">{_LEFT} fill="url(#p)"/></g>',
    ),
    "patterns/without size": _pattern('patternUnits="userSpaceOnUse"', shape=f'{_LEFT} fill="url(#p)"/>{_MIDDLE}/>'),
}
_REGIONS = {
    "masking/clip-path": _clip("", '<circle cx="50" cy="50" r="30"/>'),
    "masking/clip-path of two shapes": _clip(
        "", '<circle cx="40" cy="40" r="25"/><rect x="40" y="40" width="45" height="30"/>'
    ),
    "masking/clip-path in box": _clip('clipPathUnits="objectBoundingBox"', '<circle cx="0.5" cy="0.5" r="0.4"/>'),
    "masking/clip-path transform": _clip(
        'transform="translate(20 0)"', '<circle cx="30" cy="50" r="30" transform="scale(1 .8)"/>'
    ),
    "masking/clip-path with clip-rule": _clip("", f'<path d="{_STAR}" clip-rule="evenodd"/>'),
    "masking/clip-path with use": _clip(
        "", '<use href="#k" x="10"/><defs><circle id="k" cx="40" cy="50" r="30"/></defs>'
    ),
    "masking/clip-path on a child": sample(
        '<clipPath id="d"><rect width="50" height="100"/></clipPath><clipPath id="c"><circle cx="50" cy="50" r="40" '
        f'clip-path="url(#d)"/></clipPath>{_LEFT} clip-path="url(#c)"/>'
    ),
    "masking/clip-path on a clip-path": sample(
        '<clipPath id="d"><rect width="50" height="100"/></clipPath><clipPath id="c" clip-path="url(#d)">'
        f'<circle cx="50" cy="50" r="40"/></clipPath>{_LEFT} clip-path="url(#c)"/>'
    ),
    "masking/clip-path of a group": _clip(
        "", '<circle cx="50" cy="50" r="30"/>', f'<g clip-path="url(#c)">{_LEFT}/>{_MIDDLE} fill="red"/></g>'
    ),
    "masking/clip-path without children": _clip("", "", f'{_LEFT} clip-path="url(#c)"/>{_MIDDLE}/>'),
    "masking/clip-path that is missing": sample(f'{_LEFT} clip-path="url(#nowhere)"/>'),
    "masking/clip-path of invisible shapes": _clip(
        "", f'{_LEFT} visibility="hidden"/><circle cx="50" cy="50" r="20" opacity="0.1"/>'
    ),
    "masking/clip-path on the root": sample(
        f'<clipPath id="c"><circle cx="50" cy="50" r="30"/></clipPath>{_LEFT}/>',
        'viewBox="0 0 100 100" clip-path="url(#c)"',
    ),
    "masking/mask": _mask("", '<circle cx="50" cy="50" r="40" fill="white"/>'),
    "masking/mask of colors": _mask(
        "", '<rect width="50" height="100" fill="red"/><rect x="50" width="50" height="100" fill="lime"/>'
    ),
    "masking/mask with gradient": _mask(
        "",
        f'<linearGradient id="g"><stop/><stop offset="1" stop-color="white"/></linearGradient>{_LEFT} fill="url(#g)"/>',
    ),
    "masking/mask with opacity": _mask("", '<circle cx="50" cy="50" r="40" fill="white" opacity="0.5"/>'),
    "masking/mask-type alpha": _mask('mask-type="alpha"', '<circle cx="50" cy="50" r="40" fill-opacity="0.7"/>'),
    "masking/mask region": _mask('x="0.2" y="0.2" width="0.5" height="0.3"', f'{_LEFT} fill="white"/>'),
    "masking/mask in user space": _mask(
        'maskUnits="userSpaceOnUse" x="20" y="20" width="30" height="60"', f'{_LEFT} fill="white"/>'
    ),
    "masking/mask content in box": _mask(
        'maskContentUnits="objectBoundingBox"', '<circle cx="0.5" cy="0.5" r="0.4" fill="white"/>'
    ),
    "masking/mask on a mask": sample(
        '<mask id="n"><rect width="50" height="100" fill="white"/></mask><mask id="m" mask="url(#n)">'
        f'<circle cx="50" cy="50" r="40" fill="white"/></mask>{_LEFT} mask="url(#m)"/>'
    ),
    "masking/mask of a group": _mask(
        "", '<rect width="100" height="100" fill="#888"/>', f'<g mask="url(#m)">{_LEFT}/>{_MIDDLE} fill="red"/></g>'
    ),
    "masking/mask and clip-path": sample(
        '<clipPath id="c"><rect width="50" height="100"/></clipPath><mask id="m"><circle cx="50" cy="50" r="40" '
        f'fill="white"/></mask>{_LEFT} fill="teal" mask="url(#m)" clip-path="url(#c)" opacity="0.8"/>'
    ),
    "masking/overflow of nested svg": sample(
        '<svg x="20" y="20" width="40" height="40"><circle cx="30" cy="30" r="30"/></svg>'
    ),
    "masking/overflow visible": sample(
        '<svg x="20" y="20" width="40" height="40" overflow="visible"><circle cx="30" cy="30" r="30"/></svg>'
    ),
}
_MARKERS = {
    "painting/marker": _marked(""),
    "painting/marker auto": _marked('orient="auto" refX="5" refY="5" overflow="visible"', stroke="2"),
    "painting/marker auto-start-reverse": _marked(
        'orient="auto-start-reverse" markerWidth="9" markerHeight="9"', stroke="2"
    ),
    "painting/marker angle": _marked('orient="45" markerWidth="9" markerHeight="9"', stroke="2"),
    "painting/marker viewBox": _marked('viewBox="0 0 10 10" refX="5" refY="5" orient="auto"'),
    "painting/marker viewBox and aspect": _marked(
        'viewBox="0 0 10 10" refX="10" refY="5" markerWidth="6" markerHeight="3"'
    ),
    "painting/marker in user space": _marked('markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="12"'),
    "painting/marker on curves": _marked(
        'orient="auto" refY="5" viewBox="0 0 10 10"', "M10 50C10 10 50 10 50 50S90 90 90 50", "4"
    ),
    "painting/marker on a closed path": _marked('orient="9" refY="5" viewBox="0 0 10 10"', "M20 20H80V80H20z", "4"),
    "painting/marker on subpaths": _marked(
        'orient="auto" refY="5" viewBox="0 0 10 10"', "M20 20H50V50M60 60H80V80", "4"
    ),
    "painting/marker shorthand": sample(
        '<marker id="k" viewBox="0 0 10 10" refX="5" refY="5"><circle cx="5" cy="5" r="5"/></marker>'
        '<polyline points="20,20 80,20 50,80" fill="none" stroke="red" stroke-width="5" style="marker:url(#k)"/>'
    ),
    "painting/marker inherited": sample(
        '<marker id="k" viewBox="0 0 10 10" refX="5" refY="5"><circle cx="5" cy="5" r="5"/></marker>'
        '<g marker-mid="url(#k)"><polygon points="20,20 80,20 50,80" fill="none" stroke="red" stroke-width="5"/></g>'
    ),
}
_STRUCTURE = {
    "structure/g": sample(f'<g fill="red">{_LEFT}/></g>'),
    "structure/a": sample(f'<a href="https://example.org/" fill="red">{_LEFT}/></a>'),
    "structure/defs": sample(f"<defs>{_LEFT}/></defs>{_MIDDLE}/>"),
    "structure/use": sample('<defs><circle id="k" r="20"/></defs><use href="#k" x="50" y="40" fill="red"/>'),
    "structure/use with xlink": sample('<defs><circle id="k" r="20"/></defs><use xlink:href="#k" x="50" y="40"/>'),
    "structure/use before its target": sample(
        '<use href="#k" x="20"/><circle id="k" cx="30" cy="50" r="20" fill="red"/>'
    ),
    "structure/use nested": sample(
        '<defs><circle id="k" r="10"/><g id="h"><use href="#k"/><use href="#k" x="25"/></g></defs>'
        '<use href="#h" x="30" y="30"/><use href="#h" transform="translate(30 60) rotate(20)"/>'
    ),
    "structure/use of something missing": sample(f'<use href="#nowhere"/>{_MIDDLE}/>'),
    "structure/use without href": sample(f"<use/>{_MIDDLE}/>"),
    "structure/use with opacity": sample(
        f'<defs><g id="k">{_LEFT}/>{_MIDDLE} fill="red"/></g></defs><use href="#k" opacity="0.5"/>'
    ),
    "structure/symbol": sample('<symbol id="s"><circle cx="50" cy="50" r="30"/></symbol><use href="#s"/>'),
    "structure/symbol with viewBox": sample(
        '<symbol id="s" viewBox="0 0 10 20"><rect width="10" height="20" rx="3"/></symbol>'
        '<use href="#s" x="10" y="10" width="60" height="60"/>'
    ),
    "structure/symbol with aspect": sample(
        '<symbol id="s" viewBox="0 0 10 20" preserveAspectRatio="xMinYMin slice"><circle cx="5" cy="10" r="8"/></symbol>'
        '<use href="#s" x="10" y="10" width="60" height="60"/>'
    ),
    "structure/symbol overflow": sample(
        '<symbol id="s" viewBox="0 0 10 10" overflow="visible"><circle cx="5" cy="5" r="8"/></symbol>'
        '<use href="#s" x="30" y="30" width="40" height="40"/>'
    ),
    "structure/nested svg": sample(
        '<svg x="20" y="10" width="50" height="60" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></svg>'
    ),
    "structure/nested svg in percent": sample(
        '<svg x="20%" width="50%" height="50%"><rect width="50%" height="50%"/></svg>'
    ),
    "structure/use of svg": sample(
        '<defs><svg id="s" viewBox="0 0 10 10" width="20" height="20"><rect width="10" height="10"/></svg></defs>'
        '<use href="#s" x="20" y="20"/><use href="#s" x="50" y="50" width="40" height="40"/>'
    ),
    "structure/viewBox": sample(f"{_LEFT}/>", 'viewBox="-20 -30 160 160"'),
    "structure/no viewBox": sample(f"{_LEFT}/>", 'width="120" height="120"'),
    "structure/size in mm": sample('<rect x="10mm" y="10mm" width="1cm" height="1in"/>', 'width="50mm" height="50mm"'),
    "structure/units": sample(
        '<rect x="12pt" y="1pc" width="5em" height="4ex"/>', 'width="100px" height="100px" style="font-size:10px"'
    ),
    "structure/aspect none": sample(
        '<circle cx="20" cy="50" r="20"/>', 'viewBox="0 0 40 100" width="100" height="100" preserveAspectRatio="none"'
    ),
    "structure/aspect xMin": sample(
        '<circle cx="20" cy="50" r="20"/>',
        'viewBox="0 0 40 100" width="100" height="100" preserveAspectRatio="xMinYMin"',
    ),
    "structure/aspect slice": sample(
        '<circle cx="20" cy="50" r="20"/>',
        'viewBox="0 0 40 100" width="100" height="100" preserveAspectRatio="xMidYMax slice"',
    ),
    "structure/switch": sample(
        f'<switch><rect systemLanguage="xx" width="99" height="9"/>{_MIDDLE}/>{_LEFT}/></switch>'
    ),
    "structure/systemLanguage": sample(f'{_LEFT} systemLanguage="xx"/>{_MIDDLE} fill="red"/>'),
    "structure/requiredExtensions": sample(
        f'<switch><g requiredExtensions="http://example.org/x">{_LEFT}/></g>{_MIDDLE}/></switch>'
    ),
    "structure/title, desc, and metadata": sample(
        f"<title>x</title><desc>y</desc><metadata><b/></metadata>{_MIDDLE}/>"
    ),
    "structure/elements of other namespaces": sample(
        f'<i:grid xmlns:i="http://example.org/i"><rect width="9" height="9"/></i:grid>{_MIDDLE}/>'
    ),
    "structure/attributes of other namespaces": sample(f'{_MIDDLE} xmlns:i="http://example.org/i" i:fill="red"/>'),
    "structure/prefix for SVG": '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><s:rect width="50" height="50"/></s:svg>',
    "structure/DOCTYPE": '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    + sample(f"{_MIDDLE}/>"),
    "structure/CDATA": sample(f"<style><![CDATA[rect > x, rect {{fill: red}}]]></style>{_MIDDLE}/>"),
}
_TRANSFORMS = {
    f"transforms/{name}": sample(f'<g transform="{value}"><rect x="20" y="20" width="30" height="20"/></g>')
    for name, value in {
        "translate": "translate(20, 30)", "translate x": "translate(20)", "scale": "scale(1.5 2)", "scale once": "scale(2)",
        "rotate": "rotate(30)", "rotate about": "rotate(45 50 50)", "skewX": "skewX(20)", "skewY": "skewY(20)",
        "matrix": "matrix(1 .2 .3 1 5 5)", "several": "translate(10 10) rotate(20), scale(1.2)", "mirrored": "translate(100 0) scale(-1 1)",
    }.items()
} | {
    "transforms/scale to nothing": sample(f'{_LEFT} transform="scale(0)"/>{_MIDDLE}/>'),
    "transforms/stroke": sample('<rect x="10" y="10" width="20" height="30" transform="scale(3 1.5)" stroke="red" stroke-width="4"/>'),
}  # fmt: skip
_STYLES = {
    "styles/style attribute": sample(f'{_LEFT} style="fill: red; stroke: blue; stroke-width: 10px"/>'),
    "styles/type selector": sample(f"<style>rect {{fill: red}}</style>{_LEFT}/>"),
    "styles/class selector": sample(
        f'<style>.a {{fill: red}} .b {{stroke: blue; stroke-width: 9}}</style>{_LEFT} class="a b"/>'
    ),
    "styles/id selector": sample(f'<style>#a {{fill: red}} rect {{fill: lime}}</style>{_LEFT} id="a"/>'),
    "styles/descendant selector": sample(f"<style>g rect {{fill: red}}</style>{_LEFT}/><g>{_MIDDLE}/></g>"),
    "styles/child selector": sample(f"<style>svg > rect {{fill: red}}</style>{_LEFT}/><g>{_MIDDLE}/></g>"),
    "styles/attribute selector": sample(f'<style>rect[width="40"] {{fill: red}}</style>{_LEFT}/>{_MIDDLE}/>'),
    "styles/first-child": sample(f"<style>rect:first-child {{fill: red}}</style><g>{_LEFT}/>{_MIDDLE}/></g>"),
    "styles/universal selector": sample(f"<style>* {{fill: red}}</style>{_LEFT}/>"),
    "styles/important": sample(f'<style>rect {{fill: red !important}}</style>{_LEFT} style="fill: lime"/>'),
    "styles/specificity": sample(f'<style>.a {{fill: red}} rect {{fill: lime}}</style>{_LEFT} class="a"/>'),
    "styles/attribute below style sheet": sample(f'<style>rect {{fill: red}}</style>{_LEFT} fill="lime"/>'),
    "styles/inherit": sample(f'<g opacity="0.5" fill="red">{_LEFT} fill="inherit" opacity="inherit"/></g>'),
    "styles/unknown property": sample(f'{_LEFT} style="fill: red; -inkscape-stroke: none; unknown: 5"/>'),
    "styles/comments": sample(f"<style>/* x */ rect {{/* y */ fill: red}}</style>{_LEFT}/>"),
    "styles/invalid selector": sample(f"<style>rect::: {{fill: lime}} rect {{fill: red}}</style>{_LEFT}/>"),
    "styles/font-face": sample(
        f"<style>@font-face {{font-family: x; src: url(x.ttf)}} rect {{fill: red}}</style>{_LEFT}/>"
    ),
    "styles/several sheets": sample(f"<style>rect {{fill: lime}}</style><style>rect {{fill: red}}</style>{_LEFT}/>"),
}
_BLENDS = {
    f"blend/{mode}": sample(
        f'<rect x="10" y="10" width="50" height="50" fill="#c84"/>'
        f'<rect x="35" y="35" width="50" height="50" fill="#48c" style="mix-blend-mode:{mode}"/>'
    )
    for mode in (
        "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
        "difference", "exclusion", "hue", "saturation", "color", "luminosity",
    )
} | {
    "blend/isolation": sample(
        f'{_LEFT} fill="#c84"/><g style="isolation:isolate">{_MIDDLE} fill="#48c" style="mix-blend-mode:multiply"/></g>'
    ),
    "blend/group": sample(
        f'{_LEFT} fill="#c84"/><g style="mix-blend-mode:multiply" opacity="0.7">{_MIDDLE} fill="#48c"/></g>'
    ),
}  # fmt: skip

DRAWN = {
    **_SHAPES, **_PAINT, **_GRADIENTS, **_PATTERNS, **_REGIONS, **_MARKERS, **_STRUCTURE, **_TRANSFORMS, **_STYLES,
    **_BLENDS,
}  # fmt: skip

_FILTERS = ("feGaussianBlur", "feDropShadow", "feOffset", "feColorMatrix", "feTurbulence", "feFlood", "feBlend",
            "feComposite", "feImage", "feMerge", "feMorphology", "feTile", "feDiffuseLighting", "feConvolveMatrix",
            "feComponentTransfer", "feDisplacementMap", "feSpecularLighting")  # fmt: skip
_FILTER = "the property filter"
# The file, and the name of the feature that is refused.
REPORTED: dict[str, tuple[str, str]] = {
    **{
        f"filters/{name}": (sample(f'<filter id="f"><{name}/></filter>{_LEFT} filter="url(#f)"/>'), _FILTER)
        for name in _FILTERS
    },
    "filters/filter functions": (sample(f'{_LEFT} style="filter:blur(2px)"/>'), _FILTER),
    "text/text": (sample('<text x="10" y="50">A</text>'), "text"),
    "text/tspan": (sample('<text><tspan x="10" y="50">A</tspan></text>'), "text"),
    "text/textPath": (sample('<text><textPath href="#p">A</textPath></text>'), "text"),
    "text/flowRoot": (sample("<flowRoot><flowPara>A</flowPara></flowRoot>"), "text"),
    "structure/image": (sample('<image width="9" height="9" href="data:image/png;base64,AA=="/>'), "embedded pictures (<image>)"),
    "structure/foreignObject": (sample("<foreignObject/>"), "<foreignObject>"),
    "structure/script": (sample("<script>x()</script>"), "scripts"),
    "structure/unknown element": (sample("<mesh/>"), "<mesh>"),
    "structure/use of another file": (sample('<use href="other.svg#a"/>'), "external reference"),
    "structure/use of itself": (sample('<g id="a"><use href="#a"/></g>'), "circular reference"),
    "structure/entities": ('<!DOCTYPE svg [<!ENTITY a "b">]>' + sample("<rect/>"), "entities"),
    "structure/external style sheet": ('<?xml-stylesheet href="a.css"?>' + sample("<rect/>"), "external style sheet"),
    "structure/animate": (sample(f'{_LEFT}><animate attributeName="x" to="9"/></rect>'), "animation"),
    "structure/set": (sample(f'{_LEFT}><set attributeName="x" to="9"/></rect>'), "animation"),
    "masking/circular mask": (
        sample(f'<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask>{_LEFT} mask="url(#m)"/>'), "circular reference"),
    "masking/circular clip-path": (
        sample(f'<clipPath id="c"><rect width="9" height="9" clip-path="url(#c)"/></clipPath>{_LEFT} clip-path="url(#c)"/>'), "circular reference"),
    "masking/basic shape": (sample(f'{_LEFT} style="clip-path:circle(20px)"/>'), "clip-path: circle(20px)"),
    "masking/clip": (sample(f'{_LEFT} clip="rect(1 2 3 4)"/>'), "the property clip"),
    "masking/linearRGB": (
        sample(f'<mask id="m" color-interpolation="linearRGB"><rect width="9" height="9"/></mask>{_LEFT} mask="url(#m)"/>'), "the property color-interpolation"),
    "painting/circular pattern": (
        sample(f'<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern>{_LEFT} fill="url(#p)"/>'), "circular reference"),
    "painting/context-fill": (sample(f'{_LEFT} fill="context-fill"/>'), "context-fill"),
    "painting/stroke-linejoin arcs": (sample(f'{_LEFT} stroke-linejoin="arcs"/>'), "stroke-linejoin: arcs"),
    "painting/marker on a rect": (
        sample(f'<marker id="k"><circle r="9"/></marker>{_MIDDLE} stroke="red" style="marker:url(#k)"/>'), "markers on <rect>"),
    "gradients/focal radius": (_radial('fr="0.1"'), ""),
    "gradients/focal point outside": (_radial('fx="0.1" fy="0.05" r="0.4"'), ""),
    "painting/vector-effect": (sample(f'{_LEFT} vector-effect="non-scaling-stroke"/>'), "the property vector-effect"),
    "painting/pathLength": (sample('<path d="M0 0H9" stroke="red" stroke-dasharray="2" pathLength="5"/>'), "pathLength"),
    "painting/backdrop-filter": (sample(f'{_LEFT} style="backdrop-filter:blur(2px)"/>'), "the property backdrop-filter"),
    "patterns/overflow": (_pattern('width="9" height="9" overflow="visible"'), "overflow of a pattern"),
    "styles/variables": (sample(f'{_LEFT} style="--a: red; fill: var(--a)"/>'), "CSS variables"),
    "styles/media": (sample(f"<style>@media print {{rect {{fill: red}}}}</style>{_LEFT}/>"), "@media"),
    "styles/import": (sample(f'<style>@import "a.css";</style>{_LEFT}/>'), "@import"),
    "transforms/transform property": (sample(f'{_LEFT} style="transform: rotate(9deg)"/>'), "the property transform"),
    "transforms/transform-origin": (sample(f'{_LEFT} transform-origin="50 50" transform="rotate(9)"/>'), "the property transform-origin"),
    "blend/unknown mode": (sample(f'{_LEFT} style="mix-blend-mode:plus-lighter"/>'), "mix-blend-mode: plus-lighter"),
}  # fmt: skip
