"""The rules pages of a game: how it is played, prices and limits, what is paid and how often, worked examples.

All of it is read from the rules that play and the profile of the house. Not responsible for where the player came from
(``terminal``) or for the other pages (``pages``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from display.view_model import Money, PageRow, PageView, Text
from firmware.cards.card import card_text
from firmware.games.contract import FeeSpec, HandLayout, PaytableRow
from firmware.presenter.examples import Example, examples
from firmware.presenter.odds import COUP_MILLIONTHS, coup_edge, one_in
from firmware.presenter.rules_text import RULES
from firmware.presenter.table import pay_label
from firmware.presenter.vocabulary import ACTIONS, BLURBS, GAMES, LINES, UNNAMED_GAME, hand_text
from firmware.terminal.state import GameOnOffer, Pages

_VULGAR: Final = {(1, 2): "½", (3, 2): "1½", (5, 2): "2½"}


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One page of the rules."""

    title: Text
    rows: tuple[PageRow, ...]
    columns: tuple[Text, ...] = ()


def help_page_count(offer: GameOnOffer) -> int:
    """Return how many pages the rules of a game have."""
    return len(_sheets(offer))


def help_page(pages: Pages, offer: GameOnOffer) -> PageView:
    """Return the page of the rules that is open."""
    sheets = _sheets(offer)
    number = min(pages.page, len(sheets) - 1)
    sheet = sheets[number]
    return PageView(
        title=GAMES.get(offer.game.id, UNNAMED_GAME),
        rows=sheet.rows,
        path=(Text("help", "Rules"), sheet.title),
        footer=Text("help", "Malfunction voids the round; stakes are returned"),
        columns=sheet.columns,
        page_number=number + 1,
        page_count=len(sheets),
    )


@lru_cache(maxsize=32)
def _sheets(offer: GameOnOffer) -> tuple[_Sheet, ...]:
    played = examples(offer.game, offer.facts)
    return (
        _Sheet(
            Text("help", "How it is played"),
            (
                PageRow(BLURBS.get(offer.game.id, UNNAMED_GAME), tone="heading"),
                *(PageRow(text) for text in RULES[offer.game.spec.family](offer)),
            ),
        ),
        _limits_and_prices(offer),
        *_paytables(offer),
        *(
            _Sheet(
                Text("help", "Example {number}", (("number", number),)),
                tuple(_example(example)),
                (Text("help", "Line"), Text("help", "Staked"), Text("help", "You receive")),
            )
            for number, example in enumerate(played, 1)
        ),
    )


def _limits_and_prices(offer: GameOnOffer) -> _Sheet:
    spec = offer.game.spec
    rows = [PageRow(Text("help", "Limits"), tone="heading")]
    for line in spec.lines:
        label = LINES.get(line.line, Text("line", "Bet"))
        rows.append(PageRow(label, Money(line.minimum_minor), Money(line.maximum_minor)))
    rows.append(PageRow(Text("help", "Boxes that can be bought"), "", str(spec.max_boxes)))
    if spec.max_win_minor is not None:
        rows.append(PageRow(Text("help", "The most that one box can win"), "", Money(spec.max_win_minor)))
    if spec.fees:
        minimum = spec.lines[0].minimum_minor
        rows.append(PageRow(Text("help", "Prices, never returned"), tone="heading"))
        rows += [PageRow(_fee_label(fee), *_fee(fee, minimum)) for fee in spec.fees]
    columns = (Text("help", "Line"), Text("help", "Lowest"), Text("help", "Highest"))
    return _Sheet(Text("help", "Limits and prices"), tuple(rows), columns)


def _fee_label(fee: FeeSpec) -> Text:
    if fee.card_count:
        return Text("help", "Exchange of {count} card", plural="Exchange of {count} cards", count=fee.card_count)
    return ACTIONS.get(fee.action, Text("button", "Choose"))


