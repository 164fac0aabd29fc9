"""A period's figures against what the hardware physically holds: the drop is counted, the hopper is weighed."""

import random

from tests.operator_menu.operator import Operator

VISITS = 25


def _trouble(operator: Operator, chance: random.Random) -> None:
    cabinet = operator.cabinet
    match chance.randrange(5):
        case 0:
            cabinet.act(lambda world: world.insert_note(2_000), wait_ms=chance.randrange(0, 900))
            cabinet.cut_power()
            cabinet.boot()
            cabinet.wait(3_000)
        case 1:
            cabinet.kill()
            cabinet.boot()
        case 2:
            cabinet.act(lambda world: world.jam("coins"))
            cabinet.act(lambda world: world.clear_jam("coins"))
        case 3:
            cabinet.act(lambda world: world.open_door("main"))
            cabinet.act(lambda world: world.close_door("main"))
        case _:
            cabinet.act(lambda world: world.set_hopper(chance.randrange(0, 30)))
    for key in ("attendant", "operator"):
        cabinet.act(lambda world, key=key: world.turn_key(key))  # type: ignore[misc]
        cabinet.act(lambda world, key=key: world.turn_back_key(key))  # type: ignore[misc]


def _play(operator: Operator, chance: random.Random) -> None:
    cabinet = operator.cabinet
    for _ in range(chance.randrange(1, 3)):
        cabinet.insert_note(chance.choice((500, 1_000, 2_000)))
    cabinet.insert_coin(chance.choice((50, 100, 200)))
    if cabinet.view.mode == "table":
        cabinet.press("lobby")
    cabinet.sit_down("oasis")
    cabinet.bet(1, "ante", 100)
    cabinet.press_if_there("deal")
    cabinet.wait(300)
    cabinet.press_if_there(chance.choice(("fold", "raise")))
    cabinet.wait(300)
    if chance.random() < 0.6:
        cabinet.press_if_there("cash_out")
        cabinet.wait(20_000)


def test_drop_hopper_and_handpays_of_a_period_match_the_hardware_after_play_with_trouble(operator: Operator) -> None:
    chance = random.Random(11)
    cabinet = operator.cabinet
    hopper_minor, moved_by_hand_minor = cabinet.world.readings.hopper_minor, 0
    for _ in range(VISITS):
        _play(operator, chance)
        before = cabinet.world.readings.hopper_minor
        held = cabinet.world.readings.tray_minor + cabinet.world.readings.taken_minor
        _trouble(operator, chance)
        paid = cabinet.world.readings.tray_minor + cabinet.world.readings.taken_minor - held
        moved_by_hand_minor += cabinet.world.readings.hopper_minor - before + paid
    if cabinet.view.mode == "tilt":
        operator.open()
        operator.close()
    cabinet.wait(5_000)
    cabinet.conserve()
    operator.open()
    operator.go("cash.collect")
    readings, books = cabinet.world.readings, cabinet.books
    page = operator.view.page
    assert page is not None
    assert readings.cash_box_minor == books.balance("cash.box")
    assert readings.hopper_minor == hopper_minor + moved_by_hand_minor + books.balance("cash.hopper")
    operator.choose_act("collect", None)
    operator.confirm()
    operator.go("cash.period")
    operator.choose_act("close_period", None)
    operator.confirm()
    closed = cabinet.terminal.state.recorded.periods.history[-1].meters
    assert closed["games_played"] > 10
    assert closed["cash_outs"] > 5
    assert closed["drop_minor"] == readings.cash_box_minor == closed["collected_minor"]
    assert closed["hopper_paid_minor"] == readings.tray_minor + readings.taken_minor
    came = closed["notes_in_minor"] + closed["coins_in_minor"]
    left = closed["hopper_paid_minor"] + closed.get("handpaid_minor", 0)
    owed = books.balance("claim.handpay") + books.credit_minor + books.balance("claim.stakes")
    house = closed["coin_in_minor"] - closed.get("coin_out_minor", 0)
    assert came - left == owed + house - books.balance("claim.stakes")
