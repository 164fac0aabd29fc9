"""Heads of the court figures: hair behind, face, beard, hair in front. Drawn about the axis x = 0, chin near y = 97."""

from display.assets.court_style import GOLD, INK_WIDTH, LINE, Figure
from display.assets.vector import Colour, Drawing, Path, blob, curve, ellipse, fade, mix, poly, shade

_WHITE: Colour = (255, 255, 255)


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


def face(drawing: Drawing, figure: Figure, *, woman: bool) -> None:
    """Add neck, head and features."""
    skin, dark = figure.skin, shade(figure.skin, 0.8)
    turn = figure.look * 2.6
    drawing.outline(poly(-9, 86, 9, 86, 11, 106, -11, 106), dark, INK_WIDTH, LINE)
    jaw = 97 if woman else 98.5
    wide = 18.2 if woman else 19.4
    chin = 6.5 if woman else 9.5
    head = blob(
        *(-wide, 62),
        *(-wide, 78, -chin - 3, jaw, 0, jaw),
        *(chin + 3, jaw, wide, 78, wide, 62),
        *(wide, 42, -wide, 42, -wide, 62),
    )
    drawing.outline(head, skin, INK_WIDTH, LINE)
    # The side away from the light.
    away = blob(
        *(8 + turn, 48),
        *(20, 50, wide - 0.6, 60, wide - 0.6, 66),
        *(wide - 1, 80, chin + 2, jaw - 0.8, 2, jaw - 0.8),
        *(12, 88, 13 + turn, 70, 8 + turn, 48),
    )
    drawing.fill(away, fade(shade(skin, 0.72), 0.38))
    _eyes(drawing, figure, turn, woman=woman)
    _nose_and_mouth(drawing, figure, turn, woman=woman)


def _eyes(drawing: Drawing, figure: Figure, turn: float, *, woman: bool) -> None:
    brow = mix(figure.hair, LINE, 0.45)
    for side in (-1, 1):
        x = side * 8.3 + turn
        narrow = 0.88 if side * turn > 0 else 1.0
        half = 4.6 * narrow
        drawing.fill(
            blob(
                *(x - half, 70.6),
                *(x - 2, 67.0, x + 2, 67.0, x + half, 70.6),
                *(x + 2, 73.2, x - 2, 73.2, x - half, 70.6),
            ),
            _WHITE,
        )
        gaze = x + figure.look * 0.9
        drawing.fill(ellipse(gaze, 70.0, 2.3, 2.4), figure.eye)
        drawing.fill(ellipse(gaze, 70.0, 1.2), (16, 14, 20))
        drawing.fill(ellipse(gaze - 0.8, 69.1, 0.6), _WHITE)
        lid = curve(x - half, 70.8, x - 2, 66.8, x + 2, 66.8, x + half, 70.8)
        drawing.stroke(lid, 1.7 if woman else 1.4, LINE)
        if woman:
            drawing.stroke(
                curve(
                    x + side * half,
                    70.8,
                    x + side * (half + 0.8),
                    70.0,
                    x + side * (half + 1.4),
                    69.2,
                    x + side * (half + 1.7),
                    68.4,
                ),
                1.1,
                LINE,
            )
            drawing.stroke(curve(x - 4.4, 64.0, x - 2, 61.8, x + 2, 61.8, x + 4.6, 63.6), 1.3, brow)
        else:
            inner, outer = x - side * 4.4, x + side * 5.2
            drawing.stroke(curve(inner, 64.6, x - side * 1, 62.0, x + side * 2, 62.0, outer, 64.2), 2.2, brow)


def _nose_and_mouth(drawing: Drawing, figure: Figure, turn: float, *, woman: bool) -> None:
    dark = shade(figure.skin, 0.62)
    side = -1 if figure.look < 0 else 1
    x = turn * 1.35
    nose = curve(x - side * 1.4, 68, x - side * 0.6, 74, x + side * 3.0, 78.4, x + side * 2.6, 80.2)
    drawing.stroke(nose.curve(x + side * 2.0, 81.6, x, 81.4, x - side * 2.0, 81.2), 1.2, dark)
    x = turn * 1.1
    lips: Colour = (196, 44, 58) if woman else mix(figure.skin, (176, 60, 60), 0.62)
    wide, y = (5.0, 87.2) if woman else (5.6, 88.0)
    drawing.fill(
        blob(
            *(x - wide, y),
            *(x - 2.6, y - 2.5, x - 1, y - 2.1, x, y - 1.5),
            *(x + 1, y - 2.1, x + 2.6, y - 2.5, x + wide, y),
            *(x + 2.2, y + 3.2, x - 2.2, y + 3.2, x - wide, y),
        ),
        lips,
    )
    drawing.stroke(curve(x - wide, y, x - 1.5, y + 0.9, x + 1.5, y + 0.9, x + wide, y), 0.8, shade(lips, 0.55))
    if woman:
        for cheek in (-1, 1):
            drawing.fill(ellipse(cheek * 11 + turn, 79.5, 4.2, 2.8), (232, 110, 110, 84))


