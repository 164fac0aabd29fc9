"""A player in front of the real window: plays every game to a win, a loss and a push, by one kind of input alone.

Runs in a process of its own on a virtual screen: ``python -m tests.support.window_player KIND DATA_DIR CACHE_DIR``, KIND
being ``mouse``, ``touch`` or ``keys``. The mouse and the keys are real ones of the X server, moved by xdotool; fingers
are events of SDL, as a touch screen's driver makes them, so they work on any kind of screen (Wayland too). Prints one line of JSON for each hand. After each hand the
money on the screen, the money in the view and the money in the journal must be the same.
"""

import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame

from display.canvas import side_by_side
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Hit, Label
from display.scenes.cabinet import PANEL_HEIGHT, PANEL_WIDTH
from display.text import Writer
from display.view_model import View
from firmware.cards.card import Card, parse_cards
from firmware.journal.store import open_store
from firmware.memory import load_recorded
from firmware.simulator.window import SimulatorWindow
from tests.support.cabinet import settings_for

SIZE: Final = (1600, 720)
QUICK_CARD_MS: Final = 30
PATIENCE_S: Final = 40.0
BETWEEN_TOUCHES_S: Final = 0.12
"""Two touches of one place in less time are one touch that bounced."""
POKER: Final = {
    "win": "Ks Ah Kh As Kd 9d 7c 5c 7s 2h",
    "lose": "9s Ah Kd As 7s 8c 2h 3h 4d 5c",
    "push": "As Ad Kd Kh 9h 9c 5c 5s 3s 3d",
}
SUITS_DECIDE: Final = {**POKER, "push": "8h Qs 8d Js Qc 9d 5s 6c 2d 3h"}
"""Where suits decide there is no push; instead the dealer has no Ace-King."""
BLACKJACK: Final = {"win": "Ts 9h Kd 8c", "lose": "9s Th 8d Kc", "push": "Ts 9h 9d Tc"}
BACCARAT: Final = {"win": "4s 2h 5d 5c", "lose": "2s 4h 5d 5c", "push": "4s 4h 5d 5c"}
CARDS: Final = {
    "oasis": POKER,
    "oasis_jackpot": SUITS_DECIDE,
    "russian": POKER,
    "caribbean": POKER,
    "baccarat": BACCARAT,
    "open_blackjack": BLACKJACK,
    "one_deck_blackjack": BLACKJACK,
    "six_decks_blackjack": BLACKJACK,
    "european_blackjack": BLACKJACK,
}
WAYS_ON: Final = ("raise", "stand", "take_ante")
"""What the player says when he is asked."""

Condition = Callable[[View], bool]


class Hand:
    """The hand of a player: reaches for a target of the screen or of the panel by mouse or finger, or presses a key."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def reach(self, window: SimulatorWindow, target: str) -> None:
        """Touch the middle of a target."""
        index, hit = next(
            (index, hit) for index, frame in enumerate(window.frames) for hit in frame.targets() if hit.target == target
        )
        x, y = self._pixel(index, hit)
        if self.kind == "touch":
            self._finger(x, y)
        else:
            self.xdotool("mousemove", str(round(x)), str(round(y)))
            self.xdotool("click", "1")

    def press(self, slot: int) -> None:
        """Press the key that stands for a physical button."""
        self.xdotool("key", ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus", "equal")[slot - 1])

    def xdotool(self, *words: str) -> None:
        """Use the X server's own mouse and keyboard."""
        subprocess.run(["xdotool", *words], check=True, timeout=30)

    def _pixel(self, index: int, hit: Hit) -> tuple[float, float]:
        areas = ((CANVAS_WIDTH, CANVAS_HEIGHT), (PANEL_WIDTH, PANEL_HEIGHT))
        x, y, w, _ = side_by_side(pygame.display.get_window_size(), areas)[index]
        scale = w / (CANVAS_WIDTH, PANEL_WIDTH)[index]
        return x + (hit.box.x + hit.box.w / 2) * scale, y + (hit.box.y + hit.box.h / 2) * scale

    @staticmethod
    def _finger(x: float, y: float) -> None:
        width, height = pygame.display.get_window_size()
        where = {"touch_id": 1, "finger_id": 7, "x": x / width, "y": y / height, "dx": 0.0, "dy": 0.0}
        pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, where))
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, where))


