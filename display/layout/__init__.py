"""Where things stand, in logical pixels: the frame around every scene and the places on each family's table.

Places depend on what is on the table, never on time; motion moves things between them. Not responsible for drawing.
"""

from display.layout.baccarat import baccarat_places
from display.layout.blackjack import blackjack_places
from display.layout.place import TablePlaces
from display.layout.poker import poker_places
from display.view_model import TableView


def table_places(table: TableView) -> TablePlaces:
    """Return the places of everything on a table, for its family and phase."""
    if table.family == "baccarat":
        return baccarat_places(table)
    if table.family == "blackjack":
        return blackjack_places(table)
    return poker_places(table)
