"""Hair of the court figures, behind and in front of the face, about the axis x = 0."""

from display.assets.court_style import GOLD, INK_WIDTH, LINE, Figure
from display.assets.vector import Colour, Drawing, Path, blob, curve, ellipse, shade


def mirrored(drawing: Drawing, path: Path, paint: Colour, outline: float = INK_WIDTH) -> None:
    """Fill and outline a path and its mirror image."""
    for side in (1, -1):
        half = path.at(lambda p, s=side: (p[0] * s, p[1]))  # type: ignore[misc]
        drawing.fill(half, paint)
        if outline:
            drawing.stroke(half, outline, LINE)


def _lines(drawing: Drawing, colour: Colour, width: float, *paths: Path) -> None:
    for path in paths:
        for side in (1, -1):
            drawing.stroke(path.at(lambda p, s=side: (p[0] * s, p[1])), width, colour)  # type: ignore[misc]


def hair_behind(drawing: Drawing, figure: Figure) -> None:
    """Add the hair that falls behind the head."""
    hair, dark = figure.hair, shade(figure.hair, 0.62)
    back = {
        "long": blob(
            0,
            44,
            -26,
            44,
            -27,
            62,
            -27,
            78,
            -27,
            92,
            -31,
            98,
            -28,
            107,
            0,
            116,
            0,
            116,
            28,
            107,
            31,
            98,
            27,
            92,
            27,
            78,
            27,
            62,
            26,
            44,
            0,
            44,
        ),
        "short": blob(
            0,
            46,
            -23,
            46,
            -24,
            60,
            -24,
            74,
            -24,
            84,
            -20,
            90,
            -17,
            92,
            0,
            96,
            0,
            96,
            17,
            92,
            20,
            90,
            24,
            84,
            24,
            74,
            24,
            60,
            23,
            46,
            0,
            46,
        ),
        "straight": blob(
            0,
            42,
            -27,
            42,
            -28,
            62,
            -28,
            80,
            -28,
            100,
            -30,
            112,
            -29,
            124,
            0,
            126,
            0,
            126,
            29,
            124,
            30,
            112,
            28,
            100,
            28,
            80,
            28,
            62,
            27,
            42,
            0,
            42,
        ),
        "page": blob(
            0,
            44,
            -25,
            44,
            -27,
            62,
            -27,
            78,
            -27,
            90,
            -27,
            96,
            -22,
            98,
            0,
            101,
            0,
            101,
            22,
            98,
            27,
            96,
            27,
            90,
            27,
            78,
            27,
            62,
            25,
            44,
            0,
            44,
        ),
        "bun": blob(
            0,
            44,
            -24,
            44,
            -25,
            60,
            -24,
            74,
            -23,
            84,
            -18,
            88,
            -14,
            90,
            0,
            92,
            0,
            92,
            14,
            90,
            18,
            88,
            23,
            84,
            24,
            74,
            25,
            60,
            24,
            44,
            0,
            44,
        ),
    }.get(figure.hair_style)
    if back is not None:
        drawing.outline(back, hair, INK_WIDTH, LINE)
    match figure.hair_style:
        case "curly" | "wavy" | "curls":
            _curls(drawing, figure, 112 if figure.hair_style == "wavy" else 100 if figure.hair_style == "curly" else 90)
        case "braids":
            _braids(drawing, figure)
        case "bun":
            for side in (-1, 1):
                drawing.outline(ellipse(side * 25, 70, 8, 10), hair, INK_WIDTH, LINE)
                drawing.stroke(curve(side * 25, 63, side * 30, 66, side * 30, 74, side * 25, 77), 0.9, dark)
                drawing.stroke(curve(side * 25, 66, side * 27.5, 68, side * 27.5, 72, side * 24, 74), 0.9, dark)
        case "long":
            _lines(drawing, dark, 0.9, curve(24, 84, 24, 94, 27, 98, 26, 105), curve(21, 92, 21, 98, 23, 102, 22, 107))
        case "straight":
            _lines(
                drawing, dark, 0.9, curve(25, 84, 25, 98, 27, 110, 26, 121), curve(22, 92, 22, 102, 23, 112, 23, 121)
            )
        case _:
            pass