def _fee(fee: FeeSpec, ante_minor: int) -> tuple[Text, Text]:
    numerator, denominator = fee.antes
    antes = str(numerator) if denominator == 1 else _VULGAR.get(fee.antes, f"{numerator}/{denominator}")
    ten = ante_minor * 10
    example = (("price", Money(ten * numerator // denominator)), ("ante", Money(ten)))
    return Text("help", "{antes} ante", (("antes", antes),)), Text("help", "{price} with an ante of {ante}", example)


def _paytables(offer: GameOnOffer) -> Iterator[_Sheet]:
    game = offer.game
    columns: tuple[Text, ...]
    match game.spec.family:
        case "poker":
            columns = (Text("help", "Hand"), Text("help", "Pays"), Text("help", "Dealt once in"))
        case "baccarat":
            columns = (Text("help", "Bet"), Text("help", "Pays"), Text("help", "Wins · house edge"))
        case _:
            columns = (Text("help", "Bet"), Text("help", "Pays"))
    bets = [row for row in game.paytable if row.line != "jackpot"]
    jackpots = [row for row in game.paytable if row.line == "jackpot"]
    rows = [PageRow(pay_label(row), _pays(row), _chance(row, offer)) for row in bets]
    if offer.house_edge is not None and game.spec.family != "baccarat":
        share = (("percent", _percent(offer.house_edge, 2)),)
        rows.append(
            PageRow(Text("help", "House edge with best play"), Text("help", "{percent} of the first stake", share))
        )
    yield _Sheet(Text("help", "Paytable and chances"), tuple(rows), columns)
    if jackpots:
        heading = PageRow(Text("help", "Jackpot: of the meter, or a fixed amount"), tone="heading")
        prizes = (PageRow(pay_label(row), _pays(row), _chance(row, offer)) for row in jackpots)
        yield _Sheet(Text("meter", "Jackpot"), (heading, *prizes), columns)


def _pays(row: PaytableRow) -> str | Money:
    if row.pays is not None:
        return f"{row.pays[0]} : {row.pays[1]}"
    if row.percent_of_meter is not None:
        return f"{row.percent_of_meter} %"
    return Money(row.amount_minor or 0)


def _chance(row: PaytableRow, offer: GameOnOffer) -> Text | str:
    if offer.game.spec.family == "poker":
        count = one_in(row.name)
        return "" if count is None else Text("help", "{count} hand", plural="{count} hands", count=count)
    edge = coup_edge(row.line, offer.game.paytable)
    if edge is None or row.line != row.name or offer.facts.get("deck_count") not in (6, 8):
        return ""
    wins = Fraction(COUP_MILLIONTHS[row.line], 1_000_000)
    return Text("help", "{wins} · {edge}", (("wins", _percent(wins, 1)), ("edge", _percent(edge, 2))))


def _percent(share: Fraction, digits: int) -> Text:
    """Write a share in percent; the decimal mark is the language's."""
    scale = 10**digits
    whole, part = divmod(round(share * 100 * scale), scale)
    return Text("help", "{whole}.{part} %", (("whole", str(whole)), ("part", f"{part:0{digits}d}")))


def _example(example: Example) -> Iterator[PageRow]:
    layout = example.layout
    yield PageRow(example.title, tone="heading")
    if layout.player is not None:
        yield _cards_row(Text("line", "Player"), layout.player)
        yield _cards_row(Text("line", "Banker"), layout.dealer)
    else:
        yield _cards_row(Text("help", "You"), layout.boxes[0].hands[0])
        yield _cards_row(Text("table", "Dealer"), layout.dealer)
    for line in example.lines:
        yield PageRow(LINES.get(line.line, Text("line", "Bet")), Money(line.staked_minor), Money(line.paid_minor))
    staked = sum(line.staked_minor for line in example.lines)
    paid = sum(line.paid_minor for line in example.lines)
    yield PageRow(Text("help", "Together"), Money(staked), Money(paid), tone="good" if paid > staked else "")


def _cards_row(owner: Text, hand: HandLayout) -> PageRow:
    name = hand_text(hand.name or "")
    cards = tuple(card_text(slot.card) if slot.card is not None else "" for slot in hand.slots)
    label = owner if name is None else Text("help", "{owner}: {hand}", (("owner", owner), ("hand", name)))
    return PageRow(label, cards=cards)
