"""The story of one cabinet on an emulated Pi: it is switched on, played, and its power is cut again and again.

After every cut the journal is read from the card, as the cut has left it, and compared with everything that was known before;
after every start the picture on the screen is compared with the one that belongs to that journal. Not responsible for QEMU
(``machine``), for the card (``card``), nor for what the right picture is (``reference``).
"""

import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path

import pygame

from firmware.cards.card import card_text
from firmware.settings.loader import load_settings
from hal.emulators.id003 import Id003Acceptor
from hal.emulators.pty import PtyPort
from tests.pi.card import copied, make_card, taken_out
from tests.pi.machine import SIZE, Boot, Machine, MachineError
from tests.pi.reference import Journal, difference, painted, read

CONFIG = Path(__file__).with_name("cabinet.toml")
BOOT_S, REACTION_S = 900.0, 240.0
"""Five times and more what it takes on an idle machine."""
LOOK_EVERY_S, AGAIN_S = 2.0, 60.0
ALIKE = 0.1
"""How much of the worst place may differ from the expected picture: other processors draw some lines a shade darker."""
FAILED = "croupier.service: Failed with result"
"""What systemd says on the console when the program has crashed, hung or refused: it would be started again, and nobody would see it."""
NOTES = (500, 1_000, 2_000, 5_000)
PLAYED = ("b3", "b9", "b9", "b9", "b6")


class WrongError(Exception):
    """The machine has lost or made money or cards, or shows something else than it has."""


@dataclass(slots=True)
class Outcome:
    """What the story was, in numbers."""

    kills: int = 0
    kills_while_starting: int = 0
    looks: int = 0
    """How often the journal was read from the card."""
    kills_in_a_hand: int = 0
    pictures: int = 0
    rounds: int = 0
    notes_minor: int = 0
    first_start_s: float = 0.0
    starts_s: list[float] = field(default_factory=list)
    worst_picture: float = 0.0


