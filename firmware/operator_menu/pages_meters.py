"""Pages of figures: meters master and period, notes, coins, hopper, games against theory, jackpot, occurrences,
self-audit, periods, and graphs. Pure.

The list of meters is the audit's (``firmware.audit.meter_list``); nothing is counted here.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from display.view_model import GraphLine, GraphView, Money, Text
from firmware.audit.meter_list import METERS, MeterLine, meter_lines
from firmware.ledger import accounts
from firmware.ledger.periods import Period
from firmware.operator_menu.body import NONE, Body, Line, Reading, Words, heading, to
from firmware.operator_menu.returns import Return, mixed, percent, return_of
from firmware.terminal.chronicle import HOUR_MS, Hour
from firmware.terminal.decide_orders import may_keep_books
from firmware.terminal.menu import Act, Ask
from firmware.terminal.titles import GAMES, UNNAMED_GAME

_COLUMNS: Final = (Text("menu", "Meter"), Text("menu", "Master"), Text("menu", "Period"))
DAYS_SHOWN: Final = 30
WEEKS_SHOWN: Final = 8


def _figure(unit: str, value: int | None) -> Words:
    if value is None:
        return NONE
    return Money(value) if unit == "minor" else str(value)


def _meters(reading: Reading, groups: tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(_meter(line) for line in meter_lines(reading.state.recorded) if line.group in groups)


def _meter(line: MeterLine) -> Line:
    return Line(line.label, _figure(line.unit, line.master), _figure(line.unit, line.period))


def group_page(*groups: str) -> Callable[[Reading], Body]:
    """Return the page of the meters of some groups, master and period side by side."""

    def read(reading: Reading) -> Body:
        began = (("time", reading.when(reading.state.recorded.periods.began_ms)[:16]),)
        footer = Text("menu", "The period began {time}. Master meters are never reset", began)
        return Body(_meters(reading, groups), _COLUMNS, footer)

    return read


def cash_box(reading: Reading) -> Body:
    """What the cash box should hold, and emptying it."""
    books = reading.state.recorded.books
    held_minor = books.balance(accounts.CASH_BOX)
    question = Text("menu", "Record that the cash box was emptied of {amount}?", (("amount", Money(held_minor)),))
    lines = [
        Line(Text("menu", "In the cash box by the books"), Money(held_minor), tone="good"),
        Line(Text("menu", "Drop in all"), Money(books.meter("drop_minor"))),
        Line(Text("menu", "Collected in all"), Money(books.meter("collected_minor"))),
        Line(Text("menu", "Collections"), str(books.meter("collections"))),
        *_pieces(reading.state.recorded.cash_box.pieces),
        Line(Text("menu", "Last collection"), act=to("cash.collected")),
    ]
    return Body((*lines, Line(Text("menu", "Record a collection"), act=Ask(question, Act("collect")))))


def _pieces(pieces: Mapping[str, int]) -> list[Line]:
    """What lies in the box, piece by piece, notes first: this is what is counted."""
    kinds = sorted(
        ((name.split(".")[0], int(name.split(".")[1])) for name in pieces),
        key=lambda each: (each[0] == "coin", each[1]),
    )
    return [
        Line(
            Text("menu", "Notes of {amount}", (("amount", Money(minor)),))
            if kind == "note"
            else Text("menu", "Coins of {amount}", (("amount", Money(minor)),)),
            str(pieces[f"{kind}.{minor}"]),
            Money(minor * pieces[f"{kind}.{minor}"]),
        )
        for kind, minor in kinds
    ]


def last_collection(reading: Reading) -> Body:
    """The last collection, piece by piece, as its slip says it."""
    last = reading.state.recorded.cash_box.last_collection
    if last is None:
        return Body((Line(Text("menu", "Nothing was collected yet")),), above="cash.collect")
    return Body(
        (
            Line(Text("menu", "Collection"), str(last.number)),
            Line(Text("menu", "Collected at"), reading.when(last.at_ms)),
            Line(Text("menu", "In the cash box by the books"), Money(last.amount_minor), tone="good"),
            *_pieces(last.pieces),
        ),
        above="cash.collect",
    )


def last_refill(reading: Reading) -> Body:
    """The last refill of the hopper, as its slip says it."""
    last = reading.state.recorded.cash_box.last_refill
    if last is None:
        return Body((Line(Text("menu", "The hopper was not refilled yet")),), above="cash.refill")
    return Body(
        (
            Line(Text("menu", "Refill"), str(last.number)),
            Line(Text("menu", "Refilled at"), reading.when(last.at_ms)),
            Line(Text("menu", "Coins put in"), str(last.coin_count), Money(last.amount_minor), tone="good"),
        ),
        above="cash.refill",
    )


def refill(reading: Reading) -> Body:
    """What the hopper should hold, and filling it up."""
    books, coin_minor = reading.state.recorded.books, reading.environment.options.hopper_coin_minor
    typed = int(reading.menu.typed or "0")
    args = (("count", typed), ("amount", Money(typed * coin_minor)))
    question = Text("menu", "Record a refill of {count} coins, {amount}?", args)
    return Body(
        (
            Line(Text("menu", "Coin of the hopper"), Money(coin_minor)),
            Line(Text("menu", "In the hopper by the books, since the first refill"), Money(books.balance(accounts.HOPPER))),
            Line(Text("menu", "Refilled in all"), Money(books.meter("hopper_refilled_minor"))),
            Line(Text("menu", "Refill now"), Text("menu", "{count} coins, {amount}", args), tone="good"),
            Line(Text("menu", "Last refill"), act=to("cash.refilled")),
        ),
        enter=Ask(question, Act("refill")),
        footer=Text("menu", "Type how many coins were put in, then confirm"),
    )  # fmt: skip


def games(reading: Reading) -> Body:
    """Each game's return against its PAR sheet, with the band that chance leaves for so many rounds."""
    state, machine = reading.state, reading.environment.machine()
    meter = state.recorded.books.meter
    lines: list[Line] = []
    for game in _games_played(reading):
        theory = machine.theories.get(game)
        found = return_of(
            meter(f"game.{game}.coin_in_minor") - meter(f"game.{game}.voided_minor"),
            meter(f"game.{game}.coin_out_minor"),
            meter(f"game.{game}.games_played"),
            theory,
        )
        lines += [
            heading(GAMES.get(game, UNNAMED_GAME)),
            Line(Text("menu", "Rounds, of them won by players"), str(found.round_count), str(meter(f"game.{game}.games_won"))),
            Line(Text("menu", "Staked, paid back"), Money(found.staked_minor), Money(found.returned_minor)),
            Line(Text("menu", "Return: actual, in theory"), percent(found.actual_bp), percent(found.theory_bp), tone="warning" if found.is_strange else ""),
            Line(Text("menu", "19 of 20 such terminals lie between"), percent(found.low_bp), percent(found.high_bp)),
        ]  # fmt: skip
    if not lines:
        lines = [Line(Text("menu", "No round has been played yet"))]
    return Body(
        tuple(lines),
        footer=Text("menu", "Theory: the main bet under best play, from the PAR sheet; a dash: none for these rules"),
    )


