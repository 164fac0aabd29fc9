"""What moves: derived from successive views, drawn as a pure function of time.

``advance`` compares the new view with the last one and notes which card flies or turns, which chips travel, when the
win starts to count; everything is stored with its absolute start and duration. A frame asks only "where is it at this
time", so a slow frame, a skipped frame or a jump of the clock can't lose a step: after ``end_ms`` the picture is the
one of the view alone. The meters other than WIN never wait for motion. Not responsible for drawing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from display.draw_list import Box
from display.layout import table_places
from display.layout.frame import BOTTOM_BAR, meters
from display.layout.place import CardPlace, TablePlaces
from display.motion.tracks import CardTrack, ChipFlight, Roll, StackTrack
from display.view_model import CardView, Comfort, HandView, TableView, View

_SPEED: Final = {"slow": 1.6, "normal": 1.0, "fast": 0.5, "instant": 0.0}
_USUAL_CARD_MS: Final = 220
"""The house's pace for which the durations here are written."""
_STAGGER_MS: Final = 120
_FLY_MS: Final = 300
_TURN_MS: Final = 240
_NUDGE_MS: Final = 110
_NUDGE_PX: Final = 60
_CHIP_MS: Final = 320
_SWEEP_STAGGER_MS: Final = 24
_ROLL_MIN_MS: Final = 600
_ROLL_MAX_MS: Final = 3000
LONGEST_BACKLOG_MS: Final = 6000
"""Motion never lags further behind the view than this; beyond it everything jumps to its end."""

SpotKey = tuple[int, str]


@dataclass(frozen=True, slots=True)
class MotionState:
    """All that moves for the last view seen. Immutable; ``advance`` makes the next one."""

    view: View
    now_ms: float
    places: TablePlaces | None = None
    cards: Mapping[str, CardTrack] = field(default_factory=dict)
    leaving: tuple[CardTrack, ...] = ()
    stacks: Mapping[SpotKey, StackTrack] = field(default_factory=dict)
    flights: tuple[ChipFlight, ...] = ()
    win: Roll = Roll()
    reveal_ms: float = 0
    """When the cards of the last change lie open: only then results, banners and totals are shown."""
    scene_ms: float = 0
    """When the scene was entered."""
    notice_ms: float = 0
    """When the present notice appeared."""

    @property
    def end_ms(self) -> float:
        """When nothing moves any more."""
        ends = [track.end_ms for track in self.cards.values()]
        ends += [track.end_ms for track in self.leaving]
        ends += [flight.end_ms for flight in self.flights]
        ends += [stack.change_ms for stack in self.stacks.values()]
        return max([self.win.end_ms, self.reveal_ms, *ends])

    def hand_ready_ms(self, hand: HandView) -> float:
        """Return when all cards of a hand lie open."""
        return max((self.cards[card.key].end_ms for card in hand.cards if card.key in self.cards), default=0)


def shown_minor(staked_minor: int, paid_minor: int | None) -> int:
    """Return the chips lying on a spot: the stake, or after the settlement what came back."""
    return staked_minor if paid_minor is None else paid_minor


def hands_of(table: TableView) -> list[HandView]:
    """Return all hands in the order in which cards are dealt to them."""
    hands = [hand for box in table.boxes for hand in box.hands]
    if table.player is not None:
        hands.append(table.player)
    return [*hands, table.dealer]


def _cards_in_deal_order(table: TableView) -> list[CardView]:
    numbered = [
        (index, number, card) for number, hand in enumerate(hands_of(table)) for index, card in enumerate(hand.cards)
    ]
    return [card for _, _, card in sorted(numbered, key=lambda entry: entry[:2])]


def still(view: View, now_ms: float = 0) -> MotionState:
    """Return the state in which the view is simply there, with nothing moving."""
    state = MotionState(view, now_ms, win=Roll(view.win_minor, view.win_minor))
    if view.table is None:
        return state
    places = table_places(view.table)
    cards = {
        card.key: CardTrack(card.key, card.code, card.code, places.cards[card.key], places.cards[card.key])
        for card in _cards_in_deal_order(view.table)
        if card.key in places.cards
    }
    stacks = {
        (box.position, spot.line): StackTrack(amount, amount)
        for box in view.table.boxes
        for spot in box.spots
        for amount in (shown_minor(spot.staked_minor, spot.paid_minor),)
    }
    return replace(state, places=places, cards=cards, stacks=stacks)


def finished(state: MotionState, now_ms: float) -> MotionState:
    """Return the state with everything arrived (a tap skips the animation)."""
    return replace(still(state.view, now_ms), scene_ms=state.scene_ms, notice_ms=state.notice_ms)


