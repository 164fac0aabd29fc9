"""The controls: what each action is now, whether it can be done, what it costs, and which physical button does it.

One table serves the screen's buttons, the lamps, the physical buttons and the decisions, so they can't disagree.
Not responsible for labels (``presenter``) or for doing anything (``decide``).
"""

from dataclasses import dataclass
from typing import Final

from display.view_model import Text
from firmware.games.contract import Choice, Decision
from firmware.terminal.availability import may_cash_out, may_play, mode
from firmware.terminal.betting import cost_minor
from firmware.terminal.decide_shoe import may_cut
from firmware.terminal.sessions import why_no_more_stakes
from firmware.terminal.state import GameOnOffer, State
from firmware.terminal.step import Environment

ACTION_SLOTS: Final = {
    "fold": 6,
    "surrender": 6,
    "take_ante": 6,
    "exchange": 7,
    "buy_card": 8,
    "buy_dealer_card": 8,
    "raise": 9,
    "hit": 9,
    "stand": 8,
    "double": 7,
    "split": 5,
    "insurance": 7,
    "no_insurance": 9,
    "no_surrender": 9,
}
"""Which physical button an action of a game has. An action that is missing here gets a free one."""
ACTION_TONES: Final = {
    "fold": "negative",
    "surrender": "negative",
    "raise": "positive",
    "hit": "positive",
    "take_ante": "positive",
    "exchange": "primary",
    "buy_dealer_card": "primary",
}
DEAL_SLOT: Final = 9
TOPICS: Final = ("rules", "hands", "settings", "session")
"""What a player's pages are about; they have the buttons from 5 on."""
PAD_KEYS: Final = (*"1234567890", "erase", "done")
"""What the twelve physical buttons are, from the first on, while a number is typed: as on the keypad of the screen."""
MARK_SLOTS: Final = 5
"""The first five buttons mark the five cards where cards can be exchanged."""

_FIRST_HAND: Final = Text("notice", "No earlier hand is kept")
_LAST_HAND: Final = Text("notice", "This is the last hand")
_BEGINNING: Final = Text("notice", "The hand begins here")
_END: Final = Text("notice", "The hand ends here")
_FIRST_PAGE: Final = Text("notice", "This is the first page")
_LAST_PAGE: Final = Text("notice", "This is the last page")


@dataclass(frozen=True, slots=True)
class Control:
    """An action of the player: ``id`` as in ``button:<id>``, physical button ``slot`` (0: none), and its state."""

    id: str
    slot: int
    enabled: bool = True
    cost_minor: int | None = None
    attention: bool = False
    tone: str = "neutral"
    reason: Text | None = None
    card_count: int = 0


def controls(state: State, environment: Environment) -> tuple[Control, ...]:
    """Return the controls of this moment."""
    match mode(state):
        case "menu":
            return _menu(state, environment)
        case "attract":
            return (Control("start", DEAL_SLOT, attention=True, tone="primary"), *_common(state))
        case "lobby":
            return (
                Control("previous", 1),
                Control("next", 2),
                Control("open", DEAL_SLOT, attention=True, tone="primary"),
                *_common(state),
            )
        case "help":
            return _pages(state, environment)
        case "table" if state.live is not None:
            return _deciding(state, state.live.decision)
        case "table":
            return _betting(state, environment)
        case _:
            return (Control("language", 10),)


def control(state: State, environment: Environment, control_id: str) -> Control | None:
    """Return the control with an id if it is there now."""
    return next((found for found in controls(state, environment) if found.id == control_id), None)


def control_of_slot(state: State, environment: Environment, slot: int) -> Control | None:
    """Return the control of a physical button, None when the button does nothing now."""
    return next((found for found in controls(state, environment) if found.slot == slot), None)


def exchange_counts(choices: tuple[Choice, ...]) -> tuple[int, ...]:
    """Return how many cards may be exchanged, empty where none can."""
    return tuple(choice.card_count for choice in choices if choice.card_count)


def choices_now(state: State) -> tuple[Choice, ...]:
    """Return the legal choices of the open round for the credit that is there."""
    if state.live is None or not isinstance(state.live.node, Decision):
        return ()
    return state.live.game.choices(state.live.decision, state.recorded.credit_minor)


def _common(state: State) -> tuple[Control, ...]:
    cash_out = may_cash_out(state)
    return (
        Control("language", 10),
        Control("help", 11),
        Control(
            "cash_out",
            12,
            enabled=cash_out,
            reason=None if cash_out else _why_no_cash_out(state),
        ),
    )