def _curls(drawing: Drawing, figure: Figure, bottom: float) -> None:
    drawing.outline(ellipse(0, 62, 24, 19), figure.hair, INK_WIDTH, LINE)
    dark = shade(figure.hair, 0.62)
    rows = round((bottom - 58) / 10)
    for row in range(rows + 1):
        y = 58 + row * 10
        reach = 22.5 + (2.0 if row % 2 else 0) + row * (1.1 if bottom > 105 else 0.4)
        for side in (-1, 1):
            drawing.outline(ellipse(side * reach, y, 7.2, 6.8), figure.hair, INK_WIDTH, LINE)
            drawing.stroke(
                curve(
                    side * (reach - 3),
                    y + 2.4,
                    side * reach,
                    y + 4.6,
                    side * (reach + 4),
                    y + 1,
                    side * (reach + 1),
                    y - 2.2,
                ),
                0.9,
                dark,
            )


def _braids(drawing: Drawing, figure: Figure) -> None:
    drawing.outline(ellipse(0, 62, 24.5, 20), figure.hair, INK_WIDTH, LINE)
    dark = shade(figure.hair, 0.62)
    for side in (-1, 1):
        for row in range(7):
            x, y = side * (24.5 + row * 0.5), 70 + row * 8
            drawing.outline(ellipse(x, y, 6.6 - row * 0.25, 5.6), figure.hair, INK_WIDTH, LINE)
            drawing.stroke(curve(x - 4, y - 2, x - 1, y + 1, x + 1, y + 1, x + 4, y - 2), 0.9, dark)
        drawing.outline(ellipse(side * 28, 121, 4.6, 3), GOLD, INK_WIDTH, LINE)


def hair_in_front(drawing: Drawing, figure: Figure) -> None:
    """Add fringe and side locks that frame the face."""
    hair = figure.hair
    match figure.hair_style:
        case "page":
            mirrored(
                drawing,
                blob(
                    0,
                    51,
                    10,
                    50,
                    18,
                    54,
                    20.5,
                    64,
                    24,
                    76,
                    24,
                    88,
                    20,
                    96,
                    26,
                    97,
                    27.5,
                    90,
                    27,
                    78,
                    27,
                    60,
                    20,
                    44,
                    0,
                    44,
                ),
                hair,
            )
            fringe = blob(*(-19, 60), *(-14, 55, 14, 55, 19, 60), *(19, 46, -19, 46, -19, 60))
            drawing.outline(fringe, hair, INK_WIDTH, LINE)
        case "straight":
            mirrored(
                drawing,
                blob(
                    0,
                    47,
                    10,
                    49,
                    16,
                    56,
                    18.5,
                    66,
                    21,
                    78,
                    20,
                    90,
                    19,
                    100,
                    26,
                    104,
                    28,
                    96,
                    28,
                    80,
                    28,
                    56,
                    20,
                    42,
                    0,
                    44,
                ),
                hair,
            )
        case "wavy" | "braids" | "bun":
            mirrored(drawing, blob(0, 47, 8, 50, 15, 55, 18.8, 67, 22, 62, 23, 56, 20, 49, 14, 44, 6, 43, 0, 44), hair)
        case "long" | "short":
            mirrored(
                drawing,
                blob(17.5, 50, 18.5, 56, 19, 62, 19.5, 71, 22.5, 66, 24, 58, 22, 50, 20, 47, 18, 47, 17.5, 50),
                hair,
            )
        case "curly" | "curls":
            for row in range(5):
                drawing.outline(ellipse(-14 + row * 7, 51.5 + abs(row - 2) * 1.2, 4.8, 4.6), hair, INK_WIDTH, LINE)
        case _:
            pass
