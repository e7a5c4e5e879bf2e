"""Material of the fuzz cases: words of three languages, and valid texts."""

from __future__ import annotations

KEYS = (
    "kind",
    "name",
    "stats",
    "weapons",
    "abilities",
    "effects",
    "when",
    "if",
    "once",
    "text",
    "size",
    "theme",
    "template",
    "back",
    "qty",
    "tags",
    "vp",
    "earn",
    "minions",
    "defaults",
    "cards",
    "game",
    "format",
    "target",
    "heal",
    "bearer",
    "attacked",
    "friends",
    "roll: [1, 2]",
    "character",
    "minion",
    "relic",
    "mission",
    "warband",
    "chess",
    "art: a.png",
    "{skull}",
    "**",
    "&a",
    "*a",
    "!t",
    "<<:",
    "? ",
    "- ",
    "---",
    "|",
    ">-",
)
JINJA = (
    "{{ card.name }}",
    "{{ card }}",
    "{{ theme }}",
    "{{ describe(card) }}",
    "{{ describe }}",
    "{{ self }}",
    "{{ [card] }}",
    "{% for x in card %}",
    "{% for x in range(99) %}",
    "{% endfor %}",
    "{% if card.text %}",
    "{% endif %}",
    "{% set c = 1 %}",
    "{% include 'warniris/parts.svg.j2' %}",
    "{% extends 'warniris/minion.svg.j2' %}",
    "{% macro m() %}",
    "{% endmacro %}",
    "{{ m() }}",
    "|list",
    "|round",
    "|join",
    "|sum",
    "|int",
    "|map('upper')",
    "|attr('x')",
    "width",
    "height",
    "card",
    "~",
    "**",
    "//",
    "%",
    "loop",
    "{#",
    "#}",
    "{% raw %}",
    "icon('skull', 1, 1, 1)",
    "emblem('x', 1, 1, 1)",
)
SVG = (
    "<g>",
    "</g>",
    "<rect/>",
    "<use href='#a'/>",
    "<g id='a'>",
    "<defs>",
    "</defs>",
    "<style>rect{",
    "}</style>",
    "<svg>",
    "</svg>",
    "<pattern id='a' width='1' height='1'>",
    "</pattern>",
    "<mask id='a'>",
    "<clipPath id='a'>",
    "<marker id='a'>",
    "<linearGradient id='a'><stop/></linearGradient>",
    "<symbol id='a' viewBox='0 0 0 0'>",
    "<text x='1' y='1'>",
    "</text>",
    "<cg:text x='1' y='1' width='9' height='9'>",
    "</cg:text>",
    "<cg:art",
    "<cg:room used='1' available='1'/>",
    "<cg:cut d='M0 0H9V9Z'/>",
    "<a>",
    "<title>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x?>",
    "<!DOCTYPE a>",
    "&a;",
    "&#0;",
    "&#xD800;",
    "url(#a)",
    "fill='url(#a)'",
    "mask='url(#a)'",
    "clip-path='url(#a)'",
    "marker-end='url(#a)'",
    "transform='scale(0)'",
    "transform='rotate(1 2'",
    "d='M0 0L1e9 nan'",
    "d='A1 1 0 0 0'",
    "points='1'",
    "viewBox='0 0 0 0'",
    "stroke-dasharray='0'",
    "width='-1'",
    "style='fill:",
    "class='a'",
    "opacity='x'",
    "stroke='rgb(1'",
    "xml:space='preserve'",
    "%",
    "mm",
    "auto",
    "inherit",
)
DRAWN = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<style>.k{ fill:#333; stroke-width:0.3 }</style>
<defs>
<linearGradient id="a" x1="0" x2="1">
<stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#000"/>
</linearGradient>
<pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse">
<rect width="2" height="2" fill="url(#a)"/></pattern>
<clipPath id="c"><circle cx="20" cy="20" r="9"/></clipPath>
<mask id="m"><rect width="50" height="50" fill="#fff"/></mask>
<marker id="k" markerWidth="3" markerHeight="3" refX="1" refY="1"><path d="M0 0L2 1L0 2Z"/></marker>
<symbol id="s" viewBox="0 0 10 10"><path class="k" d="M0 0H10V10Q5 5 0 10Z"/></symbol>
</defs>
<g transform="translate(5 5) rotate(10)" opacity="0.5"><use href="#s" x="1" y="2" width="10" height="10"/></g>
<rect x="1" y="1" width="60" height="20" rx="2" fill="url(#p)" clip-path="url(#c)" mask="url(#m)"/>
<path d="M5 40C10 30 20 50 30 40S40 30 50 40A5 5 0 0 1 60 45" fill="none" stroke="#900" marker-end="url(#k)"/>
<g transform="scale(1.5)"><text x="10" y="30" text-anchor="middle" style="body">A *word* {skull}</text></g>
<polygon points="1,2 3,4 5,6" stroke-dasharray="1 2" transform="skewX(10)"/>
<cg:text x="5" y="50" width="50" height="20" style="body" align="center" field="text">Words **and** words</cg:text>
</svg>
"""
ICON = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">
<path d="M0 0H10V10Q5 5 0 10ZM2 2a1 1 0 0 0 2 2z"/>
</svg>
"""
SETTINGS = """\
paper: a4
bleed: 3mm
gap: 0mm
margin: 5mm
backs: long-edge
layout: grid
theme: default
sizes: {minion: poker}
"""
SHEET = """\
title: House rules
subtitle: For the table
about: Words
columns: 2
pages: [1, 9]
body: [7.5, 9]
contents: true
credit: By hand
sections:
  - section: Turns
    icon: skull
    content:
      - A *word* and **another**, {skull} <fact turns> <section Tables>
      - steps: [One, {text: Two, points: [a, b]}]
      - note: {title: Note, text: Words}
      - example: {text: "Hits: <hits>", with: {attacker: Sentinel, target: Brute, distance: 5}, dice: [3, 4, 5]}
    sections:
      - {section: Below, content: [{show: rulings}]}
  - section: Tables
    start: column
    content:
      - table: {head: [A, B, C], rows: [[1, two, null], ["**3**", "", 4]], align: [left, center, right], caption: Words}
      - {table: {head: [Name], rows: [[a], [b]]}, text: Before}
"""
SHEET_WORDS = (
    "show: glossary", "show: weapons", "with: {kind: minion}", "<fact wounds>", "<hits>", "<section Turns>", "table:",
    "rows: [[]]", "head: [a]", "align: [left]", "steps:", "points: []", "note:", "example:", "dice: [1]", "trial: duel",
    "attacker: 5", "icon: dagger", "each: warband", "columns: 4", "pages: 1", "paper: a5", "language: de", "id: a",
    "sections: []", "- ", "<", ">", "**", "|",
)  # fmt: skip
TRANSCRIPT_WORDS = (
    '"at"', '"told"', '"undo":1', '"answer"', '"outcome"', '"seed":null', '"commitment"', '"policy"', "null", "[]",
    "{}", "true", "1e999", "NaN", '"\\ud800"', '"kind":"minion"', '"kind":"warband"', '"test"', '"roll"', '"choose"',
    "-1",
)  # fmt: skip
