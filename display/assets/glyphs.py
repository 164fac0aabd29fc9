"""Own numerals and letters, for card indices, chip values and the emblem: centre lines that are stroked.

A glyph stands in a box one unit high, from its top (y = 0) to its base line (y = 1). Not a text font: words on the
screen are labels, so that they can be translated.
"""

from display.assets.vector import Drawing, Paint, Path, curve, ellipse, line, place

_SIX = curve(*(0.46, 0.03), *(0.22, 0.10, 0.02, 0.36, 0.02, 0.69)) + ellipse(0.295, 0.70, 0.275, 0.30)
GLYPHS: dict[str, tuple[float, Path]] = {
    "A": (0.66, line(0.0, 1.04, 0.33, 0.0, 0.66, 1.04) + line(0.11, 0.69, 0.55, 0.69)),
    "2": (
        0.56,
        curve(
            *(0.02, 0.27),
            *(0.02, 0.10, 0.14, 0, 0.29, 0),
            *(0.44, 0, 0.55, 0.10, 0.55, 0.26),
            *(0.55, 0.47, 0.30, 0.62, 0.04, 1),
        ).line(0.59, 1),
    ),
    "3": (
        0.56,
        curve(
            *(0.02, 0.18),
            *(0.07, 0.06, 0.16, 0, 0.27, 0),
            *(0.42, 0, 0.52, 0.09, 0.52, 0.235),
            *(0.52, 0.38, 0.40, 0.465, 0.20, 0.465),
        )
        + curve(
            *(0.20, 0.465),
            *(0.43, 0.465, 0.55, 0.57, 0.55, 0.73),
            *(0.55, 0.90, 0.42, 1, 0.27, 1),
            *(0.14, 1, 0.04, 0.94, 0, 0.81),
        ),
    ),
    "4": (0.60, line(0.45, 1.04, 0.45, 0.0, 0.0, 0.74, 0.63, 0.74)),
    "5": (
        0.56,
        line(0.52, 0, 0.10, 0, 0.06, 0.45).curve(
            0.13,
            0.39,
            0.20,
            0.37,
            0.28,
            0.37,
            0.44,
            0.37,
            0.55,
            0.50,
            0.55,
            0.68,
            0.55,
            0.87,
            0.43,
            1,
            0.26,
            1,
            0.13,
            1,
            0.04,
            0.95,
            0,
            0.84,
        ),
    ),
    "6": (0.57, _SIX),
    "7": (0.56, curve(*(0.0, 0.0), *(0.2, 0, 0.4, 0, 0.56, 0.0), *(0.38, 0.28, 0.23, 0.62, 0.20, 1.04))),
    "8": (0.57, ellipse(0.285, 0.24, 0.225, 0.24) + ellipse(0.285, 0.735, 0.275, 0.265)),
    "9": (0.57, _SIX.at(place(0.57, 1, -1))),
    "1": (0.22, line(0.0, 0.17, 0.19, 0.02, 0.19, 1.04)),
    "0": (0.54, ellipse(0.27, 0.5, 0.27, 0.5)),
    "J": (0.44, line(0.10, 0, 0.40, 0, 0.40, 0.72).curve(0.40, 0.92, 0.31, 1, 0.19, 1, 0.08, 1, 0.01, 0.93, 0, 0.79)),
    "Q": (0.66, ellipse(0.32, 0.5, 0.32, 0.5) + line(0.36, 0.70, 0.66, 1.08)),
    "K": (0.60, line(0.03, -0.04, 0.03, 1.04) + line(0.56, -0.04, 0.03, 0.60) + line(0.20, 0.42, 0.60, 1.04)),
    "C": (
        0.58,
        curve(
            *(0.56, 0.20),
            *(0.50, 0.07, 0.42, 0, 0.31, 0),
            *(0.12, 0, 0, 0.20, 0, 0.5),
            *(0, 0.80, 0.12, 1, 0.31, 1),
            *(0.42, 1, 0.50, 0.93, 0.56, 0.80),
        ),
    ),
    "R": (
        0.56,
        line(0.0, 1.04, 0.0, 0.0, 0.24, 0.0)
        .curve(0.43, 0, 0.52, 0.11, 0.52, 0.26, 0.52, 0.42, 0.43, 0.52, 0.24, 0.52)
        .line(0, 0.52)
        + line(0.26, 0.52, 0.56, 1.04),
    ),
    "O": (0.68, ellipse(0.34, 0.5, 0.34, 0.5)),
    "U": (
        0.56,
        line(0.0, -0.04, 0.0, 0.64).curve(0, 0.88, 0.12, 1, 0.28, 1, 0.44, 1, 0.56, 0.88, 0.56, 0.64).line(0.56, -0.04),
    ),
    "P": (
        0.52,
        line(0.0, 1.04, 0.0, 0.0, 0.25, 0.0)
        .curve(0.44, 0, 0.52, 0.12, 0.52, 0.28, 0.52, 0.45, 0.44, 0.57, 0.25, 0.57)
        .line(0, 0.57),
    ),
    "I": (0.0, line(0.0, -0.04, 0.0, 1.04)),
    "E": (0.48, line(0.48, 0, 0, 0, 0, 1, 0.48, 1) + line(0.0, 0.48, 0.42, 0.48)),
    ".": (0.04, ellipse(0.02, 0.98, 0.035)),
}


def text_width(text: str, height: float, weight: float, *, narrow: float = 1.0, gap: float = 0.30) -> float:
    """Return the width of stroked text, edges included."""
    inner = sum(GLYPHS[c][0] * narrow for c in text) + gap * (len(text) - 1)
    return (inner + weight) * height


def write(
    drawing: Drawing,
    text: str,
    centre_x: float,
    top: float,
    height: float,
    paint: Paint,
    *,
    weight: float = 0.16,
    narrow: float = 1.0,
    gap: float = 0.30,
    squash: float = 1.0,
) -> None:
    """Add text, centred on ``centre_x``: stroke ``weight`` and ``gap`` in heights; ``squash`` flattens it."""
    x = centre_x - text_width(text, height, weight, narrow=narrow, gap=gap) / 2 + weight * height / 2
    inner = height * (1 - weight)
    for c in text:
        width, path = GLYPHS[c]
        # The line's own thickness belongs to the height.
        where = place(x, top + weight * height * squash / 2, narrow * height, inner * squash)
        drawing.stroke(path.at(where), weight * height, paint, cap="butt", join="miter")
        x += (width * narrow + gap) * height
