"""Rounds with trouble, and what the hardware then physically holds against what the closed period says, to the cent.

Somebody plays; devices jam, run short and lose power; an attendant pays by hand what the screen asks for and writes it
down; an operator empties the cash box, counts it piece by piece, refills the hopper and closes the period. Whatever the
books and the metal disagree on is a line of ``problems``. Not responsible for how many rounds (``__main__``).
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TextIO

from firmware.ledger import accounts
from firmware.ledger.meters import SINCE_METERS
from firmware.terminal.cash_box import CashBox
from firmware.terminal.faults import FAULTS
from firmware.terminal.step import ClosePeriod, CollectCashBox, RefillHopper
from hal.simulated.ground import ImpossibleAction
from tests.drop.named import named_in
from tests.drop.troubles import FULL_HOPPER, NOTES_MINOR, troubles_of
from tests.support.cabinet import CabinetUnderTest

_ROUNDS_A_VISIT: Final = 40
_PATIENCE_MS: Final = 40_000
"""So long the attendant tries to bring the house in order before he leaves it for the next visit."""


@dataclass(frozen=True)
class Found:
    """Pieces in the cash box: what the books say, and what was counted, ``note.500`` -> count."""

    booked: Counter[str]
    counted: Counter[str]

    @property
    def more(self) -> dict[str, int]:
        """How many pieces more were counted than booked."""
        return {name: self.counted[name] - self.booked[name] for name in self.booked | self.counted}


def _worth(pieces: Mapping[str, int]) -> int:
    return sum(int(name.partition(".")[2]) * count for name, count in pieces.items())


@dataclass
class Campaign:
    """One cabinet and the people around it."""

    cabinet: CabinetUnderTest
    chance: random.Random
    plant: Callable[[CabinetUnderTest], None] = lambda _: None
    """Something wrong that is done to the hardware behind the program's back, once a visit."""
    diary: TextIO | None = None
    """Where is written what people did and what the hardware held then, for whoever has to explain a problem."""
    problems: list[str] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    """Pieces of which the terminal itself said, by a fault with the numbers, that it could not count them."""
    games: Counter[str] = field(default_factory=Counter)
    """Rounds of each game."""
    visits: int = 0
    periods: int = 0
    paid_by_hand_minor: int = 0
    """What the attendant has taken out of his own purse since the last period."""
    poured_minor: int = 0
    """Coins poured into the hopper less coins taken out of it by hand since the last period."""
    meters: Mapping[str, int] = field(default_factory=dict)
    """The master meters at the last closing."""
    closed: Counter[str] = field(default_factory=Counter)
    """The meters of all closed periods, added up."""
    _closed_seq: int = 0
    _before: Mapping[str, int] = field(default_factory=dict)
    credit_before_minor: int = 0
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
        self.note("all that was before does not count: the hopper was filled")
        self.closed.clear()
        self.named.clear()
        self.periods = 0
        self._before = dict(self.cabinet.books.meters)

    def visit(self) -> None:
        """A guest comes, plays some rounds with trouble in between, and goes; then the house is in order again."""
        chance = self.chance
        self._bring_money()
        games = sorted(self.cabinet.terminal.environment().games)
        game = games[self.visits % len(games)]
        self.visits += 1
        for _ in range(chance.randrange(3, _ROUNDS_A_VISIT)):
            if not self._play(game):
                self._tidy_up()
                self._bring_money()
            if chance.random() < 0.1:
                trouble = chance.choice(troubles_of(self))
                self.troubles[trouble.__name__] += 1
                self.note(trouble.__name__)
                trouble(self)
        self.leave()
        self.plant(self.cabinet)
        self._tidy_up()

    def close_period(self) -> None:
        """Count everything, compare it with the books, collect, refill and close."""
        cabinet, readings = self.cabinet, self.cabinet.world.readings
        books = cabinet.books
        self.meters = books.meters
        box = cabinet.terminal.state.recorded.cash_box
        cabinet.terminal.handle(CollectCashBox())
        self.hand("open_door", "cash_box")
        notes, coins = cabinet.world.remove_cash_box()
        self.hand("insert_cash_box")
        self.hand("close_door", "cash_box")
        cabinet.terminal.handle(ClosePeriod("operator"))
        self._same(
            "period was closed", cabinet.terminal.state.recorded.periods.history[-1].number, self._period_number()
        )
        closed = cabinet.terminal.state.recorded.periods.history[-1].meters
        found = self._found(box, Counter(notes), Counter(coins), closed)
        self._same("cash box", books.balance(accounts.CASH_BOX), _worth(found.booked))
        self._same("drop of the period", closed.get("drop_minor", 0), _worth(found.booked))
        self._same("collected in the period", closed.get("collected_minor", 0), _worth(found.booked))
        by_hopper = closed.get("hopper_paid_minor", 0) + closed.get("hopper_extra_minor", 0)
        self._same("paid by hand", closed.get("handpaid_minor", 0), self.paid_by_hand_minor)
        came = closed.get("notes_in_minor", 0) + closed.get("coins_in_minor", 0)
        won = closed.get("coin_in_minor", 0) - closed.get("coin_out_minor", 0) - closed.get("voided_minor", 0)
        left = by_hopper - closed.get("hopper_extra_minor", 0) + closed.get("handpaid_minor", 0)
        kept = books.credit_minor - self.credit_before_minor
        self._same("takings, credit and the house's win", came - left - kept, won)
        self.periods += 1
        self._closed_seq = cabinet.terminal.environment().machine().head_seq
        self.closed.update(closed)
        self.paid_by_hand_minor = self.poured_minor = 0
        self._fill_hopper()
        self.poured_minor = 0
        readings = self.cabinet.world.readings
        self.hopper_before_minor = readings.hopper_minor
        self.paid_before_minor = readings.tray_minor + readings.taken_minor
        self.credit_before_minor = books.credit_minor

    def _found(self, box: CashBox, notes: Counter[int], coins: Counter[int], closed: Mapping[str, int]) -> Found:
        """Count pieces; what differs is a problem unless a fault of this period has named just so much."""
        readings = self.cabinet.world.readings
        coin_minor = readings.hopper_coin_minor
        counted = Counter({f"note.{minor}": n for minor, n in notes.items()})
        counted |= Counter({f"coin.{minor}": n for minor, n in coins.items()})
        found = Found(Counter(box.pieces), counted)
        by_hopper = closed.get("hopper_paid_minor", 0) + closed.get("hopper_extra_minor", 0)
        left = readings.tray_minor + readings.taken_minor - self.paid_before_minor
        expected = self.hopper_before_minor + self.poured_minor + closed.get("coins_to_hopper_minor", 0) - by_hopper
        left_more = (left - by_hopper) // coin_minor
        came_more = (readings.hopper_minor - expected) // coin_minor + left_more
        named = named_in(record.entry for record in self.cabinet.records() if record.seq > self._closed_seq)
        box_more = {
            kind: sum(n for name, n in found.more.items() if name.startswith(kind)) for kind in ("note", "coin")
        }
        is_named = named.notes.holds(box_more["note"]) and named.coins.holds(box_more["coin"] + came_more)
        if not is_named or any(
            n < 0 for n in (came_more, *found.more.values())
        ):  # nothing is credited that is not there
            self._same("cash box, piece by piece", dict(found.booked), dict(+counted))
            self._same("cash box", _worth(found.booked), _worth(counted))
            self._same("coins in the hopper", expected, readings.hopper_minor)
        if not named.hopper.holds(left_more):
            self._same("coins that left the hopper", by_hopper, left)
        self.named["notes"] += box_more["note"]
        self.named["coins"] += box_more["coin"] + came_more
        self.named["hopper"] += left_more
        return found

    def compare_periods_with_master_meters(self) -> None:
        """All closed periods together are what the master meters moved by since the beginning."""
        master = self.cabinet.terminal.state.recorded.periods.baseline
        for name in sorted(self.closed | Counter(master)):
            if name not in SINCE_METERS:
                self._same(f"all periods' {name}", self.closed[name], master.get(name, 0) - self._before.get(name, 0))

    def _period_number(self) -> int:
        return self.cabinet.terminal.state.recorded.periods.number - 1

    def _same(self, what: str, books: object, metal: object) -> None:
        if books != metal:
            self.problems.append(f"period {self._period_number()}: {what}: the books say {books}, counted {metal}")
            self.note(f"PROBLEM {self.problems[-1]}")

    def set_hopper(self, count: int) -> None:
        """Pour coins into the hopper or take some out of it, so that so many are in it; the books are not told."""
        before = self.cabinet.world.readings.hopper_minor
        self.hand("set_hopper", count)
        self.poured_minor += self.cabinet.world.readings.hopper_minor - before

    def note(self, what: str) -> None:
        """Write into the diary what is done, and what the hardware and the books hold at that moment."""
        if self.diary is None:
            return
        seen = self.cabinet.world.readings
        state = self.cabinet.terminal.state if self.cabinet.is_running else None
        told = "off" if state is None else f"credit {state.recorded.books.credit_minor}, {self.cabinet.view.mode},"
        faults = "" if state is None else " ".join(fault.code for fault in state.recorded.faults)
        self.diary.write(
            f"{seen.now_ms} {what}; round {'' if state is None else self.rounds}, notes {seen.box_notes}, coins {seen.box_coins}, "
            f"hopper {seen.hopper_coin_count}, paid {seen.coins_dispensed_count}, {told} {faults}\n"
        )
        self.diary.flush()

    def hand(self, deed: str, *what: object, wait_ms: int = 200, **how: object) -> None:
        """Do something with the hardware; what is not possible just now is left."""
        self.note(" ".join(map(str, (deed, *what, *how))))
        with suppress(ImpossibleAction):
            getattr(self.cabinet.world, deed)(*what, **how)
        self.cabinet.wait(wait_ms)

    # --- people -------------------------------------------------------------------------------------------------------

    def _bring_money(self) -> None:
        minor = self.chance.choice(NOTES_MINOR)
        self.note(f"insert_note {minor}")
        self.cabinet.insert_note(minor)
        self.hand("insert_coin", self.chance.choice((50, 100, 200)), wait_ms=1_500)

    def _play(self, game: str) -> bool:
        """Play one round; tell whether the table was open."""
        cabinet, before = self.cabinet, self.rounds
        if cabinet.view.mode != "table" or cabinet.terminal.state.screen.game != game:
            cabinet.press_if_there("lobby")
            if cabinet.view.mode not in ("attract", "lobby"):
                return False
            cabinet.sit_down(game)
        table = cabinet.view.table
        if table is None:
            return False
        lines = [spot.line for spot in table.boxes[0].spots]
        first = self.chance.choice(lines) if game == "baccarat" else lines[0]
        for line in {first, self.chance.choice(lines)}:
            cabinet.touch(f"box:1:{line}")
        cabinet.press_if_there("deal")
        for _ in range(12):
            if cabinet.terminal.state.live is None:
                break
            names = [b.id for b in cabinet.view.buttons if b.enabled and b.slot in range(1, 10)]
            cabinet.touch(self.chance.choice([n for n in names if "mark" not in n] or names or ["button:deal"]))
        self.games[game] += self.rounds > before
        return self.rounds > before

    def leave(self) -> None:
        """The guest asks for what is his and goes; whatever the machine can't pay, the attendant pays."""
        self.cash_out()
        self._tidy_up()
        if self.cabinet.books.credit_minor:
            self.cash_out()
            self._tidy_up()

    def cash_out(self) -> None:
        """The guest asks for what is his, and it is waited for what the hopper can pay."""
        self.note("cash_out")
        self.cabinet.press_if_there("cash_out")
        for _ in range(150):
            self.cabinet.wait(200)
            payout = self.cabinet.terminal.state.recorded.payout
            if payout is None or payout.hopper_done:
                break

    def _tidy_up(self) -> None:
        """The attendant pays what the screen asks for, frees jams and clears faults, until money can come again."""
        cabinet = self.cabinet
        for device in ("notes", "coins", "hopper"):
            self.hand("clear_jam", device, wait_ms=60)
        end_ms = cabinet.clock.monotonic_ms() + _PATIENCE_MS
        while cabinet.clock.monotonic_ms() < end_ms:
            payout = cabinet.view.payout
            asked_minor = payout.rest_minor if payout is not None and payout.kind == "handpay" else 0
            for key in ("attendant", "operator"):
                self.hand("turn_key", key, wait_ms=60)
                self.hand("turn_back_key", key, wait_ms=60)
            cabinet.wait(300)
            if cabinet.view.payout is None:
                self.paid_by_hand_minor += asked_minor
            if cabinet.view.payout is None and not any(FAULTS[fault.code].stops for fault in cabinet.view.faults):
                break
        cabinet.world.take_returned()

    def _fill_hopper(self) -> None:
        missing = FULL_HOPPER - self.cabinet.world.readings.hopper_coin_count
        if missing > 0:
            self.hand("refill_hopper", missing)
            self.cabinet.terminal.handle(RefillHopper(missing))
            self.poured_minor += missing * 100
