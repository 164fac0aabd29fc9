"""Decisions of play: placing chips, opening a round, the player's choices. Pure.

Not responsible for money in or out, nor for moving between scenes.
"""

import json
from collections.abc import Callable
from dataclasses import replace

from display.view_model import Text
from firmware.cards.card import Card
from firmware.entries import types as entry
from firmware.entries.keeping import ProfileUsed, profile_key
from firmware.games.contract import Action, ActionRefusedError, Outcome, StakeRefusedError
from firmware.ids import round_id
from firmware.rounds.live import LiveRound, Opening, act, open_round
from firmware.terminal.betting import (
    BetRefusedError,
    Spot,
    bets_from,
    check_affordable,
    doubled,
    place,
    spots_of,
    stakes_from,
    take_back,
    with_bets,
)
from firmware.terminal.coach import judged
from firmware.terminal.controls import choices_now, exchange_counts
from firmware.terminal.decide_shoe import shoe_to_deal
from firmware.terminal.faults import LARGE_WIN
from firmware.terminal.notices import refused
from firmware.terminal.state import Bet, GameOnOffer, State
from firmware.terminal.step import Environment, Step


def bet_on(state: State, environment: Environment, spot: Spot) -> Step:
    """Put a chip on a spot; the first chip after a result starts from an empty table."""
    offer = environment.games[state.screen.game]
    if spot not in spots_of(offer.game):
        return Step(state.screen)
    bets = state.screen.bets
    return _betting(
        state,
        environment,
        lambda: place(offer.game, bets, spot, state.screen.chip_minor, state.recorded.credit_minor),
    )


def unbet(state: State, environment: Environment, spot: Spot) -> Step:
    """Take the chips of a spot back."""
    game = environment.games[state.screen.game].game
    if spot not in spots_of(game):
        return Step(state.screen)
    return Step(with_bets(state.screen, take_back(game, state.screen.bets, spot))).with_sound("chip")


def clear(state: State, _: Environment) -> Step:
    """Take all chips back."""
    return Step(with_bets(state.screen, ())).with_sound("chip")


def undo(state: State, _: Environment) -> Step:
    """Go one step of betting back."""
    screen = state.screen
    if not screen.undo:
        return Step(screen)
    return Step(replace(screen, bets=screen.undo[-1], undo=screen.undo[:-1])).with_sound("chip")


def rebet(state: State, environment: Environment) -> Step:
    """Put the last round's stakes on the table again."""
    game = environment.games[state.screen.game].game

    def again() -> tuple[Bet, ...]:
        bets = bets_from(state.recorded.rebets.get(state.screen.game, ()))
        check_affordable(game, bets, state.recorded.credit_minor)
        return bets

    return _betting(state, environment, again)


def double_bets(state: State, environment: Environment) -> Step:
    """Double all bets up to their limits."""
    game = environment.games[state.screen.game].game
    return _betting(state, environment, lambda: doubled(game, state.screen.bets, state.recorded.credit_minor))


def deal(state: State, environment: Environment) -> Step:
    """Open a round with the bets on the table, or with the last round's when there are none.

    Raises SelfAuditError when the books and the meters disagree.
    """
    recorded, screen = state.recorded, state.screen
    offer = environment.games[screen.game]
    stakes = stakes_from(screen.bets) or recorded.rebets.get(screen.game, ())
    if not stakes:
        return refused(state, environment, Text("notice", "Place a bet first"))
    recorded.books.check()
    number = recorded.count("rounds") + 1
    ready = shoe_to_deal(state, offer, environment, number)
    if ready is None:
        return refused(state, environment, Text("notice", "Not possible now"))
    shoe, cut, is_fresh = ready
    opening = Opening(
        round_id=round_id(epoch_of(state), number),
        number=number,
        profile=offer.digest,
        shoe=shoe,
        is_fresh_shoe=is_fresh,
        credit_minor=recorded.credit_minor,
        jackpot_meter_minor=jackpot_meter(state, offer),
    )
    try:
        live, entries = open_round(offer.game, stakes, opening)
    except StakeRefusedError:
        return refused(state, environment, Text("notice", "These stakes can't be played; change them"))
    screen = replace(
        screen,
        bets=(),
        undo=(),
        marked=(),
        cut=0,
        shows_result=live.outcome is not None,
        dealt_at_ms=environment.now_ms,
    )
    step = Step(screen, (*_profile_entries(offer, environment), *cut, *entries))
    return _settling(step.with_sound("deal"), live, environment)


