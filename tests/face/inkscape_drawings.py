"""Drawings as Inkscape 1.x saves them: every attribute on a line, its own namespaces, and ids that it invents."""

from __future__ import annotations

HEADER = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->

<svg
   width="{width}"
   height="{height}"
   viewBox="{box}"
   version="1.1"
   id="svg1"
   inkscape:version="1.3.2 (091e20e, 2023-11-25, custom)"
   sodipodi:docname="pawn.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns="http://www.w3.org/2000/svg"
   xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview
     id="namedview1"
     pagecolor="#ffffff"
     bordercolor="#000000"
     borderopacity="0.25"
     inkscape:showpageshadow="2"
     inkscape:pageopacity="0.0"
     inkscape:pagecheckerboard="0"
     inkscape:deskcolor="#d1d1d1"
     inkscape:document-units="mm"
     inkscape:zoom="2.1"
     inkscape:cx="120"
     inkscape:cy="166"
     inkscape:current-layer="layer1">
    <sodipodi:guide
       position="3,60"
       orientation="1,0"
       id="guide1"
       inkscape:locked="false" />
  </sodipodi:namedview>
"""


def drawing(body: str, defs: str = "", *, width: str = "40mm", height: str = "60mm", box: str = "0 0 40 60") -> str:
    """A whole drawing with this content of its only layer."""
    header = HEADER.format(width=width, height=height, box=box)
    layer = f'  <g\n     inkscape:label="Layer 1"\n     inkscape:groupmode="layer"\n     id="layer1">\n{body}\n  </g>\n'
    return f'{header}  <defs\n     id="defs1">\n{defs}\n  </defs>\n{layer}</svg>\n'


def rect(label: str, x: float, y: float, width: float, height: float, *, description: str = "", more: str = "") -> str:
    """A rectangle with a label, as its object properties give it."""
    desc = f'<desc\n         id="desc9">{description}</desc>' if description else ""
    return (
        "    <rect\n"
        '       style="fill:#cccccc;fill-opacity:0.5;stroke:none;stroke-width:0.264583;paint-order:normal"\n'
        f'       id="rect{len(label) + 40}"\n       width="{width}"\n       height="{height}"\n       x="{x}"\n'
        f'       y="{y}"{more}\n       inkscape:label="{label}">{desc}</rect>'
    )


def text(x: float, y: float, *lines: str, style: str = "font-size:4.2px;fill:#101010", more: str = "") -> str:
    """A text object with its lines."""
    spans = "".join(
        f'<tspan\n         sodipodi:role="line"\n         id="tspan{number}"\n         style="stroke-width:0.264583"\n'
        f'         x="{x}"\n         y="{y + 5 * number}">{line}</tspan>'
        for number, line in enumerate(lines)
    )
    return (
        '    <text\n       xml:space="preserve"\n'
        f"       style=\"font-style:normal;{style};-inkscape-font-specification:'Source Sans 3'\"\n"
        f'       x="{x}"\n       y="{y}"\n       id="text1"{more}>{spans}</text>'
    )
