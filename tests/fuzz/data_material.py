"""Material of the fuzz cases for files of data: games, tables, SVG art, and drawings of Inkscape."""

from __future__ import annotations

GAME_WORDS = (
    "kinds:", "types:", "fields:", "type: integer", "type: text", "type: choice", "type: list", "type: term",
    "type: weapon", "choices: [a, b]", "min: 1", "max: 6", "default: 0", "optional: true", "line: 'R{a}[ P{b}]'",
    "size: tarot", "boxes: {wounds: 3}", "unknown_keys: allow", "when: heat > 1", "at: heat", "say: '{{ name }}'",
    "severity: error", "code: EM109", "wrong: {}", "right: {}", "asks:", "steps:", "test: {dice: 1d6, up_to: 3}",
    "pool: {dice: 1d6, count: 3, at_least: 4, into: hits}", "repeat: {times: 3, steps: []}", "set: {x: 1}",
    "end: done", "say: x", "call: ebb", "{{ heat }}", "{% for x in range(9) %}", "{% endfor %}", "range(9999)",
    "members.sum(heat)", "heat ** 99", "| sum", "| map('x')", "each", "lists:", "limits:", "pieces:",
    "dice:", "sheets:",
    "glossary:", "rulings:", "prefix: EM", "game: ember", "unit: cm", "- ", "[", "]", "{", "}",
)  # fmt: skip
GAME = """\
game: ember
name: Ember
prefix: EM
size: standard
types:
  weapon:
    fields:
      reach: {type: integer, min: 1, max: 30, label: R}
      dice: {type: integer, min: 1, max: 6, label: D}
      hurt: {type: integer, min: 1, max: 3, default: 1, label: H}
    line: "R{reach} D{dice}[ H{hurt}]"
kinds:
  brave:
    size: mini-usa
    fields:
      heat: {type: integer, min: 1, max: 6, label: Heat, code: EM101}
      role: {type: choice, choices: {scout: Scout, smith: Smith}, default: scout}
      saying: {type: text, optional: true}
      keywords: {type: list, items: {type: term}}
      weapons: {type: list, items: {type: weapon}, max: 3}
    boxes: {wounds: heat}
    text: "Heat {{ heat }}{% if role == 'scout' %}, fast{% endif %}."
    example: {heat: 3}
lists:
  band:
    members: {kind: brave, min: 1, max: 8}
    limits: {heat: {max: 20}}
glossary:
  Hot: {means: It burns., forms: [Hot]}
rulings:
  ash: {question: Does ash burn?, settings: {yes_it_does: "Yes.", never: "No."}}
checks:
  too-hot:
    code: EM301
    kind: brave
    when: heat > 5 and role == "scout"
    at: heat
    say: a scout with Heat {{ heat }}
    help: lower it
    severity: warning
    why: Scouts burn easily.
    wrong: {heat: 6}
    right: {heat: 2}
trials:
  ebb:
    asks: {brave: {type: card, kind: brave}, light: {type: integer, min: 1, max: 6, default: 2}}
    steps:
      - test: {dice: 1d6, up_to: brave.heat, name: to hold}
      - pool: {dice: 1d6, count: light, at_least: 4, name: hits, into: hits}
      - when: passed and hits > 1
        end: it holds
      - end: it falls
"""
BRAVES = """\
kind: brave
cards:
  - {name: Ash, heat: 2, saying: Words., keywords: [Hot], weapons: [{Thorn: R1 D2}]}
  - {name: Ember, heat: 6, role: smith, weapons: [{Tongs: R2 D3 H2}, {Bow: R12 D1}]}
"""
TABLE_CSV = """\
name,motto,stats.M,stats.B,stats.S,stats.W,stats.Mo,weapons,qty
Toll Guard,"Two coins, or two teeth.",2,3,2,1,10,Halberd: CW R2 P1 D2; Crossbow: RW R14 P1 D1,2
Toll Hound,,1,3,1,1,14,Fangs: CW R1 P1 D2,
"""
TABLE_JSON = """\
{"deck": [
  {"id": 1, "title": "Salt Guard", "m": 2, "b": 3, "gear": [{"kind": "Halberd", "line": "CW R2 P1 D2"}],
   "on": true},
  {"id": 2, "title": "Salt Hound", "m": 1, "b": 2, "gear": [], "on": false, "text": "Words\\n and words \\u00e9"}
]}
"""
TABLE_SETTINGS = """\
game: warniris
tables:
  cards/a.csv: {kind: minion}
  cards/b.xlsx: {kind: minion, rows: row.qty != 9, columns: {qty: qty}}
  data/c.json:
    kind: minion
    each: data.deck
    rows: row.id > 0 and (row.on or row.m == 1)
    map:
      name: row.title
      motto: row.text | default(none)
      stats: {M: row.m, B: "[row.b, 5] | min", S: 2, W: 1, Mo: 10}
      weapons: {each: row.gear, map: {Blade: row.line}}
"""
TABLE_WORDS = (
    "row.title", "row.x", "parent.title", "data.deck", "row['title']", "row.gear[0]", "range(9000) | sum",
    "| map('upper')", "| join", "each:", "map:", "rows:", "columns:", "sheet: 1", "kind: relic", "null", "true",
    "''", "'", '"', "[", "]",
    "{", "}", ";", ",", "\t", "=1+1", "'=1", "#", "1e999", "NaN", '"\\ud800"', "1,5", "007", "2024-01-01",
    "../a.csv", "\n",
)  # fmt: skip
ART = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="40mm" height="40mm" viewBox="0 0 100 100">
<style>.a{fill:#246;stroke:#000;stroke-width:2} g > path{opacity:.8}</style>
<defs>
<linearGradient id="a" x1="0" x2="1"><stop offset="0" stop-color="#fff"/><stop offset="1"/></linearGradient>
<radialGradient id="r" xlink:href="#a" cx="50%" cy="50%" r="40%"/>
<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse">
<circle cx="5" cy="5" r="3" fill="red"/></pattern>
<clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath>
<mask id="m"><rect width="100" height="100" fill="#fff"/></mask>
<marker id="k" markerWidth="3" markerHeight="3" refX="1" refY="1" orient="auto"><path d="M0 0L2 1L0 2Z"/></marker>
<symbol id="s" viewBox="0 0 10 10"><path class="a" d="M0 0H10V10Q5 5 0 10Z"/></symbol>
</defs>
<g transform="translate(5 5) rotate(10)" opacity="0.5"><use xlink:href="#s" x="1" y="2" width="30" height="30"/></g>
<rect class="a" x="1" y="1" width="60%" height="20" rx="2" style="fill:url(#p)" clip-path="url(#c)"/>
<path d="M5 40C10 30 20 50 30 40S40 30 50 40A5 5 0 0 1 60 45" fill="none" stroke="#900" marker-end="url(#k)"/>
<ellipse cx="50" cy="70" rx="30" ry="10" fill="url(#r)" mask="url(#m)"/>
<polygon points="1,2 30,4 5,60" stroke-dasharray="1 2" transform="skewX(10)"/>
</svg>
"""
INKSCAPE = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="69mm" height="94mm" viewBox="0 0 69 94" version="1.1">
<sodipodi:namedview id="v" pagecolor="#ffffff"/>
<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/><stop offset="1"/></linearGradient></defs>
<g inkscape:groupmode="layer" inkscape:label="Front" id="l1">
<rect id="r1" x="3" y="3" width="63" height="88" style="fill:url(#a);stroke:#333;stroke-width:0.4"/>
<use id="u1" xlink:href="#r1" transform="scale(0.5)"/>
<text id="t1" x="10" y="12" style="font-size:5px;font-family:'EB Garamond'">
<tspan x="10" y="12">{{ card.name }}</tspan></text>
<text id="t2" x="10" y="30" inkscape:label="motto" style="font-size:3px">
<tspan x="10" y="30">{{ card.motto }}</tspan></text>
<path id="p1" d="M5 40C10 30 20 50 30 40" style="fill:none;stroke:#900"/>
</g>
</svg>
"""
DRAWING_WORDS = (
    'inkscape:label="if card.motto"', 'inkscape:label="for weapon in card.weapons"', 'inkscape:groupmode="layer"',
    'style="display:none"', "{{ card.name }}", "{{ card.stats.M }}", "{{ range(9) }}", "{% if x %}", "{{", "}}",
    "<tspan>", "</tspan>", "<flowRoot>", "<image/>", 'xlink:href="#l1"', 'xlink:href="#a"', "<text>", "</text>",
    "shape-inside:url(#r1)", "width:", "<use", "transform='scale(0)'", "&lt;", "&a;", "<!DOCTYPE a>",
)  # fmt: skip
