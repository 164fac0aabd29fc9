"""The help pages of a game: what it is, prices, limits and the paytable, read from the rules that play.

Not responsible for where the player came from (``terminal``).
"""

from display.view_model import Money, PageRow, PageView, Text
from firmware.games.contract import PaytableRow
from firmware.presenter.rules_text import RULES
from firmware.presenter.table import pay_label
from firmware.presenter.vocabulary import BLURBS, GAMES, LINES, UNNAMED_GAME
from firmware.terminal.state import GameOnOffer, State

ROWS_PER_PAGE = 12


def help_page_count(offer: GameOnOffer) -> int:
    """Return how many pages the help of a game has."""
    return -(-len(_rows(offer)) // ROWS_PER_PAGE)


def help_page(state: State, offer: GameOnOffer) -> PageView:
    """Return the page of the help that is open."""
    rows, count = _rows(offer), help_page_count(offer)
    page = min(state.screen.page, count - 1)
    return PageView(
        title=GAMES.get(offer.game.id, UNNAMED_GAME),
        rows=rows[page * ROWS_PER_PAGE : (page + 1) * ROWS_PER_PAGE],
        path=(Text("help", "Rules"),),
        footer=Text("help", "Malfunction voids the round; stakes are returned"),
        page_number=page + 1,
        page_count=count,
    )


def _rows(offer: GameOnOffer) -> tuple[PageRow, ...]:
    game = offer.game
    rows = [PageRow(BLURBS.get(game.id, UNNAMED_GAME), tone="heading")]
    rows += [PageRow(text) for text in RULES[game.spec.family](offer)]
    rows.append(PageRow(Text("help", "Limits"), tone="heading"))
    for line in game.spec.lines:
        label = LINES.get(line.line, Text("line", "Bet"))
        rows.append(PageRow(label, Money(line.minimum_minor), Money(line.maximum_minor)))
    rows.append(PageRow(Text("help", "Paytable"), tone="heading"))
    rows += [PageRow(pay_label(row), _pays(row)) for row in game.paytable]
    return tuple(rows)


def _pays(row: PaytableRow) -> str | Money:
    if row.pays is not None:
        return f"{row.pays[0]} : {row.pays[1]}"
    if row.percent_of_meter is not None:
        return f"{row.percent_of_meter} %"
    return Money(row.amount_minor or 0)