def _games_played(reading: Reading) -> list[str]:
    meters = reading.state.recorded.books.meters
    return sorted({name.split(".")[1] for name in meters if name.startswith("game.") and name.endswith("games_played")})


def jackpot(reading: Reading) -> Body:
    """The jackpot of each game that has one: now, start, hits, wins."""
    state = reading.state
    lines: list[Line] = []
    for game, offer in reading.environment.games.items():
        if offer.jackpot_seed_minor is None:
            continue
        now_minor = state.recorded.jackpots_minor.get(game, offer.jackpot_seed_minor)
        hits = state.recorded.books.meter(f"game.{game}.jackpot_hits")
        won_minor = state.recorded.books.meter(f"game.{game}.jackpot_won_minor")
        lines += [
            heading(GAMES.get(game, UNNAMED_GAME)),
            Line(Text("menu", "Jackpot now"), Money(now_minor), tone="good"),
            Line(Text("menu", "It begins anew at"), Money(offer.jackpot_seed_minor)),
            Line(Text("menu", "Hits"), str(hits)),
            Line(Text("menu", "Won in all"), Money(won_minor)),
        ]
    return Body(tuple(lines) or (Line(Text("menu", "No game here has a jackpot")),))


def self_audit(reading: Reading) -> Body:
    """The self-audit identity, term by term."""
    identity = reading.state.recorded.books.identity()
    labels = {spec.name: spec.label for spec in METERS}
    lines = [
        Line(labels[term.meter], Text("menu", "plus") if term.sign > 0 else Text("menu", "less"), Money(term.amount_minor))
        for term in identity.terms
    ]  # fmt: skip
    total = identity.credit_minor + identity.payout_minor
    return Body(
        (
            *lines,
            Line(
                Text("menu", "The meters come to"),
                "",
                Money(identity.metered_minor),
                tone="warning" if not identity.holds else "good",
            ),
            Line(Text("menu", "Credit"), "", Money(identity.credit_minor)),
            Line(Text("menu", "Being paid by the hopper"), "", Money(identity.payout_minor)),
            Line(Text("menu", "Credit and pay-out"), "", Money(total)),
            Line(Text("menu", "They agree"), tone="good")
            if identity.holds
            else Line(Text("menu", "THEY DO NOT AGREE: stop and audit the journal"), tone="error"),
        ),
        footer=Text("menu", "Checked after every entry, before every round and before money leaves"),
    )


