"""A card that contradicts the rulings of the project.

Why is this bad?
    The referee follows the rulings, and the players read the card. With the ruling `defensive-type=attack`, terrain
    that prints *Defensive when countering* gives swift when attacking; with `immune-to=types`, a disk that prints
    *Immune (impact)* takes the damage.
"""

from cardgen.game import Card, CheckContext, Finding, Findings, rule

_SOURCES = ("impact", "magic", "ranged")


@rule("DW353", "warning", "certain")
def find(card: Card, context: CheckContext) -> Findings:
    """Yield the swift and the sources of damage that a ruling turns around, or leaves without effect."""
    if context.card is not card:
        return
    if getattr(card, "defensive", None) == "counter" and context.rulings["defensive-type"] == "attack":
        message = "it prints 'when countering', but the ruling defensive-type=attack gives swift when attacking"
        yield Finding(message, ("defensive",), help="write 'attack', or change the ruling")
    for key in ("immune", "resistant") if context.rulings["immune-to"] == "types" else ():
        for number, name in enumerate(getattr(card, key, ())):
            if name in _SOURCES:
                message = f"{key} to {name}, which counts for nothing under the ruling immune-to=types"
                yield Finding(message, (key, number), help="use physical or arcane damage, or change the ruling")