def choose(state: State, environment: Environment, name: str) -> Step:
    """Make a choice in the open round."""
    live = state.live
    if live is None:
        return Step(state.screen)
    decision = live.decision
    marked = state.screen.marked
    cards: tuple[Card, ...] = ()
    if exchange_counts(tuple(choice for choice in choices_now(state) if choice.name == name)):
        layout = live.game.layout(live.node)
        hand = next(box for box in layout.boxes if box.box == decision.box).hands[decision.hand]
        cards = tuple(card for index in marked if (card := hand.slots[index].card) is not None)
    action = Action(decision.box, name, cards, decision.hand)
    try:
        after, entries = act(live, action, state.recorded.credit_minor)
    except ActionRefusedError:
        return refused(state, environment, Text("notice", "Not possible now"))
    mistake = judged(state, environment.options, action)
    screen = replace(state.screen, marked=(), shows_result=after.outcome is not None, mistake=mistake)
    sound = "chip" if name in ("raise", "double", "split", "insurance") else "deal"
    return _settling(Step(screen, entries).with_sound(sound), after, environment)


def mark(state: State, index: int) -> Step:
    """Mark or unmark a card of the active hand for the exchange."""
    live = state.live
    if live is None or not exchange_counts(choices_now(state)):
        return Step(state.screen)
    decision = live.decision
    box = next(box for box in live.game.layout(live.node).boxes if box.box == decision.box)
    if not 0 <= index < len(box.hands[decision.hand].slots):
        return Step(state.screen)
    marked = set(state.screen.marked) ^ {index}
    return Step(replace(state.screen, marked=tuple(sorted(marked)))).with_sound("button")


def epoch_of(state: State) -> int:
    """Return the journal's epoch."""
    return state.recorded.commissioned.epoch if state.recorded.commissioned else 1


def jackpot_meter(state: State, offer: GameOnOffer) -> int | None:
    """Return the game's jackpot meter as it stands, None for a game without one."""
    seed_minor = offer.jackpot_seed_minor
    return None if seed_minor is None else state.recorded.jackpots_minor.get(offer.game.id, seed_minor)


def _profile_entries(offer: GameOnOffer, environment: Environment) -> tuple[entry.Entry, ...]:
    """The first round by a profile records it, so that the journal alone is enough to replay every round."""
    if environment.is_recorded(profile_key(offer.game.id, offer.digest)):
        return ()
    options = json.dumps(offer.facts, sort_keys=True, separators=(",", ":"), default=str)
    return (ProfileUsed(offer.game.id, offer.digest, options),)


def _settling(step: Step, live: LiveRound, environment: Environment) -> Step:
    """Add what a settled round brings besides its entries: the large-win lock-up and its sound."""
    outcome = live.outcome
    if outcome is None:
        return step
    won_minor = outcome.paid_minor - outcome.staked_minor
    if won_minor >= environment.options.large_win_minor:
        fault = entry.FaultRaised(LARGE_WIN, "terminal", f"{live.opened.round_id} {won_minor}")
        step = replace(step, entries=(*step.entries, fault))
        return step.with_sound("big_win")
    return step.with_sound(_sound_of(outcome))


def _sound_of(outcome: Outcome) -> str:
    if outcome.paid_minor > outcome.staked_minor:
        return "win_large" if outcome.paid_minor >= 5 * outcome.staked_minor else "win_small"
    return "push" if outcome.paid_minor == outcome.staked_minor else "lose"


def _betting(state: State, environment: Environment, change: Callable[[], tuple[Bet, ...]]) -> Step:
    try:
        bets = change()
    except BetRefusedError as error:
        return refused(state, environment, error.text)
    return Step(with_bets(state.screen, bets)).with_sound("chip")
