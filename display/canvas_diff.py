"""Which parts of the screen changed between two frames, and which of them are painted now: pure, on values and rectangles.

Items that two frames share, in the same order, cover the same pixels in the same way; every pixel outside the other items' rectangles
is therefore as it was.
"""

from collections.abc import Hashable, Sequence

Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels."""

PIXEL_NS = 7.5
UPLOAD_NS = 3.5
"""About what a changed pixel costs a Raspberry Pi 4 to paint (some are painted twice), and one to upload in full rows."""
FEWEST_ROWS = 32


def shared_items(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of indices (old, new) of equal items, increasing in both."""
    start = 0
    stop = min(len(old), len(new))
    while start < stop and old[start] == new[start]:
        start += 1
    end = 0
    while end < stop - start and old[-1 - end] == new[-1 - end]:
        end += 1
    pairs = [(i, i) for i in range(start)]
    pairs += _shared_middle(old, new, start, len(old) - end, len(new) - end)
    pairs += [(len(old) - k, len(new) - k) for k in range(end, 0, -1)]
    return pairs


def _shared_middle(
    old: Sequence[Hashable], new: Sequence[Hashable], start: int, old_end: int, new_end: int
) -> list[tuple[int, int]]:
    where: dict[Hashable, list[int]] = {}
    for index in range(start, old_end):
        where.setdefault(old[index], []).append(index)
    pairs = []
    last = -1
    for index in range(start, new_end):
        for candidate in where.get(new[index], ()):
            if candidate > last:
                pairs.append((candidate, index))
                last = candidate
                break
    return pairs


def union(a: Rect, b: Rect) -> Rect:
    """Return the smallest rectangle that holds both."""
    x, y = min(a[0], b[0]), min(a[1], b[1])
    return x, y, max(a[0] + a[2], b[0] + b[2]) - x, max(a[1] + a[3], b[1] + b[3]) - y


def overlap(a: Rect, b: Rect) -> bool:
    """Tell whether two rectangles share a pixel."""
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def clipped(rect: Rect, bounds: Rect) -> Rect | None:
    """Return the part of a rectangle inside bounds, or None."""
    x, y = max(rect[0], bounds[0]), max(rect[1], bounds[1])
    w = min(rect[0] + rect[2], bounds[0] + bounds[2]) - x
    h = min(rect[1] + rect[3], bounds[1] + bounds[3]) - y
    return (x, y, w, h) if w > 0 and h > 0 else None


def ring(outer: Rect, inner: Rect, rim: int) -> tuple[Rect, ...]:
    """Return the four parts of ``outer`` around ``inner`` shrunk by ``rim``; nothing when the hole is not worth it."""
    left, top = inner[0] + rim, inner[1] + rim
    right, bottom = inner[0] + inner[2] - rim, inner[1] + inner[3] - rim
    if right - left < 8 or bottom - top < 8:
        return ()
    x, y, width, height = outer
    return (
        (x, y, width, top - y),
        (x, bottom, width, y + height - bottom),
        (x, top, left - x, bottom - top),
        (right, top, x + width - right, bottom - top),
    )


def merged(rects: Sequence[Rect], bounds: Rect, *, waste: float = 1.25) -> list[Rect]:
    """Return few rectangles that cover all given ones inside bounds.

    Two are joined when that costs at most ``waste`` times their own pixels; everything becomes the bounds when most of
    it is covered anyway.
    """
    todo = [part for rect in rects if (part := clipped(rect, bounds)) is not None]
    done: list[Rect] = []
    while todo:
        rect = todo.pop()
        for index, other in enumerate(done):
            both = union(rect, other)
            if both[2] * both[3] <= waste * (rect[2] * rect[3] + other[2] * other[3]):
                # The joined rectangle may now reach others: look at it again.
                del done[index]
                todo.append(both)
                break
        else:
            done.append(rect)
    if sum(r[2] * r[3] for r in done) > 0.85 * bounds[2] * bounds[3]:
        return [bounds]
    return done


def work_ns(rects: Sequence[Rect], width: int) -> float:
    """Return about how long a Raspberry Pi 4 takes to paint rectangles and to upload their rows in full width."""
    if not rects:
        return 0.0
    rows = max(y + h for _, y, _, h in rects) - min(y for _, y, _, _ in rects)
    return PIXEL_NS * sum(w * h for _, _, w, h in rects) + UPLOAD_NS * rows * width


def between(rects: Sequence[Rect], top: int, bottom: int) -> list[Rect]:
    """Return the parts of rectangles from row ``top`` to before row ``bottom``."""
    parts = ((x, max(y, top), w, min(y + h, bottom) - max(y, top)) for x, y, w, h in rects)
    return [part for part in parts if part[3] > 0]


def shared_out(rects: Sequence[Rect], width: int, most_ns: float, from_row: int) -> tuple[list[Rect], list[Rect], int]:
    """Return what is painted now, what is left for the next frames, and the row where they go on.

    Everything now if it costs at most ``most_ns``; else rows from ``from_row`` on, as many as that allows, so that each call gets on
    and none starves.
    """
    if work_ns(rects, width) <= most_ns:
        return list(rects), [], 0
    bottom = max(y + h for _, y, _, h in rects)
    below = between(rects, from_row, bottom)
    above = between(rects, 0, from_row)
    if not below:
        below, above = above, []
    first = min(y for _, y, _, _ in below)
    cut, too_far = min(first + FEWEST_ROWS, bottom), bottom + 1
    while too_far - cut > 1:
        middle = (cut + too_far) // 2
        if work_ns(between(below, first, middle), width) <= most_ns:
            cut = middle
        else:
            too_far = middle
    later = between(below, cut, bottom)
    return between(below, first, cut), later + above, cut if later else 0
