"""A made-up life of a terminal as journal entries: guests who pay in, play by the real rules, and cash out, for months.

Every round is dealt from a shuffled shoe that was committed to, so each can be drawn again; starts, doors, faults, the
operator's weekly visit and refused notes lie between them. Seeded: equal seeds give equal entries. Not responsible for
storing them (``store``), nor for devices.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware import __version__
from firmware.cards.card import DECK
from firmware.entries import keeping, menu
from firmware.entries import types as entry
from firmware.entries.fairness import ShoeCut, ShoePrepared
from firmware.fairness.commitment import commitment_of
from firmware.games.contract import Stake
from firmware.games.strategies import Strategy, strategies_for
from firmware.ids import payout_id, round_id, shoe_id
from firmware.rounds.live import Opening, act, open_round
from firmware.rounds.shoes import PreparedShoe, ShoeInPlay, order_text
from firmware.settings.sections import Settings
from firmware.terminal.state import GameOnOffer, Games

BEGAN_MS: Final = 1_767_225_600_000
"""2026-01-01, UTC."""
_EPOCH: Final = 1
_ROUND_MS: Final = 15_000
_DAY_MS: Final = 24 * 3_600_000
_WEEK_DAYS: Final = 7
_FEWEST_STAKES: Final = 12
"""A guest sits down, and stays, with so many times his stake: enough for every raise, draw and split."""
_FAULTS: Final = (("B1", "notes"), ("C1", "coins"), ("H1", "hopper"), ("P1", "printer"))

Commit = tuple[int, tuple[entry.Entry, ...]]
"""Wall time in milliseconds, and the entries of one transaction."""


@dataclass
class _Shoes:
    """The shoe that each game goes on with."""

    carried: dict[str, ShoeInPlay]
    count: int = 0


class MadeHistory:
    """The life of one terminal; ``commits`` never ends, ``round_count`` says how many rounds are in what it gave."""

    def __init__(self, settings: Settings, games: Games, seed: int = 1) -> None:
        """``settings`` and ``games`` are those of the terminal that will go on with it."""
        self._settings, self._games = settings, games
        self._chance = random.Random(seed)
        self._now_ms = BEGAN_MS
        self._credit_minor = 0
        self._shoes = _Shoes({})
        self._jackpots: dict[str, int] = {}
        self._used: set[str] = set()
        self._counts = {"boots": 0, "payouts": 0, "periods": 0, "refills": 0, "collections": 0, "notes": 0, "coins": 0}
        self._in_box_minor = self._coins_gone = 0
        self._days = 0
        self.round_count = 0

    def commits(self) -> Iterator[Commit]:
        """Yield for ever what the terminal records, transaction by transaction."""
        terminal, currency = self._settings.terminal, self._settings.currency
        yield self._at(
            entry.Commissioned(
                terminal.id, _EPOCH, terminal.mode, currency.code, currency.minor_digits, __version__
            )
        )  # fmt: skip
        yield self._at(self._boot(is_clean=True))
        while True:
            yield from self._guest()
            if self._now_ms - BEGAN_MS >= (self._days + 1) * _DAY_MS:
                self._days += 1
                yield from self._morning()

    def _at(self, *entries: entry.Entry, after_ms: int = 0) -> Commit:
        self._now_ms += after_ms
        return self._now_ms, entries

    def _next(self, name: str) -> int:
        self._counts[name] += 1
        return self._counts[name]

    def _boot(self, *, is_clean: bool) -> entry.Booted:
        return entry.Booted(self._next("boots"), __version__, is_clean)

    # --- days and weeks -----------------------------------------------------------------------------------------------

    def _morning(self) -> Iterator[Commit]:
        if self._chance.random() < 0.2:
            yield self._at(self._boot(is_clean=False), after_ms=60_000)
        else:
            yield self._at(entry.Stopped(), after_ms=60_000)
            yield self._at(self._boot(is_clean=True), after_ms=3_600_000)
        if self._chance.random() < 0.6:
            yield from self._fault(*self._chance.choice(_FAULTS))
        if self._days % _WEEK_DAYS == 0:
            yield from self._operator()

    def _fault(self, code: str, device: str) -> Iterator[Commit]:
        yield self._at(entry.FaultRaised(code, device, ""), after_ms=30_000)
        yield self._at(entry.DoorMoved("main", is_open=True), after_ms=60_000)
        yield self._at(entry.DoorMoved("main", is_open=False), after_ms=60_000)
        yield self._at(entry.KeyTurned("attendant", is_on=True), entry.FaultCleared(code, device, "attendant"))
        yield self._at(entry.KeyTurned("attendant", is_on=False), after_ms=2_000)

    def _operator(self) -> Iterator[Commit]:
        yield self._at(entry.KeyTurned("operator", is_on=True), menu.MenuOpened("operator", "operator"))
        coins, coin_minor = self._coins_gone, self._settings.devices.hopper.coin_minor or 100
        yield self._at(entry.HopperRefilled(self._next("refills"), coins, coins * coin_minor), after_ms=60_000)
        self._coins_gone = 0
        yield self._at(
            entry.CashBoxCollected(self._next("collections"), self._in_box_minor),
            menu.ReportOrdered("collection", "operator"),
            after_ms=60_000,
        )
        self._in_box_minor = 0
        yield self._at(keeping.PeriodClosed(self._next("periods"), "operator"), after_ms=60_000)
        old, new = str(40 + self._days % 7), str(40 + (self._days + 1) % 7)
        yield self._at(keeping.SettingChanged("sound.volume_percent", old, new, "file"))
        yield self._at(menu.MenuClosed("operator", "key"), entry.KeyTurned("operator", is_on=False), after_ms=30_000)

    # --- a guest ------------------------------------------------------------------------------------------------------

    def _guest(self) -> Iterator[Commit]:
        offer = self._games[self._chance.choice(tuple(self._games))]
        strategy = next(iter(strategies_for(offer.game).values()))
        stakes = self._stakes(offer, strategy)
        stake_minor = offer.game.cost_minor(stakes)
        while self._credit_minor < 3 * _FEWEST_STAKES * stake_minor:
            yield from self._note()
        yield from self._coin()
        for _ in range(self._chance.randrange(20, 60)):
            if self._credit_minor < _FEWEST_STAKES * stake_minor:
                break
            yield from self._round(offer, strategy, stakes)
        yield from self._cash_out()

    def _stakes(self, offer: GameOnOffer, strategy: Strategy) -> tuple[Stake, ...]:
        factor = self._chance.choice((1, 1, 2, 5))
        stakes = strategy.stakes(offer.game)
        most = min(line.maximum_minor for line in offer.game.spec.lines if any(line.line in s.lines for s in stakes))
        return tuple(
            Stake(stake.box, {line: min(minor * factor, most) for line, minor in stake.lines.items()})
            for stake in stakes
        )

    def _note(self) -> Iterator[Commit]:
        minor = self._settings.notes.accepted_minor[-1]
        escrow_id = f"MADE-N:1:{self._next('notes')}"
        if self._chance.random() < 0.03:
            yield self._at(keeping.NoteRejected("unknown"), after_ms=3_000)
        yield self._at(entry.NoteIntended(escrow_id, minor), after_ms=4_000)
        if self._chance.random() < 0.01:
            yield self._at(entry.NoteReturned(escrow_id, minor), after_ms=2_000)
            return
        yield self._at(entry.NoteCredited(escrow_id, minor, escrow_id), after_ms=2_000)
        self._credit_minor += minor
        self._in_box_minor += minor

    def _coin(self) -> Iterator[Commit]:
        minor, to = (
            self._chance.choice(self._settings.coins.accepted_minor),
            self._chance.choice(("hopper", "cash_box")),
        )
        yield self._at(entry.CoinCredited(f"MADE-C:1:{self._next('coins')}", minor, to), after_ms=1_000)
        self._credit_minor += minor
        self._in_box_minor += minor if to == "cash_box" else 0

    def _round(self, offer: GameOnOffer, strategy: Strategy, stakes: tuple[Stake, ...]) -> Iterator[Commit]:
        game = offer.game
        shoe, before, opening, is_fresh = self._shoe(offer)
        if before:
            yield self._at(*before, after_ms=1_000)
        self.round_count += 1
        meter = None
        if offer.jackpot_seed_minor is not None:
            meter = self._jackpots.get(game.id, offer.jackpot_seed_minor)
        live, entries = open_round(
            game,
            stakes,
            Opening(
                round_id(_EPOCH, self.round_count),
                self.round_count,
                offer.digest,
                shoe,
                is_fresh,
                self._credit_minor,
                meter,
            ),
        )  # fmt: skip
        self._credit_minor -= live.opened.cost_minor
        yield self._at(*self._profile(offer), *opening, *entries, after_ms=_ROUND_MS)
        while live.outcome is None:
            node = live.decision
            choices = game.choices(node, self._credit_minor)
            action = strategy.choose(game, node, choices, game.layout(node))
            live, acted = act(live, action, self._credit_minor)
            self._credit_minor -= live.acts[-1].cost_minor
            yield self._at(*acted, after_ms=2_000)
        self._credit_minor += live.outcome.paid_minor
        self._shoes.carried[game.id] = live.shoe
        if live.outcome.jackpot_meter_minor is not None:
            self._jackpots[game.id] = live.outcome.jackpot_meter_minor

    def _profile(self, offer: GameOnOffer) -> tuple[entry.Entry, ...]:
        if offer.game.id in self._used:
            return ()
        self._used.add(offer.game.id)
        options = json.dumps(offer.facts, sort_keys=True, separators=(",", ":"), default=str)
        return (keeping.ProfileUsed(offer.game.id, offer.digest, options),)

    def _shoe(self, offer: GameOnOffer) -> tuple[ShoeInPlay, tuple[entry.Entry, ...], tuple[entry.Entry, ...], bool]:
        """Return the shoe, what is recorded before the stakes and with them, and whether the shoe is fresh."""
        spec, carried = offer.game.spec, self._shoes.carried.get(offer.game.id)
        if carried is not None and spec.shoe_carried and carried.used_count < spec.cut_after_count:
            return carried, (), (), False
        cards = list(DECK * spec.deck_count)
        self._chance.shuffle(cards)
        self._shoes.count += 1
        name, salt = shoe_id(_EPOCH, self._shoes.count), self._chance.randbytes(32).hex()
        order = order_text(tuple(cards))
        prepared = ShoePrepared(
            self._shoes.count, name, offer.game.id, order, salt, commitment_of(name, salt, order)
        )  # fmt: skip
        position = self._chance.randrange(1, len(cards)) if self._chance.random() < 0.1 else 0
        cut = (ShoeCut(name, position),) if position else ()
        made = PreparedShoe(name, order, salt, prepared.commitment, position).record(0).in_play()
        return made, (prepared,), cut, True

    def _cash_out(self) -> Iterator[Commit]:
        if not self._credit_minor:
            return
        name, coin_minor = payout_id(_EPOCH, self._next("payouts")), self._settings.devices.hopper.coin_minor or 100
        coins = min(self._credit_minor, self._settings.limits.hopper_limit_minor) // coin_minor
        yield self._at(
            entry.CashOutStarted(name, self._credit_minor, coins, coin_minor if coins else 0), after_ms=5_000
        )
        left_minor = self._credit_minor
        if coins:
            paid = coins if self._chance.random() < 0.98 else coins // 2
            yield self._at(entry.HopperCounted(name, paid // 2), after_ms=1_000)
            yield self._at(entry.HopperFinished(name, paid, "done" if paid == coins else "empty"), after_ms=10_000)
            left_minor -= paid * coin_minor
            self._coins_gone += paid
        if left_minor:
            yield self._at(entry.HandpayCleared(name, left_minor, "attendant_key"), after_ms=120_000)
        self._credit_minor = 0
