"""Frames as picture files: PNG for looking closely, JPEG for pages, smaller where asked. Needs no window.

Not responsible for what is drawn.
"""

from pathlib import Path

import pygame

from display.canvas import Shelves, render
from display.draw_list import DrawList


def write_picture(
    frame: DrawList, size: tuple[int, int], path: Path, shelves: Shelves, *, shrunk_to: tuple[int, int] | None = None
) -> None:
    """Paint a frame at a size and write it as the file's suffix says (``.png``, ``.jpg``), smaller if asked.

    Raises OSError when the file can't be written.
    """
    surface = render(frame, size, shelves)
    if shrunk_to is not None:
        surface = pygame.transform.smoothscale(surface, shrunk_to)
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as error:
        raise OSError(f"cannot write {path}: {error}") from error
