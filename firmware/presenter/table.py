"""The table view: boxes, hands, money on the lines, paytable, banner, from a game's layout and the bets.

Not responsible for what may be seen; the game's layout holds nothing else.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, cast

from display.view_model import (
    BoxView,
    CardView,
    HandView,
    Money,
    PaytableLine,
    SpotView,
    TableView,
    Text,
)
from firmware.cards.card import card_text
from firmware.games.contract import BoxLayout, Game, HandLayout, PaytableRow, TableLayout
from firmware.games.families.baccarat_roads import coup_result
from firmware.presenter.vocabulary import GAMES, HANDS, LINES, PAY_LABELS, RESULTS, UNNAMED_GAME, hand_text, total_text
from firmware.rounds.live import LiveRound, RoundEntries, resume
from firmware.terminal.betting import Spot, line_spec, spots_of
from firmware.terminal.decide_play import jackpot_meter
from firmware.terminal.decide_shoe import commitment_shown
from firmware.terminal.state import GameOnOffer, State
from firmware.terminal.step import Environment


def table_view(state: State, environment: Environment) -> TableView:
    """Return the table at which the player sits: before the deal, at a decision, or with the last result."""
    shown = _round_shown(state)
    offer = environment.games[shown.opened.game if shown else state.screen.game]
    meter = jackpot_meter(state, offer)
    before_the_deal = _boxes_before(state, offer.game) if shown is None else ()
    table = _table(offer, shown, partial(_marks, state), before_the_deal)
    return replace(
        table,
        round_number=state.recorded.count("rounds") + (1 if shown is None else 0),
        jackpot=None if meter is None else Money(meter),
        roads=_roads(state.recorded.history, offer) if offer.game.spec.family == "baccarat" else (),
        shoe_left_count=_shoe_left(state, offer.game),
        commitment=commitment_shown(state, offer),
    )


def past_table(state: State, environment: Environment) -> TableView | None:
    """Return the table of the past hand that the player looks at, at the moment he chose; None when it can't be shown.

    A hand can't be shown when its game, or the profile it was played by, is no longer on offer.
    """
    pages, history = state.screen.pages, state.recorded.own_history
    if pages.hands_back >= len(history):
        return None
    entries = history[-1 - pages.hands_back]
    offer = environment.games.get(entries.opened.game)
    if offer is None or offer.digest != entries.opened.profile:
        return None
    live = _past_moment(cast("Any", offer.game), entries, max(len(entries.acts) - pages.steps_back, 0))
    meter = entries.opened.jackpot_meter_minor
    table = _table(offer, live, lambda *_: ())
    return replace(
        table,
        round_number=entries.opened.number,
        jackpot=None if meter is None else Money(meter),
        roads=_roads(_until(state.recorded.history, entries), offer) if offer.game.spec.family == "baccarat" else (),
        recall=True,
    )


def _until(history: tuple[RoundEntries, ...], last: RoundEntries) -> tuple[RoundEntries, ...]:
    """Return the rounds up to one: what the roads showed then."""
    return tuple(entries for entries in history if entries.opened.number <= last.opened.number)


@lru_cache(maxsize=64)
def _past_moment(game: Any, entries: RoundEntries, act_count: int) -> LiveRound:
    if act_count == len(entries.acts):
        return resume(game, entries)
    return resume(game, replace(entries, acts=entries.acts[:act_count], settled=None))


def _table(
    offer: GameOnOffer,
    shown: LiveRound | None,
    marks: Callable[[BoxLayout, int], tuple[int, ...]],
    boxes_before: tuple[BoxView, ...] = (),
) -> TableView:
    """Return what the cards and the rules alone say of a table; ``shown`` None: before the deal."""
    game, spec = offer.game, offer.game.spec
    layout = game.layout(shown.node) if shown else None
    main = spec.lines[0]
    return TableView(
        game=game.id,
        title=GAMES.get(game.id, UNNAMED_GAME),
        family=spec.family,
        phase="betting" if shown is None else "settled" if shown.outcome else "deciding",
        round_number=0,
        boxes=_boxes_in_play(game, layout, marks) if layout else boxes_before,
        dealer=_hand("d", layout.dealer, spec.family) if layout else HandView("d", ()),
        player=_hand("p", layout.player, spec.family) if layout and layout.player else None,
        felt_lines=felt_lines(offer),
        paytable=_paytable(game, shown),
        minimum_minor=main.minimum_minor,
        maximum_minor=main.maximum_minor,
        banner=_banner(shown),
        banner_tone=_tone(shown),
    )


def bet_minor(state: State, environment: Environment) -> int:
    """Return what lies on the table: stakes of the round shown, else the cost of the chips put down."""
    shown = _round_shown(state)
    if shown is not None:
        return shown.cost_minor
    if not state.screen.bets:
        return 0
    return sum(bet.amount_minor for bet in state.screen.bets)


def win_minor(state: State) -> int:
    """Return what the last round paid, while its result is shown."""
    shown = _round_shown(state)
    return shown.outcome.paid_minor if shown is not None and shown.outcome is not None else 0


def felt_lines(offer: GameOnOffer) -> tuple[Text, ...]:
    """Return what is printed on the felt."""
    facts = offer.facts
    match offer.game.spec.family:
        case "poker":
            return (Text("felt", "Dealer plays with Ace-King or better"),)
        case "blackjack":
            numerator, denominator = next(row.pays for row in offer.game.paytable if row.name == "blackjack") or (3, 2)
            args = (("numerator", numerator), ("denominator", denominator))
            stands = facts.get("soft_17", "stand") == "stand"
            soft_17 = Text("felt", "Dealer stands on all 17s") if stands else Text("felt", "Dealer hits soft 17")
            return (Text("felt", "Blackjack pays {numerator} to {denominator}", args), soft_17)
        case _:
            return (Text("felt", "Third card by the fixed rules"),)


def _round_shown(state: State) -> LiveRound | None:
    if state.live is not None:
        return state.live
    last = state.last
    if state.screen.shows_result and last is not None and last.opened.game == state.screen.game:
        return last
    return None


def _boxes_before(state: State, game: Game) -> tuple[BoxView, ...]:
    spec, bets = game.spec, state.screen.bets
    spots = spots_of(game)
    selected = spots[state.screen.spot % len(spots)]
    bought = list(dict.fromkeys(bet.position for bet in bets))
    full = len(bought) >= spec.max_boxes
    views = []
    for position in spec.positions:
        lying = {bet.line: bet.amount_minor for bet in bets if bet.position == position}
        touching = any(abs(position - other) <= 1 for other in bought) or not bought or not spec.neighbours_only
        can_buy = not full and touching
        blind = position in bought and spec.blind_from is not None and bought.index(position) + 1 >= spec.blind_from
        views.append(
            BoxView(
                position=position,
                state="bet" if lying else "open" if can_buy else "closed",
                spots=tuple(
                    SpotView(
                        line.line,
                        _line(line.line),
                        lying.get(line.line, 0),
                        None,
                        line.minimum_minor,
                        line.maximum_minor,
                        selected=Spot(position, line.line) == selected,
                    )
                    for line in spec.lines
                ),
                blind=blind,
            )
        )
    return tuple(views)


def _boxes_in_play(
    game: Game, layout: TableLayout, marks: Callable[[BoxLayout, int], tuple[int, ...]]
) -> tuple[BoxView, ...]:
    in_play = {box.box: box for box in layout.boxes}
    views = []
    for position in game.spec.positions:
        box = in_play.get(position)
        views.append(_box(game, box, marks) if box else BoxView(position, "closed"))
    return tuple(views)


def _box(game: Game, box: BoxLayout, marks: Callable[[BoxLayout, int], tuple[int, ...]]) -> BoxView:
    family = game.spec.family
    known = {line.line for line in game.spec.lines}
    paid = [line.paid_minor for line in box.lines if line.paid_minor is not None]
    return BoxView(
        position=box.box,
        state=box.state,
        hands=tuple(_hand(f"b{box.box}.{i}", hand, family, marks(box, i)) for i, hand in enumerate(box.hands)),
        spots=tuple(
            SpotView(
                line.line,
                _line(line.line),
                line.staked_minor,
                line.paid_minor,
                line_spec(game, line.line).minimum_minor if line.line in known else 0,
                line_spec(game, line.line).maximum_minor if line.line in known else 0,
            )
            for line in box.lines
        ),
        blind=box.state == "blind",
        result=box.result or "",
        result_text=RESULTS.get(box.result or ""),
        won_minor=sum(paid),
    )


def _marks(state: State, box: BoxLayout, hand: int) -> tuple[int, ...]:
    live = state.live
    if live is None or (live.decision.box, live.decision.hand) != (box.box, hand):
        return ()
    return state.screen.marked


def _hand(key: str, hand: HandLayout, family: str, marked: tuple[int, ...] = ()) -> HandView:
    name = hand.name or ""
    caption = hand_text(name)
    if caption is not None and hand.second_name and (second := hand_text(hand.second_name)) is not None:
        caption = Text("hand", "{first} + {second}", (("first", caption), ("second", second)))
    return HandView(
        key=key,
        cards=tuple(
            CardView(
                f"{key}.{index}",
                card_text(slot.card) if slot.card is not None else "",
                selected=index in marked,
                best=index in hand.best,
                dead=slot.mark == "dead",
            )
            for index, slot in enumerate(hand.slots)
        ),
        caption=caption,
        total="" if family == "poker" else total_text(name),
        active=hand.active,
        result=hand.result or "",
        result_text=RESULTS.get(hand.result or ""),
    )


def _line(line: str) -> Text:
    return LINES.get(line, Text("line", "Bet"))


def _paytable(game: Game, shown: LiveRound | None) -> tuple[PaytableLine, ...]:
    hit: set[tuple[str, str]] = set()
    if shown is not None and shown.outcome is not None:
        for box in shown.outcome.boxes:
            won = {line.line for line in box.lines if line.paid_minor > line.staked_minor}
            hit |= {
                (line, name) for line in won for hand in box.hands for name in (hand.name, hand.second_name or "", line)
            }
    return tuple(_pay_line(row, (row.line, row.name) in hit) for row in game.paytable)


def pay_label(row: PaytableRow) -> Text:
    """Return what a paytable row is for: a hand class, a betting line, or a line's special case."""
    special = PAY_LABELS.get((row.line, row.name))
    return special or HANDS.get(row.name) or _line(row.line)


