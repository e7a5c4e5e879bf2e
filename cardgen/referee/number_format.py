"""Fractions as decimals, percentages, and bars, rounded without floating point."""

from __future__ import annotations

from fractions import Fraction


def decimal(value: Fraction, digits: int) -> str:
    """Return a decimal with exactly `digits` places: '0.706626'.

    It is rounded half to even.
    """
    scaled = round(value * 10**digits)
    sign, scaled = ("-" if scaled < 0 else ""), abs(scaled)
    whole, rest = divmod(scaled, 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def percent(value: Fraction, digits: int = 1) -> str:
    """Return a percentage such as '70.7 %'.

    Only 0 and 1 are shown as 0 and 100; chances that round to them are shown as '<0.1 %' and '>99.9 %'.
    """
    text = decimal(value * 100, digits)
    if value and Fraction(text) == 0:
        return f"<{decimal(Fraction(1, 10**digits), digits)} %"
    if value < 1 and Fraction(text) == 100:
        return f">{decimal(100 - Fraction(1, 10**digits), digits)} %"
    return f"{text} %"


def short_fraction(value: Fraction, longest: int = 12) -> str:
    """Return a fraction such as '5/9', or '' if too long.

    The limit is `longest` characters.
    """
    text = str(value)
    return text if len(text) <= longest else ""


_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(value: Fraction, width: int) -> str:
    """Return a bar of block characters for a share of 1.

    `width` is in characters.
    """
    eighths = round(value * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)
