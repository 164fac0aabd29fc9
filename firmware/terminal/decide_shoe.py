"""Decisions about the shoe that is dealt next: prepared and committed to before anybody can bet, cut by the player. Pure.

A game at whose table somebody sits, and whose next round needs a fresh shoe, always has one prepared: it is recorded in
the transaction that makes it needed (the end of a round, a start at the table) or by sitting down. So its commitment is
on the screen before the first chip, and a power cut changes neither. Not responsible for opening the round
(``decide_play``) or for what a commitment is (``fairness``).
"""

from dataclasses import replace

from firmware.cards.card import DECK
from firmware.entries import types as entry
from firmware.entries.fairness import ShoeCut, ShoePrepared
from firmware.fairness.commitment import card_count, commitment_of
from firmware.ids import laid_shoe_id, shoe_id
from firmware.rng.source import RandomnessError
from firmware.rounds.shoes import PreparedShoe, ShoeInPlay, order_text
from firmware.terminal.availability import may_play
from firmware.terminal.faults import RANDOMNESS, is_up
from firmware.terminal.state import GameOnOffer, State
from firmware.terminal.step import Environment, Step


def with_shoe_ready(state: State, step: Step, environment: Environment) -> Step:
    """Return the step that also prepares the shoe of the table where the player sits, if it is needed and not there.

    Randomness that fails its health tests prepares none and is a fault that stops everything.
    """
    offer = environment.games.get(step.screen.game)
    if step.screen.scene != "table" or offer is None or not may_play(state) or not _is_missing(state, step, offer):
        return step
    try:
        prepared = _prepared(state, offer, environment)
    except RandomnessError as error:
        if is_up(state, RANDOMNESS, "terminal"):
            return step
        return replace(step, entries=(*step.entries, entry.FaultRaised(RANDOMNESS, "terminal", str(error))))
    return replace(step, entries=(*step.entries, prepared))


def shoe_in_front(state: State, offer: GameOnOffer) -> PreparedShoe | None:
    """Return the prepared shoe from which the game's next round will be dealt; None while a carried shoe goes on."""
    prepared = state.recorded.prepared.get(offer.game.id)
    if prepared is None or card_count(prepared.order) != len(DECK) * offer.game.spec.deck_count:
        return None
    return prepared


def may_cut(state: State, environment: Environment) -> bool:
    """Tell whether the player may cut: he sits at a table whose next shoe is prepared, and no hand is open."""
    offer = environment.games.get(state.screen.game)
    at_table = "table" in (state.screen.scene, state.screen.pages.back_to)
    return at_table and state.live is None and offer is not None and shoe_in_front(state, offer) is not None


def commitment_shown(state: State, offer: GameOnOffer) -> str:
    """Return the commitment to the cards of the open round, or of the next one; empty when there is none."""
    prepared = shoe_in_front(state, offer)
    if prepared is not None:
        return prepared.commitment
    shoe = state.recorded.shoes.get(offer.game.id)
    return shoe.commitment if shoe is not None else ""


def shoe_to_deal(
    state: State, offer: GameOnOffer, environment: Environment, round_number: int
) -> tuple[ShoeInPlay, tuple[entry.Entry, ...], bool] | None:
    """Return the shoe for a new round, what has to be recorded of it, and whether it is fresh; None when none is ready."""
    carried = state.recorded.shoes.get(offer.game.id)
    if carried is not None and not _is_spent(offer, carried.used_count):
        return carried.in_play(), (), False
    laid = environment.laid_shoe(offer.game.spec.deck_count)
    if laid:
        return ShoeInPlay(laid_shoe_id(_epoch(state), round_number), laid), (), True
    prepared = shoe_in_front(state, offer)
    if prepared is None:
        return None
    position = state.screen.cut % card_count(prepared.order)
    entries = (ShoeCut(prepared.shoe_id, position),) if position else ()
    shoe = replace(prepared, cut=position).record(0)
    return shoe.in_play(), entries, True


def _prepared(state: State, offer: GameOnOffer, environment: Environment) -> ShoePrepared:
    number = state.recorded.count("shoes") + 1
    name = shoe_id(_epoch(state), number)
    order = order_text(environment.shuffle(offer.game.spec.deck_count))
    salt = environment.salt().hex()
    return ShoePrepared(number, name, offer.game.id, order, salt, commitment_of(name, salt, order))


def _is_missing(state: State, step: Step, offer: GameOnOffer) -> bool:
    """Tell whether the game's next round would need a fresh shoe and none is prepared, once the step is recorded."""
    opened = next((found for found in step.entries if isinstance(found, entry.RoundOpened)), None)
    settled = next((found for found in step.entries if isinstance(found, entry.RoundSettled)), None)
    if opened is None and state.live is not None:
        opened = state.live.opened
    if opened is not None:
        if settled is None or opened.game != offer.game.id:
            return False
        return _is_spent(offer, opened.first_card + settled.card_count)
    if shoe_in_front(state, offer) is not None:
        return False
    carried = state.recorded.shoes.get(offer.game.id)
    return carried is None or _is_spent(offer, carried.used_count)


def _is_spent(offer: GameOnOffer, used_count: int) -> bool:
    """Tell whether a shoe of the game is put away after so many cards."""
    spec = offer.game.spec
    return not spec.shoe_carried or used_count >= spec.cut_after_count


def _epoch(state: State) -> int:
    return state.recorded.commissioned.epoch if state.recorded.commissioned else 1
