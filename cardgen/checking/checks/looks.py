"""Checks of what is seen of the texts of drawn cards."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from cardgen.checking.check import CheckContext, Finding, Flaw, PrintedCard
from cardgen.units import shorten

_PLAIN = "put a plain ground behind it"


def _flaws(printed_card: PrintedCard, *kinds: str) -> Iterator[Flaw]:
    return (flaw for flaw in printed_card.flaws if flaw.kind in kinds)


def low_contrast(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts with too little contrast, each with the worst of its parts."""
    for flaw in _flaws(printed_card, "faint"):
        ratio = floor(flaw.figure * 10) / 10  # never rounded up to what is needed
        how = "is behind text" if flaw.ground else "is printed"
        advice = f"use another color of the theme for it ('fill', or its style), or {_PLAIN}"
        if flaw.colour:
            advice = "make it darker or lighter in the theme"
        elif flaw.ground:
            advice = "make it darker or lighter in the theme, or use another color for the text"
        elif flaw.other == "veiled":
            advice = "something half transparent lies over it: move it in the template to after that"
        elif flaw.other:
            how, advice = (
                "is printed in part",
                "some of it is beside what it stands on: give it more room",
            )
        yield flaw.finding(f"{how} with a contrast of {ratio:g}:1, below {flaw.least:g}:1", advice)


def hidden_text(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that make no difference to what is printed."""
    for flaw in _flaws(printed_card, "hidden"):
        yield flaw.finding("is hidden", "move it in the template to after what is painted over it")


def text_at_cut(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts at the edge of the card, and those on a fold."""
    for flaw in _flaws(printed_card, "cut", "fold"):
        if flaw.kind == "fold":
            yield flaw.finding("is on a fold", "move it in the template")
            continue
        distance = f"ends {flaw.figure:.1f} mm from the cut" if flaw.figure >= 0 else "goes over the cut"
        yield flaw.finding(distance, f"move it in the template: keep {flaw.least:g} mm to the cut")


def overlapping_text(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield each text that another one lies on."""
    for flaw in _flaws(printed_card, "over"):
        advice = "move one of them in the template, or give it a width that ends before the other"
        yield flaw.finding(f"is printed over '{shorten(flaw.other)}'", advice)


def touching_text(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that touch others, rules, and the edges of boxes."""
    for flaw in _flaws(printed_card, "touching", "rule"):
        near = f"{flaw.figure:.1f} mm from" if flaw.figure >= 0.05 else "on"
        what = f"'{shorten(flaw.other)}'" if flaw.other else "a line, a curve, or the edge of a box or picture"
        yield flaw.finding(f"is {near} {what}", "move it in the template, or make its box or its type smaller")


def misaligned_text(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that are a little off the line of their neighbors."""
    for flaw in _flaws(printed_card, "baseline", "column", "middle"):
        line = {"baseline": "the baseline of those beside it", "column": "the edge of those above and below"}
        yield flaw.finding(
            f"is {flaw.figure:.2f} mm off {line.get(flaw.kind, flaw.other)}",
            "give it the same coordinate in the template",
        )


def crowded_text(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the texts that are nearer to a neighbor than the others."""
    for flaw in _flaws(printed_card, "crowded"):
        next_one = f"'{shorten(flaw.other)}'" if flaw.other else "the next one"
        message = f"is {flaw.figure:.1f} mm from {next_one}, while the others are {flaw.least:.1f} mm apart"
        yield flaw.finding(message, "give all the same distance in the template")


def short_last_line(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the titles that leave one short word for their last line."""
    for flaw in _flaws(printed_card, "widow"):
        yield flaw.finding(f"has only '{flaw.other}' in its last line", "break it earlier, or set it in smaller type")


def empty_area(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the faces with a large area on which nothing is."""
    for flaw in _flaws(printed_card, "empty"):
        side = flaw.spot.side if flaw.spot else "front"
        advice = "make texts or pictures larger in the template, or move them apart"
        yield Finding(f"{flaw.figure:.0%} of the {side} is empty", help=advice, place=flaw.place, spot=flaw.spot)


def look_alike_colors(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the values and signs that people with a color-vision deficiency cannot tell apart."""
    for flaw in _flaws(printed_card, "sign", "value"):
        one, other = flaw.colours or ("", "")
        alike = f"look alike to people with {flaw.vision} (they differ by {flaw.figure:.2f}, less than {flaw.least:g})"
        message = f"has {flaw.other} in {one} and in {other}, which {alike}"
        advice = "use another sign, or make one of the colors much lighter or darker"
        if flaw.kind == "value":
            message = f"shows in colors alone: {one} for '{flaw.text}' and {other} for '{flaw.other}', which {alike}"
            advice = "also print a word or an icon for it, or make one of the colors much lighter or darker"
        yield flaw.finding(message, advice)


def too_much_ink(printed_card: PrintedCard, context: CheckContext) -> Iterator[Finding]:
    """Yield the faces that take more ink than their theme allows."""
    for flaw in _flaws(printed_card, "ink"):
        side = flaw.spot.side if flaw.spot else "front"
        message = f"the {side} takes {flaw.figure:.0%} ink, more than the {flaw.least:.0%} of its theme ('max_ink')"
        most = f"most of it, {flaw.other}, is in {flaw.text}"
        advice = "use a lighter color of the theme for that, or draw only its outline"
        yield Finding(f"{message}; {most}", help=advice, place=flaw.place, spot=flaw.spot)