class Player:
    """Plays step by step: each step does one thing and waits for what must follow."""

    def __init__(self, kind: str, data_dir: Path) -> None:
        self.hand = Hand(kind)
        self.data_dir = data_dir
        self.stacks: deque[tuple[Card, ...]] = deque()
        self.window: SimulatorWindow | None = None
        self._steps = self._whole_visit()
        self._condition: Condition = lambda _: True
        self._deadline = time.monotonic() + PATIENCE_S
        self._ready_at = 0.0
        self._what = "the start"

    def laid_cards(self) -> tuple[Card, ...]:
        """The cards of the next shuffle."""
        return self.stacks.popleft() if self.stacks else ()

    def after_frame(self, window: SimulatorWindow) -> bool:
        """Take the next step when what the last one needed has come. False at the end."""
        self.window = window
        view = window.shown_view
        if view is None or not window.frames or not self._condition(view):
            if time.monotonic() > self._deadline:
                raise TimeoutError(f"{self._what}: never came; {view}")
            return True
        if self.hand.kind == "touch" and time.monotonic() < self._ready_at:
            return True
        following = next(self._steps, None)
        self._ready_at = time.monotonic() + BETWEEN_TOUCHES_S
        if following is None:
            return False
        self._what, self._condition = following
        self._deadline = time.monotonic() + PATIENCE_S
        return True

    @property
    def view(self) -> View:
        """What the screen shows now."""
        assert self.window is not None
        assert self.window.shown_view is not None
        return self.window.shown_view

    def do(self, control: str) -> None:
        """Do what a button of the screen does, by touching it or by its physical button."""
        assert self.window is not None
        if self.hand.kind == "keys":
            self.hand.press(next(b.slot for b in self.view.buttons if b.id == f"button:{control}"))
        else:
            self.hand.reach(self.window, f"button:{control}")

    def _whole_visit(self) -> Iterator[tuple[str, Condition]]:
        assert self.window is not None
        yield "the money devices", lambda view: view.accepts_money
        self.hand.reach(self.window, "cabinet:note:10000")
        yield "the credit", lambda view: view.credit_minor == 10_000 and view.mode == "lobby"
        for game, hands in CARDS.items():
            yield from self._sit_down(game)
            carried = game == "six_decks_blackjack"
            if carried:
                self.stacks.append(parse_cards(" ".join(hands.values()).split()))
            for number, (outcome, cards) in enumerate(hands.items()):
                if not carried:
                    self.stacks.append(parse_cards(cards.split()))
                yield from self._play(game, outcome, number)
            yield from self._leave()

    def _sit_down(self, game: str) -> Iterator[tuple[str, Condition]]:
        assert self.window is not None
        if self.hand.kind == "keys":
            while not any(tile.game == game and tile.selected for tile in self.view.lobby):
                before = self.view
                self.do("next")
                yield "the next tile", lambda view, before=before: view != before  # type: ignore[misc]
            self.do("open")
        else:
            self.hand.reach(self.window, f"lobby:{game}")
        yield f"the table of {game}", lambda view: view.table is not None and view.table.game == game

    def _leave(self) -> Iterator[tuple[str, Condition]]:
        self.do("lobby")
        yield "the lobby", lambda view: view.mode == "lobby"

    def _play(self, game: str, outcome: str, number: int) -> Iterator[tuple[str, Condition]]:
        assert self.window is not None
        before_minor = self.view.credit_minor
        if number == 0:
            table = self.view.table
            assert table is not None
            if self.hand.kind == "keys":
                self.do("bet")
            else:
                self.hand.reach(self.window, "chip:100")
                yield "the chip", lambda view: any(c.selected and c.value_minor == 100 for c in view.chips)
                self.hand.reach(self.window, f"box:{table.boxes[0].position}:{table.boxes[0].spots[0].line}")
            yield "the bet", lambda view: view.bet_minor == 100
        round_number = self._rounds()
        self.do("deal")
        yield "the deal", lambda view: self._shows_round(view, round_number + 1)
        while self.view.table is not None and self.view.table.phase == "deciding":
            ready = {button.id.removeprefix("button:") for button in self.view.buttons if button.enabled}
            before = self._position(self.view)
            self.do(next(name for name in WAYS_ON if name in ready))
            yield "the next decision", lambda view, before=before: self._position(view) != before  # type: ignore[misc]
        yield "the result", lambda view: self._is_at_rest(view)
        self._report(game, outcome, self.view.credit_minor - before_minor)

    @staticmethod
    def _shows_round(view: View, number: int) -> bool:
        table = view.table
        return table is not None and table.phase in ("deciding", "settled") and table.round_number == number

    @staticmethod
    def _position(view: View) -> tuple[object, ...]:
        """What only a decision changes; the coach's words, that come when they are worked out, are no part of it."""
        controls = tuple((button.id, button.enabled) for button in view.buttons)
        return controls, view.bet_minor, view.table and replace(view.table, coach=())

    def _is_at_rest(self, view: View) -> bool:
        """Everything has arrived: only now the win meter has counted up."""
        assert self.window is not None
        settled = view.table is not None and view.table.phase == "settled"
        return settled and not self.window.frames[0].animating

    def _rounds(self) -> int:
        table = self.view.table
        assert table is not None
        return table.round_number - (1 if table.phase == "betting" else 0)

    def _report(self, game: str, outcome: str, net_minor: int) -> None:
        journal = open_store(self.data_dir, read_only=True)
        try:
            books = load_recorded(journal).books
        finally:
            journal.close()
        assert self.window is not None
        view, labels = self.view, {item.text for item in self.window.frames[0].items if isinstance(item, Label)}
        writer = Writer(view.language, view.money)
        shown = all(writer.amount(minor) in labels for minor in (view.credit_minor, view.bet_minor, view.win_minor))
        line = {
            "game": game,
            "outcome": outcome,
            "net_minor": net_minor,
            "view_minor": view.credit_minor,
            "ledger_minor": books.credit_minor,
            "win_minor": view.win_minor,
            "shown": shown,
        }
        print(json.dumps(line), flush=True)


def main() -> None:
    """Play."""
    kind, data_dir, cache_dir = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    player = Player(kind, data_dir)
    settings = settings_for(data_dir)
    quick = settings.player.model_copy(update={"deal_card_ms": QUICK_CARD_MS})
    window = SimulatorWindow(
        settings.model_copy(update={"player": quick}),
        size=SIZE,
        seed=1,
        cache_dir=cache_dir,
        on_frame=player.after_frame,
        laid_cards=player.laid_cards,
    )
    window.run()


if __name__ == "__main__":
    main()
