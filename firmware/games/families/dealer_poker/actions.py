"""What a player may do at a poker table, what it costs, and why something else is refused.

Every rule about legality lives in ``_refusal``; the list of choices is what it does not refuse. Not responsible for
cards (``dealing``) or for the end of a round (``settlement``).
"""

from collections.abc import Iterator
from dataclasses import replace

from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, rank_best
from firmware.games.contract import Action, ActionRefusedError, Choice
from firmware.games.families.dealer_poker.state import BoxState, PokerRound, Stage
from firmware.games.families.dealer_poker.table import BET_ANTES, Antes, Rules
from firmware.money import is_exact, times


def choices(rules: Rules, state: PokerRound, balance_minor: int) -> tuple[Choice, ...]:
    """Return the legal actions for the box whose turn it is."""
    return tuple(
        Choice(name, _cost_minor(rules, state.active, name, count), count)
        for name, count in _candidates(rules, state)
        if _refusal(rules, state, name, count, balance_minor) is None
    )


def _candidates(rules: Rules, state: PokerRound) -> Iterator[tuple[str, int]]:
    if state.stage is Stage.OFFER:
        yield from (("take_ante", 0), ("buy_dealer_card", 0))
        return
    yield "raise", 0
    if not state.active.drawn:
        yield from (("exchange", count) for count in rules.exchange)
        if rules.sixth_card is not None:
            yield "buy_card", 0
    yield "fold", 0


def _price(rules: Rules, name: str, count: int) -> Antes | None:
    """Return what an action sells for, None for one that is not sold or free."""
    if name == "exchange":
        return rules.exchange.get(count)
    if name == "buy_card":
        return rules.sixth_card
    if name == "buy_dealer_card":
        return rules.dealer_game
    return None


def _cost_minor(rules: Rules, box: BoxState, name: str, count: int) -> int:
    if name == "raise":
        return BET_ANTES * box.ante_minor
    price = _price(rules, name, count)
    return 0 if price is None else times(box.ante_minor, *price)


def _refusal(rules: Rules, state: PokerRound, name: str, count: int, balance_minor: int) -> str | None:
    """Return why the active box can't do this, or None if it can."""
    if (name in ("take_ante", "buy_dealer_card")) != (state.stage is Stage.OFFER):
        if state.stage is Stage.OFFER:
            return "the dealer does not qualify; only take_ante or buy_dealer_card is possible"
        return "the dealer's game is not on offer"
    box = state.active
    if name in ("fold", "take_ante"):
        return None
    if name == "raise":
        return _raise_refusal(rules, box, balance_minor)
    if name in ("exchange", "buy_card") and box.drawn:
        return "it has drawn cards already; only raise or fold is possible"
    price = _price(rules, name, count)
    if price is None:
        return _not_sold(rules, name, count)
    if not is_exact(box.ante_minor, *price):
        return f"a fee of {price[0]}/{price[1]} antes of {box.ante_minor} is not a whole amount"
    return _guard(rules, box, name, times(box.ante_minor, *price), balance_minor)


def _raise_refusal(rules: Rules, box: BoxState, balance_minor: int) -> str | None:
    bet = BET_ANTES * box.ante_minor
    if balance_minor < bet:
        return f"balance {balance_minor} does not cover the bet {bet}"
    if box.drawn and rules.profile.after_draw == "must_improve" and rank_best(box.cards) <= rank_best(box.dealt):
        return "the draw did not improve the hand; only fold is possible"
    return None


def _not_sold(rules: Rules, name: str, count: int) -> str:
    if name == "exchange" and rules.exchange:
        counts = " or ".join(str(number) for number in rules.exchange)
        return f"{count} cards can't be exchanged here, but {counts}"
    return f"there is no {name!r} at this table"


def _guard(rules: Rules, box: BoxState, name: str, fee: int, balance_minor: int) -> str | None:
    """Return why the balance does not allow a fee: what is drawn for must be playable afterwards."""
    guarded = name == "exchange" or (name == "buy_card" and rules.profile.sixth_card_guard)
    bet = BET_ANTES * box.ante_minor if guarded else 0
    if balance_minor >= fee + bet:
        return None
    return f"balance {balance_minor} does not cover the fee {fee}" + (f" and then the bet {bet}" if bet else "")


def act(rules: Rules, state: PokerRound, action: Action, balance_minor: int) -> PokerRound:
    """Return the round after an action of the active box; still at ``turn``, with the stage that follows.

    Raises:
        ActionRefusedError: naming the box and the reason.
    """
    box = state.active
    where = f"box {action.box} {action.name}"
    if action.box != box.box:
        raise ActionRefusedError(f"{where}: it is box {box.box}'s turn")
    if action.hand != 0:
        raise ActionRefusedError(f"{where}: there is no hand {action.hand}")
    if action.cards and action.name != "exchange":
        raise ActionRefusedError(f"{where}: it takes no cards")
    refusal = _refusal(rules, state, action.name, len(action.cards), balance_minor)
    if refusal is not None:
        raise ActionRefusedError(f"{where}: {refusal}")
    if action.name == "exchange":
        _check_discards(box, action)
    return _after(rules, state, box, action)


def _check_discards(box: BoxState, action: Action) -> None:
    if len(set(action.cards)) != len(action.cards):
        raise ActionRefusedError(f"box {action.box} exchange: a card is named twice")
    if not set(action.cards) <= set(box.cards):
        raise ActionRefusedError(f"box {action.box} exchange: it does not hold all of these cards")


def _after(rules: Rules, state: PokerRound, box: BoxState, action: Action) -> PokerRound:
    name = action.name
    cost = _cost_minor(rules, box, name, len(action.cards))
    if name == "raise":
        return state.with_active(replace(box, bet_minor=cost), Stage.PLAY)
    if name == "fold":
        return state.with_active(replace(box, folded=True), Stage.PLAY)
    if name == "exchange":
        discards = action.cards
        if rules.profile.replacement_order == "card_position":
            discards = tuple(sorted(discards, key=box.cards.index))
        return state.with_active(replace(box, drawn=name, draw_fee_minor=cost), Stage.DRAW, discards)
    if name == "buy_card":
        return state.with_active(replace(box, drawn=name, draw_fee_minor=cost), Stage.DRAW)
    return state.with_active(replace(box, offer_answer=name, game_fee_minor=cost), Stage.OFFER)


def is_offered(rules: Rules, box: BoxState) -> bool:
    """Tell whether a box in play is offered the game of a dealer who does not qualify."""
    if rules.dealer_game is None or box.folded or box.blind:
        return False
    return rules.profile.dealer_game_offer == "always" or rank_best(box.cards) >= LOWEST_ACE_KING_KEY