def _pages(state: State, environment: Environment) -> tuple[Control, ...]:
    pages, recorded = state.screen.pages, state.recorded
    leave = Control("back", DEAL_SLOT, attention=True, tone="primary")
    language = Control("language", 10)
    if pages.topic == "check":
        cash_out = may_cash_out(state)
        why_not = None if cash_out else _why_no_cash_out(state)
        proceed = Control("proceed", DEAL_SLOT, attention=True, tone="positive")
        return (proceed, language, Control("cash_out", 12, enabled=cash_out, reason=why_not))
    history = recorded.own_history
    if pages.topic == "hands" and history:
        steps = len(history[-1 - pages.hands_back].acts) if pages.hands_back < len(history) else 0
        return (
            Control("older", 1, enabled=pages.hands_back + 1 < len(history), reason=_FIRST_HAND),
            Control("newer", 2, enabled=pages.hands_back > 0, reason=_LAST_HAND),
            Control("step_back", 3, enabled=pages.steps_back < steps, reason=_BEGINNING),
            Control("step_on", 4, enabled=pages.steps_back > 0, reason=_END),
            Control("topic:fairness", 5),
            leave,
            language,
        )
    if pages.topic == "fairness" and pages.typed is not None and may_cut(state, environment):
        digits = (Control(f"digit:{key}", slot) for slot, key in enumerate(PAD_KEYS, 1))
        return (*digits, Control("back", 0))
    if pages.topic == "fairness":
        return (*_fairness(state, environment), leave, language)
    turn: tuple[Control, ...] = ()
    if pages.topic == "rules":
        count = environment.help_page_count(pages.game)
        turn = (
            Control("page_up", 1, enabled=pages.page > 0, reason=_FIRST_PAGE),
            Control("page_down", 2, enabled=pages.page + 1 < count, reason=_LAST_PAGE),
            *((Control("other_rules", 4),) if len(environment.games) > 1 else ()),
        )
    elif pages.topic == "settings":
        turn = (Control("page_up", 1), Control("page_down", 2), Control("select", 3))
    tabs = tuple(
        Control(f"topic:{topic}", slot, tone="positive" if topic == pages.topic else "neutral")
        for slot, topic in enumerate(TOPICS, 5)
    )
    return (*turn, *tabs, leave, language, Control("topic:fairness", 11))


def _fairness(state: State, environment: Environment) -> tuple[Control, ...]:
    back, history = state.screen.pages.hands_back, state.recorded.own_history
    cuttable = may_cut(state, environment)
    no_cut = Text("notice", "There is no shoe to cut now")
    return (
        Control("older", 1, enabled=back + 1 < len(history), reason=_FIRST_HAND),
        Control("newer", 2, enabled=back > 0, reason=_LAST_HAND),
        *(
            Control(name, slot, enabled=cuttable, tone="positive", reason=no_cut)
            for slot, name in enumerate(("cut_less", "cut_more", "cut_deep", "no_cut", "type_number"), 3)
        ),
    )


def _menu(state: State, environment: Environment) -> tuple[Control, ...]:
    """The operator's menu works by four buttons alone; what can't be reached in any other way stays dark."""
    page, menu = environment.menu_page(state, environment), state.screen.menu
    moves = len(page.choices) > 1 or page.sheet_count > 1 or page.step_count > 0
    chooses = bool(page.choices)
    select = (Control("select", DEAL_SLOT, attention=True, tone="primary"),) if chooses else ()
    return (
        Control("page_up", 1, enabled=moves),
        Control("page_down", 2, enabled=moves),
        Control("back", 8, enabled=menu is not None),
        *select,
        Control("language", 10),
    )


def _why_no_cash_out(state: State) -> Text:
    if state.recorded.credit_minor == 0:
        return Text("notice", "There is no credit to cash out")
    if state.live is not None:
        return Text("notice", "Finish the hand first")
    return Text("notice", "Cash-out is not possible now")