def beard(drawing: Drawing, figure: Figure) -> None:
    """Add beard and moustache."""
    if not figure.beard:
        return
    hair, dark = figure.hair, shade(figure.hair, 0.6)
    x = figure.look * 2.6
    outline = {
        "full": blob(
            *(-19.4, 66),
            *(-17.5, 78, -13, 82, -7 + x, 83),
            *(-3 + x, 81, 3 + x, 81, 7 + x, 83),
            *(13, 82, 17.5, 78, 19.4, 66),
            *(21, 88, 15, 112, 0, 114),
            *(-15, 112, -21, 88, -19.4, 66),
        ),
        "forked": blob(
            *(-19.4, 68),
            *(-17, 79, -13, 82, -7 + x, 83),
            *(-3 + x, 81, 3 + x, 81, 7 + x, 83),
            *(13, 82, 17, 79, 19.4, 68),
            *(21, 88, 19, 104, 9, 116),
            *(6, 112, 3, 107, 0, 104),
            *(-3, 107, -6, 112, -9, 116),
            *(-19, 104, -21, 88, -19.4, 68),
        ),
        "pointed": blob(
            *(-10, 92),
            *(-8, 88, -5 + x, 91.6, 0 + x, 91.6),
            *(5 + x, 91.6, 8, 88, 10, 92),
            *(9, 102, 4, 112, 0 + x * 0.4, 117),
            *(-4, 112, -9, 102, -10, 92),
        ),
        "braided": blob(
            *(-19.4, 66),
            *(-17, 79, -13, 82, -7 + x, 83),
            *(-3 + x, 81, 3 + x, 81, 7 + x, 83),
            *(13, 82, 17, 79, 19.4, 66),
            *(20, 86, 16, 98, 8, 103),
            *(6, 110, 4, 117, 0, 120),
            *(-4, 117, -6, 110, -8, 103),
            *(-16, 98, -20, 86, -19.4, 66),
        ),
    }.get(figure.beard)
    if outline is not None:
        drawing.outline(outline, hair, INK_WIDTH, LINE)
    if figure.beard in ("full", "forked"):
        for k in (-11, -5.5, 0, 5.5, 11):
            reach = 109 - abs(k) * 0.9
            drawing.stroke(curve(k * 0.8, 94, k * 0.9, 98, k, 102, k * 0.8, reach), 0.9, dark)
    if figure.beard == "braided":
        for y in (103, 108.5, 113.5):
            drawing.stroke(curve(-5 + (y - 103) * 0.2, y, -1, y + 2.6, 1, y + 2.6, 5 - (y - 103) * 0.2, y), 1.1, GOLD)
    if outline is not None and figure.beard != "pointed":
        mouth: Colour = mix(figure.skin, (170, 50, 56), 0.7)
        drawing.fill(
            blob(*(x - 5, 89), *(x - 2, 87.8, x + 2, 87.8, x + 5, 89), *(x + 2, 92, x - 2, 92, x - 5, 89)), mouth
        )
    if figure.beard == "thin":
        drawing.stroke(curve(x - 9, 84.0, x - 5, 86.2, x - 2, 84.6, x, 84.2), 1.5, hair)
        drawing.stroke(curve(x + 9, 84.0, x + 5, 86.2, x + 2, 84.6, x, 84.2), 1.5, hair)
        return
    for side in (-1, 1):
        lock = blob(
            *(x, 82.6),
            *(x + side * 4, 81.6, x + side * 9, 84, x + side * 13, 87.4 if figure.beard != "pointed" else 82.5),
            *(x + side * 10, 89, x + side * 4, 88.6, x, 86.4),
            *(x, 85, x, 84, x, 82.6),
        )
        drawing.outline(lock, hair, 0.9, LINE)


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


def earrings(drawing: Drawing) -> None:
    """Add a pair of drop earrings."""
    for side in (-1, 1):
        drawing.outline(ellipse(side * 19.3, 82, 2.1, 3.4), GOLD, 0.8, LINE)