def _pay_line(row: PaytableRow, lit: bool) -> PaytableLine:
    label = pay_label(row)
    if row.pays is not None:
        return PaytableLine(label, f"{row.pays[0]} : {row.pays[1]}", lit=lit)
    if row.percent_of_meter is not None:
        return PaytableLine(label, f"{row.percent_of_meter} %", lit=lit)
    return PaytableLine(label, "", Money(row.amount_minor or 0), lit=lit)


def _banner(shown: LiveRound | None) -> Text | None:
    outcome = shown.outcome if shown is not None else None
    if outcome is None or shown is None:
        return None
    won = outcome.paid_minor
    if outcome.dealer_qualifies is False and any(box.result == "no_qualify" for box in outcome.boxes):
        return Text("banner", "Dealer does not qualify. You receive {amount}", (("amount", Money(won)),))
    if won > outcome.staked_minor:
        return Text("banner", "You win {amount}", (("amount", Money(won)),))
    if all(line.paid_minor == line.staked_minor for box in outcome.boxes for line in box.lines):
        return Text("banner", "Push. Your stakes are returned")
    if won:
        return Text("banner", "You receive {amount}", (("amount", Money(won)),))
    return Text("banner", "The house wins")


def _tone(shown: LiveRound | None) -> str:
    outcome = shown.outcome if shown is not None else None
    if outcome is None or outcome.paid_minor <= outcome.staked_minor:
        return "info" if outcome is None or outcome.paid_minor else "lose"
    return "big_win" if outcome.paid_minor >= 10 * outcome.staked_minor else "win"


def _roads(history: tuple[RoundEntries, ...], offer: GameOnOffer) -> tuple[str, ...]:
    past = (entries for entries in history if entries.opened.game == offer.game.id)
    return tuple(_winner(cast("Any", offer.game), entries) for entries in past)


@lru_cache(maxsize=64)
def _winner(game: Any, entries: RoundEntries) -> str:
    """Who won a past coup, ``B``, ``P`` or ``T``; replayed once from its entries and kept."""
    outcome = resume(game, entries).outcome
    return coup_result(outcome).winner[0].upper() if outcome is not None else ""


def _shoe_left(state: State, game: Game) -> int | None:
    shoe = state.recorded.shoes.get(game.id)
    if not game.spec.shoe_carried or shoe is None:
        return None
    return max(len(shoe.order) // 2 - shoe.used_count, 0)