def _betting(state: State, environment: Environment) -> tuple[Control, ...]:
    offer: GameOnOffer = environment.games[state.screen.game]
    screen, credit_minor = state.screen, state.recorded.credit_minor
    cost = cost_minor(offer.game, screen.bets)
    rebet = state.recorded.rebets.get(screen.game, ())
    rebet_cost = offer.game.cost_minor(rebet) if rebet else 0
    deal_cost = cost if screen.bets else rebet_cost
    playable = may_play(state)
    has_chips = bool(screen.bets)
    why_not = why_no_more_stakes(state, environment)
    if not has_chips and not rebet:
        why_not = Text("notice", "Place a bet first")
    elif deal_cost > credit_minor:
        why_not = Text("notice", "Not enough credit")
    can_deal = playable and why_not is None
    shows_result = screen.shows_result and state.last is not None and not has_chips
    no_chips = Text("notice", "There are no chips on the table")
    poor = Text("notice", "Not enough credit")
    can_double = has_chips and 2 * cost <= credit_minor
    can_rebet = bool(rebet) and not has_chips and rebet_cost <= credit_minor
    why_no_rebet = Text("notice", "There is no earlier bet to repeat")
    if rebet:
        why_no_rebet = Text("notice", "Clear the table to repeat the last bet") if has_chips else poor
    return (
        Control("chip", 1, enabled=playable),
        Control("spot", 2, enabled=playable),
        Control(
            "bet",
            3,
            enabled=playable and credit_minor > 0,
            tone="positive",
            reason=None if credit_minor else Text("notice", "Insert a note or coins to play"),
        ),
        Control("undo", 4, enabled=playable and bool(screen.undo), reason=Text("notice", "There is nothing to undo")),
        Control("new_bets", 5, enabled=playable, tone="positive")
        if shows_result
        else Control("clear", 5, enabled=playable and has_chips, reason=no_chips),
        Control("rebet", 6, enabled=playable and can_rebet, cost_minor=rebet_cost or None, reason=why_no_rebet),
        Control("double_bets", 7, enabled=playable and can_double, reason=poor if has_chips else no_chips),
        Control("lobby", 8),
        Control(
            "deal",
            DEAL_SLOT,
            enabled=can_deal,
            cost_minor=deal_cost or None,
            attention=can_deal,
            tone="primary",
            reason=why_not,
        ),
        *_common(state),
    )


def _deciding(state: State, decision: Decision) -> tuple[Control, ...]:
    choices = choices_now(state)
    counts = exchange_counts(choices)
    marked = len(state.screen.marked)
    found: list[Control] = []
    if counts:
        slots = len(_own_cards(state, decision))
        found += [Control(f"mark:{index}", index + 1) for index in range(min(slots, MARK_SLOTS))]
    taken = {item.slot for item in found}
    for choice in _one_per_action(choices, marked):
        slot = ACTION_SLOTS.get(choice.name, 0)
        if slot in taken or slot == 0:
            slot = next((free for free in range(9, 0, -1) if free not in taken), 0)
        taken.add(slot)
        found.append(_choice_control(choice, slot, marked, counts))
    found.append(Control("language", 10))
    found.append(Control("help", 11))
    found.append(Control("cash_out", 12, enabled=False, reason=_why_no_cash_out(state)))
    return tuple(found)


def _own_cards(state: State, decision: Decision) -> tuple[int, ...]:
    if state.live is None:
        return ()
    layout = state.live.game.layout(state.live.node)
    for box in layout.boxes:
        if box.box == decision.box:
            return tuple(range(len(box.hands[decision.hand].slots)))
    return ()


def _one_per_action(choices: tuple[Choice, ...], marked: int) -> tuple[Choice, ...]:
    """Of the choices that differ only in the number of cards keep the one that fits what is marked."""
    kept: dict[str, Choice] = {}
    for choice in choices:
        if choice.name not in kept or choice.card_count == marked:
            kept[choice.name] = choice
    return tuple(kept.values())


def _choice_control(choice: Choice, slot: int, marked: int, counts: tuple[int, ...]) -> Control:
    tone = ACTION_TONES.get(choice.name, "neutral")
    if not choice.card_count:
        enabled = choice.name != "raise" or marked == 0 or not counts
        reason = None if enabled else Text("notice", "Exchange the marked cards or unmark them")
        return Control(choice.name, slot, enabled, choice.cost_minor or None, tone=tone, reason=reason)
    enabled = marked == choice.card_count
    reason = None
    if marked == 0:
        reason = Text("notice", "Mark the cards to exchange first")
    elif not enabled:
        reason = Text("notice", "So many cards can't be exchanged")
    cost = choice.cost_minor if enabled else None
    return Control(choice.name, slot, enabled, cost, attention=enabled, tone=tone, reason=reason, card_count=marked)
