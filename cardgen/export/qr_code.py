"""QR codes as SVG."""

from __future__ import annotations

# Light modules around the code that readers need.
_QUIET = 4


def qr_svg(text: str) -> bytes:
    """Return the QR code of a text as an SVG picture, black on white, with one unit per module.

    About 15 % of the code may be covered.
    """
    from reportlab.graphics.barcode import qrencoder  # loaded here because few programs need it

    code = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    count = code.getModuleCount()
    path = "".join(
        f"M{column + _QUIET} {row + _QUIET}h1v1h-1z"
        for row in range(count)
        for column in range(count)
        if code.isDark(row, column)
    )
    side = count + 2 * _QUIET
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path d="{path}"/></svg>'
    ).encode()