def advance(state: MotionState | None, view: View, now_ms: float) -> MotionState:
    """Return the motion for a view that is shown from ``now_ms`` on, given what moved before.

    The first view of a scene is simply there. A clock that runs backwards, or a backlog of several seconds, finishes
    what was under way.
    """
    if state is None:
        return replace(still(view, now_ms), scene_ms=now_ms, notice_ms=now_ms)
    if now_ms < state.now_ms or state.end_ms - now_ms > LONGEST_BACKLOG_MS:
        state = finished(state, now_ms)
    if view is state.view or view == state.view:
        return replace(state, view=view, now_ms=now_ms)
    scene_ms = state.scene_ms if view.mode == state.view.mode else now_ms
    notice_ms = state.notice_ms if view.notice == state.view.notice else now_ms
    if not _continues(state.view.table, view.table) or _pace(view.comfort) == 0:
        following = still(view, now_ms)
        if view.win_minor > state.view.win_minor:
            following = replace(following, win=Roll(view.win_minor, view.win_minor, now_ms))
    else:
        following = _Change(state, view, now_ms).result()
    return replace(following, scene_ms=scene_ms, notice_ms=notice_ms)


def _continues(before: TableView | None, after: TableView | None) -> bool:
    """Tell whether two views show the same table, so that things move from one to the other."""
    if before is None or after is None:
        return False
    return (before.game, before.recall, before.demo) == (after.game, after.recall, after.demo)


def _pace(comfort: Comfort) -> float:
    """Return the factor on all durations; 0 means that nothing moves."""
    return 0.0 if comfort.reduced_motion else _SPEED[comfort.deal_speed] * comfort.deal_card_ms / _USUAL_CARD_MS