def period(reading: Reading) -> Body:
    """The running period: its total, and its end."""
    recorded = reading.state.recorded
    periods = recorded.periods
    meters = periods.meters(recorded.books.meters)
    args = (("number", periods.number),)
    lines = [
        Line(Text("menu", "Period"), str(periods.number)),
        Line(Text("menu", "It began"), reading.when(periods.began_ms)),
        *_total(meters.get),
    ]
    if may_keep_books(reading.state):
        question = Text("menu", "Close period {number}? Its figures are kept; the next one begins at zero", args)
        lines.append(Line(Text("menu", "Close period {number}", args), act=Ask(question, Act("close_period"))))
    else:
        lines.append(Line(Text("menu", "Close it when no hand and no pay-out is open"), tone="warning"))
    terminal = recorded.commissioned.terminal if recorded.commissioned is not None else ""
    figures = (
        f"CROUPIER {terminal} PERIOD {periods.number} FROM {reading.when(periods.began_ms)} IN "
        f"{_in(meters.get)} OUT {_out(meters.get)} DROP {meters.get('drop_minor', 0)} ENTRY "
        f"{reading.environment.machine().head_seq}"
    )
    return Body(tuple(lines), qr_text=figures, qr_caption=Text("menu", "The period's total for a scanner"))


Get = Callable[[str, int], int]


def _in(get: Get) -> int:
    return get("notes_in_minor", 0) + get("coins_in_minor", 0)


def _out(get: Get) -> int:
    return get("hopper_paid_minor", 0) + get("handpaid_minor", 0)


def _total(get: Get) -> list[Line]:
    return [
        Line(Text("menu", "Notes in"), Money(get("notes_in_minor", 0))),
        Line(Text("menu", "Coins in"), Money(get("coins_in_minor", 0))),
        Line(Text("menu", "Paid by the hopper"), Money(get("hopper_paid_minor", 0))),
        Line(Text("menu", "Paid by hand"), Money(get("handpaid_minor", 0))),
        Line(Text("menu", "Takings: in less out"), Money(_in(get) - _out(get)), tone="good"),
        Line(Text("menu", "Drop into the cash box"), Money(get("drop_minor", 0))),
        Line(Text("menu", "Rounds"), str(get("games_played", 0))),
    ]


def periods_before(reading: Reading) -> Body:
    """The periods that are closed, newest first."""
    lines = [
        Line(
            Text("menu", "Period {number}, closed {time}", (("number", each.number), ("time", reading.when(each.ended_ms)[:16]))),
            Money(_in(each.meters.get) - _out(each.meters.get)),
            act=to("cash.closed", str(each.number)),
        )
        for each in reversed(reading.state.recorded.periods.history)
    ]  # fmt: skip
    return Body(tuple(lines) or (Line(Text("menu", "No period is closed yet")),))


def closed_period(reading: Reading) -> Body:
    """One closed period, every meter that moved in it."""
    history = reading.state.recorded.periods.history
    each = next((one for one in history if str(one.number) == reading.menu.item), history[-1] if history else None)
    if each is None:
        return Body((Line(Text("menu", "No period is closed yet")),))
    return Body(
        _closed(reading, each),
        title=Text("menu", "Period {number}", (("number", each.number),)),
        above="cash.periods",
    )


