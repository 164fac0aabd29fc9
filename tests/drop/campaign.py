"""Rounds with trouble, and what the hardware then physically holds against what the closed period says, to the cent.

Somebody plays; devices jam, run short and lose power; an attendant pays by hand what the screen asks for and writes it
down; an operator empties the cash box, counts it piece by piece, refills the hopper and closes the period. Whatever the
books and the metal disagree on is a line of ``problems``. Not responsible for how many rounds (``__main__``).
"""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from firmware.ledger import accounts
from firmware.terminal.step import ClosePeriod, CollectCashBox, RefillHopper
from hal.simulated.ground import ImpossibleAction
from tests.support.cabinet import CabinetUnderTest

GAMES = (("baccarat", "player"), ("oasis", "ante"), ("six_decks_blackjack", "main"))
_ROUNDS_A_VISIT = 12
_FULL_HOPPER = 400


@dataclass
class Campaign:
    """One cabinet and the people around it."""

    cabinet: CabinetUnderTest
    chance: random.Random
    plant: Callable[[CabinetUnderTest], None] = lambda _: None
    """Something wrong that is done to the hardware behind the program's back, once a visit."""
    problems: list[str] = field(default_factory=list)
    troubles: dict[str, int] = field(default_factory=dict)
    periods: int = 0
    paid_by_hand_minor: int = 0
    """What the attendant has taken out of his own purse since the last period."""
    poured_minor: int = 0
    """Coins poured into the hopper less coins taken out of it by hand since the last period."""
    meters: Mapping[str, int] = field(default_factory=dict)
    """The master meters at the last closing."""
    hopper_before_minor: int = 0
    paid_before_minor: int = 0

    @property
    def rounds(self) -> int:
        """Rounds so far."""
        return self.cabinet.terminal.state.recorded.count("rounds")

    def begin(self) -> None:
        """Switch on, fill the hopper, and begin a period with it."""
        self.cabinet.boot()
        self._fill_hopper()
        self.close_period()
        self.problems.clear()
        self.periods = 0

    def visit(self) -> None:
        """A guest comes, plays some rounds with trouble in between, and goes; then the house is in order again."""
        cabinet, chance = self.cabinet, self.chance
        cabinet.insert_note(chance.choice((500, 1_000, 2_000)))
        self._hand("insert_coin", chance.choice((50, 100, 200)), wait_ms=1_500)
        game, line = chance.choice(GAMES)
        for _ in range(chance.randrange(3, _ROUNDS_A_VISIT)):
            if not self._play(game, line):
                break
            if chance.random() < 0.1:
                self._trouble()
        self._leave()
        self.plant(cabinet)
        self._tidy_up()

    def close_period(self) -> None:
        """Count everything, compare it with the books, collect, refill and close."""
        cabinet, readings = self.cabinet, self.cabinet.world.readings
        books = cabinet.books
        self.meters = books.meters
        box = cabinet.terminal.state.recorded.cash_box
        cabinet.terminal.handle(CollectCashBox())
        self._hand("open_door", "cash_box")
        notes, coins = cabinet.world.remove_cash_box()
        self._hand("insert_cash_box")
        self._hand("close_door", "cash_box")
        cabinet.terminal.handle(ClosePeriod("operator"))
        self._same(
            "period was closed", cabinet.terminal.state.recorded.periods.history[-1].number, self._period_number()
        )
        closed = cabinet.terminal.state.recorded.periods.history[-1].meters
        counted = {f"note.{minor}": n for minor, n in notes.items() if n}
        counted |= {f"coin.{minor}": n for minor, n in coins.items() if n}
        self._same("cash box, piece by piece", dict(box.pieces), counted)
        worth = sum(minor * n for minor, n in (*notes.items(), *coins.items()))
        self._same("cash box", books.balance(accounts.CASH_BOX), worth)
        self._same("drop of the period", closed.get("drop_minor", 0), worth)
        self._same("collected in the period", closed.get("collected_minor", 0), worth)
        paid = readings.tray_minor + readings.taken_minor - self.paid_before_minor
        by_hopper = closed.get("hopper_paid_minor", 0) + closed.get("hopper_extra_minor", 0)
        self._same("coins that left the hopper", by_hopper, paid)
        into = closed.get("coins_to_hopper_minor", 0)
        expected = self.hopper_before_minor + self.poured_minor + into - by_hopper
        self._same("coins in the hopper", expected, readings.hopper_minor)
        self._same("paid by hand", closed.get("handpaid_minor", 0), self.paid_by_hand_minor)
        came = closed.get("notes_in_minor", 0) + closed.get("coins_in_minor", 0)
        won = closed.get("coin_in_minor", 0) - closed.get("coin_out_minor", 0) - closed.get("voided_minor", 0)
        left = by_hopper - closed.get("hopper_extra_minor", 0) + closed.get("handpaid_minor", 0)
        self._same("takings and the house's win", came - left, won)
        self.periods += 1
        self.paid_by_hand_minor = self.poured_minor = 0
        self._fill_hopper()
        self.poured_minor = 0
        readings = self.cabinet.world.readings
        self.hopper_before_minor = readings.hopper_minor
        self.paid_before_minor = readings.tray_minor + readings.taken_minor

    def _period_number(self) -> int:
        return self.cabinet.terminal.state.recorded.periods.number - 1

    def _same(self, what: str, books: object, metal: object) -> None:
        if books != metal:
            self.problems.append(f"period {self._period_number()}: {what}: the books say {books}, counted {metal}")

    def _hand(self, deed: str, *what: object, wait_ms: int = 200, **how: object) -> None:
        """Do something with the hardware; what is not possible just now is left."""
        with suppress(ImpossibleAction):
            getattr(self.cabinet.world, deed)(*what, **how)
        self.cabinet.wait(wait_ms)

    # --- people -------------------------------------------------------------------------------------------------------

    def _play(self, game: str, line: str) -> bool:
        """Play one round; tell whether the table was open."""
        cabinet, before = self.cabinet, self.rounds
        if cabinet.view.mode != "table" or cabinet.terminal.state.screen.game != game:
            cabinet.press_if_there("lobby")
            if cabinet.view.mode not in ("attract", "lobby"):
                return False
            cabinet.sit_down(game)
        cabinet.touch(f"box:1:{line}")
        cabinet.press_if_there("deal")
        for _ in range(12):
            if cabinet.terminal.state.live is None:
                break
            names = [b.id for b in cabinet.view.buttons if b.enabled and b.slot in range(1, 10)]
            cabinet.touch(self.chance.choice([n for n in names if "mark" not in n] or names or ["button:deal"]))
        return self.rounds > before

    def _leave(self) -> None:
        self.cabinet.press_if_there("cash_out")
        for _ in range(60):
            self.cabinet.wait(500)
            if self.cabinet.terminal.state.recorded.payout is None:
                break
            if self.cabinet.terminal.state.recorded.payout.hopper_done:
                break
        self._tidy_up()

    def _tidy_up(self) -> None:
        """The attendant pays what the screen asks for, frees jams and clears faults, until money can come again."""
        cabinet = self.cabinet
        for device in ("notes", "coins", "hopper"):
            self._hand("clear_jam", device, wait_ms=60)
        for _ in range(6):
            payout = cabinet.view.payout
            asked_minor = payout.rest_minor if payout is not None and payout.kind == "handpay" else 0
            for key in ("attendant", "operator"):
                self._hand("turn_key", key, wait_ms=60)
                self._hand("turn_back_key", key, wait_ms=60)
            cabinet.wait(300)
            if cabinet.view.payout is None:
                self.paid_by_hand_minor += asked_minor
            if cabinet.view.payout is None and not cabinet.view.faults:
                break
        cabinet.world.take_returned()

    def _fill_hopper(self) -> None:
        missing = _FULL_HOPPER - self.cabinet.world.readings.hopper_coin_count
        if missing > 0:
            self._hand("refill_hopper", missing)
            self.cabinet.terminal.handle(RefillHopper(missing))
            self.poured_minor += missing * 100

    # --- trouble ------------------------------------------------------------------------------------------------------

    def _trouble(self) -> None:
        name = self.chance.choice(sorted(self._TROUBLES))
        self.troubles[name] = self.troubles.get(name, 0) + 1
        self._TROUBLES[name](self)

    def _power_cut_with_a_note(self) -> None:
        if self.cabinet.world.readings.note_state in ("ready", "disabled"):
            self._hand("insert_note", 1_000, wait_ms=self.chance.randrange(900))
        self._power_cut()

    def _power_cut(self) -> None:
        self.cabinet.cut_power()
        self.cabinet.boot()
        self.cabinet.wait(2_000)

    def _power_cut_while_paying(self) -> None:
        self.cabinet.press_if_there("cash_out")
        self.cabinet.wait(self.chance.randrange(4_000))
        self._power_cut()
        self._leave()

    def _killed(self) -> None:
        self.cabinet.kill()
        self.cabinet.wait(self.chance.randrange(500))
        self.cabinet.boot()

    def _coin_and_jam(self) -> None:
        self._hand("insert_coin", 100, wait_ms=self.chance.randrange(300))
        self._hand("jam", "coins")
        self._hand("clear_jam", "coins", wait_ms=1_000)

    def _note_and_jam(self) -> None:
        self._hand("insert_note", 500, wait_ms=self.chance.randrange(1_500))
        self._hand("jam", "notes")
        self._hand("clear_jam", "notes", wait_ms=2_000)

    def _short_hopper(self) -> None:
        before = self.cabinet.world.readings.hopper_minor
        self._hand("set_hopper", self.chance.randrange(6))
        self.poured_minor += self.cabinet.world.readings.hopper_minor - before
        self._leave()
        before = self.cabinet.world.readings.hopper_minor
        self._hand("set_hopper", _FULL_HOPPER)
        self.poured_minor += self.cabinet.world.readings.hopper_minor - before

    def _hopper_jams_while_paying(self) -> None:
        self.cabinet.press_if_there("cash_out")
        self.cabinet.wait(self.chance.randrange(3_000))
        self._hand("jam", "hopper", wait_ms=3_000)
        self._hand("clear_jam", "hopper", wait_ms=3_000)
        self._leave()

    def _note_comes_back(self) -> None:
        """A note that the acceptor does not know, and one while a door is open."""
        self._hand("insert_note", 500, damaged=True, wait_ms=1_500)
        self._hand("open_door", "main", wait_ms=100)
        self._hand("insert_note", 500, wait_ms=1_500)
        self._hand("close_door", "main", wait_ms=300)
        self.cabinet.world.take_returned()

    _TROUBLES = {
        "power cut": _power_cut,
        "power cut with a note inside": _power_cut_with_a_note,
        "power cut while the hopper pays": _power_cut_while_paying,
        "program killed": _killed,
        "coin jam": _coin_and_jam,
        "note jam": _note_and_jam,
        "short hopper": _short_hopper,
        "hopper jam while paying": _hopper_jams_while_paying,
        "notes come back": _note_comes_back,
    }