class _Change:
    """Works out the motion of one change of the view. A scratch object; its result is immutable."""

    def __init__(self, state: MotionState, view: View, now_ms: float) -> None:
        table = view.table
        if table is None or state.places is None:
            raise ValueError("motion between tables needs two tables")
        self.state, self.view, self.table, self.now_ms = state, view, table, now_ms
        self.before = state.places
        self.places = table_places(table)
        self.pace = _pace(view.comfort)
        self.shoe = CardPlace(self.places.shoe, self.places.shoe)
        self.discard = CardPlace(self.places.discard, self.places.discard)
        pending = [track.end_ms for track in state.cards.values() if track.end_ms > now_ms]
        self.clear_ms = max([now_ms, *pending])
        departs = [track.depart_ms for track in state.cards.values() if track.end_ms > now_ms]
        self.next_deal_ms = max([now_ms, *(depart + _STAGGER_MS * self.pace for depart in departs)])
        self.next_turn_ms = self.clear_ms
        self.leaving: list[CardTrack] = [track for track in state.leaving if track.end_ms > now_ms]
        self.flights: list[ChipFlight] = [flight for flight in state.flights if flight.end_ms > now_ms]

    def result(self) -> MotionState:
        """Return the motion state of the new view."""
        cards = self._cards()
        reveal_ms = max([self.now_ms, *(track.end_ms for track in cards.values())])
        stacks = self._stacks(reveal_ms)
        return MotionState(
            view=self.view,
            now_ms=self.now_ms,
            places=self.places,
            cards=cards,
            leaving=tuple(self.leaving),
            stacks=stacks,
            flights=tuple(self.flights),
            win=self._win(reveal_ms),
            reveal_ms=reveal_ms,
        )

    # --- cards

    def _cards(self) -> dict[str, CardTrack]:
        wanted = {card.key: card for card in _cards_in_deal_order(self.table) if card.key in self.places.cards}
        gone = [track for key, track in self.state.cards.items() if self._must_leave(track, wanted.get(key))]
        self._sweep(gone)
        tracks: dict[str, CardTrack] = {}
        for key, card in wanted.items():
            old = self.state.cards.get(key)
            if old is None or self._must_leave(old, card):
                tracks[key] = self._dealt(card)
            else:
                tracks[key] = self._kept(old, card)
        return tracks

    @staticmethod
    def _must_leave(track: CardTrack, card: CardView | None) -> bool:
        """A card leaves when its place is empty now, or shows another face or a back where a face was."""
        return card is None or bool(track.code and card.code != track.code)

    def _sweep(self, tracks: Iterable[CardTrack]) -> None:
        for number, track in enumerate(tracks):
            pose = track.pose(self.now_ms)
            if pose is None:
                continue
            self.leaving.append(
                CardTrack(
                    track.key,
                    pose.code,
                    pose.code,
                    CardPlace(pose.box, pose.box, pose.angle),
                    self.discard,
                    depart_ms=self.now_ms + number * _SWEEP_STAGGER_MS * self.pace,
                    fly_ms=_FLY_MS * self.pace,
                )
            )
        if self.leaving:
            self.next_deal_ms = max(self.next_deal_ms, max(track.depart_ms for track in self.leaving))

    def _dealt(self, card: CardView) -> CardTrack:
        depart = self.next_deal_ms
        self.next_deal_ms += _STAGGER_MS * self.pace
        fly = _FLY_MS * self.pace
        home = self.places.cards[card.key]
        origin = CardPlace(self.shoe.box, self.shoe.box, home.angle)
        return CardTrack(
            card.key, card.code, "", origin, home, depart, fly, depart + fly, _TURN_MS * self.pace, hidden_before=True
        )

    def _kept(self, old: CardTrack, card: CardView) -> CardTrack:
        home = self.places.cards[card.key]
        track = replace(old, home=home)
        if home != old.home:
            pose = old.pose(self.now_ms)
            if pose is not None:
                distance = abs(home.box.x - pose.box.x) + abs(home.box.y - pose.box.y)
                fly = (_NUDGE_MS if distance <= _NUDGE_PX else _FLY_MS) * self.pace
                origin = CardPlace(pose.box, pose.box, pose.angle)
                track = replace(track, origin=origin, depart_ms=self.now_ms, fly_ms=fly, hidden_before=False)
        if card.code != old.code:
            track = replace(
                track, code=card.code, before="", turn_at_ms=self.next_turn_ms, turn_ms=_TURN_MS * self.pace
            )
            self.next_turn_ms += _STAGGER_MS * self.pace
        return track

    # --- chips

    def _stacks(self, reveal_ms: float) -> dict[SpotKey, StackTrack]:
        stacks: dict[SpotKey, StackTrack] = {}
        for box in self.table.boxes:
            for spot in box.spots:
                key = (box.position, spot.line)
                after = shown_minor(spot.staked_minor, spot.paid_minor)
                stacks[key] = self._stack(key, after, spot.paid_minor is not None, reveal_ms)
        for key, old in self.state.stacks.items():
            if key not in stacks and old.after_minor and key in self.before.spots:
                self._fly(old.after_minor, self.before.spots[key].chip, self._credit(), self.now_ms)
        return stacks

    def _stack(self, key: SpotKey, after: int, settled: bool, reveal_ms: float) -> StackTrack:
        old = self.state.stacks.get(key, StackTrack(0, 0))
        if key not in self.places.spots:
            return StackTrack(after, after)
        chip = self.places.spots[key].chip
        was = old.after_minor
        if after == was:
            if key not in self.before.spots or self.before.spots[key].chip == chip or not after:
                return old
            landed = self._fly(after, self.before.spots[key].chip, chip, self.now_ms)
            return StackTrack(0, after, landed)
        start = reveal_ms if settled else self.now_ms
        far = self.places.house if settled else self._credit()
        if after > was:
            landed = self._fly(after - was, far, chip, start)
            return StackTrack(was, after, landed)
        self._fly(was - after, chip, far, start)
        return StackTrack(was, after, start)

    def _fly(self, amount_minor: int, origin: Box, target: Box, start_ms: float) -> float:
        flight = ChipFlight(amount_minor, _chip_at(origin), _chip_at(target), start_ms, _CHIP_MS * self.pace)
        self.flights.append(flight)
        return flight.end_ms

    def _credit(self) -> Box:
        """Chips of the player's slide over the edge of the rail, above his credit."""
        meter = meters(self.view.comfort.left_handed)["credit"]
        return Box(meter.x, BOTTOM_BAR.y - 76, meter.w, 72)

    # --- the win

    def _win(self, reveal_ms: float) -> Roll:
        old, new = self.state.view.win_minor, self.view.win_minor
        if new == old:
            return self.state.win
        if new < old:
            return Roll(new, new)
        ratio = (new - old) / max(self.view.bet_minor, 1)
        duration = min(_ROLL_MAX_MS, _ROLL_MIN_MS + 150 * ratio) * self.pace
        return Roll(old, new, reveal_ms, min(duration, _ROLL_MAX_MS))


def _chip_at(box: Box) -> Box:
    """Return a chip-sized box in the middle of a place."""
    size = 72.0
    return Box(box.x + (box.w - size) / 2, box.y + (box.h - size) / 2, size, size)
