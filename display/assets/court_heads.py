"""Faces and beards of the court figures, about the axis x = 0; the chin is near y = 97."""

from display.assets.court_style import GOLD, INK_WIDTH, LINE, Figure
from display.assets.vector import Colour, Drawing, blob, curve, ellipse, fade, mix, poly, shade

_WHITE: Colour = (255, 255, 255)


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


def earrings(drawing: Drawing) -> None:
    """Add a pair of drop earrings."""
    for side in (-1, 1):
        drawing.outline(ellipse(side * 19.3, 82, 2.1, 3.4), GOLD, 0.8, LINE)