def _closed(reading: Reading, each: Period) -> tuple[Line, ...]:
    labels = {line.name: (line.label, line.unit) for line in meter_lines(reading.state.recorded)}
    moved = [
        Line(label, _figure(unit, each.meters[name])) for name, (label, unit) in labels.items() if name in each.meters
    ]
    return (
        Line(Text("menu", "It began"), reading.when(each.began_ms)),
        Line(Text("menu", "It ended"), reading.when(each.ended_ms)),
        Line(Text("menu", "Closed by"), each.by),
        *_total(each.meters.get),
        heading(Text("menu", "All meters of the period")),
        *moved,
    )


def _by_day(reading: Reading) -> list[tuple[str, list[Hour]]]:
    """The last days of the house's calendar up to today, oldest first, each with its hours; a quiet day has none.

    The first of them is the first day that is kept, unless that is too long ago.
    """
    hours: dict[str, list[Hour]] = {}
    for hour in reading.state.recorded.chronicle.hours:
        hours.setdefault(reading.day(hour.number * HOUR_MS), []).append(hour)
    if not hours:
        return []
    today = date.fromisoformat(max(*hours, reading.day(reading.environment.wall_ms)))
    count = min((today - date.fromisoformat(min(hours))).days + 1, DAYS_SHOWN)
    days = [(today - timedelta(days=back)).isoformat() for back in reversed(range(count))]
    return [(day, hours.get(day, [])) for day in days]


def takings(reading: Reading) -> Body:
    """Takings per day as a graph, newest day last."""
    days = _by_day(reading)
    came = tuple(sum(hour.money_in_minor for hour in hours) for _, hours in days)
    left = tuple(sum(hour.money_out_minor for hour in hours) for _, hours in days)
    graph = GraphView(
        tuple(day[5:] for day, _ in days),
        (
            GraphLine(Text("menu", "In"), came, "muted"),
            GraphLine(Text("menu", "Out"), left, "warning"),
            GraphLine(Text("menu", "Takings"), tuple(a - b for a, b in zip(came, left, strict=True)), "good"),
        ),
    )
    return Body(graph=graph, lines=() if days else (Line(Text("menu", "Nothing has happened yet")),))


def return_over_time(reading: Reading) -> Body:
    """The return of all games together since the first day shown, against theory and its band, as a graph."""
    days = _by_day(reading)
    meter = reading.state.recorded.books.meter
    staked = {game: meter(f"game.{game}.coin_in_minor") for game in _games_played(reading)}
    theory = mixed(reading.environment.machine().theories, staked)
    found: list[Return] = []
    wagered = returned = rounds = 0
    for _, hours in days:
        wagered += sum(hour.wagered_minor for hour in hours)
        returned += sum(hour.returned_minor for hour in hours)
        rounds += sum(hour.round_count for hour in hours)
        found.append(return_of(wagered, returned, rounds, theory))
    lines = [GraphLine(Text("menu", "Return"), tuple(_permille(each.actual_bp) for each in found), "")]
    if theory is not None:
        lines += [
            GraphLine(Text("menu", "In theory"), tuple(_permille(each.theory_bp) for each in found), "good"),
            GraphLine(Text("menu", "By chance at least"), tuple(_permille(each.low_bp) for each in found), "muted"),
            GraphLine(Text("menu", "By chance at most"), tuple(_permille(each.high_bp) for each in found), "muted"),
        ]
    graph = GraphView(tuple(day[5:] for day, _ in days), tuple(lines), "permille")
    none = () if rounds else (Line(Text("menu", "No round has been played yet")),)
    return Body(none, graph=graph if rounds else None)


def _permille(bp: int | None) -> int | None:
    return None if bp is None else bp // 10


def faults_by_week(reading: Reading) -> Body:
    """Faults per week as a graph, weeks of seven days up to today."""
    now_ms = reading.environment.wall_ms
    week_ms = 7 * 24 * HOUR_MS
    counts = [0] * WEEKS_SHOWN
    for hour in reading.state.recorded.chronicle.hours:
        back = (now_ms - hour.number * HOUR_MS) // week_ms
        if 0 <= back < WEEKS_SHOWN:
            counts[WEEKS_SHOWN - 1 - back] += hour.fault_count
    labels = tuple(
        reading.day(max(now_ms - (WEEKS_SHOWN - 1 - index) * week_ms, 0))[5:] for index in range(WEEKS_SHOWN)
    )
    return Body(graph=GraphView(labels, (GraphLine(Text("menu", "Faults"), tuple(counts), "warning"),), "count"))