class Story:
    """A cabinet, its acceptor, and what is known of it so far."""

    SHOWN_WITHIN_S = REACTION_S

    def __init__(
        self,
        boot: Boot,
        image: Path,
        folder: Path,
        seed: int,
        tell: Callable[[str], None],
        on_boot_partition: Sequence[Path] = (),
    ) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder, self._tell = folder, tell
        self._random = random.Random(seed)
        self._card = folder / "card.img"
        make_card(image, self._card, CONFIG, on_boot_partition)
        gpio = load_settings(CONFIG).gpio
        self._buttons: dict[str, int] = {str(name): pin.pin for name, pin in gpio.buttons.items()}
        self._lamps: dict[str, int] = {str(name): pin.pin for name, pin in gpio.lamps.items()}
        self._attendant, self._white = gpio.keys["attendant"].pin, gpio.tower["white"].pin
        keys = {pin.pin for pin in gpio.keys.values()}
        self._acceptor = Id003Acceptor()
        self._port = PtyPort(self._acceptor).start()
        self._machine = Machine(boot, self._card, self._port.path, folder, frozenset({*self._buttons.values(), *keys}))
        self._known: Journal | None = None
        self.outcome = Outcome()

    def close(self) -> None:
        """Switch everything off."""
        self._machine.kill()
        self._port.close()

    def tell_it(self, cuts: int | None) -> None:
        """All of it, with so many power cuts."""
        self.first_hand()
        self.cuts(20 if cuts is None else cuts)
        self.the_end()

    # --- chapters -----------------------------------------------------------------------------------------------------

    def first_hand(self) -> None:
        """A note, a whole hand by buttons, the lamp at the button, the pictures, the attendant's pay-out."""
        self.outcome.first_start_s = self.start()
        self._shows("attract")
        self._insert(2_000)
        self._until("the note is credited", lambda now: now.credit_minor == 2_000)
        self._tell("a note of 20.00 was credited")
        self._deal()
        self.kill()
        self.start()
        self._shows("table", "the same hand after the cut")
        self._finish()

    def cuts(self, count: int) -> None:
        """Play at random and cut the power at random moments."""
        for number in range(1, count + 1):
            if not self._machine.is_running:
                if self._random.random() < 0.25:
                    self._machine.start()
                    pause = self._random.uniform(1, 0.9 * self.outcome.first_start_s)
                    time.sleep(pause)
                    self.outcome.kills_while_starting += 1
                    self.kill()
                    self._tell(f"cut {number} of {count}: {pause:.0f} s after it was switched on")
                    continue
                self.start()
                self._shows()
            self._play_for(self._random.uniform(0.5, 25))
            journal = self.kill()
            hand = f"in a hand, {_cards(journal)}" if journal.live is not None else "between hands"
            self._tell(
                f"cut {number} of {count}: {hand}; credit {journal.credit_minor / 100:.2f}, {journal.rounds} rounds"
            )

    def the_end(self) -> None:
        """Bring the open hand to its end, pay everything out, and compare notes, credit and books."""
        if not self._machine.is_running:
            self.start()
            self._shows()
        box = sum(self._acceptor.path.cash_box)
        self._until("every note in the cash box is credited", lambda now: now.notes_minor == box)
        journal = self.look()
        while journal.live is not None:  # each press is waited for: one that came late would begin another hand
            journal = self._press_until("b9", "the hand goes on", partial(_has_more, len(journal.links)))
        if journal.credit_minor:
            self._pay_out()
        journal = self.kill()
        self.outcome.rounds, self.outcome.notes_minor = journal.rounds, journal.notes_minor

    # --- verbs --------------------------------------------------------------------------------------------------------

    def start(self) -> float:
        """Switch on and wait for the lamp at the main button; returns after how many seconds it was lit."""
        machine = self._machine
        machine.start()
        took = machine.wait("the machine is ready", self._is_ready, BOOT_S)
        self.outcome.starts_s.append(took)
        self._tell(f"switched on, a first lamp after {took:.0f} s")
        return took

    def kill(self) -> Journal:
        """Cut the power, then read the card and compare."""
        self._machine.kill()
        self.outcome.kills += 1
        if FAILED in self._machine.console:
            raise WrongError(
                f"the service has failed by itself; the console ends with\n{self._machine.console[-3000:]}"
            )
        journal = self._compared(copied(self._card, self._folder / "taken"))
        self.outcome.kills_in_a_hand += journal.live is not None
        return journal

    def look(self) -> Journal:
        """Read the card of the running machine, as it would be if the power went now, and compare."""
        self._machine.hold()
        try:
            copy = copied(self._card, self._folder / "taken")
        finally:
            self._machine.go_on()
        return self._compared(copy)

    def _play_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            chance = self._random.random()
            if chance < 0.2 and self._acceptor.path.place == "none":
                self._insert(self._random.choice(NOTES))
            elif chance < 0.9:
                self._press(self._random.choice(PLAYED))
            else:
                self._press(self._random.choice(sorted(self._buttons)))
            time.sleep(self._random.uniform(0, 1.5))
            if not self._is_ready() and self._random.random() < 0.5:
                self._machine.touch(self._attendant, 0.6)

    def _insert(self, minor: int) -> None:
        with self._port.device() as device:
            device.do(["insert_note", str(minor)], time.monotonic_ns() // 1_000_000)

    def _deal(self) -> None:
        """Sit down, bet on one box and have a hand dealt."""
        self._press("b9")
        self._until_lamp("b3")
        self._press("b3")
        self._until_lamp("b9")
        dealt = self._press_until("b9", "a hand is dealt", lambda now: now.live is not None)
        self._tell(f"dealt: {_cards(dealt)}")

    def _finish(self) -> None:
        over = self._press_until("b9", "the hand is over", lambda now: now.live is None and now.rounds == 1)
        self._tell(f"the hand is over, credit {over.credit_minor / 100:.2f}")

    def _pay_out(self) -> None:
        """Have the attendant pay the whole credit."""
        self._press_until("b12", "the attendant is asked to pay", lambda now: now.recorded.payout is not None)
        self._machine.touch(self._attendant, 1.0)
        self._until("the credit is paid", lambda now: now.credit_minor == 0 and now.recorded.payout is None)

    def _press(self, button: str) -> None:
        self._machine.touch(self._buttons[button])

    def _is_ready(self) -> bool:
        levels = self._machine.levels()
        return any(levels >> pin & 1 for pin in (*self._lamps.values(), self._white))

    def _until_lamp(self, button: str) -> None:
        pin = self._lamps[button]
        self._machine.wait(f"the lamp of {button} is lit", lambda: self._machine.is_high(pin), REACTION_S)

    def _press_until(self, button: str, what: str, happened: Callable[[Journal], bool]) -> Journal:
        """Press, and again when nothing has come of it for long: a host that is busy enough makes a press so short that it is missed."""
        end = time.monotonic() + REACTION_S
        while True:
            self._press(button)
            journal = self._look_until(happened, min(AGAIN_S, end - time.monotonic()))
            if journal is not None:
                return journal
            if time.monotonic() > end:
                raise self._nothing(what)

    def _until(self, what: str, happened: Callable[[Journal], bool]) -> Journal:
        journal = self._look_until(happened, REACTION_S)
        if journal is None:
            raise self._nothing(what)
        return journal

    def _look_until(self, happened: Callable[[Journal], bool], patience_s: float) -> Journal | None:
        end = time.monotonic() + patience_s
        while not happened(journal := self.look()):
            if time.monotonic() > end:
                return None
            time.sleep(LOOK_EVERY_S)
        return journal

    def _nothing(self, what: str) -> MachineError:
        self._machine.picture("what-it-showed")
        return MachineError(
            f"{what}: not within {REACTION_S:.0f} s; the console ends with\n{self._machine.console[-3000:]}"
        )

    # --- judgements ---------------------------------------------------------------------------------------------------

    def _compared(self, copy: Path) -> Journal:
        """Read the journal of a copied partition; what was known before must be in it, and no money that nobody gave."""
        journal = read(taken_out(copy), CONFIG)
        self.outcome.looks += 1
        known = self._known
        if known is not None and not journal.goes_on_from(known):
            raise WrongError(
                f"entries are gone or different: {len(known.links)} were known, {len(journal.links)} are there"
            )
        if journal.notes_minor > sum(self._acceptor.path.cash_box):
            raise WrongError(
                f"{journal.notes_minor} were credited, {sum(self._acceptor.path.cash_box)} are in the cash box"
            )
        if known is not None and known.live is not None and journal.live is not None:
            same = known.live.opened.round_id == journal.live.opened.round_id
            if same and journal.live.dealt[: len(known.live.dealt)] != known.live.dealt:
                raise WrongError(f"other cards: {_cards(known)}, then {_cards(journal)}")
        self._known = journal
        return journal

    def _shows(self, mode: str = "", what: str = "") -> None:
        """The screen becomes the picture that belongs to the journal on the card."""
        end = time.monotonic() + self.SHOWN_WITHIN_S
        while True:
            journal = self.look()
            picture = self._machine.picture(f"shown-{self.outcome.pictures:02d}")
            share, expected = min(
                ((difference(picture, each), each) for each in painted(journal.view, SIZE)), key=itemgetter(0)
            )
            if share <= ALIKE:
                break
            if time.monotonic() > end:
                pygame.image.save(expected, str(self._folder / "expected.png"))
                raise WrongError(
                    f"{what or 'the screen'}: the picture differs from what the journal says, by {share:.0%} of a place; "
                    f"compare {self._folder}/expected.png and shown-{self.outcome.pictures:02d}.png"
                )
            time.sleep(LOOK_EVERY_S)
        if mode and journal.view.mode != mode:
            raise WrongError(f"{what or 'the screen'}: in mode {journal.view.mode}, expected {mode}")
        self.outcome.pictures += 1
        self.outcome.worst_picture = max(self.outcome.worst_picture, share)


def _has_more(entries: int, now: Journal) -> bool:
    return len(now.links) > entries


def _cards(journal: Journal) -> str:
    return " ".join(card_text(card) for card in journal.live.dealt) if journal.live is not None else "no cards"
